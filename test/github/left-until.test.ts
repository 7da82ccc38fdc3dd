import { describe, expect, test } from '@jest/globals';
import { isLongAgo, leftUntil } from '../../src/github/left-until.js';

const NOW = Date.parse('2026-11-30T09:00:00Z');
const YEAR = 365 * 86_400_000;

describe('what is left until a remembered time that was an hour ahead at most', () => {
  test.each([
    ['in a minute', 60_000, 60_000],
    ['in an hour', 3_600_000, 3_600_000],
    ['now', 0, 0],
    ['a minute ago', -60_000, 0],
    ['in more than an hour: the clock was ahead', 3_600_001, 0],
    ['in a year', YEAR, 0],
    ['never', Number.NEGATIVE_INFINITY, 0],
    ['no time', Number.NaN, 0],
  ])('%s', (_when, ahead, left) => {
    expect(leftUntil(NOW + ahead, NOW, 3_600_000)).toBe(left);
  });
});

describe('whether an hour has passed since a remembered time', () => {
  test.each([
    ['just now', 0, false],
    ['just under an hour ago', 3_599_999, false],
    ['an hour ago', 3_600_000, true],
    ['a year ago', YEAR, true],
    ['still to come: the clock was ahead', -1, true],
    ['a year to come', -YEAR, true],
    ['no time', Number.NaN, true],
  ])('%s', (_when, ago, long) => {
    expect(isLongAgo(NOW - ago, NOW, 3_600_000)).toBe(long);
  });
});
