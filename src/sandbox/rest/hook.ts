import type { DeliveryRecord } from '../app/deliveries.js';
import type { Json } from '../records.js';
import { type Answer, type AppCall, type AppRoutes, failed, link, notFound, ok, sizeOf } from './answer.js';

/** GitHub's cursors are opaque; these are too, to everybody else. */
const CURSOR = /^v1_(\d+)$/;

const itemJson = (row: DeliveryRecord): Json => ({
  id: row.id,
  guid: row.guid,
  delivered_at: new Date(row.deliveredAt).toISOString(),
  redelivery: row.redelivery,
  duration: row.outcome.duration ?? 0,
  status: row.outcome.status,
  status_code: row.outcome.statusCode,
  event: row.name,
  action: row.action,
  installation_id: row.installation,
  repository_id: row.repository,
  throttled_at: null,
});

/** What `status=` means: by the status code alone, so that an attempt without an answer is neither. */
const ofStatus = (row: DeliveryRecord, status: string | null): boolean => {
  const code = row.outcome.statusCode;
  if (status === 'success') return code >= 200 && code < 400;
  if (status === 'failure') return code >= 400 && code < 600;
  return true;
};

/** Newest first. A cursor names the delivery its page starts with. */
const listed = (call: AppCall): Answer => {
  const { host, query } = call;
  const cursor = query.get('cursor');
  const from = cursor === null ? Infinity : Number(CURSOR.exec(cursor)?.[1] ?? Number.NaN);
  if (Number.isNaN(from)) return failed(422, 'Invalid cursor');
  const rows = host.deliveries.rows();
  const size = sizeOf(call);
  const shown: DeliveryRecord[] = [];
  for (let index = rows.length - 1; index >= 0 && shown.length <= size; index -= 1) {
    const row = rows[index];
    if (row !== undefined && row.id <= from && ofStatus(row, query.get('status'))) shown.push(row);
  }
  const next = shown[size];
  return {
    ...ok(shown.slice(0, size).map(itemJson)),
    ...(next === undefined ? {} : { headers: { link: link(call, { cursor: `v1_${next.id}` }, 'next') } }),
  };
};

const detail = ({ host, params }: AppCall): Answer => {
  const row = host.deliveries.rows().find(({ id }) => id === Number(params['delivery_id']));
  if (row === undefined) return notFound();
  const { response } = row.outcome;
  return ok({
    ...itemJson(row),
    url: host.hookUrl,
    request: { headers: row.delivery.headers, payload: JSON.parse(row.delivery.body) as unknown },
    response: { headers: response?.headers ?? null, payload: response?.payload ?? null },
  });
};

/** The App's webhook, and the log of what was sent to it. */
export const hook: AppRoutes = {
  'GET /app/hook/config': ({ host }) =>
    ok({ content_type: 'json', insecure_ssl: '0', secret: '********', url: host.hookUrl }),
  'GET /app/hook/deliveries': listed,
  'GET /app/hook/deliveries/{delivery_id}': detail,
  'POST /app/hook/deliveries/{delivery_id}/attempts': ({ host, params }) =>
    host.deliveries.again(Number(params['delivery_id'])) ? { status: 202, body: {} } : notFound(),
};
