import { describe, expect, test } from '@jest/globals';
import type { Judged } from '../../src/decide/breach.js';
import type { Context } from '../../src/decide/context.js';
import type { Doer } from '../../src/decide/doer.js';
import {
  type CloseFacts,
  judgeDismissal,
  judgeIssueClose,
  judgeProtection,
  judgeRelease,
  judgeTag,
} from '../../src/decide/judge-other.js';
import { closeAct, dismissal, originOf, protectionAct, releaseAct, ruleOf, tagAct } from './acts.js';
import { ALPHA, ALPHA_DOES, ALPHA_TWO, BETA, MYSTERY_DOES, NOW, RAE, agent, at, contextOf } from './make.js';

const LEVELS = ['none', 'pr', 'merge'] as const;

type Judge = (doer: Doer, context: Context) => Judged;
const NEVER: readonly (readonly [string, string, string, Judge])[] = [
  ['tag.create', 'tag', 'tags', (doer, context) => judgeTag(tagAct('tag.create'), doer, context)],
  ['tag.move', 'tag', 'tags', (doer, context) => judgeTag(tagAct('tag.move'), doer, context)],
  ['tag.delete', 'tag', 'tags', (doer, context) => judgeTag(tagAct('tag.delete'), doer, context)],
  [
    'release.publish',
    'release',
    'releases',
    (doer, context) => judgeRelease(releaseAct('release.publish'), doer, context),
  ],
  [
    'release.edit',
    'release',
    'releases',
    (doer, context) => judgeRelease(releaseAct('release.edit'), doer, context),
  ],
  [
    'release.delete',
    'release',
    'releases',
    (doer, context) => judgeRelease(releaseAct('release.delete'), doer, context),
  ],
  [
    'protection.edit',
    'protection',
    'main',
    (doer, context) => judgeProtection(protectionAct(), doer, context),
  ],
  ['review.dismiss', 'review-gate', 'main', (doer, context) => judgeDismissal(dismissal(), doer, context)],
];

describe.each(NEVER)('%s', (act, rule, subject, judge) => {
  test.each(LEVELS)(`level %s -> ${rule}, about ${subject}`, (level) => {
    const judged = judge(ALPHA_DOES, at(level));
    expect(judged).toMatchObject({ verdict: 'deny', rule, subject, at: NOW });
    expect(originOf(judged)).toBe('repo:2');
  });

  test.each(LEVELS)('level %s, and acts that allow it -> allow', (level) => {
    const judged = judge(ALPHA_DOES, at(level, `acts: { ${act}: allow }\n`));
    expect(ruleOf(judged)).toBe('allow');
    expect(originOf(judged)).toBe('repo:7');
  });

  test('acts of one agent allow it to that one alone', () => {
    const context = contextOf(`version: 1
agents:
  alpha: { accounts: [9001], acts: { ${act}: allow } }
  beta: { accounts: [9002] }
`);
    expect(ruleOf(judge(ALPHA_DOES, context))).toBe('allow');
    expect(ruleOf(judge(agent('beta', BETA), context))).toBe(rule);
  });

  test.each(LEVELS)('a bot nobody listed at %s -> breach', (level) => {
    expect(ruleOf(judge(MYSTERY_DOES, at('merge', `unknown-bots: ${level}\n`)))).toBe(rule);
  });
});

describe('what is told', () => {
  test('of a tag: its name, and where it pointed as far as that is known', () => {
    expect(judgeTag(tagAct('tag.create'), ALPHA_DOES, at('pr'))).toMatchObject({
      details: { ref: 'v1', after: 'a1' },
    });
    expect(judgeTag(tagAct('tag.create', null), ALPHA_DOES, at('pr'))).toMatchObject({
      details: { ref: 'v1' },
    });
  });

  test('of a release: its tag', () => {
    expect(judgeRelease(releaseAct('release.edit'), ALPHA_DOES, at('pr'))).toMatchObject({
      details: { release: 'v1' },
    });
  });

  test('of protection: what changed, and which ruleset', () => {
    expect(judgeProtection(protectionAct(), ALPHA_DOES, at('pr'))).toMatchObject({
      details: { detail: 'ruleset edited', ruleset: 'agent-policy/gates' },
      comment: null,
      remedies: [],
    });
    const key = protectionAct({ what: 'deploy key added', ruleset: null });
    expect(judgeProtection(key, ALPHA_DOES, at('pr'))).toMatchObject({
      details: { detail: 'deploy key added' },
    });
  });
});

describe('closing an issue', () => {
  const ALONE: CloseFacts = { merge: null, reopenedBefore: false, ours: false };
  const judge = (author: typeof RAE | null, facts: CloseFacts, context = at('pr')) =>
    judgeIssueClose(closeAct({ author }), facts, ALPHA_DOES, context);

  test.each([
    ['none', ALPHA, ALONE, 'issue-close'],
    ['pr', ALPHA, ALONE, 'allow'],
    ['merge', ALPHA, ALONE, 'allow'],
    ['pr', ALPHA_TWO, ALONE, 'allow'],
    ['pr', RAE, ALONE, 'issue-close'],
    ['merge', RAE, ALONE, 'issue-close'],
    ['pr', null, ALONE, 'issue-close'],
    ['merge', RAE, { ...ALONE, merge: 'allow' }, 'allow'],
    ['merge', RAE, { ...ALONE, merge: 'deny' }, 'issue-close'],
    ['none', RAE, { ...ALONE, merge: 'allow' }, 'issue-close'],
  ] as const)('level %s, opened by %j, %j -> %s', (level, author, facts, rule) => {
    expect(ruleOf(judge(author, facts, at(level)))).toBe(rule);
  });

  test.each([
    ['acts: { issue.close: allow }\n', RAE, 'allow'],
    ['acts: { issue.close: deny }\n', ALPHA, 'issue-close'],
  ])('%j decides over the level', (rest, author, rule) => {
    expect(ruleOf(judge(author, ALONE, at('pr', rest)))).toBe(rule);
  });

  test('it is opened again, and says so there, at the time it was closed', () => {
    expect(judge(RAE, ALONE)).toMatchObject({
      subject: 'issues',
      details: { issue: 12 },
      at: '2026-11-30T08:59:00Z',
      comment: { number: 12, about: 'issue' },
      remedies: [{ kind: 'reopen-issue', issue: 12 }],
    });
  });

  test('once and never a fight', () => {
    expect(judge(RAE, { ...ALONE, reopenedBefore: true })).toMatchObject({
      comment: { number: 12, about: 'issue' },
      remedies: [],
    });
  });

  test('one of ours is opened again as what it is, and is no place for a comment', () => {
    expect(judge(RAE, { ...ALONE, ours: true })).toMatchObject({
      rule: 'issue-close',
      comment: null,
      remedies: [],
    });
  });

  test('with reopening switched off it stays closed and uncommented', () => {
    expect(judge(RAE, ALONE, at('pr', 'remedies: { reopen-issue: false }\n'))).toMatchObject({
      rule: 'issue-close',
      comment: null,
      remedies: [],
    });
  });
});

describe('dismissing a review', () => {
  test('it is asked for again, and told on the PR', () => {
    expect(judgeDismissal(dismissal(), ALPHA_DOES, at('merge'))).toMatchObject({
      details: { pull: 283, detail: 'rae' },
      comment: { number: 283, about: 'pull' },
      remedies: [{ kind: 're-request-review', pull: 283, login: 'rae' }],
    });
  });

  test('a review of an account that is gone cannot be asked for again', () => {
    expect(ruleOf(judgeDismissal(dismissal({ reviewer: null }), ALPHA_DOES, at('pr')))).toBe('allow');
  });
});
