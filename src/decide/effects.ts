import type { Account, ActKind } from '../acts/act.js';
import type { Tier } from '../agents/identity.js';
import type { Origin } from '../policy/policy.js';
import type { BreachCode, CheckVerdict, EscalationRule, Reason, ReasonCode } from './reasons.js';

/** What an act was done to. Every name in here is somebody else's text. */
export interface ActSubject {
  readonly pull?: number;
  readonly issue?: number;
  /** Short name of a branch or tag. */
  readonly ref?: string;
  readonly before?: string;
  readonly after?: string;
  readonly release?: string;
  readonly ruleset?: string;
  readonly path?: string;
  readonly detail?: string;
}

/** One line of the fact table of a comment or escalation: when, who, what, rule, state. */
export interface FactRow {
  readonly at: string;
  readonly who: Account | null;
  /** The agent's name, where the account is one; a person's login is named as a login and nothing else. */
  readonly agent: string | null;
  readonly what: ActKind | 'auto-merge-armed' | 'enqueued' | 'check-reported' | 'objection' | 'standing';
  readonly subject: ActSubject;
  readonly rule: BreachCode | EscalationRule | ReasonCode | null;
  /** Where the value stands that the act went against. */
  readonly origin: Origin | null;
  readonly state: 'landed' | 'undone' | 'waiting' | 'put-back' | 'noted';
}

/** RULE:AGENT:SUBJECT; the agent is the login where a person is meant. */
export interface EscalationKey {
  readonly rule: EscalationRule;
  readonly agent: string;
  readonly subject: string;
}

/** A judged act as the ledger and `simulate --json` tell it. */
export interface JudgedAct {
  readonly kind: ActKind;
  readonly agent: string;
  readonly certainty: Tier;
  readonly verdict: 'allow' | 'deny';
  readonly reason: BreachCode | ReasonCode;
  readonly layer: Origin['layer'];
  readonly line: number | null;
}

/** One thing the App wants done, as data. Only `github/port.ts` does it. */
export type Effect =
  /** A ledger entry about a breach. */
  | { readonly kind: 'record'; readonly code: BreachCode; readonly actKey: string; readonly row: FactRow }
  /** A check run, if its rendered content differs from the last one on that SHA; `fresh`: a re-request, always answered. */
  | { readonly kind: 'check'; readonly verdict: CheckVerdict; readonly fresh?: true }
  /**
   * Our one comment on a PR or issue. `add` are facts that stay; `standing` replaces what stands now (absent:
   * unchanged). It opens when there is something to say, and shrinks to a line when nothing stands any more.
   */
  | {
      readonly kind: 'comment';
      readonly number: number;
      readonly add?: readonly FactRow[];
      readonly standing?: readonly Reason[];
      readonly about: 'pull' | 'issue';
    }
  /** One issue per key: opened, or a row added where it is open. */
  | {
      readonly kind: 'escalate';
      readonly key: EscalationKey;
      readonly row: FactRow;
      readonly mentions: readonly number[];
    }
  | { readonly kind: 'close-escalation'; readonly key: EscalationKey }
  /** A person closed it, which settles it; or it was closed in another way and is opened again. */
  | { readonly kind: 'settle-escalation'; readonly key: EscalationKey }
  | { readonly kind: 'reopen-escalation'; readonly key: EscalationKey }
  | {
      readonly kind: 'suspend';
      readonly agent: string;
      readonly cause: BreachCode | 'pause';
      readonly by: Account | null;
      readonly key: EscalationKey | null;
    }
  | { readonly kind: 'resume'; readonly agent: string; readonly by: Account }
  | { readonly kind: 'disarm-auto-merge'; readonly pull: number; readonly nodeId: string }
  | { readonly kind: 'dequeue'; readonly pull: number; readonly nodeId: string }
  | { readonly kind: 'cancel-run'; readonly run: number }
  /** A draft PR that reverts a merged one: proposed, never merged by us. */
  | { readonly kind: 'revert-pull'; readonly pull: number; readonly nodeId: string }
  | { readonly kind: 'reopen-issue'; readonly issue: number }
  | { readonly kind: 're-request-review'; readonly pull: number; readonly login: string }
  /** A ref of ours that keeps a commit from being collected. Never a rewrite. */
  | { readonly kind: 'backup-ref'; readonly sha: string };

export type EffectKind = Effect['kind'];
