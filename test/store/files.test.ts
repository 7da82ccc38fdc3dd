import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import Libsql from 'libsql';
import { openStore } from '../../src/store/open.js';
import { isServed } from '../../src/store/sqlite/lock.js';
import { inFolder } from './openers.js';
import { act, arrival, at } from './rows.js';

/** Changes a store's file by hand. */
const change = (file: string, sql: string): void => {
  const connection = new Libsql(file);
  connection.exec(sql);
  connection.close();
};

const createStoreFile = async (file: string): Promise<void> => {
  const store = await openStore({ file });
  await store.inbox.accept(arrival('g', { body: Buffer.alloc(50_000, 'x') }));
  await store.close();
};

const refused = async (file: string, lock: 'serve' | 'beside'): Promise<unknown> => {
  try {
    const store = await openStore({ file, lock });
    await store.close();
    return 'opened';
  } catch (error) {
    return error;
  }
};

describe('a file that is no store is refused with what to do', () => {
  const another = /name another file in AGENT_POLICY_STORE/;

  test.each<[string, 'serve' | 'beside', (folder: string) => string | Promise<string>, string, RegExp]>([
    [
      'no folder',
      'serve',
      (folder) => join(folder, 'no', 'store.db'),
      'unreadable',
      /no folder .*\/no: create it/,
    ],
    ['a folder', 'serve', (folder) => folder, 'unreadable', /see that it is a file/],
    ['no file', 'beside', (folder) => join(folder, 'store.db'), 'unreadable', /There is no store at/],
    ...(['serve', 'beside'] as const).map(
      (lock): [string, 'serve' | 'beside', (folder: string) => string, string, RegExp] => [
        'what cannot be looked for',
        lock,
        (folder) => {
          symlinkSync('store.db', join(folder, 'store.db'));
          return join(folder, 'store.db');
        },
        'unreadable',
        /cannot be looked for by this user \(ELOOP\): run this as the user of the server/,
      ],
    ),
    [
      'a text',
      'serve',
      (folder) => {
        writeFileSync(join(folder, 'store.db'), 'a long text that is no database\n'.repeat(300));
        return join(folder, 'store.db');
      },
      'unreadable',
      another,
    ],
    [
      'an empty file',
      'beside',
      (folder) => {
        writeFileSync(join(folder, 'store.db'), '');
        return join(folder, 'store.db');
      },
      'unreadable',
      another,
    ],
    ...(['serve', 'beside'] as const).map(
      (lock): [string, 'serve' | 'beside', (folder: string) => string, string, RegExp] => [
        "another program's database",
        lock,
        (folder) => {
          change(join(folder, 'store.db'), 'create table theirs (id integer)');
          return join(folder, 'store.db');
        },
        'unreadable',
        another,
      ],
    ),
    ...(['serve', 'beside'] as const).map(
      (lock): [string, 'serve' | 'beside', (folder: string) => Promise<string>, string, RegExp] => [
        'damaged',
        lock,
        async (folder) => {
          const file = join(folder, 'store.db');
          await createStoreFile(file);
          const bytes = readFileSync(file);
          writeFileSync(file, bytes.fill(0xa5, 4096));
          return file;
        },
        'unreadable',
        /is damaged: stop the server and put back a backup/,
      ],
    ),
    ...(['serve', 'beside'] as const).map(
      (lock): [string, 'serve' | 'beside', (folder: string) => Promise<string>, string, RegExp] => [
        'newer than this program',
        lock,
        async (folder) => {
          const file = join(folder, 'store.db');
          await createStoreFile(file);
          change(file, `insert into schema_version (version, name, at) values (99, '099-later', 0)`);
          return file;
        },
        'newer',
        /its schema is 99, this program knows \d+\). Run that version, or put back the backup/,
      ],
    ),
    [
      'older than this program',
      'beside',
      async (folder) => {
        const file = join(folder, 'store.db');
        await createStoreFile(file);
        change(file, 'delete from schema_version');
        return file;
      },
      'unreadable',
      /older version of this program .*Start the server once/,
    ],
  ])('%s (%s)', (_, lock, make, kind, words) =>
    inFolder(async (folder) => {
      const file = await make(folder);
      const error = await refused(file, lock);
      expect(error).toMatchObject({ name: 'StoreError', kind, message: expect.stringMatching(words) });
      expect(error).toMatchObject({ message: expect.stringContaining(file) });
      if (file !== folder) expect(existsSync(file) && isServed(file)).toBe(false);
    }),
  );

  test('one that may not be created', async () => {
    expect(await refused('/proc/store.db', 'serve')).toMatchObject({
      name: 'StoreError',
      kind: 'unreadable',
      message: expect.stringMatching(/\/proc\/store\.db cannot be created: give this user the right/),
    });
  });

  test('one that is only looked at is not created', () =>
    inFolder(async (folder) => {
      await refused(join(folder, 'store.db'), 'beside');
      expect(existsSync(join(folder, 'store.db'))).toBe(false);
    }));
});

describe('the lock', () => {
  test('is held from serving until closing, by whatever path the file is reached', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'store.db');
      const store = await openStore({ file });
      mkdirSync(join(folder, 'other'));
      symlinkSync(file, join(folder, 'other', 'link.db'));
      expect(isServed(file)).toBe(true);
      for (const path of [file, join(folder, 'other', 'link.db')])
        expect(await refused(path, 'serve')).toMatchObject({
          kind: 'locked',
          message: expect.stringMatching(/in use: another process serves from it. Stop that one first/),
        });
      // A refusal must not have let go of it.
      expect(isServed(file)).toBe(true);
      await store.close();
      expect(isServed(file)).toBe(false);
      expect(await refused(file, 'serve')).toBe('opened');
    }));

  test('is not created by who only asks for it', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'store.db');
      await createStoreFile(file);
      rmSync(`${file}.lock`);
      expect(isServed(file)).toBe(false);
      expect(existsSync(`${file}.lock`)).toBe(false);
    }));

  test('is not asked for beside', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'store.db');
      await createStoreFile(file);
      const beside = await openStore({ file, lock: 'beside' });
      expect(isServed(file)).toBe(false);
      expect(await refused(file, 'serve')).toBe('opened');
      expect((await beside.inbox.counts()).queued).toBe(1);
      await beside.close();
    }));
});

test('a store that another process reads is closed without waiting for it, and nothing is lost', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'store.db');
    const store = await openStore({ file });
    await store.inbox.accept(arrival('g'));
    const reader = new Libsql(file);
    reader.exec('begin');
    reader.prepare('select count(*) from sqlite_master').all();
    await store.inbox.accept(arrival('h'));
    const from = Date.now();
    await store.close();
    expect(Date.now() - from).toBeLessThan(1_500);
    reader.close();
    const again = await openStore({ file });
    expect((await again.inbox.counts()).queued).toBe(2);
    await again.close();
  }));

test('only its owner reads a store and what stands beside it', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'store.db');
    const store = await openStore({ file });
    await store.repository(1).saveAct(act('a', { at: at('09:00:00') }));
    for (const suffix of ['', '-wal', '-shm', '.lock'])
      expect([suffix, (statSync(`${file}${suffix}`).mode & 0o777).toString(8)]).toEqual([suffix, '600']);
    await store.close();
  }));
