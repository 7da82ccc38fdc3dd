import type { Database } from './database.js';
import { migrate, requireVersion } from './migrate.js';
import { createStore } from './sql/store.js';
import { createDatabase } from './sqlite/database.js';
import { openInProcess } from './sqlite/in-process.js';
import { openInThread } from './sqlite/in-thread.js';
import type { Access } from './sqlite/open-file.js';
import { watchFile } from './sqlite/whereabouts.js';
import type { Store, StoreError } from './store.js';

export interface OpenOptions {
  /** A path, or `:memory:`. */
  readonly file: string;
  /**
   * `serve` (the default): this process alone serves from it; the file is created and brought up to date. `beside`:
   * another process may serve meanwhile; nothing is created, and another version's tables are refused.
   */
  readonly lock?: Access;
  /** Whether the disk is waited for in a thread of its own, which a server wants; `:memory:` has none. */
  readonly thread?: boolean;
  /**
   * Told, perhaps twice, when the thread ends unasked, or when the file that is served from is deleted, moved or replaced:
   * nothing can be stored any more, and the process has to start anew.
   */
  readonly onLost?: (error: StoreError) => void;
  /** Milliseconds since 1970; the process's clock unless said otherwise. */
  readonly now?: () => number;
}

const ready = async (database: Database, access: Access, now: () => number): Promise<Store> => {
  try {
    await (access === 'serve' ? migrate(database, now) : requireVersion(database));
    return createStore(database, now);
  } catch (error) {
    await database.close();
    throw error;
  }
};

/** Opens a store. What it returns is to be closed. Rejects with StoreError, which says what a person can do. */
export async function openStore(options: OpenOptions): Promise<Store> {
  const { file, lock = 'serve', thread = false, onLost = () => undefined, now = Date.now } = options;
  const where = { file, access: lock };
  const executor = thread && file !== ':memory:' ? await openInThread(where, onLost) : openInProcess(where);
  const store = await ready(createDatabase(executor, file), lock, now);
  return lock === 'serve' && file !== ':memory:' ? watched(store, file, onLost) : store;
}

const watched = async (store: Store, file: string, onLost: (error: StoreError) => void): Promise<Store> => {
  const unwatch = await watchFile(file, onLost);
  const close = (): Promise<void> => {
    unwatch();
    return store.close();
  };
  return { ...store, close };
};
