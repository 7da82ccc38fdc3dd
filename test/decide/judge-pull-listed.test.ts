import { describe, expect, test } from '@jest/globals';
import type { Context } from '../../src/decide/context.js';
import { judgePull, type PullFacts } from '../../src/decide/judge-pull.js';
import type { ReasonCode } from '../../src/decide/reasons.js';
import {
  INVALID,
  BETA,
  MARA,
  MYSTERY,
  NO_LIMITS,
  RAE,
  approved,
  at,
  contextOf,
  factsOf,
  file,
  files,
  policyText,
  pullOf,
  review,
  seen,
  suspended,
} from './make.js';

const open = (...numbers: readonly number[]) =>
  numbers.map((number) => pullOf({ number, sha: `h${number}` }));
const limits = (...numbers: readonly number[]) => ({ ...NO_LIMITS, openPulls: open(...numbers) });

describe('what is listed', () => {
  const codes = (given: Partial<PullFacts>, context = at('pr')) =>
    judgePull(factsOf(given), context).reasons.map(({ code }) => code);

  test('only reasons of the conclusion: what waits is left out while something fails', () => {
    const waiting = { files: files('.github/agent-policy.yml', 'AGENTS.md') };
    expect(codes(waiting)).toEqual(['policy-edit', 'protected-path']);
    expect(codes({ ...waiting, reviews: [review(RAE, 'changes_requested')] })).toEqual(['changes-requested']);
    expect(codes({ ...waiting, policyFile: INVALID })).toEqual(['policy-invalid']);
  });

  test('all that wait, in their order', () => {
    const given: Partial<PullFacts> = {
      reviews: [approved(RAE, { sha: 'h0' }), approved(BETA), review(MARA, 'dismissed', { id: 92 })],
      dismissedBy: new Map([[92, BETA]]),
      files: {
        kind: 'partial',
        files: [file('AGENTS.md'), file('.github/agent-policy.yml')],
        changed: 3_400,
      },
    };
    expect(codes(given)).toEqual([
      'head-changed',
      'agent-approval',
      'review-dismissed',
      'policy-edit',
      'protected-path',
      'protected-path-unknown',
    ]);
  });

  test('all that fail, in their order', () => {
    const given: Partial<PullFacts> = {
      reviews: [review(RAE, 'changes_requested')],
      policyFile: INVALID,
      limits: {
        ...limits(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 283),
        trees: new Map([['h1', 't']]),
      },
    };
    expect(codes(given, contextOf(policyText(), [suspended('alpha')]))).toEqual([
      'changes-requested',
      'suspended',
      'policy-invalid',
      'limit',
      'duplicate',
    ]);
  });
});

describe('what stands in the comment', () => {
  const standing = (given: Partial<PullFacts>, context = at('pr')) =>
    judgePull(factsOf(given), context).standing.map(({ code }) => code);
  const objection = review(RAE, 'changes_requested');

  test.each<[string, Partial<PullFacts>, Context, readonly ReasonCode[]]>([
    ['needs-person: silence', {}, at('pr'), []],
    ['within policy: silence', { reviews: [approved(RAE)] }, at('pr'), []],
    ['changes-requested: silence', { reviews: [objection] }, at('pr'), []],
    ['suspended: silence', {}, contextOf(policyText('', 'merge'), [suspended('alpha')]), []],
    ['policy-invalid: the check says it', { policyFile: INVALID, reviews: [approved(RAE)] }, at('pr'), []],
    ['level-none', {}, at('none'), ['level-none']],
    ['unknown-bot', { pull: pullOf({ author: MYSTERY }) }, at('pr'), ['unknown-bot']],
    ['agent-approval', { reviews: [approved(BETA)] }, at('pr'), ['agent-approval']],
    ['head-changed', { reviews: [approved(RAE, { sha: 'h0' })] }, at('pr'), ['head-changed']],
    ['policy-edit', { files: files('.github/agent-policy.yml') }, at('pr'), ['policy-edit']],
    [
      'protected-path stands also while the check fails for something else',
      { files: files('AGENTS.md'), reviews: [objection] },
      at('pr'),
      ['protected-path'],
    ],
    [
      'a person’s PR that does not load is not commented on',
      { pull: pullOf({ author: RAE }), policyFile: INVALID },
      at('pr'),
      [],
    ],
    [
      'a gated PR is not commented on',
      { pull: pullOf({ author: RAE }), remembered: [seen('alpha')] },
      at('pr', 'on-evidence: gate\n'),
      [],
    ],
  ])('%s', (_, given, context, expected) => {
    expect(standing(given, context)).toEqual(expected);
  });
});
