import { describe, expect, test } from '@jest/globals';
import type { Context } from '../../src/decide/context.js';
import { judgePull, type PullFacts } from '../../src/decide/judge-pull.js';
import type { LimitFacts } from '../../src/decide/limits.js';
import { pullEffects, type PullEffectFacts } from '../../src/decide/pull-effects.js';
import {
  BETA,
  MYSTERY,
  NO_LIMITS,
  RAE,
  after,
  approved,
  at,
  contextOf,
  factsOf,
  files,
  policyText,
  pullOf,
  review,
  suspended,
} from './make.js';

const PR = at('pr');
const TWO = at('pr', 'limits: { open-pulls: 2 }\n');
const KEY = { rule: 'limit' as const, agent: 'alpha', subject: 'pulls' };

function effects(given: Partial<PullFacts> = {}, more: Partial<PullEffectFacts> = {}, context: Context = PR) {
  const facts = factsOf(given);
  const verdict = judgePull(facts, context);
  return pullEffects(
    {
      verdict,
      limits: facts.limits,
      hasComment: false,
      enqueued: false,
      openLimitIssues: [],
      limitTold: false,
      ...more,
    },
    context,
  );
}

const pull = (number: number) => pullOf({ number, sha: `h${number}` });
const open = (...numbers: readonly number[]): LimitFacts => ({ ...NO_LIMITS, openPulls: numbers.map(pull) });

describe('the comment', () => {
  const objection = { reviews: [review(RAE, 'changes_requested')] };

  test.each<[string, Partial<PullFacts>, Context]>([
    ['within policy', { reviews: [approved(RAE)] }, PR],
    ['waiting for a person', {}, PR],
    ['changes requested', objection, PR],
    ['suspended', {}, contextOf(policyText(), [suspended('alpha')])],
    ['a person’s PR', { pull: pullOf({ author: RAE }), files: files('AGENTS.md') }, PR],
  ])('%s -> silence', (_, given, context) => {
    expect(effects(given, {}, context)).toEqual([]);
  });

  test('something that stands -> it is told', () => {
    expect(effects({ files: files('AGENTS.md') })).toEqual([
      {
        kind: 'comment',
        number: 283,
        about: 'pull',
        standing: [{ code: 'protected-path', paths: ['AGENTS.md'] }],
      },
    ]);
  });

  test('nothing stands any more -> the comment that is there is cleared', () => {
    expect(effects({ reviews: [approved(RAE)] }, { hasComment: true })).toEqual([
      { kind: 'comment', number: 283, about: 'pull', standing: [] },
    ]);
  });
});

describe('limits', () => {
  test('the first PR over is commented on and gets its row, once', () => {
    const found = effects({ pull: pull(3), limits: open(1, 2, 3) }, {}, TWO);
    expect(found).toMatchObject([
      { kind: 'comment', number: 3, standing: [{ code: 'limit', limit: 'open-pulls', max: 2 }] },
      {
        kind: 'escalate',
        key: KEY,
        mentions: [],
        row: {
          at: after(-5),
          agent: 'alpha',
          what: 'pull.open',
          rule: 'limit',
          state: 'waiting',
          subject: { pull: 3, detail: 'open-pulls: 2' },
        },
      },
    ]);
  });

  test('the next ones are rows alone', () => {
    const found = effects({ pull: pull(4), limits: open(1, 2, 3, 4) }, {}, TWO);
    expect(found).toMatchObject([{ kind: 'escalate', key: KEY }]);
    expect(found).toHaveLength(1);
  });

  test('a next one that is a duplicate too is commented on for that alone', () => {
    const limits = {
      ...open(1, 2, 3, 4),
      trees: new Map([
        ['h1', 't'],
        ['h4', 't'],
      ]),
    };
    expect(effects({ pull: pull(4), limits }, { limitTold: true }, TWO)).toEqual([
      { kind: 'comment', number: 4, about: 'pull', standing: [{ code: 'duplicate', of: 1 }] },
    ]);
  });

  test('what was told is not told again', () => {
    const found = effects({ pull: pull(4), limits: open(1, 2, 3, 4) }, { limitTold: true }, TWO);
    expect(found).toEqual([]);
  });

  test.each([
    [
      'nothing of the agent’s is over -> its issue closes',
      open(1, 2),
      [KEY],
      [{ kind: 'close-escalation', key: KEY }],
    ],
    ['another of its PRs is still over -> it stays', open(1, 2, 3), [KEY], []],
    ['there is no issue -> nothing to close', open(1, 2), [], []],
    ['the issue is another agent’s -> it stays', open(1, 2), [{ ...KEY, agent: 'beta' }], []],
  ])('%s', (_, limits, openLimitIssues, expected) => {
    expect(effects({ pull: pull(1), limits }, { openLimitIssues }, TWO)).toEqual(expected);
  });

  test('a person’s PR closes nobody’s issue', () => {
    const byRae = pullOf({ author: RAE });
    expect(effects({ pull: byRae, limits: open() }, { openLimitIssues: [KEY] }, TWO)).toEqual([]);
  });
});

describe('auto-merge that was armed, and a place in the queue', () => {
  const armed = pullOf({ autoMerge: { by: RAE } });
  const disarm = { kind: 'disarm-auto-merge', pull: 283, nodeId: 'PR_283' };
  const dequeue = { kind: 'dequeue', pull: 283, nodeId: 'PR_283' };
  const outdated = [approved(RAE, { sha: 'h0' })];
  const SUSPENDED = contextOf(policyText('', 'merge'), [suspended('alpha')]);
  const OFF = at('pr', 'remedies: { disarm-auto-merge: false }\n');

  const found = (given: Partial<PullFacts>, context: Context, enqueued = false) =>
    effects(given, { enqueued }, context).filter(({ kind }) => kind !== 'comment');

  test.each<[string, Partial<PullFacts>, Context, boolean, readonly object[]]>([
    ['suspended, armed -> disarmed', { pull: armed }, SUSPENDED, false, [disarm]],
    ['suspended, queued -> taken out', {}, SUSPENDED, true, [dequeue]],
    ['suspended, both -> both', { pull: armed }, SUSPENDED, true, [disarm, dequeue]],
    ['suspended, neither -> nothing', {}, SUSPENDED, false, []],
    [
      'a new head since a person approved, armed -> disarmed',
      { pull: armed, reviews: outdated },
      PR,
      false,
      [disarm],
    ],
    ['a new head, queued -> it stays', { reviews: outdated }, PR, true, []],
    ['waiting for its first approval, armed -> it stays', { pull: armed }, PR, false, []],
    ['within policy, armed -> it stays', { pull: armed, reviews: [approved(RAE)] }, PR, false, []],
    ['an agent’s approval, armed -> it stays', { pull: armed, reviews: [approved(BETA)] }, PR, false, []],
    ['switched off, armed -> it stays', { pull: armed, reviews: outdated }, OFF, false, []],
    [
      'a person’s PR, armed -> it stays',
      { pull: { ...armed, author: RAE }, reviews: outdated },
      PR,
      false,
      [],
    ],
    [
      'a bot nobody listed, a new head, armed -> disarmed',
      { pull: { ...armed, author: MYSTERY }, reviews: outdated },
      at('pr', 'unknown-bots: pr\n'),
      false,
      [disarm],
    ],
  ])('%s', (_, given, context, enqueued, expected) => {
    expect(found(given, context, enqueued)).toEqual(expected);
  });
});
