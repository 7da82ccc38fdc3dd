import { describe, expect, test } from '@jest/globals';
import { createQueue, type Queue } from '../../src/intake/queue.js';
import { type Lane, rankOf } from '../../src/github/lane.js';
import type { Queued } from '../../src/store/inbox.js';

const START = Date.parse('2026-11-30T09:00:00Z');
const at = (seconds: number): string => new Date(START + seconds * 1_000).toISOString();
let ids = 0;

interface Given {
  readonly repository?: number | null;
  readonly lane?: Lane;
  readonly received?: number;
  readonly due?: number;
  readonly name?: string;
  readonly action?: string;
  readonly subject?: string;
}

const item = ({
  repository = 1,
  lane = 'agents',
  received = 0,
  due,
  name = 'push',
  action,
  subject,
}: Given = {}): Queued => {
  ids += 1;
  return {
    id: ids,
    guid: `g${ids}`,
    name,
    receivedAt: at(received),
    hint: { repository, action: action ?? null, lane: rankOf(lane), subject: subject ?? null },
    attempts: due === undefined ? 0 : 1,
    due: due === undefined ? null : at(due),
  };
};

const queueOf = (...items: readonly Queued[]): Queue => {
  const queue = createQueue();
  for (const one of items) queue.add(one);
  return queue;
};

/** Takes and frees until nothing may go at that second; the ids in the order they went. */
const drain = (queue: Queue, seconds = 0): number[] => {
  const order: number[] = [];
  for (;;) {
    const next = queue.take(START + seconds * 1_000, 'all');
    if (next === null) return order;
    order.push(next.id);
    queue.free(next);
  }
};

describe('a next try', () => {
  const HOUR = 3_600;
  test.each([
    ['in ten minutes -> waits', 600, false],
    ['in an hour, as GitHub may ask -> waits', HOUR, false],
    ['now -> goes', 0, true],
    ['in a year: the clock was ahead when it failed -> goes', 365 * 24 * HOUR, true],
    ['in more than a day, longer than any wait -> goes', 25 * HOUR, true],
  ])('%s', (_when, due, goes) => {
    const failed = item({ due });
    const behind = item();
    expect(drain(queueOf(failed, behind))).toEqual(goes ? [failed.id, behind.id] : []);
  });
});

describe('whose turn it is', () => {
  test('one delivery of a repository at a time, others side by side', () => {
    const [first, second, other] = [item(), item(), item({ repository: 2 })];
    const queue = queueOf(first, second, other);
    expect([queue.take(START, 'all'), queue.take(START, 'all'), queue.take(START, 'all')]).toEqual([
      first,
      other,
      null,
    ]);
    queue.free(first);
    expect(queue.take(START, 'all')).toEqual(second);
  });

  test('deliveries of a lane go in the order they came, also when they are added in another', () => {
    const [first, second, third] = [item(), item(), item()];
    expect(drain(queueOf(third, first, second))).toEqual([first.id, second.id, third.id]);
  });

  test('the most urgent lane goes first, in a repository and among repositories', () => {
    const words = item({ lane: 'words' });
    const agents = item({ lane: 'agents', repository: 2 });
    const people = item({ lane: 'people' });
    const group = item({ lane: 'merge-group', repository: 2 });
    const hold = item({ lane: 'hold' });
    expect(drain(queueOf(words, agents, people, group, hold))).toEqual(
      [hold, group, people, agents, words].map(({ id }) => id),
    );
  });

  test("a person's check passes a thousand pushes of its own repository", () => {
    const pushes = Array.from({ length: 1_000 }, () => item({ lane: 'words' }));
    const person = item({ lane: 'people' });
    expect(createdAndTaken([...pushes, person])).toEqual(person);
  });

  test('what waited half a minute goes before the lane above it, and never before people', () => {
    const old = item({ lane: 'words', received: 0 });
    const agents = item({ lane: 'agents', received: 40 });
    const person = item({ lane: 'people', received: 1_000 });
    expect(drain(queueOf(agents, old, person), 1_000)).toEqual([person.id, old.id, agents.id]);
    expect(drain(queueOf(agents, old), 41)).toEqual([old.id, agents.id]);
    expect(drain(queueOf(agents, old), 20)).toEqual([agents.id, old.id]);
  });

  test("where only people's are asked for, people's checks and merge groups are given, and nothing to be held", () => {
    const queue = queueOf(item({ lane: 'hold' }), item({ lane: 'agents', repository: 2 }));
    expect(queue.take(START, 'people')).toBeNull();
    const person = item({ lane: 'people', repository: 3 });
    const group = item({ lane: 'merge-group', repository: 4 });
    queue.add(person);
    queue.add(group);
    expect([queue.take(START, 'people'), queue.take(START, 'people')]).toEqual([group, person]);
  });

  test('and not those of a repository in which something is to be held first: its order stays', () => {
    const hold = item({ lane: 'hold' });
    const person = item({ lane: 'people' });
    const queue = queueOf(hold, person);
    expect(queue.take(START, 'people')).toBeNull();
    expect(drain(queue)).toEqual([hold.id, person.id]);
  });

  test('where only urgent ones are asked for, no lane below people is given', () => {
    const agents = item({ lane: 'agents' });
    const queue = queueOf(agents, item({ lane: 'sweep', repository: 2 }));
    expect(queue.take(START, 'urgent')).toBeNull();
    const person = item({ lane: 'people' });
    queue.add(person);
    expect(queue.take(START, 'urgent')).toEqual(person);
  });

  test('deliveries that name no repository go one at a time', () => {
    const queue = queueOf(item({ repository: null }), item({ repository: null }));
    expect(queue.take(START, 'all')).not.toBeNull();
    expect(queue.take(START, 'all')).toBeNull();
  });
});

const createdAndTaken = (items: readonly Queued[]): Queued | null => queueOf(...items).take(START, 'all');

describe('what failed and waits', () => {
  test('held -> ready when it is due, at its old place', () => {
    const failed = item({ due: 10 });
    const behind = item();
    const queue = queueOf(behind, failed);
    expect(drain(queue, 9)).toEqual([]);
    expect(drain(queue, 10)).toEqual([failed.id, behind.id]);
  });

  test('its repository goes on only with what is more urgent', () => {
    const failed = item({ lane: 'agents', due: 10 });
    const same = item({ lane: 'agents' });
    const lower = item({ lane: 'words' });
    const person = item({ lane: 'people' });
    const queue = queueOf(failed, same, lower, person);
    expect(drain(queue)).toEqual([person.id]);
    expect(queue.held).toBe(1);
  });

  test("people's checks and merge groups go on whatever is held", () => {
    const held = item({ lane: 'hold', due: 10 });
    const hold = item({ lane: 'hold' });
    const person = item({ lane: 'people' });
    const group = item({ lane: 'merge-group' });
    const agents = item({ lane: 'agents' });
    expect(drain(queueOf(held, hold, agents, person, group))).toEqual([group.id, person.id]);
    expect(drain(queueOf(item({ lane: 'people', due: 10 }), person, agents))).toEqual([person.id]);
  });

  test('other repositories are not held', () => {
    const other = item({ repository: 2, lane: 'words' });
    expect(drain(queueOf(item({ lane: 'hold', due: 10 }), other))).toEqual([other.id]);
  });

  test('what names no repository holds nothing else that names none', () => {
    const next = item({ repository: null });
    expect(drain(queueOf(item({ repository: null, due: 10 }), next))).toEqual([next.id]);
  });

  test('sent again meanwhile -> goes at once', () => {
    const failed = item({ due: 10 });
    const queue = queueOf(failed);
    queue.add({ ...failed, due: null });
    expect([queue.size, queue.held]).toEqual([1, 0]);
    expect(drain(queue)).toEqual([failed.id]);
  });

  test('added under its right repository once it is parsed', () => {
    const unknown = item({ repository: null });
    const queue = queueOf(unknown, item({ repository: 5 }));
    const taken = queue.take(START, 'all');
    expect(taken).toEqual(unknown);
    queue.add({ ...unknown, hint: { ...unknown.hint, repository: 5 } });
    queue.free(unknown);
    expect(drain(queue)).toHaveLength(2);
    expect([queue.size, queue.has(unknown)]).toEqual([0, false]);
  });
});

describe('a burst about one PR is written once', () => {
  const pull = (action: string, lane: Lane = 'agents', subject = 'pull:1'): Queued =>
    item({ name: 'pull_request', action, lane, subject });

  test.each([
    ['another push to the same PR', pull('synchronize'), pull('synchronize'), true],
    ['a push to another PR', pull('synchronize'), pull('synchronize', 'agents', 'pull:2'), false],
    ['an event that asks for no check', pull('synchronize'), pull('labeled'), false],
    ['one whose title was edited, which may ask for none', pull('synchronize'), pull('edited'), false],
    [
      "a person's event, and the agent's in a lane below it",
      pull('opened', 'people'),
      pull('synchronize'),
      false,
    ],
    [
      "the agent's event, and a person's in a lane above it",
      pull('synchronize'),
      pull('reopened', 'people'),
      true,
    ],
  ])('%s', (_name, mine, later, expected) => {
    const queue = queueOf(mine, later);
    const taken = mine.hint.lane <= later.hint.lane ? queue.take(START, 'all') : mine;
    expect(taken).toEqual(mine);
    expect(queue.asksLater(mine)).toBe(expected);
  });

  test('one that waits for its next try is not counted on', () => {
    const mine = pull('synchronize');
    const held = { ...pull('synchronize'), due: at(10) };
    const queue = queueOf(mine);
    queue.take(START, 'all');
    queue.add(held);
    expect(queue.asksLater(mine)).toBe(false);
  });

  test('the last one is asked by nobody', () => {
    const [first, last] = [pull('synchronize'), pull('synchronize')];
    const queue = queueOf(first, last);
    const taken = queue.take(START, 'all');
    if (taken !== null) queue.free(taken);
    expect(queue.take(START, 'all')).toEqual(last);
    expect(queue.asksLater(last)).toBe(false);
  });
});

describe('what may not begin now', () => {
  const large = item({ lane: 'words' });
  const mayBegin = (one: Queued): boolean => one !== large;
  const takenOf = (...items: readonly Queued[]): Queued | null =>
    queueOf(large, ...items).take(START, 'all', mayBegin);

  test('keeps its place, and goes once it may', () => {
    const queue = queueOf(large, item({ lane: 'words' }));
    expect(queue.take(START, 'all', mayBegin)).toBeNull();
    expect(queue.size).toBe(2);
    expect(queue.take(START, 'all', () => true)).toEqual(large);
  });

  test.each<[string, Queued, boolean]>([
    ['what is less urgent in its repository waits behind it', item({ lane: 'sweep' }), false],
    ['what is more urgent in its repository goes on', item({ lane: 'agents' }), true],
    ['another repository goes on', item({ lane: 'sweep', repository: 2 }), true],
  ])('%s', (_name, other, goes) => {
    expect(takenOf(other)).toEqual(goes ? other : null);
  });

  test("people's checks pass it, and merge groups, though it is more urgent", () => {
    const hold = item({ lane: 'hold' });
    const person = item({ lane: 'people' });
    const group = item({ lane: 'merge-group' });
    const agents = item({ lane: 'agents' });
    const queue = queueOf(hold, person, group, agents);
    const passed = [1, 2, 3].map(() => {
      const next = queue.take(START, 'all', (one) => one !== hold);
      if (next !== null) queue.free(next);
      return next;
    });
    expect(passed).toEqual([group, person, null]);
  });

  test('in no repository that is named, only its own lane waits', () => {
    const nowhere = item({ lane: 'words', repository: null });
    const other = item({ lane: 'sweep', repository: null });
    const behind = item({ lane: 'words', repository: null });
    const queue = queueOf(nowhere, behind, other);
    expect(queue.take(START, 'all', (one) => one !== nowhere)).toEqual(other);
    queue.free(other);
    expect(queue.take(START, 'all', (one) => one !== nowhere)).toBeNull();
  });
});
