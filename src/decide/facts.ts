import type { Account } from '../acts/act.js';

/** What a decision may look at. `github/` reads these; nothing here is GitHub's own shape. Times are ISO 8601, UTC. */
export interface PullFact {
  readonly number: number;
  readonly nodeId: string;
  readonly state: 'open' | 'closed';
  readonly draft: boolean;
  readonly merged: boolean;
  /** The commit that landed it; null while it is not merged (GitHub gives a test merge's sha there before). */
  readonly mergeCommitSha: string | null;
  readonly mergedBy: Account | null;
  readonly mergedAt: string | null;
  readonly author: Account;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** `repo` is null when the fork it came from was deleted. */
  readonly head: {
    readonly ref: string;
    readonly sha: string;
    readonly repo: { readonly id: number; readonly fullName: string } | null;
  };
  readonly base: { readonly ref: string; readonly sha: string };
  /** True when the head branch lives in the repository itself: only then is its name evidence. */
  readonly sameRepository: boolean;
  readonly autoMerge: { readonly by: Account } | null;
  /** As GitHub counts them; its list of files ends at 3,000. Absent in list answers. */
  readonly changedFiles?: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface FileFact {
  readonly path: string;
  /** The other name of a rename or copy. */
  readonly previousPath?: string;
  readonly status: 'added' | 'removed' | 'modified' | 'renamed' | 'copied' | 'changed' | 'unchanged';
  readonly blob: string | null;
  /** Where the file is a symbolic link on the head: the path it resolves to from the root, `..` taken out. */
  readonly linksTo?: string;
}

/** `partial`: GitHub says there are more files than it lists. */
export type FilesFact =
  | { readonly kind: 'complete'; readonly files: readonly FileFact[] }
  | { readonly kind: 'partial'; readonly files: readonly FileFact[]; readonly changed: number };

export interface ReviewFact {
  readonly id: number;
  readonly by: Account;
  readonly state: 'approved' | 'changes_requested' | 'commented' | 'dismissed' | 'pending';
  /** The head it was given on. */
  readonly sha: string | null;
  readonly at: string;
}

export interface CommitFact {
  readonly sha: string;
  readonly message: string;
  readonly author: {
    readonly name: string;
    readonly email: string;
    readonly date: string;
    readonly account: Account | null;
  };
  readonly committer: { readonly name: string; readonly email: string; readonly account: Account | null };
  /** GitHub verified the signature. */
  readonly verified: boolean;
}

/** A row of a branch's activity list, newest first in lists. */
export interface ActivityFact {
  readonly type:
    'push' | 'force_push' | 'branch_creation' | 'branch_deletion' | 'pr_merge' | 'merge_queue_merge';
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly at: string;
  readonly actor: Account | null;
}

/** `none` and `read` are below triage; `maintain` is above write. */
export type Permission = 'none' | 'read' | 'triage' | 'write' | 'maintain' | 'admin';

/** The last time an issue was closed. `byHand`: no commit, PR or App did it. */
export interface ClosingFact {
  readonly by: Account;
  readonly at: string;
  readonly byHand: boolean;
}

export interface IssueFact {
  readonly number: number;
  readonly author: Account;
  readonly state: 'open' | 'closed';
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly isPull: boolean;
  readonly closedAt: string | null;
}
