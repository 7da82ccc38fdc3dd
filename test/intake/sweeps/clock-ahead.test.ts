import { describe, expect, test } from '@jest/globals';
import { story } from './activity-story.js';
import { type Bench, bench, C01_BREACH, DAY, MINUTE } from './bench.js';

const STORY = story(`
  - pull_request.opened: { by: alpha, pull: 283 }
  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +11s }
`);
/** The same, and GitHub sends no webhook of it: only the activity tells. */
const UNTOLD = STORY.replace('merged: m1,', 'merged: m1, drop: true,');
const YEAR = 365 * DAY;

const restart = (b: Bench): Promise<void> => b.restart();
const goOn = (): Promise<void> => Promise.resolve();
const merges = async (b: Bench): Promise<number> =>
  (await b.acts()).filter(({ kind }) => kind === 'pull.merge').length;
/** Sweeps for two hours, every five minutes. */
const forTwoHours = async (b: Bench): Promise<void> => {
  for (let minutes = 0; minutes <= 120; minutes += 5) {
    await b.sweep();
    b.pass(5 * MINUTE);
  }
};

describe.each([
  ['the same process', goOn],
  ['the next process', restart],
] as const)('swept while the clock was a year ahead, and put right: %s', (_name, next) => {
  test('what was delivered to nobody is asked for again within minutes', async () => {
    const b = await bench(STORY);
    await b.deliver(1);
    await b.deliver(2);
    b.pass(YEAR);
    await b.sweep();
    b.pass(-YEAR);
    await next(b);
    b.lines();
    b.miss(3);
    b.pass(MINUTE);
    await b.sweep();
    expect(b.lines()).toEqual(expect.arrayContaining(C01_BREACH));
    expect(b.failures).toEqual([]);
  });

  test.each([
    ['under a policy', (b: Bench) => b.deliver(1)],
    ['of which nothing was known', goOn],
  ])('what only the activity tells is found within two hours, in a repository %s', async (_where, first) => {
    const b = await bench(UNTOLD);
    await first(b);
    b.pass(YEAR);
    await b.sweep();
    b.pass(-YEAR);
    await next(b);
    await b.deliver(2);
    await b.deliver(3);
    b.pass(3 * MINUTE);
    await forTwoHours(b);
    expect(await merges(b)).toBe(1);
    expect(b.failures).toEqual([]);
  });
});

test('asked for while the clock was a day ahead, in vain -> asked for again once it is right', async () => {
  const b = await bench(STORY);
  b.miss(2);
  b.pass(DAY);
  expect(await b.sweepInVain()).toBe(1);
  b.pass(-DAY);
  expect(await b.sweepInVain()).toBe(1);
});

test('down, and the clock was a year ahead at the start -> once it is right it sweeps as often as ever', async () => {
  const b = await bench(STORY);
  await b.sweep();
  b.pass(YEAR);
  await b.restart();
  await b.sweep();
  b.pass(-YEAR);
  const before = b.asked(/^GET \/app\/hook\/deliveries$/);
  for (let seconds = 0; seconds < 20; seconds += 1) {
    await b.sweep();
    b.pass(1_000);
  }
  expect(b.asked(/^GET \/app\/hook\/deliveries$/) - before).toBe(1);
});
