import { existsSync, realpathSync } from 'node:fs';
import Libsql from 'libsql';
import { StoreError } from '../store.js';
import { failureOf, storeError } from './failure.js';
import { createPrivately } from './files.js';

export interface Lock {
  readonly release: () => void;
}

/** Two that begin at the same moment may both find it taken; the second look, within this many milliseconds, settles it. */
const SETTLES = 250;

/** The same for every path that leads to the file. It has to be there. */
const lockFileOf = (file: string): string => `${realpathSync(file)}.lock`;

/** Null: another process holds it, or this one does already. */
const tryLock = (file: string): Lock | null => {
  const path = lockFileOf(file);
  createPrivately(path);
  const connection = new Libsql(path, { timeout: SETTLES });
  try {
    // It is never committed. The operating system lets go of it with the process, however that ends.
    connection.exec('begin exclusive');
    return { release: () => connection.close() };
  } catch (error) {
    connection.close();
    if (failureOf(error).code === 'SQLITE_BUSY') return null;
    throw error;
  }
};

/** Makes this process the one that serves from a store. Throws StoreError `locked` where another one does. */
export const takeLock = (file: string): Lock => {
  try {
    const lock = tryLock(file);
    if (lock !== null) return lock;
  } catch (error) {
    throw error instanceof StoreError ? error : storeError(failureOf(error), lockFileOf(file));
  }
  throw new StoreError(
    `The store ${file} is in use: another process serves from it. Stop that one first, or name another file in AGENT_POLICY_STORE.`,
    'locked',
  );
};

/** Whether some process serves from a store. The file has to be there; nothing is created. Throws StoreError. */
export const isServed = (file: string): boolean => {
  // Who looks may be another user than the one that serves: a lock of the wrong owner would keep the server from starting.
  if (!existsSync(lockFileOf(file))) return false;
  try {
    const lock = tryLock(file);
    lock?.release();
    return lock === null;
  } catch (error) {
    throw error instanceof StoreError ? error : storeError(failureOf(error), lockFileOf(file));
  }
};
