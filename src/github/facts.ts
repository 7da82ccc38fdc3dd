import type { Account } from '../acts/act.js';
import type {
  ActivityFact,
  ClosingFact,
  CommitFact,
  FilesFact,
  IssueFact,
  Permission,
  PullFact,
  ReviewFact,
} from '../decide/facts.js';

/**
 * What a look-up came back with. `absent`: GitHub said so in a way that is certain (a listing without the name).
 * `unreadable`: anything else that is not an answer (5xx after retries, 403, a bare 404). Never one for the other.
 */
export type Read<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'unreadable';
      readonly why: string;
      /** A failure that passes (5xx, no answer, a rate limit): to be asked again. */
      readonly transient: boolean;
      /** Milliseconds GitHub asks to wait before that; left out: it does not say. */
      readonly retryAfter?: number;
    };

export interface FileEntry {
  readonly path: string;
  readonly blob: string;
  readonly size: number;
}

/** One commit that touched a path, and who landed it on the branch. */
export interface Landing {
  readonly commit: string;
  /** The merged PR that brought it; null: a direct push. */
  readonly pull: PullFact | null;
  /** Who merged or pushed; null: GitHub does not say any more. */
  readonly by: Account | null;
  /** When it was merged or pushed, ISO 8601, UTC; null: GitHub does not say any more. */
  readonly at: string | null;
}

/**
 * Facts of one repository, read through REST with ETags. Methods throw `GitHubError` when GitHub gives no answer
 * (after retries) unless they return a `Read`. All pages are read unless a method says otherwise.
 */
export interface Facts {
  pull(number: number): Promise<PullFact>;
  openPulls(): Promise<readonly PullFact[]>;
  /** The thirty closed PRs that changed last, newest first. */
  lastClosedPulls(): Promise<readonly PullFact[]>;
  /** Open and closed PRs whose head is this branch of the repository itself, newest first. */
  pullsWithHead(ref: string): Promise<readonly PullFact[]>;
  /** PRs with this base, open. */
  openPullsWithBase(ref: string): Promise<readonly PullFact[]>;
  /** The PRs GitHub associates with a commit (merged ones first); `mergedBy` is filled for merged ones. */
  pullsOfCommit(sha: string): Promise<readonly PullFact[]>;
  /** `expected` is `changed_files` of the PR. Links are resolved only for files that may be symbolic links. */
  files(pull: number, headSha: string, expected: number | undefined): Promise<FilesFact>;
  commits(pull: number): Promise<readonly CommitFact[]>;
  reviews(pull: number): Promise<readonly ReviewFact[]>;
  issue(number: number): Promise<IssueFact>;
  /** How an issue was last closed; null: GitHub does not tell. */
  closing(issue: number): Promise<ClosingFact | null>;
  permission(login: string): Promise<Permission>;
  /** Whether a login is an active member of `@org/team`. */
  inTeam(org: string, team: string, login: string): Promise<boolean>;
  /** Activity of a branch, newest first; one page of 100. */
  activity(ref: string): Promise<readonly ActivityFact[]>;
  /** Commits reachable from `head` and not from `base`; null when GitHub cannot compare them. */
  compare(base: string, head: string): Promise<readonly CommitFact[] | null>;
  /** The tree of a commit. Never changes: cached for good. */
  tree(sha: string): Promise<string>;
  /** Names directly under a folder at a ref. */
  folder(
    repo: { readonly owner: string; readonly name: string },
    path: string,
    ref?: string,
  ): Promise<Read<readonly FileEntry[]>>;
  /** A file's bytes, at most 1 MiB. */
  file(
    repo: { readonly owner: string; readonly name: string },
    path: string,
    ref?: string,
  ): Promise<Read<Uint8Array>>;
  /** Commits of the default branch that touched a path, newest first, with who landed each; lazily. */
  landings(path: string): AsyncIterable<Landing>;
  /** True when rulesets of ours (by exact name) are on the repository. */
  hasOurRulesets(): Promise<Read<boolean>>;
  /** The conclusion of our latest completed check run on a head; null: none. */
  ourCheck(sha: string): Promise<{ readonly conclusion: string; readonly id: number } | null>;
}

/** GitHub did not answer a question: what was asked and what came back (0: nothing). Its message holds no token and no body. */
export class GitHubError extends Error {
  constructor(
    readonly request: string,
    readonly status: number,
    readonly hint: string,
  ) {
    super(`${status === 0 ? 'No answer' : `GitHub answered ${status}`} to ${request}: ${hint}`);
    this.name = 'GitHubError';
  }
}
