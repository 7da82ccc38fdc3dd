import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import Libsql from 'libsql';
import { sql } from 'kysely';
import { migrate } from '../../src/store/migrate.js';
import { createStore } from '../../src/store/sql/store.js';
import { createDatabase } from '../../src/store/sqlite/database.js';
import { createEngine } from '../../src/store/sqlite/engine.js';
import { openInProcess } from '../../src/store/sqlite/in-process.js';
import type { Outcome, Statement, Unit } from '../../src/store/sqlite/statement.js';
import { inFolder } from './openers.js';
import { act, arrival } from './rows.js';

const put = (id: unknown, word: unknown = 'x'): Statement => ({
  sql: 'insert into words (id, word) values (?, ?)',
  parameters: [id, word],
  reads: false,
});

const read: Statement = { sql: 'select id from words order by id', parameters: [], reads: true };

const withEngine = (
  test: (run: (units: readonly Unit[]) => readonly Outcome[], connection: Libsql.Database) => void,
): Promise<void> =>
  inFolder(async (folder) => {
    const connection = new Libsql(join(folder, 'words.db'));
    connection.prepare('pragma journal_mode = wal').all();
    connection.exec('create table words (id integer primary key, word not null)');
    test(createEngine(connection).run, connection);
    connection.close();
  });

const told = (outcome: Outcome | undefined): unknown =>
  outcome?.kind === 'done' ? outcome.answers.map(({ rows }) => rows) : outcome?.failure.code;

describe('a batch', () => {
  test('is answered unit by unit, in order, each after the ones before it', () =>
    withEngine((run) => {
      const outcomes = run([[put(1)], [read], [put(2), put(3)], [read]]);
      expect(outcomes.map(told)).toEqual([
        [[]],
        [[{ id: 1 }]],
        [[], []],
        [[{ id: 1 }, { id: 2 }, { id: 3 }]],
      ]);
    }));

  test('waits once for who keeps the store busy: what writes has failed then, what reads is answered', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'words.db');
      const connection = new Libsql(file, { timeout: 100 });
      connection.prepare('pragma journal_mode = wal').all();
      connection.exec('create table words (id integer primary key, word not null)');
      const { run } = createEngine(connection);
      const other = new Libsql(file);
      other.exec('begin immediate');
      const before = performance.now();
      const outcomes = run([[read], ...Array.from({ length: 100 }, (_, id) => [put(id)]), [read]]);
      expect(performance.now() - before).toBeLessThan(5_000);
      expect(outcomes.map(told)).toEqual([[[]], ...Array.from({ length: 100 }, () => 'SQLITE_BUSY'), [[]]]);
      other.exec('rollback');
      expect(run([[put(1)], [read]]).map(told)).toEqual([[[]], [[{ id: 1 }]]]);
      other.close();
      connection.close();
    }));

  test.each<[string, readonly Unit[]]>([
    ['of one statement', [[put(1)], [put(1)], [put(2)]]],
    ['of several statements, undone from its first', [[put(1)], [put(3), put(4), put(1)], [put(2)]]],
    ['whose SQL is wrong', [[put(1)], [put(3), { ...read, sql: 'selec' }], [put(2)]]],
    ['with a boolean, on which the driver would end the process', [[put(1)], [put(true)], [put(2)]]],
    ['with nothing where a value is missing', [[put(1)], [put(undefined)], [put(2)]]],
  ])('is done but for a failing unit %s', (_, units) =>
    withEngine((run) => {
      const outcomes = run(units);
      expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'failed', 'done']);
      expect(told(run([[read]])[0])).toEqual([[{ id: 1 }, { id: 2 }]]);
    }),
  );

  test('of one failing unit leaves nothing of it, and no transaction', () =>
    withEngine((run, connection) => {
      expect(run([[put(1), put(1)]]).map(told)).toEqual(['SQLITE_CONSTRAINT_PRIMARYKEY']);
      expect(connection.inTransaction).toBe(false);
      expect(told(run([[read]])[0])).toEqual([[]]);
    }));

  test('of nothing is nothing', () => withEngine((run) => expect(run([])).toEqual([])));

  test('on a full disk answers its reads, and its writes with the failure; with room again all is well', () =>
    withEngine((run, connection) => {
      run([[put(1)]]);
      connection.prepare('pragma max_page_count = 6').all();
      const big = put(2, Buffer.alloc(60_000));
      const outcomes = run([[read], [big], [put(3), big], [read]]);
      expect(outcomes.map(told)).toEqual([[[{ id: 1 }]], 'SQLITE_FULL', 'SQLITE_FULL', [[{ id: 1 }]]]);
      connection.prepare('pragma max_page_count = 1000').all();
      expect(run([[big], [put(3)]]).map(({ kind }) => kind)).toEqual(['done', 'done']);
    }));

  test('may be of more different statements than are kept prepared', () =>
    withEngine((run) => {
      const units = Array.from({ length: 700 }, (_, index): Unit => [
        { sql: `select ${index} as n`, parameters: [], reads: true },
      ]);
      expect(run(units).map(told)).toEqual(units.map((_, index) => [[{ n: index }]]));
    }));
});

describe('a store whose disk is full', () => {
  test('says so, keeps what it has, and goes on by itself', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'store.db');
      const database = createDatabase(openInProcess({ file, access: 'serve' }), file);
      await migrate(database, Date.now);
      const store = createStore(database, Date.now);
      await store.repository(1).saveAct(act('a'));
      const pages = async (most: number): Promise<void> =>
        void (await sql`pragma max_page_count = ${sql.lit(most)}`.execute(database.sql));
      await pages(1);
      await expect(store.inbox.accept(arrival('g', { body: randomBytes(900_000) }))).rejects.toMatchObject({
        name: 'StoreError',
        kind: 'full',
        message: expect.stringMatching(/store\.db cannot grow, the disk is full: make room/),
      });
      expect(await store.inbox.known(['g'])).toEqual(new Set());
      expect(await store.repository(1).act('a')).toEqual(act('a'));
      await pages(100_000);
      expect((await store.inbox.accept(arrival('g', { body: randomBytes(900_000) }))).kind).toBe('new');
      await store.close();
    }));
});

describe('queries that belong together', () => {
  test('are done all or none', async () => {
    const database = createDatabase(openInProcess({ file: ':memory:', access: 'serve' }), ':memory:');
    await migrate(database, Date.now);
    const one = database.sql.insertInto('cursors').values({ key: 'a', value: '1' }).compile();
    await expect(database.together([one, one])).rejects.toMatchObject({ name: 'StoreError', kind: 'failed' });
    expect(await database.sql.selectFrom('cursors').selectAll().execute()).toEqual([]);
    await database.together([one]);
    expect(await database.sql.selectFrom('cursors').selectAll().execute()).toHaveLength(1);
    await database.close();
  });

  test('are never held open as a transaction', async () => {
    const database = createDatabase(openInProcess({ file: ':memory:', access: 'serve' }), ':memory:');
    await expect(database.sql.transaction().execute(async () => 1)).rejects.toMatchObject({
      name: 'StoreError',
    });
    await database.close();
  });
});
