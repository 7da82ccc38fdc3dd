import type { Accounts, SandboxAccount } from './accounts.js';
import type { Graph } from './graph.js';
import type { Pulls } from './pulls.js';
import type { Json } from './records.js';
import type { Rows } from './rows.js';
import type { Clock } from './sandbox.js';
import type { Shas } from './shas.js';

export interface Review {
  readonly id: number;
  readonly by: SandboxAccount;
  /** `pending`: written and not submitted, so that only its author sees it. */
  state: 'approved' | 'changes_requested' | 'commented' | 'dismissed' | 'pending';
  readonly sha: string;
  readonly at: number;
  body: string;
  overlay: Json;
}

export interface Pull {
  readonly number: number;
  readonly id: number;
  /** False until the case's own `opened`: such a PR is not there yet. */
  exists: boolean;
  author: SandboxAccount;
  base: string;
  /** Tip of the base when the PR was opened; at the end, just before its merge. */
  baseSha: string;
  readonly head: string;
  /** Changed by `Pulls.moveHead` alone. */
  readonly headSha: string;
  /** The head before this one, for `synchronize`, whichever webhook moved it. */
  previousSha: string | null;
  state: 'open' | 'closed';
  draft: boolean;
  merged: { readonly sha: string; readonly at: number; readonly by: SandboxAccount } | null;
  title: string;
  body: string;
  labels: string[];
  reviews: Review[];
  /** owner/name of the fork the head lives in; null: this repository. */
  readonly fork: string | null;
  autoMerge: { readonly by: SandboxAccount; readonly at: number } | null;
  queued: boolean;
  requested: SandboxAccount[];
  locked: boolean;
  createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  /** What events laid over its payload, answered over REST too. */
  overlay: Json;
}

export interface Issue {
  readonly number: number;
  readonly id: number;
  readonly author: SandboxAccount;
  state: 'open' | 'closed';
  reason: 'completed' | 'not_planned' | 'duplicate' | 'reopened' | null;
  title: string;
  body: string;
  labels: string[];
  assignees: SandboxAccount[];
  locked: boolean;
  readonly createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  closedBy: SandboxAccount | null;
  overlay: Json;
}

export interface Comment {
  readonly id: number;
  readonly on: number;
  readonly by: SandboxAccount;
  /** The App that spoke, where it was one. */
  readonly app: number | null;
  body: string;
  readonly createdAt: number;
  updatedAt: number;
  overlay: Json;
}

export interface TimelineEvent {
  readonly id: number;
  readonly on: number;
  readonly event: string;
  readonly by: SandboxAccount;
  readonly at: number;
  readonly commit: string | null;
  readonly app: number | null;
  readonly more: Json;
}

export interface CheckRun {
  readonly id: number;
  readonly sha: string;
  name: string;
  readonly app: number;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: string | null;
  externalId: string;
  detailsUrl: string | null;
  title: string | null;
  summary: string | null;
  text: string | null;
  annotations: Json[];
  actions: readonly Json[];
  readonly startedAt: number;
  completedAt: number | null;
  overlay: Json;
}

export interface StatusRow {
  readonly id: number;
  readonly sha: string;
  readonly context: string;
  readonly state: 'success' | 'failure' | 'error' | 'pending';
  readonly by: SandboxAccount;
  readonly at: number;
}

export interface Release {
  readonly id: number;
  readonly tag: string;
  author: SandboxAccount;
  name: string;
  body: string;
  draft: boolean;
  prerelease: boolean;
  readonly createdAt: number;
  publishedAt: number | null;
  updatedAt: number;
  overlay: Json;
}

export interface Step {
  readonly name: string;
  status: 'in_progress' | 'completed';
  conclusion: string | null;
  readonly startedAt: number;
  completedAt: number | null;
}

export interface WorkflowRun {
  readonly id: number;
  readonly path: string;
  readonly sha: string;
  readonly by: SandboxAccount;
  status: 'requested' | 'queued' | 'in_progress' | 'completed';
  conclusion: string | null;
  readonly createdAt: number;
  updatedAt: number;
  steps: Step[];
  job: 'queued' | 'waiting' | 'in_progress' | 'completed';
  overlay: Json;
}

export interface Ruleset {
  id: number;
  name: string;
  target: string;
  enforcement: string;
  rules: readonly unknown[];
  bypass: readonly unknown[];
  conditions: Json;
  readonly createdAt: number;
  updatedAt: number;
  overlay: Json;
}

export type ActivityType =
  'push' | 'force_push' | 'branch_creation' | 'branch_deletion' | 'pr_merge' | 'merge_queue_merge';

export interface Activity {
  readonly id: number;
  type: ActivityType;
  /** Full: refs/heads/main. */
  readonly ref: string;
  before: string;
  readonly after: string;
  at: number;
  actor: SandboxAccount | null;
  /** `branches`: made from the world's branches, so an event that tells the same push takes its place. */
  origin: 'branches' | 'world' | 'event';
}

export interface Protection {
  readonly id: number;
  readonly pattern: string;
  readonly createdAt: number;
  updatedAt: number;
  overlay: Json;
}

/** Which repository it is, and by which installation the App reaches it. */
export interface RepositoryIdentity {
  readonly id: number;
  readonly owner: SandboxAccount;
  readonly name: string;
  /** `acme/widgets` */
  readonly fullName: string;
  readonly installation: number;
  /** Where the REST API and people see it. */
  readonly api: string;
  readonly html: string;
}

/** The whole repository, as it is now. Events and our own requests change it; REST reads it. */
export interface State {
  readonly clock: Clock;
  readonly shas: Shas;
  readonly accounts: Accounts;
  readonly graph: Graph;
  readonly appId: number;
  readonly repo: RepositoryIdentity;
  /** How long what the App makes is missing from lists, in milliseconds; when that ends, for each that was made. */
  readonly lag: number;
  readonly listedFrom: WeakMap<object, number>;
  readonly private: boolean;
  readonly plan: 'free' | 'team' | 'enterprise';
  readonly orgPolicy: string | null;
  /** Milliseconds: the last push of anything, a tag too; 0 for never. */
  pushedAt: number;
  defaultBranch: string;
  /** Laid over the repository by events. */
  repository: Json;
  /** Short branch name → tip. */
  readonly branches: Map<string, string>;
  /** Tips of branches that were deleted, so that the second telling of a deletion is known. */
  readonly deleted: Map<string, string>;
  /** Tag → commit. */
  readonly tags: Map<string, string>;
  readonly pulls: Pulls;
  readonly issues: Map<number, Issue>;
  /** By the issue or PR they are on. */
  readonly comments: Rows<number, Comment>;
  readonly timeline: Rows<number, TimelineEvent>;
  /** By the commit they are about. */
  readonly checks: Rows<string, CheckRun>;
  readonly statuses: Rows<string, StatusRow>;
  readonly releases: Release[];
  readonly runs: Map<number, WorkflowRun>;
  readonly rulesets: Ruleset[];
  readonly ruleSuites: Json[];
  readonly protections: Protection[];
  /** By the full ref. */
  readonly activity: Rows<string, Activity>;
  /** Rows of the world that are dated later than the start. */
  readonly foreseen: Activity[];
  /** Rises with every event and every write: what was counted at one edition is true as long as it lasts. */
  edition: number;
  readonly reactions: {
    readonly id: number;
    readonly comment: number;
    readonly content: string;
    readonly at: number;
  }[];
  /** Folder trees that were answered: sha → where it is. */
  readonly trees: Map<string, { readonly commit: string; readonly folder: string }>;
  /** Numbers nobody has yet, from 1,000 on for each kind. */
  nextId(kind: string): number;
  /** A number no issue and no PR has. */
  nextNumber(): number;
}

/** More numbers than one repository gives to issues and PRs. */
const NUMBERS = 2 ** 32;

/** An id that is made of a number of this repository, and that no other repository gives. */
export const idIn = ({ repo }: Pick<State, 'repo'>, base: number): number => (repo.id - 1) * NUMBERS + base;

/** owner/name of the repository that holds the owner's own policy. */
export const orgRepositoryOf = ({ repo }: State): string => `${repo.owner.login}/.github`;

/** GitHub's way to write an instant. */
export const iso = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
