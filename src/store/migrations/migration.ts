import type { CompiledQuery, Kysely } from 'kysely';
import type { ColumnTypes } from '../database.js';
import type { Tables } from '../schema.js';

/**
 * One step forward. It is never changed once it was released, and there is no way back: an older program refuses a
 * newer store. Its queries run in order, all or none. `Tables` says how the tables are now: rows of an older shape are
 * changed by `sql`, whose names are not checked.
 */
export interface Migration {
  readonly name: string;
  readonly up: (db: Kysely<Tables>, types: ColumnTypes) => readonly CompiledQuery[];
}
