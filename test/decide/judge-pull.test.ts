import { describe, expect, test } from '@jest/globals';
import type { Context } from '../../src/decide/context.js';
import { judgePull, type PullFacts } from '../../src/decide/judge-pull.js';
import {
  INVALID,
  BETA,
  IVO,
  MARA,
  NO_LIMITS,
  RAE,
  after,
  approved,
  at,
  contextOf,
  factsOf,
  file,
  files,
  pullOf,
  review,
} from './make.js';

/** `conclusion reason,…` of a PR by alpha unless the facts say otherwise. */
function told(given: Partial<PullFacts>, context: Context = at('pr')): string {
  const { conclusion, reasons } = judgePull(factsOf(given), context);
  return `${conclusion} ${reasons.map(({ code }) => code).join(',')}`;
}

const open = (...numbers: readonly number[]) =>
  numbers.map((number) => pullOf({ number, sha: `h${number}` }));
const limits = (...numbers: readonly number[]) => ({ ...NO_LIMITS, openPulls: open(...numbers) });

describe('level pr', () => {
  test.each<[string, Partial<PullFacts>, string]>([
    ['no review -> a person is needed', {}, 'action_required needs-person'],
    ['approved -> success', { reviews: [approved(RAE)] }, 'success within-policy'],
    ['approved by one who may not -> needed', { reviews: [approved(IVO)] }, 'action_required needs-person'],
    [
      'approved on another head -> the head changed, and nothing vaguer',
      { reviews: [approved(RAE, { sha: 'h0' })] },
      'action_required head-changed',
    ],
    [
      'approved before the base changed -> the head changed',
      { reviews: [approved(RAE, { at: after(-3) })], baseChangedAt: after(-2) },
      'action_required head-changed',
    ],
    [
      'approved by an agent -> agent-approval',
      { reviews: [approved(BETA)] },
      'action_required agent-approval',
    ],
    [
      'approved by an agent and by a person -> success',
      { reviews: [approved(BETA), approved(RAE)] },
      'success within-policy',
    ],
    [
      'a person’s review that an agent dismissed -> review-dismissed',
      { reviews: [review(RAE, 'dismissed', { id: 90 })], dismissedBy: new Map([[90, BETA]]) },
      'action_required review-dismissed',
    ],
    [
      'a review dismissed by an agent, and another person approved -> success',
      {
        reviews: [review(RAE, 'dismissed', { id: 90 }), approved(MARA)],
        dismissedBy: new Map([[90, BETA]]),
      },
      'success within-policy',
    ],
    [
      'a person asks for changes -> failure',
      { reviews: [review(RAE, 'changes_requested')] },
      'failure changes-requested',
    ],
    [
      'one approves, another asks for changes -> failure',
      { reviews: [approved(MARA), review(RAE, 'changes_requested')] },
      'failure changes-requested',
    ],
    [
      'an agent asks for changes -> a person is needed',
      { reviews: [review(BETA, 'changes_requested')] },
      'action_required needs-person',
    ],
    [
      'the policy file -> policy-edit and not also protected-path',
      { files: files('.github/agent-policy.yml') },
      'action_required policy-edit',
    ],
    [
      'a workflow -> protected-path',
      { files: files('.github/workflows/ci.yml') },
      'action_required protected-path',
    ],
    ['a protected path -> protected-path', { files: files('AGENTS.md') }, 'action_required protected-path'],
    [
      'a protected path that a person approved -> success',
      { files: files('AGENTS.md'), reviews: [approved(RAE)] },
      'success within-policy',
    ],
    [
      'more files than GitHub lists -> protected-path-unknown',
      { files: { kind: 'partial', files: [file('src/a.ts')], changed: 3_400 } },
      'action_required protected-path-unknown',
    ],
    [
      'over a limit -> failure, approved or not',
      { limits: limits(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 283), reviews: [approved(RAE)] },
      'failure limit',
    ],
    [
      'one tree twice -> the later is the duplicate',
      {
        limits: {
          ...limits(1, 283),
          trees: new Map([
            ['h1', 't'],
            ['h283', 't'],
          ]),
        },
      },
      'failure duplicate',
    ],
    ['a policy file that does not load -> failure', { policyFile: INVALID }, 'failure policy-invalid'],
    ['a PR to another branch -> success', { toTrunk: false }, 'success within-policy'],
    [
      'a PR to another branch that touches everything -> success',
      { toTrunk: false, files: files('AGENTS.md'), reviews: [review(RAE, 'changes_requested')] },
      'success within-policy',
    ],
  ])('%s', (_, given, expected) => {
    expect(told(given)).toBe(expected);
  });

  test('two approvals are needed where the policy says two', () => {
    const context = at('pr', 'people: { approvals: 2 }\n');
    expect(told({ reviews: [approved(RAE)] }, context)).toBe('action_required needs-person');
    expect(told({ reviews: [approved(RAE), approved(MARA)] }, context)).toBe('success within-policy');
    expect(told({ reviews: [approved(RAE), approved(RAE)] }, context)).toBe('action_required needs-person');
  });

  test('none are needed where the policy says none, but what is kept for people needs one', () => {
    const context = at('pr', 'people: { approvals: 0 }\n');
    expect(told({}, context)).toBe('success within-policy');
    expect(told({ files: files('AGENTS.md') }, context)).toBe('action_required protected-path');
  });

  test('needs-person says how many, how many are given, and by whom they may be', () => {
    const context = at('pr', 'people: { approvals: 2, approvers: [rae, mara] }\n');
    expect(judgePull(factsOf({ reviews: [approved(RAE)] }), context).reasons).toEqual([
      { code: 'needs-person', approvals: 2, given: 1, approvers: ['rae', 'mara'], marks: [] },
    ]);
  });

  test('within-policy names as many approvers as were needed, the first ones', () => {
    const { reasons } = judgePull(factsOf({ reviews: [approved(RAE), approved(MARA)] }), at('pr'));
    expect(reasons).toEqual([{ code: 'within-policy', approvedBy: [RAE] }]);
  });

  test('head-changed says what was approved, what the head is, and by whom', () => {
    const { reasons } = judgePull(factsOf({ reviews: [approved(RAE, { sha: 'h0' })] }), at('pr'));
    expect(reasons).toEqual([{ code: 'head-changed', by: [RAE], approved: 'h0', head: 'h1', base: false }]);
  });
});

describe('level merge', () => {
  const merge = (given: Partial<PullFacts>, rest = '') => told(given, at('merge', rest));

  test.each<[string, Partial<PullFacts>, string]>([
    ['nothing against it -> success', {}, 'success within-policy'],
    [
      'approved by an agent -> success, since no approval is needed',
      { reviews: [approved(BETA)] },
      'success within-policy',
    ],
    [
      'a person asks for changes -> failure',
      { reviews: [review(RAE, 'changes_requested')] },
      'failure changes-requested',
    ],
    [
      'one without write asks for changes -> success',
      { reviews: [review(IVO, 'changes_requested')] },
      'success within-policy',
    ],
    ['a protected path -> a person', { files: files('CODEOWNERS') }, 'action_required protected-path'],
    [
      'the policy file -> a person',
      { files: files('.github/agent-policy.yml') },
      'action_required policy-edit',
    ],
    [
      'over a limit -> failure',
      { limits: { ...NO_LIMITS, mergedLately: new Map([['alpha', 10]]) } },
      'failure limit',
    ],
    [
      'a dismissed review -> a person',
      { reviews: [review(RAE, 'dismissed', { id: 91 })], dismissedBy: new Map([[91, BETA]]) },
      'action_required review-dismissed',
    ],
  ])('%s', (_, given, expected) => {
    expect(merge(given)).toBe(expected);
  });

  test.each([
    ['policy.edit', '.github/agent-policy.yml'],
    ['workflow.edit', '.github/workflows/ci.yml'],
  ])('acts that allow %s leave it to the agent', (act, path) => {
    const given = { files: files(path) };
    expect(merge(given, `acts: { ${act}: allow }\n`)).toBe('success within-policy');
    expect(merge(given, `acts: { ${act}: deny }\n`)).toMatch(/^action_required/);
    expect(merge(given)).toMatch(/^action_required/);
  });

  test('an act that one agent of the PR may do and another may not waits for a person', () => {
    const context = contextOf(`version: 1
merge: merge
agents:
  alpha: { accounts: [9001], acts: { workflow.edit: allow } }
  beta: { accounts: [9002] }
`);
    const given = { files: files('.github/workflows/ci.yml') };
    expect(told(given, context)).toBe('success within-policy');
    expect(told({ ...given, pushers: [BETA] }, context)).toBe('action_required protected-path');
  });
});
