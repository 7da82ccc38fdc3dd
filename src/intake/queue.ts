import { LANES, rankOf } from '../github/lane.js';
import { leftUntil } from '../github/left-until.js';
import type { Queued } from '../store/inbox.js';
import { LONGEST_RETRY } from './longest-retry.js';

/** Deliveries whose repository no hint names are told apart by nothing yet, and go one at a time. */
const NO_REPOSITORY = 0;

/** A lower lane that has waited this long goes before the one above it, but never before people's. Milliseconds. */
const AGING = 30_000;

const PEOPLE = rankOf('people');
const MERGE_GROUP = rankOf('merge-group');

/**
 * `urgent`: none below people's checks. `people`: people's checks and merge groups; where something is to be held first
 * in their repository, they are behind it there.
 */
export type Which = 'all' | 'urgent' | 'people';

interface Lines {
  readonly key: number;
  busy: boolean;
  /** One a lane, oldest first. */
  readonly ready: readonly Queued[][];
  /** Failed, and not due yet. */
  held: Queued[];
  /** How many of each lane ask for the check of a subject. */
  readonly asking: Map<string, number[]>;
}

/**
 * What is to be worked on, and whose turn it is. One delivery of a repository at a time; among repositories and in each
 * the most urgent lane first, then the oldest. While a delivery waits for its next try, its repository goes on only
 * with what is more urgent, so that what depends on it stays behind it. People's checks and merge groups always go on: they
 * are told from what is on GitHub now.
 */
export interface Queue {
  /** Adds a delivery, or takes it with another `due` where it is here already. */
  add(item: Queued): void;
  /**
   * Takes the next one and keeps its repository busy until `free`. What may not begin keeps its place, as if it waited
   * for its next try.
   */
  take(now: number, which: Which, mayBegin?: (item: Queued) => boolean): Queued | null;
  free(item: Queued): void;
  /** Whether it is here, and not only to wait where it need not wait any more. */
  has(item: Pick<Queued, 'id' | 'due'>): boolean;
  /** Whether another delivery that may go as soon as this one will have the same subject's check written. */
  asksLater(item: Queued): boolean;
  /** Deliveries that are here and not taken; `held` of them wait for their next try. */
  readonly size: number;
  readonly held: number;
}

/** Deliveries that end in the check of a PR's head, whichever of them is worked on. */
const ASKING: ReadonlySet<string> = new Set([
  'pull_request.opened',
  'pull_request.reopened',
  'pull_request.ready_for_review',
  'pull_request.synchronize',
  'pull_request_review.submitted',
  'pull_request_review.edited',
  'pull_request_review.dismissed',
]);

const asks = ({ name, hint }: Queued): string | null =>
  hint.action !== null && ASKING.has(`${name}.${hint.action}`) ? hint.subject : null;

const laneOf = ({ hint }: Queued): number => Math.min(Math.max(0, hint.lane), LANES.length - 1);

const isPeoples = (lane: number): boolean => lane === PEOPLE || lane === MERGE_GROUP;

const turnOf = (item: Queued, now: number): number => {
  const lane = laneOf(item);
  if (lane <= PEOPLE) return lane;
  const waited = Math.max(0, now - Date.parse(item.receivedAt));
  return Math.max(PEOPLE + 1, lane - Math.floor(waited / AGING));
};

export function createQueue(): Queue {
  const repositories = new Map<number, Lines>();
  const here = new Map<number, number>();
  let held = 0;

  const linesOf = (key: number): Lines => {
    const known = repositories.get(key);
    if (known !== undefined) return known;
    const made: Lines = {
      key,
      busy: false,
      ready: LANES.map((): Queued[] => []),
      held: [],
      asking: new Map(),
    };
    repositories.set(key, made);
    return made;
  };

  const count = (lines: Lines, item: Queued, by: 1 | -1): void => {
    const subject = asks(item);
    if (subject === null) return;
    const counts = lines.asking.get(subject) ?? LANES.map(() => 0);
    counts[laneOf(item)] = (counts[laneOf(item)] ?? 0) + by;
    if (counts.every((one) => one === 0)) lines.asking.delete(subject);
    else lines.asking.set(subject, counts);
  };

  const makeReady = (lines: Lines, item: Queued): void => {
    const line = lines.ready[laneOf(item)] ?? [];
    // Nearly always the newest: only one that failed before goes back to its place.
    let at = line.length;
    while (at > 0 && (line[at - 1]?.id ?? 0) > item.id) at -= 1;
    line.splice(at, 0, item);
    count(lines, item, 1);
  };

  const forget = (lines: Lines, id: number): void => {
    const before = lines.held.length;
    lines.held = lines.held.filter((one) => one.id !== id);
    held -= before - lines.held.length;
    for (const line of lines.ready) {
      const at = line.findIndex((one) => one.id === id);
      const [gone] = at === -1 ? [] : line.splice(at, 1);
      if (gone !== undefined) count(lines, gone, -1);
    }
  };

  const wake = (lines: Lines, now: number): void => {
    const due = lines.held.filter(({ due: at }) => leftUntil(Date.parse(at ?? ''), now, LONGEST_RETRY) === 0);
    if (due.length === 0) return;
    lines.held = lines.held.filter((one) => !due.includes(one));
    held -= due.length;
    for (const item of due) makeReady(lines, item);
  };

  /** The first that may go in a repository. */
  const headOf = (
    lines: Lines,
    now: number,
    which: Which,
    mayBegin: (item: Queued) => boolean,
  ): Queued | null => {
    if (lines.busy) return null;
    if (lines.held.length > 0) wake(lines, now);
    // What names no repository depends on nothing that failed.
    const depends = lines.key !== NO_REPOSITORY;
    let below = Math.min(LANES.length, ...(depends ? lines.held.map(laneOf) : []));
    let best: Queued | null = null;
    for (const [lane, [item]] of lines.ready
      .slice(0, which === 'all' ? LANES.length : PEOPLE + 1)
      .entries()) {
      if (item === undefined || !(lane < below || isPeoples(lane))) continue;
      if (!mayBegin(item)) below = depends ? Math.min(below, lane) : below;
      else if (best === null || isBefore(item, best, now)) best = item;
    }
    return best !== null && which === 'people' && !isPeoples(laneOf(best)) ? null : best;
  };

  const isBefore = (one: Queued, other: Queued, now: number): boolean => {
    const difference = turnOf(one, now) - turnOf(other, now);
    return difference === 0 ? one.id < other.id : difference < 0;
  };

  return {
    add(item) {
      const key = item.hint.repository ?? NO_REPOSITORY;
      const before = here.get(item.id);
      if (before !== undefined) forget(linesOf(before), item.id);
      here.set(item.id, key);
      const lines = linesOf(key);
      if (item.due === null) makeReady(lines, item);
      else {
        lines.held.push(item);
        held += 1;
      }
    },
    take(now, which, mayBegin = () => true) {
      let best: { readonly item: Queued; readonly lines: Lines } | null = null;
      for (const lines of repositories.values()) {
        const item = headOf(lines, now, which, mayBegin);
        if (item !== null && (best === null || isBefore(item, best.item, now))) best = { item, lines };
      }
      if (best === null) return null;
      best.lines.ready[laneOf(best.item)]?.shift();
      count(best.lines, best.item, -1);
      here.delete(best.item.id);
      best.lines.busy = true;
      return best.item;
    },
    free(item) {
      const key = item.hint.repository ?? NO_REPOSITORY;
      const lines = linesOf(key);
      lines.busy = false;
      if (lines.held.length === 0 && lines.ready.every((line) => line.length === 0)) repositories.delete(key);
    },
    has({ id, due }) {
      const key = here.get(id);
      if (key === undefined) return false;
      return due !== null || linesOf(key).held.every((one) => one.id !== id);
    },
    asksLater(item) {
      const subject = asks(item);
      const counts =
        subject === null
          ? undefined
          : repositories.get(item.hint.repository ?? NO_REPOSITORY)?.asking.get(subject);
      return counts?.slice(0, laneOf(item) + 1).some((one) => one > 0) === true;
    },
    get size() {
      return here.size;
    },
    get held() {
      return held;
    },
  };
}
