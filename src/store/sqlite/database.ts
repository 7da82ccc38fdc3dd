import { Kysely } from 'kysely';
import type { ColumnTypes, Database } from '../database.js';
import type { Tables } from '../schema.js';
import { createDialect, resultOf, statementOf } from './dialect.js';
import type { Executor } from './executor.js';

const types: ColumnTypes = {
  long: 'integer',
  bytes: 'blob',
  numbered: (column) => column.primaryKey().autoIncrement(),
};

export const createDatabase = (executor: Executor, file: string): Database => ({
  sql: new Kysely<Tables>({ dialect: createDialect(executor) }),
  async together(queries) {
    const answers = await executor.run(queries.map(statementOf));
    return answers.map((answer) => resultOf<unknown>(answer));
  },
  types,
  name: file,
  close: executor.close,
});
