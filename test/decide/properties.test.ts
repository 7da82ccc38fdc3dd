import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judgePull, type PullFacts } from '../../src/decide/judge-pull.js';
import { pullEffects } from '../../src/decide/pull-effects.js';
import {
  PEOPLE,
  AGENTS,
  reviewsBy,
  STATES,
  filesOf,
  MESSAGES,
  commitsBy,
  limitsOf,
  anyContext,
  policyFileOf,
} from './arbitraries.js';
import { ALPHA, BETA, DEPENDABOT, after, at, factsOf, pullOf, seen } from './make.js';

describe('a person’s PR', () => {
  const text = fc.oneof(fc.constantFrom(...MESSAGES, 'codex/fix', 'claude/fix', 'cursor'), fc.string());
  const facts = fc
    .record({
      author: fc.constantFrom(...PEOPLE, { id: 5_000_001, login: 'claude-bot', type: 'User' as const }),
      body: text,
      title: text,
      ref: text,
      labels: fc.array(text, { maxLength: 3 }),
      sameRepository: fc.boolean(),
      commits: commitsBy([...PEOPLE, ALPHA, BETA, DEPENDABOT]),
      pushers: fc.subarray([...PEOPLE, DEPENDABOT]),
      remembered: fc.subarray([seen('alpha'), seen('beta', 'strong'), seen('claude', 'weak')]),
      reviews: reviewsBy([...PEOPLE, ...AGENTS], STATES),
      files: filesOf,
      limits: limitsOf,
      policyFile: policyFileOf,
      toTrunk: fc.boolean(),
      baseChangedAt: fc.constantFrom(null, after(-2)),
    })
    .map(({ author, body, title, ref, labels, sameRepository, ...rest }) =>
      factsOf({ pull: pullOf({ author, body, title, ref, labels, sameRepository }), ...rest }),
    );

  test('with no agent’s push in it succeeds, whatever else, unless the policy file does not load', () => {
    fc.assert(
      fc.property(facts, anyContext, (given, context) => {
        const verdict = judgePull(given, context);
        const expected = given.policyFile === null ? ['person'] : ['policy-invalid'];
        expect(verdict.conclusion).toBe(given.policyFile === null ? 'success' : 'failure');
        expect(verdict.reasons.map(({ code }) => code)).toEqual(expected);
        expect(verdict.agents).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('has no comment and no other effect', () => {
    fc.assert(
      fc.property(facts, anyContext, fc.boolean(), (given, context, enqueued) => {
        const verdict = judgePull(given, context);
        const more = { enqueued, hasComment: false, openLimitIssues: [], limitTold: false };
        expect(pullEffects({ verdict, limits: given.limits, ...more }, context)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('an agent’s push makes it the agent’s: the failing side of the rule', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const verdict = judgePull({ ...given, pushers: [...given.pushers, ALPHA] }, at('none'));
        expect(verdict.conclusion).toBe('failure');
      }),
      { numRuns: 50 },
    );
  });
});

describe('the order of the facts', () => {
  const shuffled = <T>(list: readonly T[]) =>
    fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length });

  const both = fc
    .record({
      author: fc.constantFrom(...AGENTS, ...PEOPLE),
      pushers: fc.subarray([...PEOPLE, ...AGENTS]),
      commits: commitsBy([...PEOPLE, ...AGENTS]),
      reviews: reviewsBy([...PEOPLE, ...AGENTS], STATES),
      files: filesOf,
      limits: limitsOf,
      dismissed: fc.subarray([1, 2, 3, 4, 5]),
    })
    .chain(({ author, dismissed, ...rest }) => {
      const dismissedBy = new Map(dismissed.map((id) => [id, BETA] as const));
      const given = factsOf({ pull: pullOf({ author }), dismissedBy, ...rest });
      return fc.tuple(
        fc.constant(given),
        fc
          .tuple(
            shuffled(given.reviews),
            shuffled(given.files.files),
            shuffled(given.commits),
            shuffled(given.pushers),
            shuffled(given.limits.openPulls),
          )
          .map(([reviews, listed, commits, pushers, openPulls]): PullFacts => ({
            ...given,
            reviews,
            files: { ...given.files, files: listed },
            commits,
            pushers,
            limits: { ...given.limits, openPulls },
          })),
      );
    });

  const gate = at('pr', 'on-evidence: gate\n');

  test('changes nothing in conclusion, reasons, agents and what stands', () => {
    fc.assert(
      fc.property(both, fc.oneof(anyContext, fc.constant(gate)), ([given, other], context) => {
        const verdicts = [given, other].map((facts) => {
          const { conclusion, reasons, standing, agents } = judgePull(facts, context);
          // Marks are told strongest first and then as the commits come: a list to read, which decides nothing.
          const told = reasons.map((reason) => ('marks' in reason ? { ...reason, marks: [] } : reason));
          return { conclusion, told, standing, agents };
        });
        expect(verdicts[1]).toEqual(verdicts[0]);
      }),
      { numRuns: 300 },
    );
  });
});
