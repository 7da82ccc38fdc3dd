import type { ColumnDefinitionBuilder, ColumnDataType, CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { Tables } from './schema.js';

/** What the tables are kept in. A sibling of src/store/sqlite/ gives the same. */
export interface Database {
  /** Builds queries; each one that is executed is a transaction of its own. */
  readonly sql: Kysely<Tables>;
  /** Runs these in order, all or none; their results in the same order. Rejects with StoreError. */
  readonly together: (queries: readonly CompiledQuery[]) => Promise<readonly QueryResult<unknown>[]>;
  readonly types: ColumnTypes;
  /** What people know it by: a file's path. */
  readonly name: string;
  /** Finishes what was asked for, and takes nothing else. */
  readonly close: () => Promise<void>;
}

/** What a migration leaves to the kind of database. */
export interface ColumnTypes {
  /** A 64-bit integer: GitHub's ids, milliseconds. */
  readonly long: ColumnDataType;
  readonly bytes: ColumnDataType;
  /** Makes a column of `long` the primary key that numbers the rows, and never uses a number again. */
  readonly numbered: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
}
