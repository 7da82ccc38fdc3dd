import { describe, expect, test } from '@jest/globals';
import { due, repositoryIsDue } from '../../../src/intake/sweeps/schedule.js';
import { DAY, HOUR, MINUTE } from './bench.js';

const NOW = Date.parse('2026-11-30T09:00:00Z');

const BOTH = ['deliveries', 'repositories'] as const;

describe('which sweeps are due', () => {
  test.each([
    ['never ran -> both', null, null, null, ['deliveries', 'repositories']],
    ['both just ran -> none', MINUTE, MINUTE, null, []],
    ['deliveries five minutes ago -> again', 5 * MINUTE, 5 * MINUTE, null, ['deliveries']],
    ['deliveries just under five minutes ago -> not yet', 5 * MINUTE - 1, MINUTE, null, []],
    ['repositories an hour ago -> again', MINUTE, HOUR, null, ['repositories']],
    ['repositories just under an hour ago -> not yet', MINUTE, HOUR - 1, null, []],
    ['before a downtime -> at once', 3 * MINUTE, 3 * MINUTE, 2 * MINUTE, ['deliveries', 'repositories']],
    ['since a downtime -> by the clock', MINUTE, MINUTE, 2 * MINUTE, []],
    ['ran a year ahead, by a clock set back since -> both', -365 * DAY, -365 * DAY, null, [...BOTH]],
    ['ran a moment ahead -> both', -1, -1, null, [...BOTH]],
    ['one of them ran ahead -> that one', -HOUR, MINUTE, null, ['deliveries']],
    ['a downtime that ended ahead -> by the clock', MINUTE, MINUTE, -365 * DAY, []],
    ['one of them since a downtime -> the other', MINUTE, 3 * MINUTE, 2 * MINUTE, ['repositories']],
  ] as const)('%s', (_rule, deliveries, repositories, down, expected) => {
    const ago = (ms: number | null) => (ms === null ? null : NOW - ms);
    const last = { deliveries: ago(deliveries), repositories: ago(repositories) };
    expect(due(NOW, last, down === null ? null : { until: NOW - down })).toEqual(expected);
  });
});

describe('which repositories a pass looks at', () => {
  const last = (ago: number) => ({ passedAt: NOW - ago, coveredTo: NOW - ago - 2 * MINUTE });
  test.each([
    ['never seen -> yes', null, null, null, true],
    ['seen in this very pass -> no', last(0), NOW, null, false],
    ['pushed to since, an hour ago -> yes', last(HOUR), NOW - MINUTE, null, true],
    [
      'pushed to within the two minutes before it was looked at -> yes',
      last(HOUR),
      NOW - HOUR - MINUTE,
      null,
      true,
    ],
    ['pushed to since, looked at half an hour ago -> not yet', last(HOUR / 2), NOW - MINUTE, null, false],
    ['not pushed to since -> not within the day', last(23 * HOUR), NOW - 30 * HOUR, null, false],
    ['not pushed to since, a day ago -> yes', last(DAY), NOW - 30 * HOUR, null, true],
    ['nothing ever pushed, a day ago -> yes', last(DAY), null, null, true],
    ['before a downtime -> yes, whatever was pushed', last(MINUTE), null, NOW, true],
    ['looked at a year ahead, by a clock set back since -> yes', last(-365 * DAY), null, null, true],
    ['a downtime that ended ahead -> by what was pushed', last(MINUTE), null, NOW + DAY, false],
    ['since a downtime -> by what was pushed', last(MINUTE), null, NOW - 2 * MINUTE, false],
  ] as const)('%s', (_rule, runs, pushedAt, until, expected) => {
    expect(repositoryIsDue(NOW, runs, pushedAt, until === null ? null : { until })).toBe(expected);
  });
});
