import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { REASON_CODES, type Reason, type ReasonCode } from '../../src/decide/reasons.js';
import { conclusionOf, reasonsOfWorst, worse } from '../../src/decide/settle.js';
import { RAE } from './make.js';

const CONCLUSIONS: Readonly<Record<ReasonCode, 'success' | 'action_required' | 'failure'>> = {
  'needs-person': 'action_required',
  'head-changed': 'action_required',
  'agent-approval': 'action_required',
  'review-dismissed': 'action_required',
  'changes-requested': 'failure',
  'level-none': 'failure',
  suspended: 'failure',
  'policy-edit': 'action_required',
  'policy-invalid': 'failure',
  'protected-path': 'action_required',
  'protected-path-unknown': 'action_required',
  'unknown-bot': 'failure',
  limit: 'failure',
  duplicate: 'failure',
  person: 'success',
  'within-policy': 'success',
  automation: 'success',
  waived: 'success',
  unreadable: 'action_required',
};

test.each(REASON_CODES)('%s alone makes its conclusion', (code) => {
  expect(conclusionOf(code)).toBe(CONCLUSIONS[code]);
});

test.each([
  ['success', 'success', 'success'],
  ['success', 'action_required', 'action_required'],
  ['action_required', 'failure', 'failure'],
  ['success', 'failure', 'failure'],
] as const)('%s and %s -> %s, either way round', (a, b, both) => {
  expect(worse(a, b)).toBe(both);
  expect(worse(b, a)).toBe(both);
});

describe('the reasons of the worst conclusion', () => {
  const ANY: readonly Reason[] = [
    { code: 'person', marks: [] },
    { code: 'within-policy', approvedBy: [RAE] },
    { code: 'duplicate', of: 1 },
    { code: 'changes-requested', by: [RAE] },
    { code: 'agent-approval', by: [] },
    { code: 'policy-edit', paths: ['.github/agent-policy.yml'] },
    { code: 'unreadable', what: 'files' },
  ];

  test('are all of one conclusion, none worse is left out, and they stand in the order of the codes', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...ANY], { minLength: 1 }), (reasons) => {
        const settled = reasonsOfWorst(reasons);
        const codes = settled.reasons.map(({ code }) => code);
        const rank = { success: 0, action_required: 1, failure: 2 };
        const worst = Math.max(...reasons.map(({ code }) => rank[CONCLUSIONS[code]]));
        expect(rank[settled.conclusion]).toBe(worst);
        expect(codes).toEqual(
          REASON_CODES.filter(
            (known) => rank[CONCLUSIONS[known]] === worst && reasons.some(({ code }) => code === known),
          ),
        );
      }),
    );
  });

  test('of nothing is success with nothing to say', () => {
    expect(reasonsOfWorst([])).toEqual({ conclusion: 'success', reasons: [] });
  });
});
