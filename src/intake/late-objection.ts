import { type Delivery, parsePayload } from '../acts/payload.js';
import type { Context } from '../decide/context.js';
import { doerOf } from '../decide/doer.js';
import type { Effect } from '../decide/effects.js';
import { atLeast } from '../decide/reviews.js';
import type { Desk } from './deps.js';

const DAY_MS = 86_400_000;

/**
 * A person's objection within a day after an agent's permitted merge: told once on the PR, with a revert on offer.
 * Nobody broke a rule.
 */
export async function lateObjection(
  delivery: Delivery,
  context: Context,
  desk: Desk,
): Promise<readonly Effect[]> {
  if (delivery.name !== 'pull_request_review') return [];
  const payload = parsePayload('pull_request_review', delivery.payload);
  const reviewer = payload?.review.user ?? null;
  if (payload === null || reviewer === null || payload.action !== 'submitted') return [];
  if (payload.review.state.toLowerCase() !== 'changes_requested') return [];
  if (reviewer.type !== 'User' || doerOf(reviewer, context) !== null) return [];
  const number = payload.pull_request.number;
  const { merge } = await desk.ledger.pull(number);
  if (merge === undefined || merge.verdict !== 'allow' || merge.agent === null) return [];
  const at = payload.review.submitted_at ?? desk.now();
  if (Date.parse(at) - Date.parse(merge.at) > DAY_MS) return [];
  if (!atLeast(await desk.facts.permission(reviewer.login), 'write')) return [];
  return [
    {
      kind: 'comment',
      number,
      about: 'pull',
      add: [
        {
          at,
          who: reviewer,
          agent: null,
          what: 'objection',
          subject: { pull: number, after: merge.sha },
          rule: null,
          origin: null,
          state: 'noted',
        },
      ],
    },
  ];
}
