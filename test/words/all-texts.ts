import type { EscalationRule } from '../../src/decide/reasons.js';
import { BREACH_CODES, REASON_CODES } from '../../src/decide/reasons.js';
import type { CheckVerdict } from '../../src/decide/reasons.js';
import type { CommentView, EscalationView, Place } from '../../src/words/views.js';
import { MARA, MERGE_ROW, REASONS, comment, escalation, place, verdict } from './make.js';

export const RULES: readonly EscalationRule[] = [
  ...BREACH_CODES,
  'limit',
  'policy-invalid',
  'quiet',
  'ping-pong',
  'stuck',
  'refused',
];

export const PLACES: readonly Place[] = [place('on'), place('off')];

/** A verdict for each reason, enforced and observed. */
export const VERDICTS: readonly CheckVerdict[] = REASON_CODES.flatMap((code) => [
  verdict([REASONS[code]]),
  verdict([REASONS[code]], { conclusion: 'neutral' }),
]);

/** A comment for each reason and each rule, on a PR and on an issue, open and cleared. */
export const COMMENTS: readonly CommentView[] = (['pull', 'issue'] as const).flatMap((about) => [
  ...REASON_CODES.map((code) => comment({ about, facts: [], standing: [REASONS[code]] })),
  ...RULES.map((rule) => comment({ about, facts: escalation(rule).rows })),
  comment({
    about,
    facts: [{ ...MERGE_ROW, who: MARA, agent: null, what: 'objection', rule: null, state: 'noted' }],
  }),
  comment({ about, facts: [], state: 'cleared' }),
]);

/** An escalation for each rule, open and closed, suspended and not. */
export const ESCALATIONS: readonly EscalationView[] = RULES.flatMap((rule) =>
  [true, false].flatMap((suspended) => [
    escalation(rule, { suspended, mentions: [7, 8] }),
    escalation(rule, { suspended, state: 'closed', more: 3 }),
  ]),
);
