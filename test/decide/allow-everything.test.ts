import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ACT_KINDS } from '../../src/acts/act.js';
import { breachEffects, type Judged } from '../../src/decide/breach.js';
import { checkOf } from '../../src/decide/check.js';
import type { ReviewFact } from '../../src/decide/facts.js';
import { judgeBranchDelete } from '../../src/decide/judge-branch.js';
import { judgeIntent, judgeMerge } from '../../src/decide/judge-merge.js';
import {
  judgeDismissal,
  judgeIssueClose,
  judgeProtection,
  judgeRelease,
  judgeTag,
} from '../../src/decide/judge-other.js';
import { judgePull } from '../../src/decide/judge-pull.js';
import { judgeFilePush, judgeForcedPush, judgeTrunkPush } from '../../src/decide/judge-push.js';
import { pullEffects } from '../../src/decide/pull-effects.js';
import {
  branchDelete,
  closeAct,
  dismissal,
  forcedPush,
  mergeAct,
  policyPush,
  protectionAct,
  releaseAct,
  tagAct,
  trunkPush,
  workflowPush,
} from './acts.js';
import { PEOPLE, AGENTS, PATHS, reviewsBy, STATES, commitsBy, limitsOf } from './arbitraries.js';
import {
  ALPHA_DOES,
  BETA,
  DEPENDABOT,
  MYSTERY_DOES,
  RAE,
  ROBOT,
  after,
  agent,
  contextOf,
  factsOf,
  policyText,
  pullOf,
} from './make.js';

describe('a policy that allows everything', () => {
  const UNLIMITED = 'limits: { open-pulls: unlimited, pulls-per-hour: unlimited, merges-per-day: unlimited }';
  const OFF =
    'remedies: { restore-ruleset: false, disarm-auto-merge: false, backup-refs: false, revert-pull: off, reopen-issue: false, suspend: false }';
  const acts = ACT_KINDS.map((kind) => `  ${kind}: allow`).join('\n');
  const EVERYTHING = contextOf(
    policyText(
      `acts:\n${acts}\npeople: { approvals: 0 }\nprotected-paths: []\n${UNLIMITED}\nunknown-bots: merge\nautomation: []\n${OFF}\n`,
      'merge',
    ),
  );
  const doers = fc.constantFrom(ALPHA_DOES, agent('beta', BETA), agent('robot', ROBOT), MYSTERY_DOES);

  const moves = fc.array(
    fc.record({
      by: fc.constantFrom(...PEOPLE, ...AGENTS, null),
      after: fc.constantFrom('a0', 'a1', 'c1'),
      created: fc.boolean(),
    }),
    { maxLength: 4 },
  );
  const lost = fc.option(commitsBy([...PEOPLE, ...AGENTS]));
  const account = fc.constantFrom(...PEOPLE, ...AGENTS, null);

  test('no act of an agent on its own has any effect', () => {
    fc.assert(
      fc.property(
        doers,
        moves,
        lost,
        account,
        fc.constantFrom('main', 'side'),
        (doer, moved, gone, other, base) => {
          const facts = { moves: moved, lost: gone, gained: [], pull: null };
          const deleted = { moves: moved, lost: gone, tip: 'a1', pulls: [], based: [4] };
          const closing = { merge: null, reopenedBefore: false, ours: false };
          const intents = (['auto-merge', 'enqueue'] as const).map((intent) =>
            judgeIntent(mergeAct({ base, intent }), doer, EVERYTHING),
          );
          const judged: readonly Judged[] = [
            judgeMerge(mergeAct({ base }), { passed: true, objected: false }, doer, EVERYTHING),
            judgeTrunkPush(trunkPush(), doer, EVERYTHING),
            judgeFilePush(policyPush(), doer, EVERYTHING),
            judgeFilePush(workflowPush(), doer, EVERYTHING),
            ...judgeForcedPush([forcedPush('branch')], facts, doer, EVERYTHING),
            judgeBranchDelete(branchDelete(), deleted, doer, EVERYTHING),
            ...(['tag.create', 'tag.move', 'tag.delete'] as const).map((kind) =>
              judgeTag(tagAct(kind), doer, EVERYTHING),
            ),
            ...(['release.publish', 'release.edit', 'release.delete'] as const).map((kind) =>
              judgeRelease(releaseAct(kind), doer, EVERYTHING),
            ),
            judgeProtection(protectionAct(), doer, EVERYTHING),
            judgeIssueClose(closeAct({ author: other }), closing, doer, EVERYTHING),
            judgeDismissal(dismissal({ reviewer: other }), doer, EVERYTHING),
            ...intents.map((one) => one.judged),
          ];
          const breaches = judged.filter((one) => one.verdict === 'deny');
          expect(breaches).toEqual([]);
          expect(breachEffects(breaches, EVERYTHING)).toEqual([]);
          expect(intents.flatMap(({ effects }) => effects)).toEqual([]);
        },
      ),
    );
  });

  test('a forced push to a trunk is the one that no policy allows', () => {
    const facts = { moves: [], lost: [], gained: [], pull: null };
    const judged = judgeForcedPush([forcedPush('trunk')], facts, ALPHA_DOES, EVERYTHING);
    expect(judged).toMatchObject([{ verdict: 'deny', rule: 'force-push' }]);
  });

  const facts = fc
    .record({
      author: fc.constantFrom(...AGENTS, ...PEOPLE, DEPENDABOT),
      commits: commitsBy([...PEOPLE, ...AGENTS]),
      pushers: fc.subarray([...PEOPLE, ...AGENTS]),
      reviews: fc.oneof(
        reviewsBy([...PEOPLE, ...AGENTS], ['approved', 'commented', 'pending', 'dismissed']),
        reviewsBy(AGENTS, STATES),
      ),
      paths: fc.array(fc.oneof(fc.constantFrom(...PATHS), fc.string({ maxLength: 200 })), { maxLength: 6 }),
      limits: limitsOf,
      toTrunk: fc.boolean(),
      armed: fc.boolean(),
    })
    .map(({ author, armed, paths, ...rest }) =>
      factsOf({
        pull: pullOf({ author, autoMerge: armed ? { by: author } : null }),
        files: { kind: 'complete', files: paths.map((path) => ({ path, status: 'modified', blob: null })) },
        ...rest,
      }),
    );

  test('no PR has any effect but a check that passes', () => {
    fc.assert(
      fc.property(facts, fc.boolean(), (given, enqueued) => {
        const verdict = judgePull(given, EVERYTHING);
        expect(checkOf('h1', [{ verdict, weighs: true }], 'enforce').conclusion).toBe('success');
        const more = { enqueued, hasComment: false, openLimitIssues: [], limitTold: false };
        expect(pullEffects({ verdict, limits: given.limits, ...more }, EVERYTHING)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('a person who asks for changes is heard all the same', () => {
    const objection: ReviewFact = { id: 1, by: RAE, state: 'changes_requested', sha: 'h1', at: after(-1) };
    expect(judgePull(factsOf({ reviews: [objection] }), EVERYTHING).conclusion).toBe('failure');
  });
});
