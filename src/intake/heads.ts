import { type Delivery, parsePayload, type PullPayload } from '../acts/payload.js';
import type { PullFact } from '../decide/facts.js';
import type { Desk } from './deps.js';
import type { Round } from './gather-pull.js';
import { RECHECK, recheckOf } from './recheck.js';
import type { Turn } from './turn.js';

/** A head whose check a delivery asks for, with the open PRs that have it. */
export interface Head {
  readonly sha: string;
  readonly pulls: readonly PullFact[];
  /** A re-request is always answered with a fresh run. */
  readonly fresh: boolean;
  /** A merge group asks about all its PRs on a sha of its own. */
  readonly group: boolean;
}

/** A PR as a webhook tells it. Null where its author is gone, which GitHub calls a ghost. */
export function pullOf(pull: PullPayload, repositoryId: number): PullFact | null {
  if (pull.user === null) return null;
  return {
    number: pull.number,
    nodeId: pull.node_id,
    state: pull.state,
    draft: pull.draft,
    merged: pull.merged === true,
    mergeCommitSha: pull.merged === true ? pull.merge_commit_sha : null,
    mergedBy: pull.merged_by,
    mergedAt: pull.merged_at,
    author: pull.user,
    title: pull.title,
    body: pull.body ?? '',
    labels: pull.labels.map(({ name }) => name),
    head: {
      ref: pull.head.ref,
      sha: pull.head.sha,
      repo: pull.head.repo === null ? null : { id: pull.head.repo.id, fullName: pull.head.repo.full_name },
    },
    base: { ref: pull.base.ref, sha: pull.base.sha },
    sameRepository: pull.head.repo?.id === repositoryId,
    autoMerge: pull.auto_merge?.enabled_by == null ? null : { by: pull.auto_merge.enabled_by },
    ...(pull.changed_files === undefined ? {} : { changedFiles: pull.changed_files }),
    createdAt: pull.created_at,
    updatedAt: pull.updated_at,
  };
}

/** The heads a delivery asks a check for. Its PR's own is left out where a later delivery has it written. */
export async function headsOf(delivery: Delivery, round: Round, turn: Turn): Promise<readonly Head[]> {
  const { desk } = round;
  switch (delivery.name) {
    case 'pull_request':
      return pullHeads(delivery, round, turn);
    case 'pull_request_review': {
      const payload = parsePayload('pull_request_review', delivery.payload);
      if (payload === null || turn.checkComesLater) return [];
      const pull = await desk.facts.pull(payload.pull_request.number);
      return pull.state === 'open' ? [await headOf(pull, desk)] : [];
    }
    case 'check_run': {
      const payload = parsePayload('check_run', delivery.payload);
      if (payload?.check_run.app?.id !== desk.self.appId) return [];
      return requested(payload.check_run.head_sha, desk);
    }
    case 'check_suite': {
      const payload = parsePayload('check_suite', delivery.payload);
      if (payload?.check_suite.app?.id !== desk.self.appId) return [];
      return requested(payload.check_suite.head_sha, desk);
    }
    case 'merge_group':
      return groupHead(delivery, desk);
    case RECHECK: {
      const number = recheckOf(delivery);
      const pull = number === null ? null : await desk.facts.pull(number);
      return pull?.state === 'open' ? [await headOf(pull, desk)] : [];
    }
    default:
      return [];
  }
}

const CHECKED: ReadonlySet<string> = new Set([
  'opened',
  'reopened',
  'ready_for_review',
  'synchronize',
  'edited',
]);

/**
 * The PR as it is now: a late delivery tells of a base or head that is gone. Where GitHub's answer is older than what
 * the webhook tells, it lags behind.
 */
async function latestOf(told: PullFact, desk: Desk): Promise<PullFact> {
  const now = await desk.facts.pull(told.number);
  return Date.parse(now.updatedAt) >= Date.parse(told.updatedAt) ? now : told;
}

async function pullHeads(delivery: Delivery, round: Round, turn: Turn): Promise<readonly Head[]> {
  const { context, desk } = round;
  const payload = parsePayload('pull_request', delivery.payload);
  const told = payload === null ? null : pullOf(payload.pull_request, context.repository.id);
  if (payload === null || told === null) return [];
  if (payload.action === 'closed') {
    return leftBehind(told.head.sha, told.number, desk);
  }
  if (!CHECKED.has(payload.action ?? '')) return [];
  const pull = await latestOf(told, desk);
  const asks = pull.state === 'open' && !turn.checkComesLater;
  switch (payload.action) {
    case 'opened':
    case 'reopened':
    case 'ready_for_review':
      return asks ? [await headOf(pull, desk)] : [];
    case 'synchronize':
      return [
        ...(asks ? [await headOf(pull, desk)] : []),
        ...(await leftBehind(payload.before ?? null, pull.number, desk)),
      ];
    case 'edited': {
      const { base, body, title } = payload.changes ?? {};
      if (base !== undefined) await keepStaleReviews(told, desk);
      const matters = base !== undefined || body !== undefined || title !== undefined;
      return pull.state === 'open' && matters ? [await headOf(pull, desk)] : [];
    }
    default:
      return [];
  }
}

/** Approvals from before the base changed, as the delivery tells when: told again later, it takes no newer ones away. */
async function keepStaleReviews({ number, updatedAt }: PullFact, desk: Desk): Promise<void> {
  const all = await desk.facts.reviews(number);
  const reviews = all.filter(({ at }) => Date.parse(at) <= Date.parse(updatedAt));
  const memory = await desk.ledger.pull(number);
  await desk.ledger.savePull({ ...memory, staleReviews: reviews.map(({ id }) => id) });
}

/** A head that one of its PRs has left: the others' check is no longer that one's to hold. */
async function leftBehind(sha: string | null, number: number, desk: Desk): Promise<readonly Head[]> {
  const check = sha === null ? undefined : await desk.ledger.check(sha);
  if (check?.pulls.some((other) => other !== number) !== true) return [];
  const pulls = await openPullsOf(check.sha, desk, number);
  return pulls.length === 0 ? [] : [{ sha: check.sha, pulls, fresh: false, group: false }];
}

/** The other open PRs of a head are looked for only where it has a check: a head nobody checked has no other. */
async function headOf(pull: PullFact, desk: Desk): Promise<Head> {
  const { sha } = pull.head;
  const checked = await desk.ledger.check(sha);
  const others = checked === undefined ? [] : await openPullsOf(sha, desk, pull.number);
  return { sha, pulls: [pull, ...others], fresh: false, group: false };
}

async function requested(sha: string, desk: Desk): Promise<readonly Head[]> {
  const pulls = await openPullsOf(sha, desk);
  return pulls.length === 0 ? [] : [{ sha, pulls, fresh: true, group: false }];
}

/** The open PRs whose head a commit is, without one of them. */
const openPullsOf = async (sha: string, desk: Desk, without?: number): Promise<readonly PullFact[]> =>
  (await desk.facts.pullsOfCommit(sha)).filter(
    ({ state, head, number }) => state === 'open' && head.sha === sha && number !== without,
  );

/** `gh-readonly-queue/main/pr-12-<base sha>`: the last PR of the group; the others are those of its commits. */
const GROUP_REF = /\/pr-(\d{1,10})-[0-9a-f]+$/;

async function groupHead(delivery: Delivery, desk: Desk): Promise<readonly Head[]> {
  const payload = parsePayload('merge_group', delivery.payload);
  if (payload === null || payload.action !== 'checks_requested') return [];
  const { head_sha: sha, head_ref: ref, base_sha: base } = payload.merge_group;
  const numbers = new Set<number>();
  const last = GROUP_REF.exec(ref)?.[1];
  if (last !== undefined) numbers.add(Number(last));
  const commits = (await desk.facts.compare(base, sha)) ?? [];
  const named = await Promise.all(commits.map((commit) => desk.facts.pullsOfCommit(commit.sha)));
  for (const pull of named.flat()) if (pull.state === 'open') numbers.add(pull.number);
  const pulls = await Promise.all(
    [...numbers].sort((a, b) => a - b).map((number) => desk.facts.pull(number)),
  );
  return pulls.length === 0 ? [] : [{ sha, pulls, fresh: false, group: true }];
}
