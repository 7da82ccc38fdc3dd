import { sql as raw } from 'kysely';
import type { ToPack } from '../body.js';
import type { Database } from '../database.js';
import type { Accepted, Arrival, Burial, Inbox } from '../inbox.js';
import type { DeliveriesTable } from '../schema.js';
import { millis } from '../values.js';
import { createTemplate } from './template.js';

type Values = Pick<
  DeliveriesTable,
  'guid' | 'name' | 'repository' | 'lane' | 'subject' | 'action' | 'happened_at' | 'received_at'
> & { readonly body: ToPack };

/** A new row, or one that is queued once more; answers nothing where it is known and stays as it is. */
const createUpsert = ({ sql }: Database) =>
  createTemplate<Values>(({ guid, name, repository, lane, subject, action, happened_at, received_at }) =>
    sql
      .insertInto('deliveries')
      .values({
        guid,
        name,
        repository,
        lane,
        subject,
        action,
        happened_at,
        received_at,
        state: 'queued',
        attempts: 0,
        arrivals: 1,
        kept: 1,
      })
      .onConflict((conflict) =>
        conflict
          .column('guid')
          .doUpdateSet(({ ref, fn, eb }) => ({
            name: ref('excluded.name'),
            repository: ref('excluded.repository'),
            lane: ref('excluded.lane'),
            subject: ref('excluded.subject'),
            action: ref('excluded.action'),
            happened_at: fn.coalesce(ref('deliveries.happened_at'), ref('excluded.happened_at')),
            received_at: eb
              .case()
              .when('deliveries.state', '=', 'expected')
              .then(ref('excluded.received_at'))
              .else(ref('deliveries.received_at'))
              .end(),
            attempts: eb
              .case()
              .when('deliveries.state', '=', 'dead')
              .then(raw.lit(0))
              .else(ref('deliveries.attempts'))
              .end(),
            arrivals: eb('deliveries.arrivals', '+', 1),
            state: 'queued' as const,
            due: null,
            ended_at: null,
            kept: 1 as const,
          }))
          .where('deliveries.state', 'in', ['expected', 'dead', 'waiting']),
      )
      .returning(['id', 'arrivals'])
      .compile(),
  );

/** The body of a row that is to be worked on, where it has none: it is new, was expected, or its retention was over. */
const createBody = ({ sql }: Database) =>
  createTemplate<Values>(({ guid, body }) =>
    sql
      .insertInto('bodies')
      .columns(['delivery', 'body'])
      .expression(
        sql
          .selectFrom('deliveries')
          .select(({ val }) => ['id', val(body).as('body')])
          .where('guid', '=', guid)
          .where('state', '=', 'queued'),
      )
      .onConflict((conflict) => conflict.column('delivery').doNothing())
      .compile(),
  );

interface Taken {
  readonly id: number;
  readonly arrivals: number;
}

const isTaken = (row: unknown): row is Taken =>
  typeof row === 'object' && row !== null && 'id' in row && 'arrivals' in row;

const valuesOf = ({ guid, name, hint, happenedAt, receivedAt, body }: Arrival): Values => ({
  guid,
  name,
  repository: hint.repository,
  lane: hint.lane,
  subject: hint.subject,
  action: hint.action,
  happened_at: happenedAt === null ? null : millis(happenedAt),
  received_at: millis(receivedAt),
  body: { toPack: body },
});

/** What makes a delivery dead. */
export const buried = ({ attempts, at, error }: Burial) =>
  ({ state: 'dead', attempts, ended_at: millis(at), error, due: null }) as const;

export const createAccept = (database: Database): Pick<Inbox, 'accept' | 'acceptDead'> => {
  const upsert = createUpsert(database);
  const body = createBody(database);
  const { sql, together } = database;
  return {
    async accept(arrival): Promise<Accepted> {
      const values = valuesOf(arrival);
      const [result] = await together([upsert(values), body(values)]);
      const row = result?.rows[0];
      if (isTaken(row)) return { kind: row.arrivals === 1 ? 'new' : 'again', id: row.id };
      const { id } = await sql
        .selectFrom('deliveries')
        .select('id')
        .where('guid', '=', arrival.guid)
        .executeTakeFirstOrThrow();
      return { kind: 'known', id };
    },
    async acceptDead(arrival, burial) {
      const values = valuesOf(arrival);
      const dead = sql
        .updateTable('deliveries')
        .set(buried(burial))
        .where('guid', '=', arrival.guid)
        .where('state', '=', 'queued');
      await together([upsert(values), body(values), dead.compile()]);
    },
  };
};
