import type { Account, Repository } from '../../acts/act.js';
import type { PullFact } from '../../decide/facts.js';
import { type Lane, rankOf } from '../../github/lane.js';
import type { Arrival } from '../../store/inbox.js';
import { RECHECK } from '../recheck.js';

/*
 * What a sweep found, as a delivery: it takes the way of all deliveries, so that it is kept, waits its turn and is tried
 * again like them. The bodies hold the fields that the readers of webhooks read, and no others.
 */

export interface Found {
  readonly guid: string;
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** ISO 8601, UTC; null: nobody knows, and it is taken to be just now. */
  readonly happenedAt: string | null;
  readonly lane: Lane;
  readonly subject: string | null;
}

/** Whose repository it was found in. */
export interface Where {
  readonly repository: Repository;
  readonly installation: number;
}

/** `now`: ISO 8601, UTC. */
export const arrivalOf = (found: Found, where: Where, now: string): Arrival => {
  const { action } = found.payload;
  const body = { ...found.payload, ...envelopeOf(where) };
  return {
    guid: found.guid,
    name: found.name,
    body: Buffer.from(JSON.stringify(body)),
    receivedAt: now,
    happenedAt: found.happenedAt,
    hint: {
      repository: where.repository.id,
      action: typeof action === 'string' ? action : null,
      lane: rankOf(found.lane),
      subject: found.subject,
    },
  };
};

const envelopeOf = ({ repository, installation }: Where): Readonly<Record<string, unknown>> => ({
  installation: { id: installation },
  repository: {
    id: repository.id,
    name: repository.name,
    full_name: `${repository.owner}/${repository.name}`,
    private: repository.private,
    default_branch: repository.defaultBranch,
    owner: { login: repository.owner, type: repository.ownerType },
  },
});

/** A merge, as `pull_request.closed` tells it. */
export const mergedPayload = (pull: PullFact, sender: Account): Found['payload'] => ({
  action: 'closed',
  number: pull.number,
  pull_request: {
    number: pull.number,
    node_id: pull.nodeId,
    state: pull.state,
    title: pull.title,
    body: pull.body,
    draft: pull.draft,
    merged: pull.merged,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommitSha,
    merged_by: pull.mergedBy,
    user: pull.author,
    labels: pull.labels.map((name) => ({ name })),
    head: sideOf(pull.head.ref, pull.head.sha, pull.head.repo),
    base: sideOf(pull.base.ref, pull.base.sha, null),
    auto_merge: pull.autoMerge === null ? null : { enabled_by: pull.autoMerge.by },
    ...(pull.changedFiles === undefined ? {} : { changed_files: pull.changedFiles }),
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
  },
  sender,
});

const sideOf = (ref: string, sha: string, repo: PullFact['head']['repo']) => ({
  ref,
  sha,
  repo: repo === null ? null : { id: repo.id, full_name: repo.fullName },
});

export interface FoundCommit {
  readonly sha: string;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  /** Of those that a decision asks for. */
  readonly paths: readonly string[];
}

const isNoCommit = (sha: string): boolean => /^0+$/.test(sha);

/** A push, as `push` tells it: of commits, of a new branch, of one that is gone. `ref` is full: `refs/heads/main`. */
export const pushPayload = (
  push: {
    readonly ref: string;
    readonly before: string;
    readonly after: string;
    readonly forced: boolean;
  },
  commits: readonly FoundCommit[],
  sender: Account,
): Found['payload'] => {
  const deleted = isNoCommit(push.after);
  return {
    ...push,
    created: isNoCommit(push.before),
    deleted,
    head_commit: deleted ? null : { id: push.after },
    commits: commits.map(({ sha, message, author, paths }) => ({
      id: sha,
      message,
      author,
      added: [],
      modified: paths,
      removed: [],
    })),
    sender,
  };
};

/** Our own reminder to look at a PR. */
export const recheckFound = (guid: string, pull: PullFact, lane: Lane): Found => ({
  guid,
  name: RECHECK,
  payload: { pull: pull.number },
  happenedAt: null,
  lane,
  subject: `pull:${pull.number}`,
});
