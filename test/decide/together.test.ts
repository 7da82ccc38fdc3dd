import { describe, expect, test } from '@jest/globals';
import type { Effect, FactRow } from '../../src/decide/effects.js';
import { together } from '../../src/decide/together.js';
import { NOW, RAE } from './make.js';

const row = (pull: number): FactRow => ({
  at: NOW,
  who: RAE,
  agent: null,
  what: 'objection',
  subject: { pull },
  rule: null,
  origin: null,
  state: 'noted',
});

const LATER = [{ code: 'duplicate' as const, of: 1 }];
const EARLIER = [{ code: 'protected-path' as const, paths: ['AGENTS.md'] }];
const comment = (number: number, more: object): Effect => ({
  kind: 'comment',
  number,
  about: 'pull',
  ...more,
});
const DISARM: Effect = { kind: 'disarm-auto-merge', pull: 1, nodeId: 'PR_1' };

describe('what one delivery says of one PR is one comment', () => {
  test.each([
    [
      'rows add up, in their order',
      [comment(1, { add: [row(1)] }), comment(1, { add: [row(2)] })],
      { add: [row(1), row(2)] },
    ],
    [
      'rows and what stands go together',
      [comment(1, { add: [row(1)] }), comment(1, { standing: EARLIER })],
      { add: [row(1)], standing: EARLIER },
    ],
    [
      'what stands last stands',
      [comment(1, { standing: EARLIER }), comment(1, { standing: LATER })],
      { standing: LATER },
    ],
    [
      'nothing that stands any more replaces what stood',
      [comment(1, { standing: EARLIER }), comment(1, { standing: [] })],
      { standing: [] },
    ],
    [
      'what says nothing of it leaves it as it stands',
      [comment(1, { standing: EARLIER }), comment(1, { add: [row(1)] })],
      { add: [row(1)], standing: EARLIER },
    ],
  ])('%s', (_, effects, expected) => {
    expect(together(effects)).toEqual([comment(1, expected)]);
  });

  test('comments on two PRs stay two', () => {
    const two = [comment(1, { standing: LATER }), comment(2, { standing: EARLIER })];
    expect(together(two)).toEqual(two);
  });

  test('everything else stays, as often as it was asked for, and comes before', () => {
    expect(together([comment(1, { standing: [] }), DISARM, DISARM])).toEqual([
      DISARM,
      DISARM,
      comment(1, { standing: [] }),
    ]);
  });

  test('no effects stay none', () => {
    expect(together([])).toEqual([]);
  });
});
