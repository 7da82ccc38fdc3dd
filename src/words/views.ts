import type { ActSubject, EscalationKey, FactRow } from '../decide/effects.js';
import type { CheckVerdict, Reason } from '../decide/reasons.js';
import type { Problem } from '../policy/policy.js';

/** Where a text will stand: links are made from this and from nothing an agent wrote. */
export interface Place {
  /** `https://github.com` or an Enterprise Server's. */
  readonly htmlUrl: string;
  readonly owner: string;
  readonly repo: string;
  readonly defaultBranch: string;
  /** Whether GitHub itself refuses (our rulesets in force): no text says so where it does not. */
  readonly prevention: 'on' | 'off';
}

export interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly start_column?: number;
  readonly end_column?: number;
  readonly annotation_level: 'failure' | 'warning' | 'notice';
  readonly message: string;
  readonly title: string;
}

/** `summary` and `text` at most 65,535 characters each; annotations come in any number, the port sends 50 a request. */
export interface CheckText {
  readonly title: string;
  readonly summary: string;
  readonly text: string;
  readonly annotations: readonly Annotation[];
}

export interface CommentView {
  readonly number: number;
  readonly about: 'pull' | 'issue';
  readonly facts: readonly FactRow[];
  readonly standing: readonly Reason[];
  readonly state: 'open' | 'cleared';
}

export interface EscalationView {
  readonly key: EscalationKey;
  readonly rows: readonly FactRow[];
  readonly more: number;
  readonly state: 'open' | 'closed';
  /** Login or `@org/team` the policy asks to be mentioned: the only mention any text of ours holds. */
  readonly mention: string | null;
  /** Open PRs the breach touches, by number (nine PRs that lose their base). */
  readonly mentions: readonly number[];
  readonly suspended: boolean;
}

/*
 * The functions of this folder, all pure:
 *   checkText(verdict: CheckVerdict, place: Place): CheckText                       check.ts
 *   commentBody(view: CommentView, place: Place, marker: string): string            comment.ts
 *   escalationTitle(view: EscalationView): string                                    escalation.ts
 *   escalationBody(view: EscalationView, place: Place, marker: string): string       escalation.ts
 *   revertText(pull: number, key: EscalationKey | null, place): {title, body}        revert.ts
 *   inert(text: string, max?: number): string        one line, safe inside markdown  inert.ts
 *   marker(kind: 'comment' | 'issue', id: string, secret: string): string            marker.ts
 *   readMarker(body: string, secrets: readonly string[]): {kind, id} | null          marker.ts
 */
export type { ActSubject, CheckVerdict, FactRow, Problem, Reason };
