/** The acts a policy speaks of, in the order of the level table (docs/policy.md). */
export const ACT_KINDS = [
  'pull.open',
  'pull.merge',
  'push.trunk',
  'push.force',
  'branch.delete',
  'tag.create',
  'tag.move',
  'tag.delete',
  'release.publish',
  'release.edit',
  'release.delete',
  'issue.close',
  'review.approve',
  'review.dismiss',
  'policy.edit',
  'protection.edit',
  'workflow.edit',
] as const;

export type ActKind = (typeof ACT_KINDS)[number];

/** A GitHub account as every webhook and REST answer names it. The id never changes; the login may. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: 'User' | 'Bot' | 'Organization';
}

/** The repository a delivery is about. */
export interface Repository {
  readonly id: number;
  readonly owner: string;
  readonly ownerType: 'User' | 'Organization';
  readonly name: string;
  readonly defaultBranch: string;
  readonly private: boolean;
}

interface Told {
  /**
   * The same for every webhook that tells this act, also when it tells it again. Where no payload carries such a
   * name (a branch is deleted, and may be deleted again next week), `pair` says that two webhooks tell one act.
   */
  readonly key: string;
  /** Which webhook told it: `push`, `delete`, `release.published`. */
  readonly telling: string;
  /** Acts of one key are one act while the tellings differ; the same telling again is another act. */
  readonly pair: boolean;
  readonly actor: Account;
  /** GUID of the delivery that tells it: given again, it tells nothing new. */
  readonly delivery?: string;
}

/** One commit of a push, as the payload tells it. */
export interface PushedCommit {
  readonly sha: string;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly paths: readonly string[];
}

export interface PushAct extends Told {
  /** Short branch name. */
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly forced: boolean;
  readonly commits: readonly PushedCommit[];
}

/** One thing done on GitHub that a policy speaks of, read from one webhook. */
export type Act =
  | (Told & { readonly kind: 'pull.open'; readonly pull: number })
  | (Told & {
      readonly kind: 'pull.merge';
      readonly pull: number;
      readonly nodeId: string;
      readonly base: string;
      readonly headRef: string;
      readonly headSha: string;
      /** Null for an intent: auto-merge armed, put in the merge queue. */
      readonly mergeSha: string | null;
      readonly intent: 'auto-merge' | 'enqueue' | null;
      readonly at: string | null;
      /** Who armed auto-merge, where it is armed. */
      readonly armedBy: Account | null;
      /** The PR's body, where closing keywords stand. */
      readonly body: string;
    })
  | (PushAct & { readonly kind: 'push.trunk' })
  | (PushAct & { readonly kind: 'push.force'; readonly trunk: boolean })
  | (PushAct & { readonly kind: 'policy.edit' })
  | (PushAct & { readonly kind: 'workflow.edit'; readonly trunk: boolean })
  | (Told & {
      readonly kind: 'branch.delete';
      readonly ref: string;
      readonly tip: string | null;
      readonly trunk: boolean;
    })
  | (Told & {
      readonly kind: 'tag.create' | 'tag.move' | 'tag.delete';
      readonly ref: string;
      readonly sha: string | null;
    })
  | (Told & {
      readonly kind: 'release.publish' | 'release.edit' | 'release.delete';
      readonly release: string;
    })
  | (Told & {
      readonly kind: 'issue.close';
      readonly issue: number;
      readonly author: Account | null;
      readonly closedAt: string | null;
    })
  | (Told & {
      readonly kind: 'review.approve';
      readonly pull: number;
      readonly review: number;
      readonly sha: string | null;
    })
  | (Told & {
      readonly kind: 'review.dismiss';
      readonly pull: number;
      readonly review: number;
      readonly reviewer: Account | null;
    })
  | (Told & {
      readonly kind: 'protection.edit';
      readonly what: string;
      readonly ruleset: { readonly id: number; readonly name: string } | null;
    });

export type ActOf<K extends ActKind> = Extract<Act, { kind: K }>;
