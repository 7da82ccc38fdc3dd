import type { SandboxAccount } from './accounts.js';
import { netChanges } from './changes.js';
import { noteActivity, putCommit } from './history.js';
import { NO_SHA } from './shas.js';
import type { Pull, State } from './state.js';

/** What a PR changes: from where it leaves its base to its head. */
export const rangeOf = (state: State, pull: Pull): { readonly base: string; readonly head: string } => {
  const tip = pull.state === 'open' ? state.branches.get(pull.base) : undefined;
  return { base: tip ?? pull.baseSha, head: pull.headSha };
};

/**
 * Lands a PR: its merge commit becomes the tip of the base, with the PR's commits among its ancestors and the PR's
 * files in it. The push of the same merge may have come before; then only what it did not say is added.
 */
export const mergePull = (state: State, pull: Pull, sha: string, by: SandboxAccount, at: number): void => {
  const known = state.graph.get(sha);
  const tip = state.branches.get(pull.base) ?? pull.baseSha;
  const before = known?.parents[0] ?? tip;
  const changes = state.graph.changes(before, pull.headSha);
  if (known === undefined || known.implied) {
    putCommit(state, sha, [before, pull.headSha], by, {
      message: `Merge pull request #${pull.number} from ${state.repo.owner.login}/${pull.head}\n\n${pull.title}`,
      changes,
      at,
    });
  } else if (!state.graph.reaches(sha, pull.headSha)) {
    state.graph.amend(known, {
      changes: netChanges([changes, known.changes]),
      parents: [...(known.parents.length === 0 ? [before] : known.parents), pull.headSha],
    });
  }
  pull.baseSha = before === NO_SHA ? pull.baseSha : before;
  pull.state = 'closed';
  pull.merged = { sha, at, by };
  pull.closedAt = at;
  pull.autoMerge = null;
  pull.queued = false;
  if (!state.graph.reaches(tip, sha)) state.branches.set(pull.base, sha);
  noteActivity(state, {
    type: by.login === 'github-merge-queue[bot]' ? 'merge_queue_merge' : 'pr_merge',
    ref: `refs/heads/${pull.base}`,
    before,
    after: sha,
    actor: by,
    at,
  });
};
