import { z } from 'zod';
import type { Account } from '../acts/act.js';
import type { ActivityFact, CommitFact, IssueFact, PullFact, ReviewFact } from '../decide/facts.js';

/*
 * The fields of GitHub's answers that are needed, and no others: everything unknown is ignored, everything that may be
 * missing in some answer is optional here.
 */

/** Who stands where an account was deleted. https://github.com/ghost */
export const GHOST: Account = { id: 10137, login: 'ghost', type: 'User' };

const account = z
  .object({ id: z.number(), login: z.string(), type: z.string() })
  .transform(({ id, login, type }): Account => ({
    id,
    login,
    // Mannequins and the like of imports act as nobody: GitHub treats them as users.
    type: type === 'Bot' || type === 'Organization' ? type : 'User',
  }));

const author = account.nullish().transform((value) => value ?? GHOST);
export const maybeAccount = account.nullish().transform((value) => value ?? null);
/** A commit whose author has no account has null or, by the description, an empty object. */
const commitAccount = z.preprocess(
  (value) => (typeof value === 'object' && value !== null && 'id' in value ? value : null),
  maybeAccount,
);

const label = z.object({ name: z.string().nullish() });
const labels = z
  .array(z.union([z.string(), label]))
  .transform((list) => list.map((one) => (typeof one === 'string' ? one : (one.name ?? ''))));
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

const pullShape = z.object({
  number: z.number(),
  node_id: z.string(),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  merged_by: maybeAccount,
  merge_commit_sha: z.string().nullish(),
  user: author,
  title: z.string(),
  body: text,
  labels,
  head: z.object({
    ref: z.string(),
    sha: z.string(),
    repo: z.object({ id: z.number(), full_name: z.string() }).nullish(),
  }),
  base: z.object({ ref: z.string(), sha: z.string(), repo: z.object({ id: z.number() }).nullish() }),
  auto_merge: z.object({ enabled_by: author }).nullish(),
  changed_files: z.number().optional(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** A PR, from a single answer or a list (which leaves out who merged it and how many files it changes). */
export const pull = pullShape.transform((raw): { fact: PullFact; baseRepositoryId: number | null } => {
  const merged = typeof raw.merged_at === 'string';
  const head = raw.head.repo ? { id: raw.head.repo.id, fullName: raw.head.repo.full_name } : null;
  const fact = {
    number: raw.number,
    nodeId: raw.node_id,
    state: raw.state,
    draft: raw.draft ?? false,
    merged,
    mergeCommitSha: merged ? (raw.merge_commit_sha ?? null) : null,
    mergedBy: merged ? raw.merged_by : null,
    mergedAt: raw.merged_at ?? null,
    author: raw.user,
    title: raw.title,
    body: raw.body,
    labels: raw.labels,
    head: { ref: raw.head.ref, sha: raw.head.sha, repo: head },
    base: { ref: raw.base.ref, sha: raw.base.sha },
    sameRepository: head !== null && raw.base.repo?.id === head.id,
    autoMerge: raw.auto_merge ? { by: raw.auto_merge.enabled_by } : null,
    ...(raw.changed_files === undefined ? {} : { changedFiles: raw.changed_files }),
    createdAt: raw.created_at,
    updatedAt: raw.updated_at,
  };
  return { fact, baseRepositoryId: raw.base.repo?.id ?? null };
});

export const file = z.object({
  filename: z.string(),
  previous_filename: z.string().optional(),
  status: z.enum(['added', 'removed', 'modified', 'renamed', 'copied', 'changed', 'unchanged']),
  sha: z.string().nullish(),
  additions: z.number(),
  patch: z.string().optional(),
});

const person = z.object({ name: text, email: text, date: text }).nullish();

export const commit = z
  .object({
    sha: z.string(),
    commit: z.object({
      message: z.string(),
      author: person,
      committer: person,
      verification: z.object({ verified: z.boolean() }).nullish(),
    }),
    author: commitAccount,
    committer: commitAccount,
  })
  .transform((raw): CommitFact => ({
    sha: raw.sha,
    message: raw.commit.message,
    author: {
      name: raw.commit.author?.name ?? '',
      email: raw.commit.author?.email ?? '',
      date: raw.commit.author?.date ?? '',
      account: raw.author,
    },
    committer: {
      name: raw.commit.committer?.name ?? '',
      email: raw.commit.committer?.email ?? '',
      account: raw.committer,
    },
    verified: raw.commit.verification?.verified ?? false,
  }));

export const review = z
  .object({
    id: z.number(),
    user: author,
    state: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['approved', 'changes_requested', 'commented', 'dismissed', 'pending'])),
    commit_id: z.string().nullish(),
    submitted_at: z.string().nullish(),
  })
  .transform((raw): ReviewFact => ({
    id: raw.id,
    by: raw.user,
    state: raw.state,
    sha: raw.commit_id ?? null,
    at: raw.submitted_at ?? '',
  }));

const ACTIVITIES = [
  'push',
  'force_push',
  'branch_creation',
  'branch_deletion',
  'pr_merge',
  'merge_queue_merge',
] as const;

const activityRow = z.object({
  activity_type: z.string(),
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  timestamp: z.string(),
  actor: maybeAccount,
});

const typeOf = (type: string): ActivityFact['type'] | null =>
  ACTIVITIES.find((known) => known === type) ?? null;

/** A row of a repository's activity, with its id. */
export const activityWithId = activityRow
  .extend({ id: z.number() })
  .transform(({ activity_type: type, timestamp: at, ...row }) => ({ ...row, at, type: typeOf(type) }));

/** Rows of a branch's activity; a type that is not known yet is left out. */
export const activity = z.array(activityRow).transform((rows) =>
  rows.flatMap((row): ActivityFact[] => {
    const type = typeOf(row.activity_type);
    if (type === null) return [];
    return [
      { type, ref: row.ref, before: row.before, after: row.after, at: row.timestamp, actor: row.actor },
    ];
  }),
);

const rawIssue = z.object({
  number: z.number(),
  user: author,
  state: z.enum(['open', 'closed']),
  title: z.string(),
  body: text,
  labels,
  pull_request: z.unknown().optional(),
  created_at: z.string(),
  closed_at: z.string().nullish(),
});

const issueFact = (raw: Omit<z.infer<typeof rawIssue>, 'created_at'>): IssueFact => ({
  number: raw.number,
  author: raw.user,
  state: raw.state,
  title: raw.title,
  body: raw.body,
  labels: raw.labels,
  isPull: raw.pull_request !== undefined && raw.pull_request !== null,
  closedAt: raw.closed_at ?? null,
});

export const issue = rawIssue.omit({ created_at: true }).transform(issueFact);

/** An issue, and when it was made. */
export const datedIssue = rawIssue.transform((raw) => ({ ...issueFact(raw), createdAt: raw.created_at }));

export const comment = z.object({ id: z.number(), user: author, body: text });

export const checkRun = z.object({
  id: z.number(),
  status: z.string(),
  conclusion: z.string().nullish(),
  external_id: z.string().nullish(),
  completed_at: z.string().nullish(),
  app: z.object({ id: z.number() }).nullish(),
});

const entry = z.object({
  type: z.string(),
  path: z.string(),
  sha: z.string(),
  size: z.number().nullish(),
});
export type ContentEntry = z.infer<typeof entry>;
/** A folder is a list of entries, a file is one with its content, base64, empty above 1 MB. */
export const contents = z.union([
  z.array(entry),
  entry.extend({ content: z.string().optional(), encoding: z.string().optional() }),
]);

export const gitTree = z.object({
  truncated: z.boolean().nullish(),
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string(),
      type: z.string(),
      sha: z.string().nullish(),
      size: z.number().nullish(),
    }),
  ),
});

/** Rows of a timeline differ by event; a comment or a commit has none of these. */
export const timelineEvent = z
  .object({
    event: z.string().optional(),
    actor: maybeAccount,
    created_at: z.string().nullish(),
    commit_id: z.string().nullish(),
    performed_via_github_app: z.object({ id: z.number() }).nullish(),
  })
  .transform(({ event, actor, created_at, commit_id, performed_via_github_app }) => ({
    event: event ?? '',
    actor,
    created_at: created_at ?? null,
    commit_id: commit_id ?? null,
    app: performed_via_github_app ?? null,
  }));
