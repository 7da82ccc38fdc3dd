import { resolve } from 'node:path';
import { printable } from '../policy/quote.js';
import { readStoreFile, withEnvFile } from '../settings.js';
import { openStore } from '../store/open.js';
import { StoreError, type Store } from '../store/store.js';
import type { Io } from './io.js';
import type { Outside } from './outside.js';

/** The words of `--store FILE`, the same on every command that has it. */
export const STORE_OPTION = [
  '--store <file>',
  "the App's database (default: AGENT_POLICY_STORE, from the environment or .env)",
] as const;

/** The file a command reads: what `--store` says, else the setting. Null where that is wrong; it is said then. */
export const storeFile = (given: string | undefined, io: Io, { env, cwd }: Outside): string | null => {
  if (given !== undefined) return resolve(cwd, given);
  const environment = withEnvFile(env, cwd);
  const setting = environment.kind === 'ok' ? readStoreFile(environment.env) : environment;
  if (setting.kind === 'ok') return resolve(cwd, setting.file);
  const { variable, wrong, remedy } = setting.problem;
  io.err(`agent-policy: ${variable} ${wrong}. ${remedy}\n`);
  io.exit(2);
  return null;
};

/**
 * Opens the store beside whoever serves from it, works, and closes it. What the store refuses is said with its remedy,
 * and the command ends with 2.
 */
export const withStore = async (
  given: string | undefined,
  io: Io,
  outside: Outside,
  work: (store: Store) => Promise<void>,
): Promise<void> => {
  const file = storeFile(given, io, outside);
  if (file === null) return;
  try {
    const store = await openStore({ file, lock: 'beside', thread: false });
    try {
      await work(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    io.err(`agent-policy: ${printable(error.message)}\n`);
    io.exit(2);
  }
};
