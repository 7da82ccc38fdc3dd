import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';
import { codeOf } from '../../error-code.js';
import { StoreError } from '../store.js';
import { failureOf } from './failure.js';
import { openFile } from './open-file.js';

const synced = (path: string): void => {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

const isWhole = (file: string): boolean => {
  const connection = new Libsql(file);
  try {
    const [row] = connection.prepare<unknown[][]>('pragma quick_check(1)').all([]);
    return typeof row === 'object' && row !== null && Object.values(row)[0] === 'ok';
  } finally {
    connection.close();
  }
};

const cannot = (target: string, why: string, cause?: unknown): StoreError =>
  new StoreError(`The backup ${target} was not made: ${why}.`, 'failed', { cause });

const reserve = (target: string, partial: string): void => {
  if (existsSync(target)) throw cannot(target, 'there is a file of that name already: name another');
  try {
    closeSync(openSync(partial, 'wx', 0o600));
  } catch (error) {
    const code = codeOf(error);
    throw cannot(
      target,
      code === 'EEXIST'
        ? `another one is being written, or broke off: see to it that none runs, and remove ${partial}`
        : `${dirname(target)} is no folder that this user may write in (${code})`,
      error,
    );
  }
};

/**
 * Copies a store as it is at this moment, also while a server writes to it: the copy is one file, compact, whole before
 * it has its name, readable by its owner only. Any version of the schema is copied. Throws StoreError.
 */
export const backUp = (file: string, target: string): void => {
  const { connection, close } = openFile({ file, access: 'beside' });
  try {
    const partial = `${target}.part`;
    reserve(target, partial);
    try {
      // SQLite does not sync what it vacuums into: https://sqlite.org/lang_vacuum.html#vacuuminto
      connection.prepare('vacuum into ?').run([partial]);
      synced(partial);
      if (!isWhole(partial)) throw cannot(target, `the store ${file} is damaged`);
      renameSync(partial, target);
      synced(dirname(target));
    } catch (error) {
      rmSync(partial, { force: true });
      if (error instanceof StoreError) throw error;
      const { code, message } = failureOf(error);
      throw cannot(target, code === 'SQLITE_FULL' ? 'the disk is full' : `${message} (${code})`, error);
    }
  } finally {
    close();
  }
};
