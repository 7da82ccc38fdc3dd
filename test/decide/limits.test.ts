import { describe, expect, test } from '@jest/globals';
import type { PullFact } from '../../src/decide/facts.js';
import { isFirstOver, type LimitFacts, openerOf, overLimit } from '../../src/decide/limits.js';
import {
  ALPHA,
  ALPHA_TWO,
  BETA,
  DEPENDABOT,
  MYSTERY,
  NO_LIMITS,
  RAE,
  after,
  at,
  pullOf,
  type PullGiven,
} from './make.js';

const TWO = at('pr', 'limits: { open-pulls: 2, pulls-per-hour: unlimited, merges-per-day: unlimited }\n');
const HOURLY = at('pr', 'limits: { open-pulls: unlimited, pulls-per-hour: 2, merges-per-day: unlimited }\n');
const DAILY = at('pr', 'limits: { open-pulls: unlimited, pulls-per-hour: unlimited, merges-per-day: 2 }\n');
const UNLIMITED = at(
  'pr',
  'limits: { open-pulls: unlimited, pulls-per-hour: unlimited, merges-per-day: unlimited }\n',
);

const pull = (number: number, given: PullGiven = {}) => pullOf({ number, sha: `h${number}`, ...given });
const open = (...pulls: readonly PullFact[]): LimitFacts => ({ ...NO_LIMITS, openPulls: pulls });
const over = (one: PullFact, facts: LimitFacts, context = TWO) =>
  overLimit(one, facts, context).map((reason) => (reason.code === 'limit' ? reason.limit : reason.code));

describe('open-pulls', () => {
  const facts = open(pull(1), pull(2), pull(3), pull(4));

  test.each([
    [1, []],
    [2, []],
    [3, ['open-pulls']],
    [4, ['open-pulls']],
  ] as const)('of four open PRs under a limit of two, number %d is over: %j', (number, reasons) => {
    expect(over(pull(number), facts)).toEqual(reasons);
  });

  test('a PR the list does not hold yet is over when as many stand before it', () => {
    expect(over(pull(3), open(pull(1), pull(2)))).toEqual(['open-pulls']);
    expect(over(pull(3), open(pull(1)))).toEqual([]);
  });

  test('the reason says whose limit, how many, and which line', () => {
    expect(overLimit(pull(3), facts, TWO)).toEqual([
      {
        code: 'limit',
        agent: 'alpha',
        limit: 'open-pulls',
        max: 2,
        origin: expect.objectContaining({ layer: 'repo', line: 7 }),
      },
    ]);
  });

  test('PRs of others do not count; those of the control group do', () => {
    expect(over(pull(3), open(pull(1, { author: BETA }), pull(2, { author: RAE })))).toEqual([]);
    expect(over(pull(3), open(pull(1, { author: ALPHA_TWO }), pull(2)))).toEqual(['open-pulls']);
  });

  test.each([
    ['a person', RAE],
    ['automation', DEPENDABOT],
  ])('%s is under no limit', (_, author) => {
    const facts = open(...[1, 2, 3, 4].map((number) => pull(number, { author })));
    expect(over(pull(4, { author }), facts)).toEqual([]);
  });

  test('a bot nobody listed is under them too', () => {
    const facts = open(...[1, 2, 3].map((number) => pull(number, { author: MYSTERY })));
    expect(over(pull(3, { author: MYSTERY }), facts)).toEqual(['open-pulls']);
  });

  test('a limit of nothing lets none stand', () => {
    expect(over(pull(1), open(), at('pr', 'limits: { open-pulls: 0 }\n'))).toEqual(['open-pulls']);
  });
});

describe('pulls-per-hour', () => {
  const lately = (...numbers: readonly number[]): LimitFacts => ({
    ...NO_LIMITS,
    openedLately: new Map([['alpha', numbers]]),
  });

  test.each([
    ['two before it in the hour -> over', lately(1, 2, 3), after(-1), ['pulls-per-hour']],
    ['one before it -> not', lately(2, 3), after(-1), []],
    ['the two before it are also told twice -> counted once', lately(2, 2, 3), after(-1), []],
    ['later ones do not count: the newest are over', lately(3, 4, 5), after(-1), []],
    ['older than an hour -> the limit is over', lately(1, 2, 3), after(-60), []],
    ['another agent’s -> not', { ...NO_LIMITS, openedLately: new Map([['beta', [1, 2]]]) }, after(-1), []],
  ])('%s', (_, facts, createdAt, reasons) => {
    expect(over(pull(3, { createdAt }), facts, HOURLY)).toEqual(reasons);
  });
});

describe('merges-per-day', () => {
  const merged = (count: number, agent = 'alpha'): LimitFacts => ({
    ...NO_LIMITS,
    mergedLately: new Map([[agent, count]]),
  });

  test.each([
    [1, []],
    [2, ['merges-per-day']],
    [3, ['merges-per-day']],
  ] as const)('%d merges in a day under a limit of two: %j', (count, reasons) => {
    expect(over(pull(1), merged(count), DAILY)).toEqual(reasons);
  });

  test('merges of another agent do not count', () => {
    expect(over(pull(1), merged(9, 'beta'), DAILY)).toEqual([]);
  });
});

test('unlimited is without end', () => {
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
  const facts: LimitFacts = {
    openPulls: numbers.map((number) => pull(number)),
    openedLately: new Map([['alpha', numbers]]),
    mergedLately: new Map([['alpha', 200]]),
    trees: new Map(),
  };
  expect(over(pull(200), facts, UNLIMITED)).toEqual([]);
});

describe('the first one over', () => {
  const facts = open(pull(1), pull(2), pull(3), pull(4), pull(5));

  test.each([
    [3, true],
    [4, false],
    [5, false],
  ] as const)('of three over, number %d is the first: %s', (number, first) => {
    expect(isFirstOver(pull(number), facts, TWO)).toBe(first);
  });

  test('another agent’s over does not take the place', () => {
    const others = [1, 2, 3].map((number) => pull(number, { author: BETA }));
    expect(isFirstOver(pull(6), open(...others, pull(4), pull(5), pull(6)), TWO)).toBe(true);
  });
});

describe('duplicates', () => {
  const trees = new Map([
    ['h1', 'tree'],
    ['h2', 'tree'],
    ['h3', 'other'],
    ['h4', 'tree'],
  ]);
  const facts = (...pulls: readonly PullFact[]): LimitFacts => ({ ...open(...pulls), trees });
  const twin = (one: PullFact, ...pulls: readonly PullFact[]) => overLimit(one, facts(...pulls), at('pr'));

  test('of two open PRs with one tree the later is the duplicate', () => {
    expect(twin(pull(2), pull(1), pull(2))).toEqual([{ code: 'duplicate', of: 1 }]);
    expect(twin(pull(1), pull(1), pull(2))).toEqual([]);
  });

  test('of three, each later one is of the first', () => {
    expect(twin(pull(4), pull(2), pull(1), pull(4))).toEqual([{ code: 'duplicate', of: 1 }]);
  });

  test('two agents may have made the same', () => {
    expect(twin(pull(2), pull(1, { author: BETA }), pull(2))).toEqual([{ code: 'duplicate', of: 1 }]);
  });

  test.each([
    ['another tree', pull(3), pull(1)],
    ['a tree nobody knows', pull(9), pull(1)],
    ['another base', pull(2), pull(1, { base: 'release/1' })],
    ['a person’s PR', pull(2), pull(1, { author: RAE })],
    ['a person’s own', pull(2, { author: RAE }), pull(1)],
  ])('%s is none', (_, one, other) => {
    expect(twin(one, other, one)).toEqual([]);
  });

  test('where any number of open PRs is allowed, a second of the same is too', () => {
    expect(overLimit(pull(2), facts(pull(1), pull(2)), UNLIMITED)).toEqual([]);
  });

  test('over a limit and a duplicate: both', () => {
    const none = at('pr', 'limits: { open-pulls: 0 }\n');
    expect(over(pull(2), facts(pull(1), pull(2)), none)).toEqual(['open-pulls', 'duplicate']);
  });
});

test.each([
  ['an agent', ALPHA, 'alpha'],
  ['its second account', ALPHA_TWO, 'alpha'],
  ['a bot nobody listed', MYSTERY, 'mystery[bot]'],
  ['automation', DEPENDABOT, null],
  ['a person', RAE, null],
])('opened by %s', (_, author, opener) => {
  expect(openerOf(pullOf({ author }), TWO)).toBe(opener);
});
