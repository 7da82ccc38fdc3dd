import type { Account } from '../acts/act.js';
import { identify } from '../agents/roster.js';
import { countApprovals } from '../decide/approvals.js';
import type { Context } from '../decide/context.js';
import { reviewersToLookUp } from '../decide/reviews.js';
import type { Landing } from '../github/facts.js';
import type { PolicyFile } from '../policy/load.js';
import { resolvePolicy } from '../policy/resolve.js';
import { contextUnder } from './context-under.js';
import type { Desk } from './deps.js';
import { lookUpApprovers } from './look-up.js';

/** `shared`: by a login that is an agent's and a person's. `unknown`: GitHub does not say any more. */
export type LandedBy = 'person' | 'shared' | 'agent' | 'unknown';

/**
 * Who landed a version of the policy file: who pushed or merged it, or a person when one approved the PR that brought
 * it. It is judged by the versions before it and by what it says itself, so that it cannot write its own author out.
 */
export async function landedBy(
  landing: Landing,
  versions: readonly PolicyFile[],
  desk: Desk,
): Promise<LandedBy> {
  const by = await actorOf(landing, desk);
  if (by === null) return 'unknown';
  const contexts = (versions.length > 0 ? versions : [null]).map((file) => contextOf(file, desk));
  const identities = contexts.map(({ roster }) => identify(roster, by));
  if (by.type === 'User' && identities.every(({ kind }) => kind === 'undisclosed')) return 'person';
  const [inForce] = contexts;
  if (
    landing.pull !== null &&
    inForce !== undefined &&
    (await approvedByPerson(landing.pull.number, inForce, desk))
  )
    return 'person';
  return identities.every(
    (identity) => identity.kind === 'undisclosed' || (identity.kind === 'agent' && identity.shared),
  )
    ? 'shared'
    : 'agent';
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

async function approvedByPerson(number: number, context: Context, desk: Desk): Promise<boolean> {
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
  return countApprovals(facts, context).counting.length > 0;
}
