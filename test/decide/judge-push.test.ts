import { describe, expect, test } from '@jest/globals';
import type { ActOf } from '../../src/acts/act.js';
import type { Context } from '../../src/decide/context.js';
import {
  type ForcedFacts,
  judgeFilePush,
  judgeForcedPush,
  judgeTrunkPush,
} from '../../src/decide/judge-push.js';
import { forcedPush, originOf, policyPush, ruleOf, trunkPush, workflowPush } from './acts.js';
import { ALPHA, ALPHA_DOES, MYSTERY_DOES, RAE, at, commit, pullOf } from './make.js';

const LEVELS = ['none', 'pr', 'merge'] as const;
const OWN: ForcedFacts = {
  moves: [
    { by: ALPHA, after: 'a1', created: false },
    { by: ALPHA, after: 'a0', created: true },
  ],
  lost: [commit('a1', ALPHA)],
  gained: [],
  pull: null,
};
const SHARED: ForcedFacts = { ...OWN, moves: [{ by: RAE, after: 'a0', created: false }, ...OWN.moves] };
const DROPPED: ForcedFacts = { ...SHARED, lost: [commit('a1', ALPHA), commit('a0', RAE)] };

type ForcedActs = readonly (ActOf<'push.force'> | ActOf<'push.trunk'>)[];
const forced = (acts: ForcedActs, facts: ForcedFacts, context: Context, doer = ALPHA_DOES) =>
  judgeForcedPush(acts, facts, doer, context);
const rules = (acts: ForcedActs, facts: ForcedFacts, context: Context, doer = ALPHA_DOES) =>
  forced(acts, facts, context, doer).map(ruleOf);

describe('a push to a trunk that no merged PR explains', () => {
  test.each([
    ['none', '', 'push-level', 'repo:2'],
    ['pr', '', 'push-level', 'repo:2'],
    ['merge', '', 'allow', 'repo:2'],
    ['pr', 'acts: { push.trunk: allow }\n', 'allow', 'repo:7'],
    ['merge', 'acts: { push.trunk: deny }\n', 'push-level', 'repo:7'],
  ] as const)('level %s %j -> %s, as %s says', (level, rest, rule, origin) => {
    const judged = judgeTrunkPush(trunkPush(), ALPHA_DOES, at(level, rest));
    expect(ruleOf(judged)).toBe(rule);
    expect(originOf(judged)).toBe(origin);
  });

  test('a breach is about the branch, with both ends of the push, and undoes nothing', () => {
    expect(judgeTrunkPush(trunkPush(), ALPHA_DOES, at('pr'))).toMatchObject({
      subject: 'main',
      details: { ref: 'main', before: 'a1', after: 'b2' },
      comment: null,
      remedies: [],
    });
  });

  test.each([
    ['unknown-bots: merge\n', 'allow'],
    ['', 'push-level'],
    ['acts: { push.trunk: allow }\n', 'push-level'],
  ])('a bot nobody listed, %j -> %s: acts of the file loosen nothing for it', (rest, rule) => {
    expect(ruleOf(judgeTrunkPush(trunkPush(), MYSTERY_DOES, at('merge', rest)))).toBe(rule);
  });
});

describe('the policy file or a workflow pushed to a trunk', () => {
  test.each(LEVELS)('level %s -> policy-push and workflow-push', (level) => {
    expect(ruleOf(judgeFilePush(policyPush(), ALPHA_DOES, at(level)))).toBe('policy-push');
    expect(ruleOf(judgeFilePush(workflowPush(), ALPHA_DOES, at(level)))).toBe('workflow-push');
  });

  test.each([
    ['policy.edit', 'allow', 'workflow-push'],
    ['workflow.edit', 'policy-push', 'allow'],
  ])('acts that allow %s allow that alone', (act, policy, workflow) => {
    const context = at('pr', `acts: { ${act}: allow }\n`);
    expect(ruleOf(judgeFilePush(policyPush(), ALPHA_DOES, context))).toBe(policy);
    expect(ruleOf(judgeFilePush(workflowPush(), ALPHA_DOES, context))).toBe(workflow);
  });
});

describe('a forced push to a trunk', () => {
  const both: ForcedActs = [trunkPush({ forced: true }), forcedPush('trunk')];

  test.each(LEVELS)('level %s -> push-level and force-push', (level) => {
    expect(rules(both, OWN, at(level))).toEqual(['push-level', 'force-push']);
  });

  test.each(LEVELS)('level %s, whatever acts allow -> push-level and force-push', (level) => {
    const context = at(level, 'acts: { push.trunk: allow, push.force: allow }\n');
    expect(rules(both, OWN, context)).toEqual(['push-level', 'force-push']);
  });

  test('by a bot nobody listed at merge -> both', () => {
    const context = at('merge', 'unknown-bots: merge\n');
    expect(rules(both, { ...OWN, lost: [] }, context, MYSTERY_DOES)).toEqual(['push-level', 'force-push']);
  });

  test('others’ commits are gone -> push-level and dropped-commits', () => {
    expect(rules(both, DROPPED, at('merge'))).toEqual(['push-level', 'dropped-commits']);
  });

  test('the old tip is kept, also where nobody else’s commits are gone, and no PR is commented on', () => {
    const facts = { ...OWN, pull: pullOf() };
    expect(forced(both, facts, at('merge'))).toMatchObject([
      { subject: 'main', comment: null, remedies: [] },
      { subject: 'main', comment: null, remedies: [{ kind: 'backup-ref', sha: 'a1' }] },
    ]);
  });

  test('the built-in rule is told as the origin, since no line allows or denies it', () => {
    expect(forced(both, OWN, at('merge')).map(originOf)).toEqual(['built-in', 'built-in']);
  });
});

describe('a forced push to another branch', () => {
  const acts: ForcedActs = [forcedPush('branch')];

  test.each([
    ['none', '', OWN, 'force-push'],
    ['pr', '', OWN, 'allow'],
    ['merge', '', OWN, 'allow'],
    ['pr', '', SHARED, 'force-push'],
    ['merge', '', SHARED, 'force-push'],
    ['merge', '', DROPPED, 'dropped-commits'],
    ['pr', 'acts: { push.force: allow }\n', DROPPED, 'allow'],
    ['pr', 'acts: { push.force: deny }\n', OWN, 'force-push'],
    ['none', 'acts: { push.force: own }\n', OWN, 'allow'],
    ['none', 'acts: { push.force: own }\n', SHARED, 'force-push'],
  ] as const)('level %s %j, %j -> %s', (level, rest, facts, rule) => {
    expect(rules(acts, facts, at(level, rest))).toEqual([rule]);
  });

  test('GitHub cannot tell what is gone -> as if others’ commits were', () => {
    expect(rules(acts, { ...SHARED, lost: null }, at('pr'))).toEqual(['dropped-commits']);
  });

  test('a branch whose pushes nobody knows is not its own', () => {
    expect(rules(acts, { ...OWN, moves: [] }, at('pr'))).toEqual(['force-push']);
  });

  test('a rebase that keeps everybody’s commits drops none', () => {
    const rebased = {
      ...SHARED,
      lost: [commit('a0', RAE, { message: 'A' })],
      gained: [commit('c0', RAE, { message: 'A' })],
    };
    expect(rules(acts, rebased, at('pr'))).toEqual(['force-push']);
  });

  test('the comment goes to the latest PR whose head it is', () => {
    expect(forced(acts, { ...SHARED, pull: pullOf({ number: 9 }) }, at('pr'))).toMatchObject([
      { subject: 'feature', comment: { number: 9, about: 'pull' } },
    ]);
  });

  test('the old tip is kept only where others’ commits are gone', () => {
    expect(forced(acts, SHARED, at('pr'))).toMatchObject([{ remedies: [] }]);
    expect(forced(acts, DROPPED, at('pr'))).toMatchObject([
      { remedies: [{ kind: 'backup-ref', sha: 'a1' }] },
    ]);
  });
});
