import type { Database } from './database.js';
import { MIGRATIONS } from './migrations/all.js';
import type { Migration } from './migrations/migration.js';
import { StoreError } from './store.js';

/** The version of the schema this program reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

const versionOf = async (database: Database): Promise<number> => {
  const tables = await database.sql.introspection.getTables();
  if (!tables.some(({ name }) => name === 'schema_version')) return 0;
  const row = await database.sql
    .selectFrom('schema_version')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirst();
  return row?.version ?? 0;
};

const refuseNewer = (database: Database, found: number, known: number): void => {
  if (found <= known) return;
  throw new StoreError(
    `The store ${database.name} was written by a newer version of this program (its schema is ${found}, this program ` +
      `knows ${known}). Run that version, or put back the backup made before the upgrade.`,
    'newer',
  );
};

/**
 * Brings the tables to the newest version, each step all or none. Only who holds the lock may call it. Throws
 * StoreError `newer` where a newer program wrote them.
 */
export async function migrate(
  database: Database,
  now: () => number,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const found = await versionOf(database);
  refuseNewer(database, found, migrations.length);
  const { sql, types } = database;
  if (found === 0) {
    await sql.schema
      .createTable('schema_version')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('at', types.long, (column) => column.notNull())
      .execute();
  }
  for (const [index, { name, up }] of migrations.entries()) {
    const version = index + 1;
    if (version <= found) continue;
    const note = sql.insertInto('schema_version').values({ version, name, at: now() }).compile();
    await database.together([...up(sql, types), note]);
  }
}

/** Throws StoreError where the tables are of another version than this program's: it must not change them. */
export async function requireVersion(database: Database, version = SCHEMA_VERSION): Promise<void> {
  const found = await versionOf(database);
  refuseNewer(database, found, version);
  if (found === version) return;
  throw new StoreError(
    `The store ${database.name} was written by an older version of this program (its schema is ${found}, this ` +
      `program's ${version}). Start the server once: it brings the store up to date.`,
    'unreadable',
  );
}
