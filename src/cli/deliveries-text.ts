import { printable } from '../policy/quote.js';
import type { DeliveryState, StoredDelivery } from '../store/inbox.js';
import type { KnownRepository } from '../store/store.js';
import { plural, utc } from '../words/names.js';
import { visibleLines } from './problem-text.js';

/** Every state, in the order people look for trouble. */
export const STATES: readonly DeliveryState[] = ['dead', 'waiting', 'queued', 'expected', 'done'];

export type Listed = Omit<StoredDelivery, 'body'>;

/** Repositories by id, as they were called last. */
export type Names = ReadonlyMap<number, KnownRepository>;

const repositoryOf = ({ hint }: Listed, names: Names): string => {
  if (hint.repository === null) return '-';
  const known = names.get(hint.repository);
  return known === undefined ? String(hint.repository) : `${known.owner}/${known.name}`;
};

/** What is only expected has no name yet. */
const eventOf = ({ name, hint }: Listed): string =>
  name === '' ? '-' : hint.action === null ? name : `${name}.${hint.action}`;

/** When it came in; what is only expected has not. */
const receivedAt = (row: Listed): string | null => (row.state === 'expected' ? null : row.receivedAt);

const orDash = (iso: string | null): string => (iso === null ? '-' : utc(iso));

/** A table with the names of its columns; the last column is as long as it likes. */
const table = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${printable(line)}\n`)
    .join('');
};

/** How many there are of each state, on one line. */
export const countsText = (counts: Readonly<Record<DeliveryState, number>>): string =>
  STATES.map((state) => `${state} ${String(counts[state])}`).join(' · ');

/** The answer of `deliveries list`. */
export const listText = (
  rows: readonly Listed[],
  names: Names,
  counts: Readonly<Record<DeliveryState, number>>,
): string => {
  const head = ['id', 'state', 'event', 'repository', 'received', 'tries', 'next try', 'why it failed'];
  const lines = rows.map((row) => [
    String(row.id),
    row.state,
    eventOf(row),
    repositoryOf(row, names),
    orDash(receivedAt(row)),
    String(row.attempts),
    orDash(row.due),
    // One that is done in the end is nobody's trouble; `show` tells what kept it.
    row.state === 'done' ? '-' : (row.error ?? '-'),
  ]);
  return `${table([head, ...lines])}\n${plural(rows.length, 'delivery', 'deliveries')} shown; in the store: ${countsText(counts)}\n`;
};

const NEXT: Readonly<Record<DeliveryState, string>> = {
  dead: 'nothing, until a person says `agent-policy deliveries replay`',
  waiting: 'it is tried again when it is due',
  queued: 'it is worked on when its turn comes',
  expected: 'GitHub was asked to send it again, and it has not come yet',
  done: 'nothing',
};

const bodyOf = ({ body, state }: StoredDelivery): string => {
  if (body !== null) return `${String(body.byteLength)} bytes; --body shows it`;
  return state === 'expected' ? 'not here yet' : 'not kept any more (AGENT_POLICY_KEEP_BODIES)';
};

/** The answer of `deliveries show`, without the body. */
export const showText = (delivery: StoredDelivery, names: Names): string =>
  table([
    ['id', String(delivery.id)],
    ['guid', delivery.guid],
    ['event', eventOf(delivery)],
    ['repository', repositoryOf(delivery, names)],
    ['about', delivery.hint.subject ?? '-'],
    ['state', delivery.state],
    ['tries', String(delivery.attempts)],
    ['failed last', delivery.error ?? '-'],
    ['happened', orDash(delivery.happenedAt)],
    ['received', orDash(receivedAt(delivery))],
    ['next try', orDash(delivery.due)],
    ['ended', orDash(delivery.endedAt)],
    ['body', bodyOf(delivery)],
    ['what comes next', NEXT[delivery.state]],
  ]);

/** A delivery as `--json` prints it. Times are ISO 8601, UTC. */
export const deliveryJson = (row: Listed, names: Names) => {
  const { repository } = row.hint;
  const known = repository === null ? undefined : names.get(repository);
  return {
    id: row.id,
    guid: row.guid,
    event: row.name === '' ? null : row.name,
    action: row.hint.action,
    repository:
      repository === null ? null : { id: repository, owner: known?.owner ?? null, name: known?.name ?? null },
    subject: row.hint.subject,
    state: row.state,
    attempts: row.attempts,
    error: row.error,
    happenedAt: row.happenedAt,
    receivedAt: receivedAt(row),
    due: row.due,
    endedAt: row.endedAt,
  };
};

/** The payload as data: what it holds, or null where it is no JSON. */
export const bodyJson = (body: Uint8Array): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(new TextDecoder().decode(body)) as unknown };
  } catch {
    return null;
  }
};

/** A payload for a terminal: indented, and nothing in it moves the cursor. */
export const bodyText = (body: Uint8Array): string => {
  const json = bodyJson(body);
  return visibleLines(json === null ? new TextDecoder().decode(body) : JSON.stringify(json.value, null, 2));
};
