import type Libsql from 'libsql';
import { failureOf } from './failure.js';
import { createStatements, type Statements } from './statements.js';
import type { Answer, Outcome, Unit } from './statement.js';

/** Runs units on one open connection. Synchronous: it belongs to whoever may block. */
export interface Engine {
  /**
   * All in one transaction, so that they share one sync to the disk. A unit that fails is undone and told alone.
   * Returns once everything that is told as done would survive a power cut.
   */
  readonly run: (units: readonly Unit[]) => readonly Outcome[];
}

/** The transaction is lost, or has to be given up, and with it what its other units did. */
class Undone extends Error {}

const writes = (units: readonly Unit[]): boolean =>
  units.some((unit) => unit.some((statement) => !statement.reads));

const answersOf = (unit: Unit, statements: Statements): readonly Answer[] =>
  unit.map((statement) => statements.run(statement));

export const createEngine = (connection: Libsql.Database): Engine => {
  const statements = createStatements(connection);
  const { command } = statements;

  const begin = (units: readonly Unit[]): void =>
    // A transaction that began as a reader cannot wait for its turn to write.
    command(writes(units) ? 'begin immediate' : 'begin');

  const rollBack = (): void => {
    if (connection.inTransaction) command('rollback');
  };

  const failed = (error: unknown): Outcome => ({ kind: 'failed', failure: failureOf(error) });

  /**
   * One unit in an open transaction. SQLite undoes a failing statement by itself. Where there are several, all is done
   * again one by one: a savepoint for each unit would cost every one of them a tenth of its time.
   */
  const within = (unit: Unit): Outcome => {
    try {
      return { kind: 'done', answers: answersOf(unit, statements) };
    } catch (error) {
      // After a full disk, say, SQLite may have rolled back everything.
      if (unit.length > 1 || !connection.inTransaction) throw new Undone(undefined, { cause: error });
      return failed(error);
    }
  };

  const alone = (unit: Unit): Outcome => {
    try {
      if (unit.length === 1) return { kind: 'done', answers: answersOf(unit, statements) };
      begin([unit]);
      const answers = answersOf(unit, statements);
      command('commit');
      return { kind: 'done', answers };
    } catch (error) {
      rollBack();
      return failed(error);
    }
  };

  return {
    run(units) {
      const [only, ...more] = units;
      if (only === undefined) return [];
      if (more.length === 0) return [alone(only)];
      try {
        begin(units);
      } catch (error) {
        // Whoever keeps it busy was waited for: to wait again for each would keep everybody without an answer.
        return units.map((unit) => (writes([unit]) ? failed(error) : alone(unit)));
      }
      try {
        const outcomes = units.map(within);
        command('commit');
        return outcomes;
      } catch {
        // Nothing of it was done. One by one, each succeeds or tells its own failure: reads do on a full disk.
        rollBack();
        return units.map(alone);
      }
    },
  };
};
