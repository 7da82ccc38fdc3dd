import { describe, expect, test } from '@jest/globals';
import type { Account } from '../../src/acts/act.js';
import { type ApprovalFacts, countApprovals } from '../../src/decide/approvals.js';
import {
  ALPHA,
  ALPHA_TWO,
  BETA,
  DEPENDABOT,
  IVO,
  MARA,
  MYSTERY,
  OTTO,
  RAE,
  ROBOT,
  TIA,
  after,
  approved,
  at,
  contextOf,
  factsOf,
  policyText,
  pullOf,
  review,
  user,
} from './make.js';

const logins = (accounts: readonly Account[]) => accounts.map(({ login }) => login);
const counting = (given: Partial<ApprovalFacts>, context = at('pr')) =>
  logins(countApprovals(factsOf(given), context).counting);

describe('whose approval counts', () => {
  test.each([
    ['write', RAE, true],
    ['maintain', MARA, true],
    ['admin', OTTO, true],
    ['triage', TIA, false],
    ['read', IVO, false],
  ])('a person with %s', (_, by, counts) => {
    expect(counting({ reviews: [approved(by)] })).toEqual(counts ? [by.login] : []);
  });

  test('a permission that was not looked up is none', () => {
    expect(counting({ reviews: [approved(RAE)], permissions: new Map() })).toEqual([]);
  });

  test('a login is looked up without case', () => {
    expect(counting({ reviews: [approved({ ...RAE, login: 'RAE' })] })).toEqual(['RAE']);
  });

  test.each([
    ['the author', { pull: pullOf({ author: RAE }) }],
    ['one who pushed to it', { pushers: [ALPHA, RAE] }],
  ])('a person with write who is %s does not count', (_, given) => {
    expect(counting({ reviews: [approved(RAE)] })).toEqual(['rae']);
    expect(counting({ reviews: [approved(RAE)], ...given })).toEqual([]);
  });

  test.each([
    ['the agent itself', ALPHA],
    ['another agent', BETA],
    ['an agent with the account of a user', ROBOT],
    ['another account of the author’s control group', ALPHA_TWO],
    ['a bot nobody listed', MYSTERY],
    ['automation', DEPENDABOT],
    ['an organization', { ...RAE, type: 'Organization' as const }],
  ])('%s does not count, write or not', (_, by) => {
    const permissions = new Map([[by.login.toLowerCase(), 'admin' as const]]);
    expect(counting({ reviews: [approved(by)], permissions })).toEqual([]);
  });

  test.each(['true', 'marked'])('a login that is also a person’s (shared: %s) does not count', (shared) => {
    const context = contextOf(`version: 1\nagents:\n  coder: { accounts: [13], shared: ${shared} }\n`);
    expect(counting({ reviews: [approved(RAE)] }, context)).toEqual([]);
    expect(counting({ reviews: [approved(MARA)] }, context)).toEqual(['mara']);
  });

  test('the latest review decides: approved and taken back does not count', () => {
    expect(counting({ reviews: [approved(RAE), review(RAE, 'changes_requested')] })).toEqual([]);
    expect(counting({ reviews: [review(RAE, 'changes_requested'), approved(RAE)] })).toEqual(['rae']);
  });
});

describe('approvers', () => {
  const named = (list: string) => at('pr', `people: { approvers: ${list} }\n`);
  const teams = new Map([['@acme/platform', new Set(['rae'])]]);

  test.each([
    ['by login', '[rae]', true],
    ['by login in another case', '[Rae]', true],
    ['by team', '["@acme/platform"]', true],
    ['by login or team', '["@acme/platform", otto]', true],
    ['somebody else', '[otto]', false],
    ['another team', '["@acme/legal"]', false],
    ['nobody', '[]', false],
  ])('%s: %s', (_, list, counts) => {
    expect(counting({ reviews: [approved(RAE)], teams }, named(list))).toEqual(counts ? ['rae'] : []);
  });

  test('one of the team without write does not count', () => {
    const some = new Map([['@acme/platform', new Set(['ivo', 'rae'])]]);
    expect(
      counting({ reviews: [approved(IVO), approved(RAE)], teams: some }, named('["@acme/platform"]')),
    ).toEqual(['rae']);
  });

  test('a person who is no approver is neither counted nor outdated', () => {
    const all = countApprovals(factsOf({ reviews: [approved(RAE, { sha: 'h0' })] }), named('[otto]'));
    expect(all).toEqual({ counting: [], outdated: [], byAgents: [], objections: [], dismissed: [] });
  });
});

describe('this head and this base', () => {
  const outdated = (given: Partial<ApprovalFacts>) => countApprovals(factsOf(given), at('pr')).outdated;

  test('an approval of another head is outdated by the head', () => {
    const given = { reviews: [approved(RAE, { sha: 'h0' })] };
    expect(counting(given)).toEqual([]);
    expect(outdated(given)).toEqual([{ by: RAE, sha: 'h0', base: false }]);
  });

  test('an approval from before the base changed is outdated by the base', () => {
    const given = { reviews: [approved(RAE, { at: after(-3) })], baseChangedAt: after(-2) };
    expect(counting(given)).toEqual([]);
    expect(outdated(given)).toEqual([{ by: RAE, sha: 'h1', base: true }]);
  });

  test('within one second, what was there when the base changed is outdated, and what was not counts', () => {
    const review = approved(RAE, { at: after(-2) });
    const there = { reviews: [review], baseChangedAt: after(-2), staleReviews: new Set([review.id]) };
    expect(counting(there)).toEqual([]);
    expect(counting({ ...there, staleReviews: new Set<number>() })).toEqual(['rae']);
  });

  test('an approval after the base changed counts', () => {
    const given = { reviews: [approved(RAE, { at: after(-1) })], baseChangedAt: after(-2) };
    expect(counting(given)).toEqual(['rae']);
    expect(outdated(given)).toEqual([]);
  });

  test('approved again on the new head counts, and nothing is outdated', () => {
    const given = { reviews: [approved(RAE, { sha: 'h0' }), approved(RAE)] };
    expect(counting(given)).toEqual(['rae']);
    expect(outdated(given)).toEqual([]);
  });

  test('a review whose head GitHub does not say is outdated', () => {
    expect(outdated({ reviews: [approved(RAE, { sha: null })] })).toEqual([
      { by: RAE, sha: '', base: false },
    ]);
  });

  test.each([
    ['without write', IVO],
    ['by an agent', BETA],
  ])('an outdated approval %s is none', (_, by) => {
    expect(outdated({ reviews: [approved(by, { sha: 'h0' })] })).toEqual([]);
  });
});

describe('approvals by agents', () => {
  const byAgents = (given: Partial<ApprovalFacts>, context = at('merge')) =>
    logins(countApprovals(factsOf(given), context).byAgents);

  test.each([
    ['an agent', BETA],
    ['the agent’s second account', ALPHA_TWO],
    ['a bot nobody listed', MYSTERY],
  ])('by %s is told', (_, by) => {
    expect(byAgents({ reviews: [approved(by)] })).toEqual([by.login]);
  });

  test.each([
    ['of another head', approved(BETA, { sha: 'h0' })],
    ['that is a comment', review(BETA, 'commented')],
    ['by a person', approved(RAE)],
    ['by automation', approved(DEPENDABOT)],
  ])('%s is not', (_, one) => {
    expect(byAgents({ reviews: [one] })).toEqual([]);
  });

  test('where the policy allows review.approve it is not told, and counts for nothing all the same', () => {
    const context = at('pr', 'acts: { review.approve: allow }\n');
    expect(byAgents({ reviews: [approved(BETA)] }, context)).toEqual([]);
    expect(counting({ reviews: [approved(BETA)] }, context)).toEqual([]);
  });
});

describe('objections', () => {
  const objections = (given: Partial<ApprovalFacts>, context = at('merge')) =>
    logins(countApprovals(factsOf(given), context).objections);
  const asks = (by: Account) => review(by, 'changes_requested');

  test.each([
    ['a person with write', RAE, true],
    ['a person without write', TIA, false],
    ['an agent', BETA, false],
    ['an agent with a user’s account', ROBOT, false],
    ['automation', DEPENDABOT, false],
  ])('%s who asks for changes', (_, by, objects) => {
    expect(objections({ reviews: [asks(by)] })).toEqual(objects ? [by.login] : []);
  });

  test('one who is no approver objects all the same', () => {
    expect(objections({ reviews: [asks(RAE)] }, at('pr', 'people: { approvers: [otto] }\n'))).toEqual([
      'rae',
    ]);
  });

  test('an objection stands on every head', () => {
    expect(objections({ reviews: [review(RAE, 'changes_requested', { sha: 'h0' })] })).toEqual(['rae']);
  });

  test.each(['approved', 'dismissed'] as const)('until it is %s', (state) => {
    expect(objections({ reviews: [asks(RAE), review(RAE, state)] })).toEqual([]);
  });
});

describe('reviews that were dismissed', () => {
  const dismissed = (by: Account, dismisser: Account | null) => {
    const one = review(by, 'dismissed', { id: 5_000 });
    const dismissedBy = new Map(dismisser === null ? [] : [[5_000, dismisser] as const]);
    return countApprovals(factsOf({ reviews: [one], dismissedBy }), at('pr')).dismissed;
  };

  test('a person’s review that an agent dismissed is told', () => {
    expect(dismissed(RAE, BETA)).toEqual([{ by: BETA, reviewer: RAE }]);
  });

  test.each([
    ['that no agent dismissed', RAE, null],
    ['of a person without write', IVO, BETA],
    ['of an agent', ROBOT, BETA],
    ['of a login nobody knows', user(999, 'stranger'), BETA],
  ])('one %s is not', (_, by, dismisser) => {
    expect(dismissed(by, dismisser)).toEqual([]);
  });

  test('reviewed again since, it is over', () => {
    const reviews = [review(RAE, 'dismissed', { id: 5_000 }), approved(RAE)];
    const facts = factsOf({ reviews, dismissedBy: new Map([[5_000, BETA]]) });
    expect(countApprovals(facts, at('pr')).dismissed).toEqual([]);
  });
});

test('all lists are oldest first, whatever the order of the facts', () => {
  const reviews = [
    approved(OTTO, { at: after(-1) }),
    approved(RAE, { at: after(-3) }),
    approved(MARA, { at: after(-2) }),
  ];
  expect(counting({ reviews }, contextOf(policyText()))).toEqual(['rae', 'mara', 'otto']);
});
