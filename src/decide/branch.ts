import type { Account } from '../acts/act.js';
import type { Context } from './context.js';
import type { Doer } from './doer.js';
import { isOwn } from './doer.js';
import type { CommitFact } from './facts.js';

/** One time a branch moved, newest first in lists. `by` is null where GitHub does not say any more. */
export interface BranchMove {
  readonly by: Account | null;
  readonly after: string;
  readonly created: boolean;
}

/** Whether nobody but the doer's control group ever pushed to the branch, since it was last created. */
export function isOwnBranch(moves: readonly BranchMove[], doer: Doer, context: Context): boolean {
  const birth = moves.findIndex(({ created }) => created);
  const life = birth === -1 ? moves : moves.slice(0, birth + 1);
  return life.length > 0 && life.every(({ by }) => isOwn(by, doer, context));
}

/**
 * Of commits that are gone from a branch, those that were not the doer's. Who pushed a commit decides, since an
 * author line is free text; only where no push is known does the account GitHub links to the author. A commit that
 * was rebased is still there: same author, same message. `lost` null: GitHub cannot tell, so it counts as others'.
 */
export function lostOfOthers(
  lost: readonly CommitFact[] | null,
  kept: readonly CommitFact[],
  moves: readonly BranchMove[],
  doer: Doer,
  context: Context,
): boolean {
  if (lost === null) return true;
  return lost.some((commit) => {
    const push = moves.find(({ after }) => after === commit.sha);
    const by = push?.by ?? commit.author.account ?? commit.committer.account;
    return !isOwn(by, doer, context) && !kept.some((other) => isRebased(commit, other));
  });
}

const isRebased = (old: CommitFact, now: CommitFact): boolean =>
  old.author.email === now.author.email && old.message === now.message && old.message !== '';
