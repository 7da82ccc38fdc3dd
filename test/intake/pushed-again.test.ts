import { describe, expect, test } from '@jest/globals';
import type { ActOf } from '../../src/acts/act.js';
import { firstTelling, rowOf } from '../../src/intake/acts-once.js';
import { movedAway } from '../../src/intake/pushed-again.js';
import { openStore } from '../../src/store/open.js';
import { story } from './sweeps/activity-story.js';
import { bench, HOUR, MINUTE } from './sweeps/bench.js';

const at = (minutes: number): string =>
  new Date(Date.parse('2026-11-30T09:00:00Z') + minutes * MINUTE).toISOString();

const alpha = { id: 9001, login: 'alpha-agent[bot]', type: 'Bot' } as const;

describe('a branch was moved from a to b at 10, and is so moved again at 20', () => {
  test.each<[string, { before?: string; after?: string; minute: number }, boolean]>([
    ['it was put back in between', { before: 'b', after: 'a', minute: 15 }, true],
    ['it was moved on from b', { before: 'b', after: 'c', minute: 15 }, true],
    ['it was put on a, from wherever', { after: 'a', minute: 15 }, true],
    ['it was put back before', { before: 'b', after: 'a', minute: 5 }, false],
    ['it was put back at the same time', { before: 'b', after: 'a', minute: 10 }, false],
    ['it was put back afterwards', { before: 'b', after: 'a', minute: 25 }, false],
    ['another move in between', { before: 'c', after: 'd', minute: 15 }, false],
    ['the same move', { before: 'a', after: 'b', minute: 15 }, false],
  ])('%s', (_what, { minute, ...ends }, is) => {
    const moves = [{ ...ends, at: at(minute) }];
    expect(movedAway({ before: 'a', after: 'b' }, { from: at(10), to: at(20) }, moves)).toBe(is);
  });
});

/** `by` a webhook or a sweep, each delivery with its number; or the branch put back. */
type Step =
  { readonly minute: number; readonly delivery: string } | { readonly minute: number; readonly back: true };

const web = (minute: number, n: number): Step => ({ minute, delivery: `guid-${n}` });
const swept = (minute: number, n: number): Step => ({ minute, delivery: `activity:1:${n}` });
const back = (minute: number): Step => ({ minute, back: true });

const pushAct = (delivery: string): ActOf<'push.force'> => ({
  kind: 'push.force',
  key: 'push.force:push:x:a:b',
  telling: delivery.startsWith('activity:') ? 'activity' : 'push',
  pair: false,
  actor: alpha,
  delivery,
  ref: 'x',
  before: 'a',
  after: 'b',
  forced: true,
  commits: [],
  trunk: false,
});

/** Tells one thing after the other, and answers which pushes from a to b were told for the first time. */
const told = async (steps: readonly Step[]): Promise<readonly boolean[]> => {
  const store = await openStore({ file: ':memory:' });
  const ledger = store.repository(1);
  const answers: boolean[] = [];
  for (const step of steps) {
    const when = at(step.minute);
    if ('back' in step) {
      await ledger.savePush({ ref: 'x', before: 'b', after: 'a', by: alpha, at: when, told: 'push' });
      continue;
    }
    await ledger.savePush({ ref: 'x', before: 'a', after: 'b', by: alpha, at: when, told: 'push' });
    const act = pushAct(step.delivery);
    const first = await firstTelling(act, when, ledger);
    answers.push(first);
    if (!first) continue;
    const earlier = await ledger.act(act.key);
    if (earlier !== undefined)
      await ledger.saveAct({ ...earlier, key: `${act.key}:${earlier.deliveries?.[0] ?? ''}` });
    await ledger.saveAct(rowOf(act, when, 'deny', 'alpha', 'force-push'));
  }
  await store.close();
  return answers;
};

describe('a push between the same ends', () => {
  test.each<[string, readonly Step[], readonly boolean[]]>([
    ['put back in between -> another', [web(0, 1), back(5), web(9, 2)], [true, true]],
    ['a third time -> a third', [web(0, 1), back(5), web(9, 2), back(12), web(15, 3)], [true, true, true]],
    ['the first one given again -> nothing more', [web(0, 1), back(5), web(0, 1)], [true, false]],
    [
      'the first one given again after the second',
      [web(0, 1), back(5), web(9, 2), web(0, 1)],
      [true, true, false],
    ],
    ['the second one given again', [web(0, 1), back(5), web(9, 2), web(9, 2)], [true, true, false]],
    ['nobody knows that it was put back -> one', [web(0, 1), web(9, 2)], [true, false]],
    ['it was put back later than that -> one', [web(0, 1), web(9, 2), back(12)], [true, false]],
    ['the list tells the first one too -> nothing more', [web(0, 1), back(5), swept(0, 7)], [true, false]],
    ['the list tells the second one -> another', [web(0, 1), back(5), swept(9, 8)], [true, true]],
    ['the list tells both', [swept(0, 7), back(5), swept(9, 8)], [true, true]],
    [
      'the list tells the second one, and its webhook comes late -> nothing more',
      [web(0, 1), back(5), swept(9, 8), back(12), web(90, 2)],
      [true, true, false],
    ],
    [
      'the list tells the first one, and its webhook comes after it was put back -> nothing more',
      [swept(0, 7), back(5), web(9, 1)],
      [true, false],
    ],
    [
      'both told of the first one -> a webhook tells another',
      [swept(0, 7), web(3, 1), back(5), web(9, 2)],
      [true, false, true],
    ],
    [
      'a webhook that told late of an earlier one, given again',
      [swept(0, 7), web(3, 1), back(5), web(9, 2), back(12), web(15, 1)],
      [true, false, true, false],
    ],
    [
      'within what clocks differ by, the list is not trusted',
      [web(0, 1), back(0.4), swept(0.9, 8)],
      [true, false],
    ],
  ])('%s', async (_rule, steps, expected) => {
    expect(await told(steps)).toEqual(expected);
  });
});

const FORCED = 'forced: true, commits: [{ sha: f1, author: alpha, message: other }]';
const push = (minutes: number, rest = ''): string =>
  `  - push: { by: alpha, ref: alpha/old, before: o1, after: f1, ${FORCED}, at: +${minutes}m${rest} }\n`;
const restore = (minutes: number, rest = ''): string =>
  `  - push: { by: rae, ref: alpha/old, before: f1, after: o1, forced: true, at: +${minutes}m${rest} }\n`;
const DROPPED = ', drop: true';

/** The agent's rewrites in the act log: when, by whom told, how judged. */
const rewrites = async (b: Awaited<ReturnType<typeof bench>>) =>
  (await b.acts())
    .filter(({ kind, agent }) => kind === 'push.force' && agent === 'alpha')
    .map(({ at: when, tellings, verdict }) => [when.slice(11, 16), tellings.join(), verdict])
    .sort();

const recorded = (lines: readonly string[]): number =>
  lines.filter((line) => line.startsWith('record ')).length;

describe('an agent rewrites a branch, a person puts it back, and the agent rewrites it to the same', () => {
  test('both are told, with a row each; given again they are not', async () => {
    const b = await bench(story(push(1) + restore(1) + push(1)));
    for (const n of [1, 2, 3]) await b.deliver(n);
    expect(recorded(b.lines())).toBe(1);
    await b.deliver(4);
    expect(recorded(b.lines())).toBe(1);
    b.pass(HOUR);
    await b.sweep();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    expect(await rewrites(b)).toEqual([
      ['09:01', 'push', 'deny'],
      ['09:03', 'push', 'deny'],
    ]);
    const issue = await b.store
      .repository(1)
      .escalation({ rule: 'dropped-commits', agent: 'alpha', subject: 'alpha/old' });
    expect(issue?.rows.map(({ at: when }) => when.slice(11, 16))).toEqual(['09:01', '09:03']);
    expect([b.failures, b.warned]).toEqual([[], []]);
  });

  test.each<[string, string, readonly (readonly string[])[]]>([
    [
      'no webhook tells the second one -> the activity list does',
      push(1) + restore(5) + push(5, DROPPED),
      [
        ['09:01', 'push', 'deny'],
        ['09:11', 'activity', 'deny'],
      ],
    ],
    [
      'no webhook tells of its being put back either',
      push(1) + restore(5, DROPPED) + push(5, DROPPED),
      [
        ['09:01', 'push', 'deny'],
        ['09:11', 'activity', 'deny'],
      ],
    ],
    [
      'no webhook tells anything',
      push(1, DROPPED) + restore(5, DROPPED) + push(5, DROPPED),
      [
        ['09:01', 'activity', 'deny'],
        ['09:11', 'activity', 'deny'],
      ],
    ],
    [
      'within a minute, and no webhook tells the second one -> nobody can tell them apart',
      push(1) + restore(0) + push(0, DROPPED),
      [['09:01', 'push', 'deny']],
    ],
  ])('%s', async (_what, events, expected) => {
    const b = await bench(story(events));
    for (const n of [1, 2, 3, 4]) await b.deliver(n);
    b.pass(HOUR);
    await b.sweep();
    expect(await rewrites(b)).toEqual(expected);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    expect(await rewrites(b)).toEqual(expected);
    expect([b.failures, b.warned]).toEqual([[], []]);
  });

  test('on a trunk, pushed past its PR, each after its grace', async () => {
    const direct = (minutes: number): string =>
      `  - push: { by: alpha, ref: main, before: m0, after: d1, at: +${minutes}m, commits: [{ sha: d1, author: alpha, message: other }] }\n`;
    const back = '  - push: { by: mara, ref: main, before: d1, after: m0, forced: true, at: +5m }\n';
    const b = await bench(story(direct(1) + back + direct(5)));
    for (const n of [1, 2, 3, 4]) {
      await b.deliver(n);
      b.pass(2 * MINUTE);
      await b.tick();
      await b.tick();
    }
    const pushes = (await b.acts()).filter(({ kind, agent }) => kind === 'push.trunk' && agent === 'alpha');
    expect(pushes.map(({ at: when, verdict, rule }) => [when.slice(11, 16), verdict, rule]).sort()).toEqual([
      ['09:03', 'deny', 'push-level'],
      ['09:17', 'deny', 'push-level'],
    ]);
    expect(recorded(b.lines())).toBe(2);
  });

  test('the webhook of the second one comes once the list has told it -> the same row', async () => {
    const b = await bench(story(push(1) + restore(5) + push(5)));
    for (const n of [1, 2, 3]) await b.deliver(n);
    const [late] = b.miss(4);
    b.pass(10 * MINUTE);
    await b.sweepInVain();
    b.pass(HOUR);
    await b.sweepInVain();
    if (late === undefined) throw new Error('nothing was missed');
    await b.take(late);
    expect(await rewrites(b)).toEqual([
      ['09:01', 'push', 'deny'],
      ['09:11', 'activity,push', 'deny'],
    ]);
  });
});
