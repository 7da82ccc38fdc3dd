import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { failureOf, storeError } from '../../src/store/sqlite/failure.js';
import { inFolder } from './openers.js';

/** Takes a lock in a folder that it may not write, as a user to whom that means something, and prints what is thrown. */
const LOCK = `
const Libsql = require('libsql');
if (process.getuid() === 0) process.setuid(65534);
try {
  new Libsql(process.argv[1]).exec('begin exclusive');
} catch ({ code, message }) {
  console.log(JSON.stringify({ code, message }));
}
`;

describe('a code that the driver has no name for is told by its primary one', () => {
  test('a lock in a folder that may not be written, from the driver itself', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'store.db.lock');
      writeFileSync(file, '');
      chmodSync(file, 0o666);
      chmodSync(folder, 0o555);
      const { stdout } = spawnSync(process.execPath, ['-e', LOCK, file], { encoding: 'utf8' });
      chmodSync(folder, 0o755);
      expect(failureOf(JSON.parse(stdout))).toEqual({
        code: 'SQLITE_READONLY',
        message: 'attempt to write a readonly database',
      });
    }));

  test.each<[string, number, string, string, RegExp]>([
    ['SQLITE_READONLY_DIRECTORY', 1544, 'SQLITE_READONLY', 'unreadable', /right to write it and its folder/],
    ['SQLITE_BUSY_SNAPSHOT', 517, 'SQLITE_BUSY', 'failed', /kept busy by another process: try again/],
    ['SQLITE_CORRUPT_INDEX', 779, 'SQLITE_CORRUPT', 'unreadable', /damaged: .* put back a backup/],
    ['SQLITE_IOERR_CORRUPTFS', 8458, 'SQLITE_IOERR', 'failed', /see to the disk/],
    ['a number that is none of these', 2, 'UNEXPECTED', 'failed', /could not do what it was asked for/],
  ])('%s', (_name, number, code, kind, remedy) => {
    const error = Object.assign(new Error('what SQLite says'), {
      code: `UNKNOWN_SQLITE_ERROR_${String(number)}`,
    });
    const failure = failureOf(error);
    expect(failure).toEqual({ code, message: 'what SQLite says' });
    expect(storeError(failure, 'the.db')).toMatchObject({ kind, message: expect.stringMatching(remedy) });
  });

  test('what is no error of SQLite stays unexpected', () => {
    for (const error of [new Error('x'), 'x', null, { code: 8 }])
      expect(failureOf(error).code).toBe('UNEXPECTED');
  });
});
