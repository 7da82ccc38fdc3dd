import { unpacked } from '../body.js';
import type { Database } from '../database.js';
import type { DeliveryState, Inbox, StoredDelivery } from '../inbox.js';
import { iso, millis } from '../values.js';
import { buried, createAccept } from './accept.js';
import { DELIVERY_COLUMNS, QUEUED_COLUMNS, deliveryOf, queuedOf } from './delivery-rows.js';
import { LEFT, UNDONE } from './partial.js';

/** GUIDs looked for at a time: one shape of query, whatever their number. */
const LOOKED_FOR = 100;

const inPieces = (guids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(guids.length / LOOKED_FOR) }, (_, piece) => {
    const some = guids.slice(piece * LOOKED_FOR, (piece + 1) * LOOKED_FOR);
    return [...some, ...Array.from({ length: LOOKED_FOR - some.length }, () => some[0] ?? '')];
  });

/**
 * The deliveries of all repositories. Times come out with their milliseconds: `2026-11-30T09:00:00.000Z`. `list`
 * begins with the newest. What is only expected was not received: it is in nobody's way, and has no age.
 */
export const createInbox = (database: Database, now: () => number): Inbox => {
  const { sql } = database;

  const readWhole = async (
    column: 'id' | 'guid',
    value: number | string,
  ): Promise<StoredDelivery | undefined> => {
    const row = await sql
      .selectFrom('deliveries')
      .leftJoin('bodies', 'bodies.delivery', 'deliveries.id')
      .select([...DELIVERY_COLUMNS, 'bodies.body'])
      .where(column, '=', value)
      .executeTakeFirst();
    return row && { ...deliveryOf(row), body: row.body === null ? null : unpacked(row.body) };
  };

  return {
    ...createAccept(database),
    async expect(guid, happenedAt) {
      await sql
        .insertInto('deliveries')
        .values({
          guid,
          name: '',
          state: 'expected',
          lane: 0,
          attempts: 0,
          arrivals: 0,
          happened_at: millis(happenedAt),
          received_at: now(),
          kept: 0,
        })
        .onConflict((conflict) => conflict.column('guid').doNothing())
        .execute();
    },
    async known(guids) {
      const found = await Promise.all(
        inPieces(guids).map((piece) =>
          sql
            .selectFrom('deliveries')
            .select('guid')
            .where('guid', 'in', piece)
            .where('state', '<>', 'expected')
            .execute(),
        ),
      );
      return new Set(found.flat().map(({ guid }) => guid));
    },
    async pending(after, limit) {
      // Each state has its ids in order in the index; asked for both at once, SQLite would sort them all.
      const of = (state: 'queued' | 'waiting') =>
        sql
          .selectFrom((from) =>
            from
              .selectFrom('deliveries')
              .select(QUEUED_COLUMNS)
              .where('state', '=', state)
              .where(LEFT)
              .where('id', '>', after)
              .orderBy('id')
              .limit(limit)
              .as('some'),
          )
          .selectAll();
      const rows = await of('queued').unionAll(of('waiting')).orderBy('id').limit(limit).execute();
      return rows.map(queuedOf);
    },
    async read(id) {
      return readWhole('id', id);
    },
    async find(name) {
      const byGuid = await readWhole('guid', name);
      return byGuid ?? (/^\d{1,15}$/.test(name) ? readWhole('id', Number(name)) : undefined);
    },
    async list({ state, repository, limit }) {
      const rows = await sql
        .selectFrom('deliveries')
        .select(DELIVERY_COLUMNS)
        .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'dead'))
        .$if(state !== undefined && state !== 'done', (query) => query.where(LEFT))
        .$if(repository !== undefined, (query) => query.where('repository', '=', repository ?? 0))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(deliveryOf);
    },
    async done(id, at) {
      await sql
        .updateTable('deliveries')
        .set({ state: 'done', ended_at: millis(at), due: null })
        .where('id', '=', id)
        .execute();
    },
    async retry(id, { attempts, due, error }) {
      await sql
        .updateTable('deliveries')
        .set({ state: 'waiting', attempts, due: millis(due), error, ended_at: null })
        .where('id', '=', id)
        .execute();
    },
    async bury(id, burial) {
      await sql.updateTable('deliveries').set(buried(burial)).where('id', '=', id).execute();
    },
    async replay(id) {
      const { numUpdatedRows } = await sql
        .updateTable('deliveries')
        .set({ state: 'queued', attempts: 0, due: null, ended_at: null })
        .where('id', '=', id)
        .where('kept', '=', 1)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async oldestUndone() {
      const row = await sql
        .selectFrom('deliveries')
        .select('received_at')
        .where(UNDONE)
        .orderBy('received_at')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : iso(row.received_at);
    },
    async undoneBefore(repository, receivedAt) {
      const row = await sql
        .selectFrom('deliveries')
        .select('id')
        .where(UNDONE)
        .where('repository', '=', repository)
        .where('received_at', '<', millis(receivedAt))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    async dead() {
      const { count } = await sql
        .selectFrom('deliveries')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', '=', 'dead')
        .where(LEFT)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async counts() {
      const rows = await sql
        .selectFrom('deliveries')
        .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
        .groupBy('state')
        .execute();
      const none: Record<DeliveryState, number> = { expected: 0, queued: 0, waiting: 0, done: 0, dead: 0 };
      return rows.reduce((counts, { state, count }) => ({ ...counts, [state]: Number(count) }), none);
    },
  };
};
