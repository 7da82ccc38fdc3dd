import { describe, expect, test } from '@jest/globals';
import type { Context } from '../../src/decide/context.js';
import { judgePull, type PullFacts } from '../../src/decide/judge-pull.js';
import {
  ALPHA,
  APP,
  INVALID,
  BETA,
  DEPENDABOT,
  MARA,
  MYSTERY,
  RAE,
  approved,
  at,
  contextOf,
  factsOf,
  policyText,
  pullOf,
  seen,
  suspended,
} from './make.js';

/** `conclusion reason,…` of a PR by alpha unless the facts say otherwise. */
function told(given: Partial<PullFacts>, context: Context = at('pr')): string {
  const { conclusion, reasons } = judgePull(factsOf(given), context);
  return `${conclusion} ${reasons.map(({ code }) => code).join(',')}`;
}

describe('level none, suspension, and bots nobody listed', () => {
  test.each<[string, Partial<PullFacts>, Context, string]>([
    [
      'level none -> failure, approved or not',
      { reviews: [approved(RAE)] },
      at('none'),
      'failure level-none',
    ],
    ['level none to another branch holds too', { toTrunk: false }, at('none'), 'failure level-none'],
    ['suspended -> failure', {}, contextOf(policyText(), [suspended('alpha')]), 'failure suspended'],
    [
      'suspended at level merge, approved -> failure',
      { reviews: [approved(RAE)] },
      contextOf(policyText('', 'merge'), [suspended('alpha')]),
      'failure suspended',
    ],
    [
      'another agent suspended -> not this one',
      {},
      contextOf(policyText('', 'merge'), [suspended('beta')]),
      'success within-policy',
    ],
    [
      'suspended and at level none -> both, in their order',
      {},
      contextOf(policyText('', 'none'), [suspended('alpha')]),
      'failure level-none,suspended',
    ],
    [
      'a bot nobody listed -> unknown-bot',
      { pull: pullOf({ author: MYSTERY }) },
      at('merge'),
      'failure unknown-bot',
    ],
    [
      'a bot nobody listed, at pr -> needs a person',
      { pull: pullOf({ author: MYSTERY }) },
      at('merge', 'unknown-bots: pr\n'),
      'action_required needs-person',
    ],
    [
      'a bot nobody listed, at merge -> success',
      { pull: pullOf({ author: MYSTERY }) },
      at('pr', 'unknown-bots: merge\n'),
      'success within-policy',
    ],
  ])('%s', (_, given, context, expected) => {
    expect(told(given, context)).toBe(expected);
  });
});

describe('people, automation, and marks', () => {
  const byRae = pullOf({ author: RAE });

  test.each<[string, Partial<PullFacts>, string]>([
    ['a person -> success', { pull: byRae }, 'success person'],
    ['automation -> success', { pull: pullOf({ author: DEPENDABOT }) }, 'success automation'],
    ['our own -> success', { pull: pullOf({ author: APP }) }, 'success automation'],
    [
      'a person whose policy file does not load -> failure',
      { pull: byRae, policyFile: INVALID },
      'failure policy-invalid',
    ],
    [
      'automation whose policy file does not load -> failure',
      { pull: pullOf({ author: DEPENDABOT }), policyFile: INVALID },
      'failure policy-invalid',
    ],
    [
      'a person with an agent’s marks -> success',
      { pull: byRae, remembered: [seen('alpha')] },
      'success person',
    ],
    [
      'a person’s PR that an agent pushed to -> the agent’s',
      { pull: byRae, pushers: [ALPHA] },
      'action_required needs-person',
    ],
    [
      'automation’s PR that an agent pushed to -> the agent’s',
      { pull: pullOf({ author: DEPENDABOT }), pushers: [ALPHA] },
      'action_required needs-person',
    ],
    [
      'our own PR that an agent pushed to -> the agent’s',
      { pull: pullOf({ author: APP }), pushers: [ALPHA] },
      'action_required needs-person',
    ],
  ])('%s', (_, given, expected) => {
    expect(told(given)).toBe(expected);
  });

  test('a person’s PR that an agent pushed to: the author’s own approval does not count, another’s does', () => {
    const given = { pull: byRae, pushers: [ALPHA] };
    expect(told({ ...given, reviews: [approved(RAE)] })).toBe('action_required needs-person');
    expect(told({ ...given, reviews: [approved(MARA)] })).toBe('success within-policy');
  });

  describe('on-evidence: gate', () => {
    const gate = at('merge', 'on-evidence: gate\npeople: { approvals: 0 }\n');
    const marked = { pull: byRae, remembered: [seen('alpha')] };

    test.each<[string, Partial<PullFacts>, string]>([
      ['marks -> another person, even where none are asked for', marked, 'action_required needs-person'],
      [
        'weak marks alone -> only noted',
        { pull: byRae, remembered: [seen('alpha', 'weak')] },
        'success person',
      ],
      ['no marks -> success', { pull: byRae }, 'success person'],
      [
        'approved by another person -> success',
        { ...marked, reviews: [approved(MARA)] },
        'success within-policy',
      ],
      [
        'approved by the author -> still waits',
        { ...marked, reviews: [approved(RAE)] },
        'action_required needs-person',
      ],
    ])('%s', (_, given, expected) => {
      expect(told(given, gate)).toBe(expected);
    });

    test('needs-person then says which marks', () => {
      const { reasons, marks } = judgePull(factsOf(marked), gate);
      expect(reasons).toMatchObject([{ code: 'needs-person', approvals: 1, marks: seen('alpha').evidence }]);
      expect(marks).toEqual(seen('alpha').evidence);
    });

    test('an agent that notes does not hold what carries its marks', () => {
      const context = contextOf(`version: 1
on-evidence: gate
agents:
  alpha: { accounts: [9001], on-evidence: note }
  beta: { accounts: [9002] }
`);
      expect(told(marked, context)).toBe('success person');
      expect(told({ pull: byRae, remembered: [seen('beta')] }, context)).toBe('action_required needs-person');
    });
  });

  describe('a login that is also a person’s', () => {
    const shared = (how: string) =>
      contextOf(
        `version: 1\nagents:\n  coder: { accounts: [13], shared: ${how} }\n  alpha: { accounts: [9001] }\n`,
      );

    test('shared: true -> judged as the agent', () => {
      expect(told({ pull: byRae }, shared('true'))).toBe('action_required needs-person');
    });

    test('shared: marked -> as the agent only with the agent’s marks', () => {
      expect(told({ pull: byRae }, shared('marked'))).toBe('success person');
      expect(told({ pull: byRae, remembered: [seen('coder')] }, shared('marked'))).toBe(
        'action_required needs-person',
      );
    });
  });
});

describe('several agents', () => {
  const context = contextOf(`version: 1
agents:
  alpha: { accounts: [9001], merge: merge }
  beta: { accounts: [9002], merge: none }
  robot: { accounts: [9003], merge: pr }
`);

  test('the lowest level decides, and its agents alone are named', () => {
    expect(told({}, context)).toBe('success within-policy');
    const verdict = judgePull(factsOf({ pushers: [BETA] }), context);
    expect(verdict.reasons).toEqual([
      { code: 'level-none', agents: ['beta'], origin: expect.objectContaining({ line: 4 }) },
    ]);
    expect(verdict.agents.map(({ agent, level }) => `${agent} ${level}`)).toEqual([
      'alpha merge',
      'beta none',
    ]);
  });
});
