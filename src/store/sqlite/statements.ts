import type Libsql from 'libsql';
import { parametersOf, valueOf, type Answer, type Statement, type Value } from './statement.js';

/** Statements kept prepared. Queries with optional parts have many shapes; the seldom used ones are let go. */
const KEPT = 200;

type Prepared = Libsql.Statement<[readonly Value[]]>;

export interface Statements {
  readonly run: (statement: Statement) => Answer;
  /** Runs SQL that takes no parameters and answers nothing. */
  readonly command: (sql: string) => void;
}

/** Prepares each statement once, as long as it is used. */
export const createStatements = (connection: Libsql.Database): Statements => {
  const kept = new Map<string, Prepared>();

  const prepared = (sql: string): Prepared => {
    const known = kept.get(sql);
    const statement = known ?? connection.prepare<[readonly Value[]]>(sql);
    // A Map is in the order of insertion: the first is the one not used for longest.
    if (known !== undefined) kept.delete(sql);
    kept.set(sql, statement);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return statement;
  };

  return {
    run(asked) {
      const values = parametersOf(asked).map(valueOf);
      const statement = prepared(asked.sql);
      if (!statement.reader) return { rows: [], changes: statement.run(values).changes };
      const rows = statement.all(values);
      return { rows, changes: asked.reads ? 0 : rows.length };
    },
    command(sql) {
      prepared(sql).run([]);
    },
  };
};
