import type { Account } from '../acts/act.js';
import type { Evidence, Tier } from '../agents/identity.js';
import type { Level, Origin, Problem } from '../policy/policy.js';

/** Reasons of a check's conclusion, in the order they are listed. */
export const REASON_CODES = [
  'needs-person',
  'head-changed',
  'agent-approval',
  'review-dismissed',
  'changes-requested',
  'level-none',
  'suspended',
  'policy-edit',
  'policy-invalid',
  'protected-path',
  'protected-path-unknown',
  'unknown-bot',
  'limit',
  'duplicate',
  'person',
  'within-policy',
  'automation',
  'waived',
  'unreadable',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/** Rules an act can break. */
export const BREACH_CODES = [
  'merge-level',
  'push-level',
  'force-push',
  'dropped-commits',
  'branch-delete',
  'tag',
  'release',
  'issue-close',
  'review-gate',
  'protection',
  'check-spoof',
  'policy-push',
  'workflow-push',
  'refusal-overridden',
  'act-unauthorized',
] as const;
export type BreachCode = (typeof BREACH_CODES)[number];

/** What an escalation can be about: a breach, or a state that closes its issue when it is over. */
export type EscalationRule =
  BreachCode | 'limit' | 'policy-invalid' | 'quiet' | 'ping-pong' | 'stuck' | 'refused';

export type LimitName = 'open-pulls' | 'pulls-per-hour' | 'merges-per-day';

/** One reason with the facts that its sentence needs. Every login, ref and path in here is somebody else's text. */
export type Reason =
  | {
      readonly code: 'needs-person';
      readonly approvals: number;
      readonly given: number;
      readonly approvers: readonly string[] | null;
      readonly marks: readonly Evidence[];
    }
  | {
      readonly code: 'head-changed';
      readonly by: readonly Account[];
      readonly approved: string;
      readonly head: string;
      readonly base: boolean;
    }
  | { readonly code: 'agent-approval'; readonly by: readonly Account[] }
  | { readonly code: 'review-dismissed'; readonly by: Account; readonly reviewer: Account }
  | { readonly code: 'changes-requested'; readonly by: readonly Account[] }
  | { readonly code: 'level-none'; readonly agents: readonly string[]; readonly origin: Origin }
  | { readonly code: 'suspended'; readonly agents: readonly SuspensionView[] }
  | { readonly code: 'policy-edit'; readonly paths: readonly string[] }
  | { readonly code: 'policy-invalid'; readonly path: string; readonly problems: readonly Problem[] }
  | { readonly code: 'protected-path'; readonly paths: readonly string[] }
  | { readonly code: 'protected-path-unknown'; readonly listed: number; readonly changed: number }
  | { readonly code: 'unknown-bot'; readonly bots: readonly Account[]; readonly origin: Origin }
  | {
      readonly code: 'limit';
      readonly agent: string;
      readonly limit: LimitName;
      readonly max: number;
      readonly origin: Origin;
    }
  | { readonly code: 'duplicate'; readonly of: number }
  | { readonly code: 'person'; readonly marks: readonly Evidence[] }
  | { readonly code: 'within-policy'; readonly approvedBy: readonly Account[] }
  | { readonly code: 'automation'; readonly account: Account }
  | { readonly code: 'waived'; readonly codes: readonly ReasonCode[]; readonly by: Account }
  | { readonly code: 'unreadable'; readonly what: string };

export interface SuspensionView {
  readonly agent: string;
  readonly since: string;
  /** The breach that led to it, or `pause` when a person asked for it. */
  readonly cause: BreachCode | 'pause';
  /** The escalation's issue number, where there is one. */
  readonly issue: number | null;
  readonly by: Account | null;
}

export type Conclusion = 'success' | 'failure' | 'action_required' | 'neutral';

/** One rule's answer in the tree all renderings are made from. */
export interface VerdictNode {
  readonly rule:
    | 'attribution'
    | 'suspension'
    | 'level'
    | 'policy-file'
    | 'protected-paths'
    | 'objections'
    | 'approvals'
    | 'limits'
    | 'pulls';
  readonly status: 'holds' | 'waits' | 'fails' | 'not-asked';
  readonly reasons: readonly Reason[];
  readonly children: readonly VerdictNode[];
}

/** An agent of a PR as the check names it. */
export interface PullAgent {
  readonly agent: string;
  readonly tier: Tier;
  readonly level: Level;
  readonly origin: Origin;
}

/** The verdict over one head SHA. */
export interface CheckVerdict {
  readonly sha: string;
  /** What the check run gets: `neutral` in observe mode, whatever `wouldBe` says. */
  readonly conclusion: Conclusion;
  readonly wouldBe: Exclude<Conclusion, 'neutral'>;
  /** The reasons of `wouldBe`, in the order of REASON_CODES. Never empty. */
  readonly reasons: readonly Reason[];
  readonly agents: readonly PullAgent[];
  /** The PRs whose open heads this SHA is; a merge group's are all its PRs. */
  readonly pulls: readonly number[];
  readonly tree: VerdictNode;
}
