import type { Act } from './act.js';
import { type Delivery, parsePayload, type PullPayload } from './payload.js';

/** Opening, merging and the intent to merge. There is no `merged` action: it is `closed` with `merged: true`. */
export function readPull(delivery: Delivery): readonly Act[] {
  const payload = parsePayload('pull_request', delivery.payload);
  if (payload?.sender == null) return [];
  const { sender: actor, pull_request: pull, action } = payload;
  const telling = `pull_request.${action ?? ''}`;
  switch (action) {
    case 'opened':
    case 'reopened':
    case 'ready_for_review':
      return [
        {
          kind: 'pull.open',
          key: `pull.open:${pull.number}:${pull.updated_at}`,
          telling,
          pair: false,
          actor,
          pull: pull.number,
        },
      ];
    case 'closed':
      if (pull.merged !== true || pull.merge_commit_sha === null) return [];
      return [
        {
          ...mergeOf(pull),
          key: `pull.merge:${pull.number}:${pull.merge_commit_sha}`,
          telling,
          pair: false,
          actor,
          mergeSha: pull.merge_commit_sha,
          intent: null,
          at: pull.merged_at,
        },
      ];
    case 'auto_merge_enabled':
    case 'enqueued':
      return [
        {
          ...mergeOf(pull),
          key: `${action}:${pull.number}:${delivery.id}`,
          telling,
          pair: false,
          actor,
          mergeSha: null,
          intent: action === 'enqueued' ? 'enqueue' : 'auto-merge',
          at: null,
        },
      ];
    default:
      return [];
  }
}

const mergeOf = (pull: PullPayload) => ({
  kind: 'pull.merge' as const,
  pull: pull.number,
  nodeId: pull.node_id,
  base: pull.base.ref,
  headRef: pull.head.ref,
  headSha: pull.head.sha,
  armedBy: pull.auto_merge?.enabled_by ?? null,
  body: pull.body ?? '',
});

/** Approvals and dismissals. Whether they were on an agent's PR, and so acts at all, is for the judge. */
export function readReview(delivery: Delivery): readonly Act[] {
  const payload = parsePayload('pull_request_review', delivery.payload);
  if (payload?.sender == null) return [];
  const { sender: actor, review, action } = payload;
  const pull = payload.pull_request.number;
  if (action === 'submitted' && review.state.toLowerCase() === 'approved') {
    return [
      {
        kind: 'review.approve',
        key: `review.approve:${review.id}`,
        telling: 'pull_request_review.submitted',
        pair: false,
        actor,
        pull,
        review: review.id,
        sha: review.commit_id,
      },
    ];
  }
  if (action === 'dismissed') {
    return [
      {
        kind: 'review.dismiss',
        key: `review.dismiss:${review.id}`,
        telling: 'pull_request_review.dismissed',
        pair: false,
        actor,
        pull,
        review: review.id,
        reviewer: review.user,
      },
    ];
  }
  return [];
}
