import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { Database } from '../../src/store/database.js';
import { migrate, requireVersion, SCHEMA_VERSION } from '../../src/store/migrate.js';
import { MIGRATIONS } from '../../src/store/migrations/all.js';
import type { Migration } from '../../src/store/migrations/migration.js';
import { createStore } from '../../src/store/sql/store.js';
import { createDatabase } from '../../src/store/sqlite/database.js';
import { openInProcess } from '../../src/store/sqlite/in-process.js';
import { inFolder } from './openers.js';
import { act, arrival } from './rows.js';

const now = () => 0;

const withFile = (test: (open: () => Database) => Promise<void>): Promise<void> =>
  inFolder((folder) =>
    test(() => {
      const file = join(folder, 'store.db');
      return createDatabase(openInProcess({ file, access: 'serve' }), file);
    }),
  );

/** A step as a later version may take it: a new column, filled from the old ones. */
const next: Migration = {
  name: 'next',
  up: (db) => [
    db.schema.alterTable('acts').addColumn('note', 'text').compile(),
    sql`update acts set note = key || ' of ' || kind`.compile(db),
  ],
};

const broken: Migration = {
  name: 'broken',
  up: (db) => [
    ...next.up(db, { long: 'integer', bytes: 'blob', numbered: (column) => column }),
    sql`selec`.compile(db),
  ],
};

const versionsOf = async (database: Database) =>
  (
    await database.sql.selectFrom('schema_version').select(['version', 'name']).orderBy('version').execute()
  ).map(({ version, name }) => [version, name]);

const notesOf = async (database: Database) =>
  (await sql<{ note: string }>`select note from acts`.execute(database.sql)).rows;

describe('migrations', () => {
  test('are named for their version, in order', () => {
    expect(MIGRATIONS.map(({ name }) => Number(name.slice(0, 3)))).toEqual(
      MIGRATIONS.map((_, index) => index + 1),
    );
    expect(SCHEMA_VERSION).toBe(MIGRATIONS.length);
  });

  test('bring a file that holds rows from one version to the next, once', () =>
    withFile(async (open) => {
      const before = open();
      await migrate(before, now);
      const store = createStore(before, now);
      await store.repository(1).saveAct(act('a'));
      const { id } = await store.inbox.accept(arrival('g'));
      await store.close();

      for (const time of ['first', 'second']) {
        const after = open();
        await migrate(after, now, [...MIGRATIONS, next]);
        expect([time, await notesOf(after)]).toEqual([time, [{ note: 'a of pull.merge' }]]);
        expect((await versionsOf(after)).at(-1)).toEqual([SCHEMA_VERSION + 1, 'next']);
        const later = createStore(after, now);
        expect(await later.repository(1).act('a')).toEqual(act('a'));
        expect((await later.inbox.read(id))?.guid).toBe('g');
        await later.close();
      }
    }));

  test('leave the file as it was where a step fails', () =>
    withFile(async (open) => {
      const database = open();
      await migrate(database, now);
      await createStore(database, now).repository(1).saveAct(act('a'));
      await expect(migrate(database, now, [...MIGRATIONS, broken])).rejects.toMatchObject({
        name: 'StoreError',
      });
      expect(await versionsOf(database)).toHaveLength(SCHEMA_VERSION);
      await expect(notesOf(database)).rejects.toMatchObject({ name: 'StoreError' });
      await requireVersion(database);
      await database.close();
    }));

  test('never go back', () =>
    withFile(async (open) => {
      const database = open();
      await migrate(database, now, [...MIGRATIONS, next]);
      await expect(migrate(database, now)).rejects.toMatchObject({ kind: 'newer' });
      await expect(requireVersion(database)).rejects.toMatchObject({ kind: 'newer' });
      expect(await notesOf(database)).toEqual([]);
      await database.close();
    }));
});
