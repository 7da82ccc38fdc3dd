import type { Selectable } from 'kysely';
import type { Queued, StoredDelivery } from '../inbox.js';
import type { DeliveriesTable } from '../schema.js';
import { iso } from '../values.js';

type Row = Selectable<DeliveriesTable>;

export const QUEUED_COLUMNS = [
  'id',
  'guid',
  'name',
  'received_at',
  'repository',
  'action',
  'lane',
  'subject',
  'attempts',
  'due',
] as const satisfies readonly (keyof Row)[];

export const DELIVERY_COLUMNS = [
  ...QUEUED_COLUMNS,
  'state',
  'happened_at',
  'ended_at',
  'error',
] as const satisfies readonly (keyof Row)[];

const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

export const queuedOf = (row: Pick<Row, (typeof QUEUED_COLUMNS)[number]>): Queued => ({
  id: row.id,
  guid: row.guid,
  name: row.name,
  receivedAt: iso(row.received_at),
  hint: { repository: row.repository, action: row.action, lane: row.lane, subject: row.subject },
  attempts: row.attempts,
  due: isoOrNull(row.due),
});

export const deliveryOf = (
  row: Pick<Row, (typeof DELIVERY_COLUMNS)[number]>,
): Omit<StoredDelivery, 'body'> => ({
  ...queuedOf(row),
  state: row.state,
  happenedAt: isoOrNull(row.happened_at),
  endedAt: isoOrNull(row.ended_at),
  error: row.error,
});
