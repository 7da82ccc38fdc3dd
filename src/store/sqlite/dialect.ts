import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import { StoreError } from '../store.js';
import type { Executor } from './executor.js';
import type { Answer, Statement } from './statement.js';

export const statementOf = ({ sql, parameters, query }: CompiledQuery): Statement => ({
  sql,
  parameters,
  reads: query.kind === 'SelectQueryNode',
});

/** `R` is what Kysely worked out that the query answers. */
export const resultOf = <R>({ rows, changes }: Answer): QueryResult<R> => ({
  rows: rows.map((row) => row as R),
  numAffectedRows: BigInt(changes),
});

const refuse = async (): Promise<never> => {
  throw new StoreError(
    'No transaction or cursor is held open: what belongs together is run together.',
    'failed',
  );
};

const createDriver = ({ run }: Executor): Driver => {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const [answer] = await run([statementOf(query)]);
      return answer === undefined ? { rows: [] } : resultOf<R>(answer);
    },
    // What is long is read page by page, each a query of its own.
    async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
      yield await refuse();
    },
  };
  return {
    async init() {},
    async acquireConnection() {
      return connection;
    },
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    async releaseConnection() {},
    async destroy() {},
  };
};

/** Kysely over an executor. Each query is a transaction of its own; none is held open between two of them. */
export const createDialect = (executor: Executor): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => createDriver(executor),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
