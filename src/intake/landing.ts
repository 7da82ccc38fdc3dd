import type { Account } from '../acts/act.js';
import { identify } from '../agents/roster.js';
import { countApprovals } from '../decide/approvals.js';
import type { Context } from '../decide/context.js';
import { reviewersToLookUp, standingReviews } from '../decide/reviews.js';
import type { Landing } from '../github/facts.js';
import type { PolicyFile } from '../policy/load.js';
import { resolvePolicy } from '../policy/resolve.js';
import { contextUnder } from './context-under.js';
import type { Desk } from './deps.js';
import { lookUpApprovers } from './look-up.js';

export interface Landed {
  /** `shared`: by a login that is an agent's and a person's. `unknown`: GitHub does not say any more. */
  readonly by: 'person' | 'shared' | 'agent' | 'unknown';
  /** Since when it counts, where that is certain: a person's approval after the merge tells no time. */
  readonly at: string | null;
}

/**
 * Who landed a version of the policy file: who pushed or merged it, or a person when one approved the PR that brought
 * it. It is judged by the versions before it and by what it says itself, so that it cannot write its own author out.
 */
export async function landedBy(
  landing: Landing,
  versions: readonly PolicyFile[],
  desk: Desk,
): Promise<Landed> {
  const by = await actorOf(landing, desk);
  const { at } = landing;
  if (by === null) return { by: 'unknown', at: null };
  const contexts = (versions.length > 0 ? versions : [null]).map((file) => contextOf(file, desk));
  const identities = contexts.map(({ roster }) => identify(roster, by));
  if (by.type === 'User' && identities.every(({ kind }) => kind === 'undisclosed'))
    return { by: 'person', at };
  const [inForce] = contexts;
  const approved =
    landing.pull === null || inForce === undefined
      ? null
      : await firstApproval(landing.pull.number, inForce, desk);
  if (approved !== null) return { by: 'person', at: at !== null && approved <= Date.parse(at) ? at : null };
  const shared = identities.every(
    (identity) => identity.kind === 'undisclosed' || (identity.kind === 'agent' && identity.shared),
  );
  return { by: shared ? 'shared' : 'agent', at };
}

/** A merge by the queue is by who put the PR there. */
async function actorOf(landing: Landing, desk: Desk): Promise<Account | null> {
  if (landing.by === null || landing.pull === null) return landing.by;
  const roster = contextOf(null, desk).roster;
  const identity = identify(roster, landing.by);
  if (identity.kind !== 'platform' || identity.name !== 'merge-queue') return landing.by;
  return (await desk.ledger.pull(landing.pull.number)).enqueuedBy ?? landing.by;
}

const contextOf = (file: PolicyFile | null, desk: Desk): Context =>
  contextUnder(
    resolvePolicy({ repo: file, org: null, operator: desk.operator, repositoryName: desk.repository.name }),
    desk,
  );

/** When the first of the approvals that count was given, milliseconds since 1970; null: none counts. */
async function firstApproval(number: number, context: Context, desk: Desk): Promise<number | null> {
  const [pull, reviews] = await Promise.all([desk.facts.pull(number), desk.facts.reviews(number)]);
  const looked = await lookUpApprovers(desk.facts, context, reviewersToLookUp(reviews));
  const facts = {
    pull,
    reviews,
    pushers: [],
    ...looked,
    baseChangedAt: null,
    staleReviews: new Set<number>(),
    dismissedBy: new Map(),
  };
  const counting = new Set(countApprovals(facts, context).counting.map(({ id }) => id));
  const times = standingReviews(reviews)
    .filter(({ by, state }) => state === 'approved' && counting.has(by.id))
    .map(({ at }) => Date.parse(at));
  return counting.size === 0 ? null : Math.min(...times);
}
