import { describe, expect, test } from '@jest/globals';
import { createCrowd } from '../../src/intake/crowd.js';

const START = Date.parse('2026-11-30T09:00:00Z');

/** A crowd after `windows` of a quarter of a second, with so many deliveries in each, at the end of the last one. */
const after = (windows: readonly number[], share: number) => {
  let now = START;
  const crowd = createCrowd({ now: () => now, busy: () => share });
  for (const [at, count] of windows.entries()) {
    now = START + at * 250;
    for (let n = 0; n < count; n += 1) crowd.note();
  }
  crowd.began();
  return { crowd, pass: (ms: number) => (now += ms) };
};

describe('work below people begins', () => {
  test.each([
    ['nothing came in', [], 1, true],
    ['few come in', [10, 10, 10], 1, true],
    ['many come in, and the process waits for GitHub most of the time', [100, 100, 100], 0.2, true],
    ['many come in, and the process is busy', [100, 100, 100], 0.9, false],
    ['many came in, and then few', [100, 100, 2, 2], 0.9, true],
    ['they came long ago', [100, 0, 0, 0, 1], 0.9, true],
    ['they come in the first moment: nobody knows yet how busy it gets', [1_000], 1, true],
  ] as const)('%s', (_when, windows, share, begins) => {
    expect(after(windows, share).crowd.mayBegin()).toBe(begins);
  });
});

describe('crowded', () => {
  test('the clock was ahead, and is put right -> work begins', () => {
    const { crowd, pass } = after([100, 100, 100], 0.9);
    expect(crowd.mayBegin()).toBe(false);
    pass(-365 * 86_400_000);
    expect(crowd.mayBegin()).toBe(true);
  });

  test('now and then one is begun all the same', () => {
    const { crowd, pass } = after([100, 100, 100], 0.9);
    pass(249);
    expect(crowd.mayBegin()).toBe(false);
    pass(1);
    expect(crowd.mayBegin()).toBe(true);
    crowd.began();
    expect(crowd.mayBegin()).toBe(false);
  });

  test('nothing more comes in -> all of it may begin', () => {
    const { crowd, pass } = after([100, 100, 100], 0.9);
    pass(500);
    crowd.began();
    expect(crowd.mayBegin()).toBe(true);
  });
});
