import { describe, expect, test } from '@jest/globals';
import { type Breach, breachEffects, type Remedy, toldAs } from '../../src/decide/breach.js';
import type { Effect } from '../../src/decide/effects.js';
import { judgeFilePush, judgeForcedPush, judgeTrunkPush } from '../../src/decide/judge-push.js';
import { judgeTag } from '../../src/decide/judge-other.js';
import { BREACH_CODES, type BreachCode } from '../../src/decide/reasons.js';
import { forcedPush, policyPush, tagAct, trunkPush } from './acts.js';
import { ALPHA, ALPHA_DOES, NOW, at, contextOf, policyText, suspended } from './make.js';

const PR = at('pr');

const breach = (rule: BreachCode, given: Partial<Breach> = {}): Breach => ({
  verdict: 'deny',
  act: trunkPush({ key: `key of ${rule}` }),
  doer: ALPHA_DOES,
  origin: { layer: 'repo', line: 2 },
  rule,
  subject: 'main',
  details: { ref: 'main' },
  at: NOW,
  comment: null,
  remedies: [],
  mentions: [],
  ...given,
});

const kinds = (effects: readonly Effect[]) => effects.map(({ kind }) => kind);
const of = <K extends Effect['kind']>(effects: readonly Effect[], kind: K) =>
  effects.filter((effect): effect is Extract<Effect, { kind: K }> => effect.kind === kind);

test('no breach -> no effect', () => {
  expect(breachEffects([], PR)).toEqual([]);
});

test('one breach -> a record and an escalation with the same row', () => {
  const row = {
    at: NOW,
    who: ALPHA,
    agent: 'alpha',
    what: 'push.trunk',
    subject: { ref: 'main' },
    rule: 'branch-delete',
    origin: { layer: 'repo', line: 2 },
    state: 'landed',
  };
  expect(breachEffects([breach('branch-delete', { mentions: [4] })], PR)).toEqual([
    { kind: 'record', code: 'branch-delete', actKey: 'key of branch-delete', row },
    {
      kind: 'escalate',
      key: { rule: 'branch-delete', agent: 'alpha', subject: 'main' },
      row,
      mentions: [4],
    },
  ]);
});

test('a place for a comment -> the row is told there too', () => {
  const effects = breachEffects([breach('issue-close', { comment: { number: 12, about: 'issue' } })], PR);
  expect(kinds(effects)).toEqual(['record', 'comment', 'escalate']);
  expect(of(effects, 'comment')).toMatchObject([
    { number: 12, about: 'issue', add: [{ rule: 'issue-close' }] },
  ]);
});

describe('one event that breaks several rules', () => {
  const both = [breach('push-level'), breach('force-push', { subject: 'other' })];

  test('is one escalation under the first, with a row for each', () => {
    const escalations = of(breachEffects(both, PR), 'escalate');
    expect(escalations.map(({ key }) => key)).toEqual([
      { rule: 'push-level', agent: 'alpha', subject: 'main' },
      { rule: 'push-level', agent: 'alpha', subject: 'main' },
    ]);
    expect(escalations.map(({ row }) => row.rule)).toEqual(['push-level', 'force-push']);
  });

  test('is a record for each, under its own rule and act', () => {
    expect(of(breachEffects(both, PR), 'record').map(({ code, actKey }) => [code, actKey])).toEqual([
      ['push-level', 'key of push-level'],
      ['force-push', 'key of force-push'],
    ]);
  });

  test('a forced push of the policy file to a trunk, from act to effects', () => {
    const facts = { moves: [], lost: [], gained: [], pull: null };
    const judged = [
      ...judgeForcedPush([trunkPush({ forced: true }), forcedPush('trunk')], facts, ALPHA_DOES, PR),
      judgeFilePush(policyPush(), ALPHA_DOES, PR),
    ];
    const broken = judged.filter((one): one is Breach => one.verdict === 'deny');
    const effects = breachEffects(broken, PR);
    expect(of(effects, 'record').map(({ code }) => code)).toEqual([
      'push-level',
      'force-push',
      'policy-push',
    ]);
    expect(of(effects, 'suspend')).toHaveLength(1);
    expect(of(effects, 'backup-ref')).toEqual([{ kind: 'backup-ref', sha: 'a1' }]);
  });
});

describe('suspension', () => {
  const IRREVERSIBLE = ['merge-level', 'push-level', 'dropped-commits', 'tag', 'release', 'protection'];

  test.each(BREACH_CODES.map((rule) => [rule, IRREVERSIBLE.includes(rule)] as const))(
    '%s suspends -> %s',
    (rule, suspends) => {
      const key = { rule, agent: 'alpha', subject: 'main' };
      const expected = suspends ? [{ kind: 'suspend', agent: 'alpha', cause: rule, by: null, key }] : [];
      expect(of(breachEffects([breach(rule)], PR), 'suspend')).toEqual(expected);
    },
  );

  test('two irreversible breaches of one event suspend once, for the first', () => {
    const effects = breachEffects([breach('push-level'), breach('dropped-commits')], PR);
    expect(of(effects, 'suspend')).toMatchObject([{ cause: 'push-level' }]);
  });

  test('a reversible breach before an irreversible one: suspended for the second, told under the first', () => {
    const effects = breachEffects([breach('policy-push'), breach('push-level')], PR);
    expect(of(effects, 'suspend')).toMatchObject([
      { cause: 'push-level', key: { rule: 'policy-push', agent: 'alpha', subject: 'main' } },
    ]);
  });

  test.each([
    ['one that is suspended is not suspended again', contextOf(policyText(), [suspended('alpha')]), 0],
    ['another agent’s suspension changes nothing', contextOf(policyText(), [suspended('beta')]), 1],
    ['switched off by the policy', at('pr', 'remedies: { suspend: false }\n'), 0],
  ])('%s', (_, context, times) => {
    const effects = breachEffects([breach('merge-level')], context);
    expect(of(effects, 'suspend')).toHaveLength(times);
    expect(of(effects, 'escalate')).toHaveLength(1);
  });
});

describe('remedies', () => {
  const BACKUP: Remedy = { kind: 'backup-ref', sha: 'a1' };
  const REVERT: Remedy = { kind: 'revert-pull', pull: 283, nodeId: 'PR_283' };
  const REOPEN: Remedy = { kind: 'reopen-issue', issue: 12 };
  const ASK: Remedy = { kind: 're-request-review', pull: 283, login: 'rae' };
  const all = [breach('force-push', { remedies: [BACKUP, REVERT, REOPEN, ASK] })];
  const remedies = (context = PR, breaches = all) =>
    breachEffects(breaches, context).filter(({ kind }) => !['record', 'escalate', 'comment'].includes(kind));

  test('are done after everything was said', () => {
    expect(breachEffects(all, PR).slice(-4)).toEqual([BACKUP, REVERT, REOPEN, ASK]);
  });

  test.each([
    ['backup-refs: false', [REVERT, REOPEN, ASK]],
    ['revert-pull: off', [BACKUP, REOPEN, ASK]],
    ['reopen-issue: false', [BACKUP, REVERT, ASK]],
    ['backup-refs: false, revert-pull: off, reopen-issue: false', [ASK]],
  ])('%s leaves that out and nothing else', (off, expected) => {
    expect(remedies(at('pr', `remedies: { ${off} }\n`))).toEqual(expected);
  });

  test('one that two breaches of an event ask for is done once', () => {
    const other: Remedy = { kind: 'backup-ref', sha: 'a2' };
    const breaches = [
      breach('force-push', { remedies: [BACKUP] }),
      breach('force-push', { remedies: [BACKUP, other] }),
    ];
    expect(remedies(PR, breaches)).toEqual([BACKUP, other]);
  });

  test('an issue that is opened again is told as put back', () => {
    expect(of(breachEffects([breach('issue-close', { remedies: [REOPEN] })], PR), 'record')).toMatchObject([
      { row: { state: 'put-back' } },
    ]);
  });
});

describe('what the ledger keeps of an act', () => {
  test('a breach: the rule, and the line of the policy', () => {
    expect(toldAs(judgeTag(tagAct('tag.move'), ALPHA_DOES, PR))).toEqual({
      kind: 'tag.move',
      agent: 'alpha',
      certainty: 'certain',
      verdict: 'deny',
      reason: 'tag',
      layer: 'repo',
      line: 2,
    });
  });

  test('an allowed act: within policy, and what allowed it', () => {
    expect(toldAs(judgeTrunkPush(trunkPush(), ALPHA_DOES, at('merge')))).toMatchObject({
      verdict: 'allow',
      reason: 'within-policy',
      line: 2,
    });
  });

  test('where no file says it there is no line', () => {
    expect(toldAs(judgeTrunkPush(trunkPush(), ALPHA_DOES, contextOf('version: 1\n')))).toMatchObject({
      layer: 'built-in',
      line: null,
    });
  });
});
