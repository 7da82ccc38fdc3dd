import { asRecord, numberOf } from '../records.js';
import { pullSimpleJson, reviewJson } from '../shapes/pull.js';
import type { Review } from '../state.js';
import { type Handler, keepOverlay, keyNumber, keySha, keyText, lastingOverlay, nowOf } from './happening.js';
import { layOntoPull, pullOf } from './pull-request.js';

const STATES = ['approved', 'changes_requested', 'commented', 'dismissed'] as const;
const stateOf = (text: string | undefined): Review['state'] =>
  STATES.find((state) => state === text) ?? 'commented';

/** `submitted` adds a review; `dismissed` takes the latest verdict away; `edited` changes its text. */
export const pullRequestReview: Handler = (happening) => {
  const { state, action, by } = happening;
  const pull = pullOf(state, keyNumber(happening, 'pull'), by);
  const sha = keySha(happening, 'sha');
  const wanted = numberOf(asRecord(happening.overlay['review'])['id']);
  const stands = (review: Review): boolean =>
    review.state === 'approved' || review.state === 'changes_requested';
  const known = pull.reviews.findLast(
    (review) =>
      (wanted === undefined || review.id === wanted) &&
      (sha === undefined || review.sha === sha) &&
      (action === 'dismissed' ? stands(review) : review.by === by),
  );
  let review = known;
  if (action === 'submitted' || review === undefined) {
    review = {
      id: wanted ?? state.nextId('review'),
      by,
      state: stateOf(keyText(happening, 'state')),
      sha: sha ?? pull.headSha,
      at: nowOf(happening),
      body: keyText(happening, 'body') ?? '',
      overlay: {},
    };
    pull.reviews.push(review);
  }
  const before = review.body;
  if (action === 'dismissed') review.state = 'dismissed';
  if (action === 'edited') review.body = keyText(happening, 'body') ?? review.body;
  pull.requested = pull.requested.filter((account) => account !== by);
  pull.updatedAt = nowOf(happening);
  layOntoPull(happening, pull);
  keepOverlay(review, lastingOverlay(happening, 'review'));
  return {
    review: reviewJson(state, pull, review, 'webhook'),
    pull_request: pullSimpleJson(state, pull),
    ...(action === 'edited' ? { changes: { body: { from: before } } } : {}),
  };
};
