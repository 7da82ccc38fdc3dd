import type { Effect, EscalationKey } from '../decide/effects.js';

/** What the port did, as one line of `simulate` (docs/simulate.md): `check h1 success person`, `issue KEY row`. */
export interface Performed {
  readonly effect: Effect;
  readonly line: string;
}

/** RULE:AGENT:SUBJECT, as people read it. The subject may hold any branch name. */
export const keyText = (key: EscalationKey): string => `${key.rule}:${key.agent}:${key.subject}`;
