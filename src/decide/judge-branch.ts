import type { ActOf } from '../acts/act.js';
import { isOwnBranch, type BranchMove, lostOfOthers } from './branch.js';
import type { Judged } from './breach.js';
import type { Context } from './context.js';
import { type Doer, isOwn } from './doer.js';
import type { CommitFact, PullFact } from './facts.js';
import { valueFor } from './value.js';

export interface DeletedFacts {
  readonly moves: readonly BranchMove[];
  /** Where the branch pointed; null: GitHub does not say any more. */
  readonly tip: string | null;
  /** PRs whose head it was, newest first. */
  readonly pulls: readonly PullFact[];
  /** Open PRs whose base it was. */
  readonly based: readonly number[];
  /** Its commits that the default branch does not hold; null: GitHub cannot tell. */
  readonly lost: readonly CommitFact[] | null;
}

/**
 * A branch that was deleted. `own`: nobody else pushed to it, or it was the head of the agent's own closed PR. To
 * remove a head once its PR is merged is clean-up, whoever pushed to it, as long as it is the head that was merged.
 */
export function judgeBranchDelete(
  act: ActOf<'branch.delete'>,
  facts: DeletedFacts,
  doer: Doer,
  context: Context,
): Judged {
  const { value, origin } = valueFor(doer, 'branch.delete', { trunk: act.trunk }, context);
  const allowed =
    value === 'allow' ||
    (!act.trunk && (isCleanUp(facts) || (value === 'own' && isOwnToDelete(facts, doer, context))));
  if (allowed) return { verdict: 'allow', act, doer, origin };
  const dropped = act.trunk || lostOfOthers(facts.lost, [], facts.moves, doer, context);
  const pull = latest(facts.pulls);
  return {
    verdict: 'deny',
    act,
    doer,
    origin,
    rule: 'branch-delete',
    subject: act.ref,
    details: { ref: act.ref, ...(facts.tip === null ? {} : { before: facts.tip }) },
    at: context.now,
    comment: pull === null ? null : { number: pull.number, about: 'pull' },
    remedies: dropped && facts.tip !== null ? [{ kind: 'backup-ref', sha: facts.tip }] : [],
    mentions: facts.based,
  };
}

const isCleanUp = (facts: DeletedFacts): boolean =>
  facts.pulls.some(({ merged, head }) => merged && head.sha === facts.tip);

const isOwnToDelete = (facts: DeletedFacts, doer: Doer, context: Context): boolean =>
  isOwnBranch(facts.moves, doer, context) ||
  facts.pulls.some(
    ({ state, author, head }) => state === 'closed' && head.sha === facts.tip && isOwn(author, doer, context),
  );

const latest = (pulls: readonly PullFact[]): PullFact | null =>
  pulls.find(({ merged }) => merged) ?? pulls[0] ?? null;
