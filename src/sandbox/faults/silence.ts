/** What Node's `fetch` throws when the other side ends the connection without an answer. */
export const connectionReset = (): TypeError =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }),
  });

/**
 * Gives no answer: throws what `fetch` throws once the client has given up, or, where it is more patient than `ms`, that
 * the connection was reset.
 */
export const silence = async (signal: AbortSignal, ms: number): Promise<never> => {
  await new Promise<void>((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  throw signal.aborted ? signal.reason : connectionReset();
};
