import { describe, expect, test } from '@jest/globals';
import { judgeIntent, judgeMerge, type MergeFacts } from '../../src/decide/judge-merge.js';
import { mergeAct, originOf, ruleOf } from './acts.js';
import { ALPHA, ALPHA_DOES, MYSTERY_DOES, NOW, at, contextOf, policyText, suspended } from './make.js';

const PASSED: MergeFacts = { passed: true, objected: false };

describe('a merge to a trunk', () => {
  test.each([
    ['none', '', PASSED, 'merge-level'],
    ['pr', '', PASSED, 'merge-level'],
    ['merge', '', PASSED, 'allow'],
    ['merge', '', { passed: false, objected: false }, 'merge-level'],
    ['merge', '', { passed: true, objected: true }, 'merge-level'],
    ['pr', 'acts: { pull.merge: allow }\n', PASSED, 'allow'],
    ['merge', 'acts: { pull.merge: deny }\n', PASSED, 'merge-level'],
  ] as const)('level %s %j %j -> %s', (level, rest, facts, rule) => {
    const judged = judgeMerge(mergeAct(), facts, ALPHA_DOES, at(level, rest));
    expect(ruleOf(judged)).toBe(rule);
    expect(originOf(judged)).toBe(rest === '' ? 'repo:2' : 'repo:7');
  });

  test('by a bot nobody listed -> by unknown-bots alone', () => {
    const rule = (rest: string) => ruleOf(judgeMerge(mergeAct(), PASSED, MYSTERY_DOES, at('merge', rest)));
    expect(rule('')).toBe('merge-level');
    expect(rule('acts: { pull.merge: allow }\n')).toBe('merge-level');
    expect(rule('unknown-bots: merge\n')).toBe('allow');
  });

  test('a breach is about the branch; it comments on the PR and offers its revert', () => {
    expect(judgeMerge(mergeAct(), PASSED, ALPHA_DOES, at('pr'))).toMatchObject({
      subject: 'main',
      details: { pull: 283, ref: 'main', after: 'm1' },
      at: '2026-11-30T08:59:00Z',
      comment: { number: 283, about: 'pull' },
      remedies: [{ kind: 'revert-pull', pull: 283, nodeId: 'PR_283' }],
      mentions: [],
    });
  });

  test('a merge whose time is not told is told as of now', () => {
    expect(judgeMerge(mergeAct({ at: null }), PASSED, ALPHA_DOES, at('pr'))).toMatchObject({ at: NOW });
  });
});

describe('a merge to another branch is no such act', () => {
  test.each(['none', 'pr', 'merge'] as const)('level %s -> allow', (level) => {
    const facts = { passed: false, objected: true };
    expect(ruleOf(judgeMerge(mergeAct({ base: 'feature' }), facts, ALPHA_DOES, at(level)))).toBe('allow');
  });

  test('a trunk that the policy names is one', () => {
    const act = mergeAct({ base: 'release/1' });
    expect(ruleOf(judgeMerge(act, PASSED, ALPHA_DOES, at('pr')))).toBe('allow');
    expect(ruleOf(judgeMerge(act, PASSED, ALPHA_DOES, at('pr', 'trunk: [main, "release/*"]\n')))).toBe(
      'merge-level',
    );
  });
});

describe('an intent against the level', () => {
  const armed = mergeAct({ intent: 'auto-merge', mergeSha: null, at: null });
  const queued = mergeAct({ intent: 'enqueue', mergeSha: null, at: null });
  const off = at('pr', 'remedies: { disarm-auto-merge: false }\n');
  const kinds = (act: typeof armed, context = at('pr')) =>
    judgeIntent(act, ALPHA_DOES, context).effects.map(({ kind }) => kind);

  test('auto-merge is recorded, disarmed and commented, and nobody is escalated to', () => {
    const { judged, effects } = judgeIntent(armed, ALPHA_DOES, at('pr'));
    const row = {
      at: NOW,
      who: ALPHA,
      agent: 'alpha',
      what: 'auto-merge-armed',
      subject: { pull: 283, ref: 'main' },
      rule: 'merge-level',
      origin: expect.objectContaining({ layer: 'repo', line: 2 }),
      state: 'undone',
    };
    expect(ruleOf(judged)).toBe('merge-level');
    expect(effects).toEqual([
      { kind: 'record', code: 'merge-level', actKey: armed.key, row },
      { kind: 'disarm-auto-merge', pull: 283, nodeId: 'PR_283' },
      { kind: 'comment', number: 283, about: 'pull', add: [row] },
    ]);
  });

  test('a place in the queue is recorded, given up and commented', () => {
    expect(kinds(queued)).toEqual(['record', 'dequeue', 'comment']);
  });

  test.each([
    ['auto-merge', armed],
    ['a place in the queue', queued],
  ])('with disarming switched off, %s is noted and stays', (_, act) => {
    const { effects } = judgeIntent(act, ALPHA_DOES, off);
    expect(effects.map(({ kind }) => kind)).toEqual(['record', 'comment']);
    expect(effects).toMatchObject([{ row: { state: 'noted' } }, { add: [{ state: 'noted' }] }]);
  });

  test.each([
    ['level merge', at('merge')],
    ['acts that allow pull.merge', at('pr', 'acts: { pull.merge: allow }\n')],
    ['another agent suspended', contextOf(policyText('', 'merge'), [suspended('beta')])],
  ])('%s -> allowed, without effects', (_, context) => {
    expect(judgeIntent(armed, ALPHA_DOES, context)).toMatchObject({
      judged: { verdict: 'allow' },
      effects: [],
    });
  });

  test('level merge, suspended -> undone', () => {
    expect(kinds(armed, contextOf(policyText('', 'merge'), [suspended('alpha')]))).toEqual([
      'record',
      'disarm-auto-merge',
      'comment',
    ]);
  });

  test('to another branch -> allowed', () => {
    const side = mergeAct({ intent: 'auto-merge', base: 'feature' });
    expect(judgeIntent(side, ALPHA_DOES, at('none'))).toMatchObject({
      judged: { verdict: 'allow' },
      effects: [],
    });
  });
});
