import Libsql from 'libsql';
import { StoreError } from '../store.js';
import { failureOf, storeError } from './failure.js';
import { createPrivately, requireFile } from './files.js';
import { takeLock } from './lock.js';

/** `serve`: alone, and creates what is missing. `beside`: while another process serves, and creates nothing. */
export type Access = 'serve' | 'beside';

export interface FileOptions {
  /** A path, or `:memory:`. */
  readonly file: string;
  readonly access: Access;
}

export interface OpenFile {
  readonly connection: Libsql.Database;
  readonly close: () => void;
}

/** How long a statement waits for another process's write, in milliseconds. */
const BUSY = 5000;

/** "APol": what the file says of itself, so that another program's database is not taken for a store. */
const APPLICATION_ID = 0x41506f6c;

const SETTINGS = [
  'synchronous = full',
  // On macOS a plain fsync leaves the data in the drive's cache.
  'fullfsync = on',
  'checkpoint_fullfsync = on',
  'foreign_keys = on',
  'cache_size = -16384',
  // A write-ahead log that grew once is cut back to this at the next checkpoint.
  'journal_size_limit = 67108864',
];

const askOne = (connection: Libsql.Database, sql: string): unknown => {
  const [row] = connection.prepare<unknown[][]>(sql).all([]);
  return typeof row === 'object' && row !== null ? Object.values(row)[0] : undefined;
};

const identify = (connection: Libsql.Database, file: string, access: Access): void => {
  const id = askOne(connection, 'pragma application_id');
  if (id === APPLICATION_ID) return;
  const tables = askOne(connection, 'select count(*) from sqlite_master');
  if (id !== 0 || tables !== 0 || access === 'beside')
    throw new StoreError(
      `${file} is not a store of this program: name another file in AGENT_POLICY_STORE.`,
      'unreadable',
    );
  connection.exec(`pragma application_id = ${APPLICATION_ID}`);
};

const writeAhead = (connection: Libsql.Database, file: string): void => {
  if (askOne(connection, 'pragma journal_mode = wal') === 'wal') return;
  throw new StoreError(
    `The folder of the store ${file} cannot hold a write-ahead log: put the store on a disk of this machine, not on a network share.`,
    'unreadable',
  );
};

const connect = (file: string): Libsql.Database => {
  const connection = new Libsql(file, { timeout: BUSY });
  for (const setting of SETTINGS) connection.prepare(`pragma ${setting}`).all();
  return connection;
};

/**
 * Moves everything into the file itself, so that it can be copied alone. The driver finalizes prepared statements only
 * when they are collected, and until then SQLite would not do it. While another process reads, it is not waited for: the
 * next start does it.
 */
const settleDown = (connection: Libsql.Database): void => {
  try {
    connection.prepare('pragma busy_timeout = 0').all();
    connection.prepare('pragma wal_checkpoint(truncate)').all();
  } catch {
    // The disk is full, say. Nothing is lost: the log stays beside the file, and is read when that is opened again.
  }
};

/** Runs what opens something; what fails is told as StoreError. */
const opening = <T>(file: string, open: () => T): T => {
  try {
    return open();
  } catch (error) {
    throw error instanceof StoreError ? error : storeError(failureOf(error), file);
  }
};

/** Opens a store's file, and takes its lock where it is to be served from. Throws StoreError. */
export const openFile = ({ file, access }: FileOptions): OpenFile => {
  if (file === ':memory:') {
    const connection = opening(file, () => connect(file));
    return { connection, close: () => connection.close() };
  }
  if (access === 'serve') createPrivately(file);
  else requireFile(file);
  const lock = access === 'serve' ? takeLock(file) : null;
  let connection: Libsql.Database | undefined;
  try {
    return opening(file, () => {
      const opened = connect(file);
      connection = opened;
      identify(opened, file, access);
      writeAhead(opened, file);
      return {
        connection: opened,
        close: () => {
          if (access === 'serve') settleDown(opened);
          opened.close();
          lock?.release();
        },
      };
    });
  } catch (error) {
    connection?.close();
    lock?.release();
    throw error;
  }
};
