import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Database } from '../database.js';
import type { Tables } from '../schema.js';
import type { Keep, Pruned } from '../store.js';
import { millis } from '../values.js';
import { ENDED, LEFT } from './partial.js';

/**
 * Rows taken at a time. Each bite is a transaction of its own, and what others ask for goes between two of them; a
 * body is ten pages, which are visited one by one.
 */
const BODIES = 50;
const ROWS = 500;

/** A dead letter stays until a person acts. */
const ended = (query: ExpressionBuilder<Tables, 'deliveries'>): Expression<SqlBool> =>
  query.and([ENDED, query('state', '<>', 'dead')]);

/** Takes bites until one finds less than it could take; how much they took. */
const bites = async (most: number, bite: () => Promise<number>): Promise<number> => {
  for (let all = 0; ;) {
    const took = await bite();
    all += took;
    if (took < most) return all;
  }
};

const bodiesBefore = ({ sql, together }: Database, before: number): Promise<number> =>
  bites(BODIES, async () => {
    const some = sql
      .selectFrom('deliveries')
      .select('id')
      .where(ended)
      .where('kept', '=', 1)
      .where('ended_at', '<', before)
      .orderBy('ended_at')
      .orderBy('id')
      .limit(BODIES);
    const [gone] = await together([
      sql.deleteFrom('bodies').where('delivery', 'in', some).compile(),
      sql.updateTable('deliveries').set({ kept: 0 }).where('id', 'in', some).compile(),
    ]);
    return Number(gone?.numAffectedRows ?? 0n);
  });

const deliveriesBefore = ({ sql }: Database, before: number): Promise<number> =>
  bites(ROWS, async () => {
    const { numDeletedRows } = await sql
      .deleteFrom('deliveries')
      .where('id', 'in', (query) =>
        query
          .selectFrom('deliveries')
          .select('id')
          .where(ended)
          .where('kept', '=', 0)
          .where('ended_at', '<', before)
          .limit(ROWS),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  });

/** GitHub was asked for them and they never came. Nothing ends such a row; its ids are in the order of its times. */
const expectedBefore = ({ sql }: Database, before: number): Promise<number> =>
  bites(ROWS, async () => {
    const { numDeletedRows } = await sql
      .deleteFrom('deliveries')
      .where('id', 'in', (query) =>
        query
          .selectFrom('deliveries')
          .select('id')
          .where('state', '=', 'expected')
          .where(LEFT)
          .where('received_at', '<', before)
          .orderBy('id')
          .limit(ROWS),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  });

const rowsBefore = (
  { sql }: Database,
  table: 'acts' | 'pushes' | 'checks' | 'effects',
  before: number,
): Promise<number> =>
  bites(ROWS, async () => {
    const old = sql.selectFrom(table).select('id').where('at', '<', before).limit(ROWS);
    const { numDeletedRows } = await sql.deleteFrom(table).where('id', 'in', old).executeTakeFirst();
    return Number(numDeletedRows);
  });

/**
 * Takes what is past its retention. The room is used again by what comes later; the file does not shrink. `acts` of
 * the answer counts the acts alone.
 */
export const prune = async (database: Database, keep: Keep): Promise<Pruned> => {
  const deliveriesSince = millis(keep.deliveriesSince);
  const actsSince = millis(keep.actsSince);
  // A row goes after its body, so a body is kept no longer than its row.
  const bodies = await bodiesBefore(database, Math.max(millis(keep.bodiesSince), deliveriesSince));
  const done = await deliveriesBefore(database, deliveriesSince);
  const deliveries = done + (await expectedBefore(database, deliveriesSince));
  const acts = await rowsBefore(database, 'acts', actsSince);
  await rowsBefore(database, 'pushes', actsSince);
  await rowsBefore(database, 'checks', actsSince);
  await rowsBefore(database, 'effects', actsSince);
  return { bodies, deliveries, acts };
};
