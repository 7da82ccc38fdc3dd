import type { CaseEvent } from './case.js';
import { didYouMean } from './did-you-mean.js';
import { EVENT_KEYS, FAMILIES } from './event-table.js';
import { durationMs } from './instant.js';
import { type Fault, faultOfShape } from './fault.js';
import { fullRef } from './world-rows.js';
import { asRecord, isRecord, type Json } from './records.js';

type Path = readonly PropertyKey[];
type Deliver = Extract<CaseEvent, { kind: 'deliver' }>;

/** The key that `repeat_for` fills: the one that holds its first value. */
const repeatedKey = (keys: Json): string | undefined => {
  const first = Array.isArray(keys['repeat_for']) ? keys['repeat_for'][0] : undefined;
  return Object.keys(keys).find((key) => key !== 'repeat_for' && keys[key] === first && first !== undefined);
};

/** How many deliveries an event stands for: `repeat_for` its entries, `times` that many, `alternate` alone its names. */
export const repetitionsOf = (event: Deliver): number => {
  const { repeat_for, times, alternate } = event.keys;
  if (Array.isArray(repeat_for)) return repeat_for.length;
  if (typeof times === 'number') return times;
  return Array.isArray(alternate) ? alternate.length : 1;
};

/** The keys of one delivery of an event, with `repeat_for` and `alternate` filled in. `repetition` counts from 0. */
export const keysOf = (event: Deliver, repetition: number): Json => {
  const keys: Record<string, unknown> = { ...event.keys };
  const { repeat_for, alternate } = event.keys;
  const repeated = repeatedKey(event.keys);
  if (Array.isArray(repeat_for) && repeated !== undefined)
    keys[repeated] = repeat_for[repetition % repeat_for.length];
  if (Array.isArray(alternate)) keys['by'] = alternate[repetition % alternate.length];
  return keys;
};

/** A push says where the branch stands afterwards; a tag stands at the trunk where nothing is said. */
const checkPush = (keys: Json, path: Path, fault: Fault): void => {
  const refs = Array.isArray(keys['ref']) ? keys['ref'] : [keys['ref']];
  const branch = refs.find((ref) => !fullRef(String(ref)).startsWith('refs/tags/'));
  const listed = Array.isArray(keys['commits']) ? keys['commits'].length : 0;
  if (branch === undefined || keys['deleted'] === true || keys['after'] !== undefined || listed > 0) return;
  throw fault(
    path,
    `a push to ${String(branch)} needs after, or commits`,
    'add "after: h2" or "commits: [{ sha: h2 }]"; for a branch that goes, "deleted: true"',
    'key',
  );
};

/** Each delivery of an event is what its name may hold, also with the values of `repeat_for` filled in. */
const checkRepetitions = (event: Deliver, value: unknown, path: Path, fault: Fault): void => {
  if (event.name === 'push') checkPush(event.keys, path, fault);
  const repeated = repeatedKey(event.keys);
  const family = FAMILIES[event.name];
  if (repeated === undefined || family === undefined) return;
  for (let repetition = 0; repetition < repetitionsOf(event); repetition += 1) {
    const filled = keysOf(event, repetition)[repeated];
    const shape = family.keys.safeParse({ ...asRecord(value), [repeated]: filled });
    if (shape.success) {
      if (event.name === 'push') checkPush(shape.data as Json, path, fault);
      continue;
    }
    const why = shape.error.issues[0]?.message ?? 'may not stand here';
    throw fault(
      [...path, 'repeat_for', repetition],
      `${repeated} cannot be ${JSON.stringify(filled)}: ${why}`,
      `each value of repeat_for stands as ${repeated} once`,
    );
  }
};

const deliverOf = (key: string, value: unknown, path: Path, fault: Fault): CaseEvent => {
  const [name = '', ...rest] = key.split('.');
  const action = rest.length === 0 ? null : rest.join('.');
  const family = FAMILIES[name];
  const known =
    family !== undefined &&
    (family.actions === null ? action === null : family.actions.includes(action ?? ''));
  if (family === undefined || !known) {
    throw fault([...path, key], `unknown event "${key}"`, didYouMean(key, EVENT_KEYS), 'key');
  }
  const shape = family.keys.safeParse(value ?? {});
  if (!shape.success) {
    throw faultOfShape(shape.error, [...path, key], Object.keys(family.keys.shape), fault);
  }
  const keys = shape.data as Json;
  if (keys['repeat_for'] !== undefined && repeatedKey(keys) === undefined) {
    throw fault(
      [...path, key, 'repeat_for'],
      'repeat_for fills the key that holds its first value, and none does',
      'give pull, issue, … the first value of the list',
      'key',
    );
  }
  const event: Deliver = { kind: 'deliver', title: key, name, action, keys };
  checkRepetitions(event, value, [...path, key], fault);
  return event;
};

/** One entry of `events:` → an event. `path` is where it stands in the file. */
export const parseEvent = (entry: unknown, path: Path, fault: Fault): CaseEvent => {
  if (typeof entry === 'string') {
    if (entry === 'restart') return { kind: 'restart', title: 'restart' };
    throw fault(path, `"${entry}" is no event`, `write { ${entry}: {…} }; ${didYouMean(entry, EVENT_KEYS)}`);
  }
  if (!isRecord(entry) || Object.keys(entry).length !== 1) {
    throw fault(
      path,
      'an event is one name with its keys',
      'write "- pull_request.opened: { by: alpha, pull: 1 }"',
    );
  }
  const [key = '', value] = Object.entries(entry)[0] ?? [];
  if (key === 'restart') return { kind: 'restart', title: 'restart' };
  if (key === 'tick') {
    const ms = typeof value === 'string' ? durationMs(value) : undefined;
    if (ms === undefined) throw fault([...path, key], 'tick takes a duration', 'write 90s, 10m, 1h or 25h');
    return { kind: 'tick', title: `tick ${String(value)}`, ms };
  }
  if (key === 'redeliver') {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
      throw fault(
        [...path, key],
        'redeliver takes the number of an earlier event',
        'events are numbered from 1',
      );
    }
    return { kind: 'redeliver', title: `redeliver ${value}`, event: value };
  }
  return deliverOf(key, value, path, fault);
};
