import { describe, expect, test } from '@jest/globals';
import { checkOf } from '../../src/decide/check.js';
import { judgeBranchDelete } from '../../src/decide/judge-branch.js';
import { judgeMerge } from '../../src/decide/judge-merge.js';
import { judgeIssueClose, judgeTag } from '../../src/decide/judge-other.js';
import { judgePull, type PullFacts } from '../../src/decide/judge-pull.js';
import { judgeForcedPush, judgeTrunkPush } from '../../src/decide/judge-push.js';
import type { Context } from '../../src/decide/context.js';
import { branchDelete, closeAct, forcedPush, mergeAct, ruleOf, tagAct, trunkPush } from './acts.js';
import {
  ALPHA,
  ALPHA_DOES,
  MYSTERY,
  RAE,
  at,
  contextOf,
  factsOf,
  policyText,
  pullOf,
  seen,
  suspended,
} from './make.js';

describe('a suspended agent may do nothing, whatever its level and acts say', () => {
  const acts = 'acts: { tag.create: allow, push.force: allow, branch.delete: allow, issue.close: allow }\n';
  const held = contextOf(policyText(acts, 'merge'), [suspended('alpha')]);
  const free = contextOf(policyText(acts, 'merge'), [suspended('beta')]);
  const own = { moves: [{ by: ALPHA, after: 'a1', created: true }], lost: [], gained: [], pull: null };
  const gone = { moves: own.moves, tip: 'a1', pulls: [], based: [], lost: [] };
  const merged = { passed: true, objected: false };
  const alone = { merge: null, reopenedBefore: false, ours: false } as const;

  test.each<[string, (context: Context) => string, string]>([
    [
      'a merge its check had passed',
      (c) => ruleOf(judgeMerge(mergeAct(), merged, ALPHA_DOES, c)),
      'merge-level',
    ],
    ['a push to the trunk', (c) => ruleOf(judgeTrunkPush(trunkPush(), ALPHA_DOES, c)), 'push-level'],
    [
      'a forced push',
      (c) =>
        judgeForcedPush([forcedPush('branch')], own, ALPHA_DOES, c)
          .map(ruleOf)
          .join(),
      'force-push',
    ],
    ['a tag', (c) => ruleOf(judgeTag(tagAct('tag.create'), ALPHA_DOES, c)), 'tag'],
    [
      'a deleted branch',
      (c) => ruleOf(judgeBranchDelete(branchDelete(), gone, ALPHA_DOES, c)),
      'branch-delete',
    ],
    [
      'a closed issue',
      (c) => ruleOf(judgeIssueClose(closeAct({ author: RAE }), alone, ALPHA_DOES, c)),
      'issue-close',
    ],
  ])('%s', (_, judge, rule) => {
    expect(judge(held)).toBe(rule);
    expect(judge(free)).toBe('allow');
  });

  test('what its merge closed is judged as the merge was, and so before the suspension', () => {
    const pr = contextOf(policyText(), [suspended('alpha')]);
    const close = (merge: 'deny' | null) =>
      ruleOf(judgeIssueClose(closeAct({ author: ALPHA }), { ...alone, merge }, ALPHA_DOES, pr));
    expect(close('deny')).toBe('allow');
    expect(close(null)).toBe('issue-close');
  });
});

describe('whose PR it is', () => {
  const told = (given: Partial<PullFacts>, context: Context): string => {
    const { conclusion, reasons } = judgePull(factsOf(given), context);
    return `${conclusion} ${reasons.map(({ code }) => code).join(',')}`;
  };

  test.each<[string, Partial<PullFacts>, Context, string]>([
    [
      'a bot nobody listed opened it, and an agent pushed',
      { pull: pullOf({ author: MYSTERY }), pushers: [ALPHA] },
      at('merge'),
      'failure unknown-bot',
    ],
    [
      'an agent opened it, and a bot nobody listed pushed',
      { pushers: [MYSTERY] },
      at('merge'),
      'failure unknown-bot',
    ],
    [
      'a person opened it, and a bot nobody listed pushed',
      { pull: pullOf({ author: RAE }), pushers: [MYSTERY] },
      at('merge'),
      'success person',
    ],
    [
      'unknown bots may open, and approvals are asked for',
      { pull: pullOf({ author: MYSTERY }) },
      at('merge', 'unknown-bots: pr\n'),
      'action_required needs-person',
    ],
    ['acts deny opening at level pr', {}, at('pr', 'acts: { pull.open: deny }\n'), 'failure level-none'],
    [
      'acts allow opening at level none: it waits like any other',
      {},
      at('none', 'acts: { pull.open: allow }\n'),
      'action_required needs-person',
    ],
    [
      'marks under gate, to another branch than a trunk',
      { pull: pullOf({ author: RAE }), remembered: [seen('alpha')], toTrunk: false },
      at('pr', 'on-evidence: gate\n'),
      'success person',
    ],
    [
      'marks under gate, to a trunk',
      { pull: pullOf({ author: RAE }), remembered: [seen('alpha')] },
      at('pr', 'on-evidence: gate\n'),
      'action_required needs-person',
    ],
  ])('%s', (_, given, context, expected) => {
    expect(told(given, context)).toBe(expected);
  });
});

test('of several PRs of one head the tree says the worst', () => {
  const failing = judgePull(factsOf(), at('none'));
  const passing = judgePull(factsOf(), at('merge'));
  const weighed = (verdict: typeof failing) => ({ verdict, weighs: true });
  expect(checkOf('h1', [weighed(passing), weighed(failing)], 'enforce').tree.status).toBe('fails');
  expect(checkOf('h1', [weighed(passing), weighed(passing)], 'enforce').tree.status).toBe('holds');
});
