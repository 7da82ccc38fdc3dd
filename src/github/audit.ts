import type { Effect, EffectKind } from '../decide/effects.js';
import { keyText } from './port.js';

/**
 * `unchanged`: GitHub (or the ledger) has it already. `dry-run`, `observe`, `killed`: it was not done, and that is
 * why. `failed`: GitHub did not do it; `hint` says what came back.
 */
export type AuditOutcome = 'done' | 'unchanged' | 'dry-run' | 'observe' | 'killed' | 'failed';

/** One line of the audit log, one an effect. Every string in it is printable ASCII, whoever wrote it. */
export interface AuditLine {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly repository: { readonly id: number; readonly name: string };
  /** GUID of the delivery that led to it; null: a sweep. */
  readonly delivery: string | null;
  readonly effect: EffectKind;
  readonly key: string;
  readonly outcome: AuditOutcome;
  readonly hint?: string;
}

/** Text of others for a log: everything but printable ASCII is escaped, and it ends after `max` characters. */
export const printable = (text: string, max = 200): string => {
  const escaped = text.replace(
    /[^\x20-\x7e]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return escaped.length > max ? `${escaped.slice(0, max - 3)}...` : escaped;
};

const plainKey = (effect: Effect): string => {
  switch (effect.kind) {
    case 'record':
      return `${effect.code} ${effect.actKey}`;
    case 'check':
      return effect.verdict.sha;
    case 'comment':
      return String(effect.number);
    case 'escalate':
    case 'close-escalation':
    case 'settle-escalation':
    case 'reopen-escalation':
      return keyText(effect.key);
    case 'suspend':
    case 'resume':
      return effect.agent;
    case 'disarm-auto-merge':
    case 'dequeue':
    case 'revert-pull':
      return String(effect.pull);
    case 'cancel-run':
      return String(effect.run);
    case 'reopen-issue':
      return String(effect.issue);
    case 're-request-review':
      return `${effect.pull} ${effect.login}`;
    case 'backup-ref':
      return effect.sha;
  }
};

/** What an effect is about, for a log. */
export const auditKey = (effect: Effect): string => printable(plainKey(effect));
