import type { Logger } from 'pino';

/** Stops forwarding. */
export type StopProxy = () => Promise<void>;

/**
 * Forwards the deliveries of a smee.io channel to this machine, in development. Null: `smee-client` is not
 * installed, since it is a development dependency.
 */
export const startProxy = async (source: string, target: string, log: Logger): Promise<StopProxy | null> => {
  const module = await import('smee-client').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  });
  if (module === null) return null;
  const client = new module.SmeeClient({
    source,
    target,
    logger: {
      info: (...message: unknown[]) => log.debug(message.join(' ')),
      error: (...message: unknown[]) => log.warn(message.join(' ')),
    },
  });
  await client.start();
  return () => client.stop();
};
