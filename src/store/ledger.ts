import type { Account, ActKind } from '../acts/act.js';
import type { AttributedAgent } from '../agents/identity.js';
import type { EscalationKey, FactRow } from '../decide/effects.js';
import type { BreachCode, Conclusion, Reason, ReasonCode } from '../decide/reasons.js';

/** A suspension holds an agent's level at `none` until a person lifts it. */
export interface Suspension {
  readonly agent: string;
  readonly since: string;
  readonly cause: BreachCode | 'pause';
  readonly by: Account | null;
  readonly key: EscalationKey | null;
}

/** One act, however many webhooks told it: `tellings` are the webhook names that did. */
export interface ActRow {
  readonly key: string;
  readonly kind: ActKind;
  /** Null with the verdict `unattributed`, and only there. */
  readonly actor: Account | null;
  readonly agent: string | null;
  readonly at: string;
  readonly tellings: readonly string[];
  /** GUIDs of the deliveries that told it: a process that died is given its last one again. */
  readonly deliveries?: readonly string[];
  /** `unattributed`: a sweep saw that it was done, and GitHub does not say by whom. It accuses nobody. */
  readonly verdict: 'allow' | 'deny' | 'explained' | 'person' | 'unattributed';
  readonly rule: BreachCode | null;
  /** Something it leads to could not be done yet: told again by the same webhook, it is judged again. */
  readonly unfinished?: true;
  readonly subject: {
    readonly ref?: string;
    readonly pull?: number;
    readonly issue?: number;
    readonly before?: string;
    readonly after?: string;
  };
}

/** A push or a PR event that moved a branch: who brought which head, kept since a squash erases it later. */
export interface PushRow {
  /** Short branch name; a fork's begins with the id of the fork and a colon. */
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly by: Account;
  readonly at: string;
  /** A push told it, and so what it did was judged; else only a PR event did. */
  readonly told?: 'push';
  readonly tree?: string;
}

/** What is remembered of a PR between deliveries. */
export interface PullMemory {
  readonly number: number;
  /** Who armed auto-merge, who put it in the merge queue: the actor of the merge that follows. */
  readonly armedBy?: Account;
  readonly enqueuedBy?: Account;
  /** `updated_at` of the last telling of an intent: an older one changes nothing. */
  readonly toldAt?: string;
  /** When its base was last changed: approvals before that were of another change. */
  readonly baseChangedAt?: string;
  /** Ids of the reviews that were there then. */
  readonly staleReviews?: readonly number[];
  /** Reviews dismissed by an agent: review id → who. */
  readonly dismissedBy?: Readonly<Record<string, Account>>;
  /** Issues its body named with a closing keyword when it was merged. */
  readonly closes?: readonly number[];
  /** How its merge was judged. */
  readonly merge?: {
    readonly verdict: 'allow' | 'deny' | 'person';
    readonly by: Account;
    readonly agent: string | null;
    readonly at: string;
    readonly sha: string;
  };
  /** Evidence as first seen: squashing or editing later does not erase it. */
  readonly evidence?: readonly AttributedAgent[];
}

export interface CheckMemory {
  readonly sha: string;
  readonly conclusion: Conclusion;
  readonly reasons: readonly ReasonCode[];
  /** The PRs that had this head then. */
  readonly pulls: readonly number[];
  /** Hash of the rendered output: the same content is not written again. */
  readonly hash: string;
  readonly id: number;
}

export interface CommentMemory {
  readonly number: number;
  readonly id: number | null;
  readonly facts: readonly FactRow[];
  readonly standing: readonly Reason[];
  readonly state: 'open' | 'cleared';
  readonly hash: string;
}

export interface EscalationMemory {
  readonly key: EscalationKey;
  readonly issue: number | null;
  readonly state: 'open' | 'closed';
  readonly rows: readonly FactRow[];
  /** Rows beyond the ones kept. */
  readonly more: number;
  readonly closedAt: string | null;
  readonly mentions: readonly number[];
}

/** A version of the policy file that was in force, by the blob it was read from. */
export interface PolicyMemory {
  readonly path: string;
  readonly blob: string;
  readonly text: string;
  /** When it landed, where GitHub says so; else when we first saw it. */
  readonly since: string;
  readonly seenAt?: string;
  /** Only where `since` is when it landed: else it may have been in force before. */
  readonly landed?: true;
}

/** `making`: it was about to be made, and nobody knows whether it was. `made`: it was. `at` is ISO 8601, UTC. */
export interface EffectNote {
  readonly state: 'making' | 'made';
  readonly at: string;
}

/** A person let one reason pass, for this head on this base and no other. */
export interface Waiver {
  readonly pull: number;
  readonly head: string;
  readonly base: string;
  readonly reason: ReasonCode;
  readonly by: Account;
  readonly why: string;
  readonly at: string;
}

/** Something that waits for its time: a trunk push for its PR, an issue close for its merge. */
export interface Waiting {
  readonly id: string;
  readonly due: string;
  /** The delivery that started it, to be judged again when it is due. */
  readonly delivery: {
    readonly id: string;
    readonly name: string;
    readonly payload: unknown;
    readonly happenedAt?: string;
  };
}

/** One thing to be saved, where several hold together. */
export type Saving =
  | { readonly kind: 'act'; readonly row: ActRow }
  | { readonly kind: 'pull'; readonly memory: PullMemory }
  | { readonly kind: 'suspension'; readonly suspension: Suspension }
  | { readonly kind: 'escalation'; readonly memory: EscalationMemory }
  | { readonly kind: 'done'; readonly key: string };

/**
 * Everything the App remembers of one repository. In memory here; SQL gives the same methods. Values are plain
 * data. A method that saves replaces the row with the same key.
 */
export interface Ledger {
  /** Saves these in order, all or none. Two calls are two transactions, whenever they are made. */
  saveTogether(savings: readonly Saving[]): Promise<void>;

  /** Of acts whose key comes round it is the newest: the earlier ones were given a key of their own. */
  act(key: string): Promise<ActRow | undefined>;
  acts(query: {
    readonly kind?: ActKind;
    readonly agent?: string;
    readonly since?: string;
    readonly ref?: string;
  }): Promise<readonly ActRow[]>;
  saveAct(row: ActRow): Promise<void>;

  pushes(ref: string): Promise<readonly PushRow[]>;
  savePush(row: PushRow): Promise<void>;
  /** The tree of a commit a push brought, where the payload told it. */
  tree(sha: string): Promise<string | undefined>;

  pull(number: number): Promise<PullMemory>;
  savePull(memory: PullMemory): Promise<void>;

  suspensions(): Promise<readonly Suspension[]>;
  suspend(suspension: Suspension): Promise<void>;
  resume(agent: string): Promise<void>;

  check(sha: string): Promise<CheckMemory | undefined>;
  saveCheck(memory: CheckMemory): Promise<void>;

  comment(number: number): Promise<CommentMemory | undefined>;
  saveComment(memory: CommentMemory): Promise<void>;

  escalation(key: EscalationKey): Promise<EscalationMemory | undefined>;
  escalations(rule: EscalationKey['rule']): Promise<readonly EscalationMemory[]>;
  /** The escalation an issue of this repository is. */
  escalationOfIssue(issue: number): Promise<EscalationMemory | undefined>;
  saveEscalation(memory: EscalationMemory): Promise<void>;

  /** Effects that are done once and have no row of their own: a revert PR, a backup ref, a reopened issue. */
  done(effectKey: string): Promise<boolean>;
  saveDone(effectKey: string): Promise<void>;
  /** What was noted before something was made on GitHub: after a crash it may be there. */
  effect(effectKey: string): Promise<EffectNote | undefined>;
  noteEffect(effectKey: string, note: EffectNote): Promise<void>;

  waivers(pull: number): Promise<readonly Waiver[]>;
  /** One a head, base and reason: a later one replaces it. */
  saveWaiver(waiver: Waiver): Promise<void>;

  /** Versions of a policy file that were in force, newest first. `scope`: the repository's own or the owner's. */
  policies(scope: 'repo' | 'org'): Promise<readonly PolicyMemory[]>;
  savePolicy(scope: 'repo' | 'org', memory: PolicyMemory): Promise<void>;

  waiting(): Promise<readonly Waiting[]>;
  wait(waiting: Waiting): Promise<void>;
  unwait(id: string): Promise<void>;
}
