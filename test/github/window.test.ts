import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createWindow } from '../../src/github/window.js';

const MINUTE = 60_000;

describe('a window', () => {
  test('counts what was spent within its span', () => {
    const window = createWindow(MINUTE, 60);
    window.add(0, 5);
    window.add(30_000, 1);
    expect([window.used(30_000), window.used(60_999), window.used(61_000), window.used(91_000)]).toEqual([
      6, 6, 1, 0,
    ]);
  });

  test('spent by a clock that was ahead counts as spent just now', () => {
    const window = createWindow(MINUTE, 60);
    const ahead = 365 * 86_400_000;
    window.add(ahead, 3);
    window.add(ahead + 30_000, 3);
    expect([window.used(0), window.waitFor(0, 5, 10)]).toEqual([6, 61_000]);
    window.add(0, 1);
    expect([window.used(60_999), window.used(61_000)]).toEqual([7, 0]);
  });

  test.each([
    ['fits now', 4, 10, 0],
    ['fits when the oldest has left', 5, 10, 61_000 - 30_000],
    ['fits when the newest has left as well', 9, 10, 91_000 - 30_000],
    ['never fits', 11, 10, Number.POSITIVE_INFINITY],
    ['fits below no limit', 1_000, Number.POSITIVE_INFINITY, 0],
  ])('tells when an amount %s', (_, amount, limit, wait) => {
    const window = createWindow(MINUTE, 60);
    window.add(0, 3);
    window.add(30_000, 3);
    expect(window.waitFor(30_000, amount, limit)).toBe(wait);
  });

  test('is never over its limit in any span, whatever is asked for when', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom(1, 5)), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(steps, (asked) => {
        const window = createWindow(MINUTE, 60);
        const spent: { at: number; amount: number }[] = [];
        let now = 1_000_000;
        for (const [pause, amount] of asked) {
          now += pause;
          if (window.waitFor(now, amount, 40) > 0) continue;
          window.add(now, amount);
          spent.push({ at: now, amount });
          const within = spent.filter(({ at }) => at > now - MINUTE);
          expect(within.reduce((sum, one) => sum + one.amount, 0)).toBeLessThanOrEqual(40);
        }
      }),
    );
  });
});
