import { Unplayable } from '../case-error.js';
import { putCommit } from '../history.js';
import { listOf, numberOf } from '../records.js';
import { simpleCommitJson } from '../shapes/commit.js';
import { NO_SHA } from '../shas.js';
import { type Handler, keySha, keyText } from './happening.js';
import { pullOf } from './pull-request.js';

/** A group of the merge queue: one merge commit for each PR, on top of the base; the last is the group's head. */
export const mergeGroup: Handler = (happening) => {
  const { state, action, by } = happening;
  const pulls = listOf(happening.keys['pulls'])
    .map((number) => numberOf(number))
    .filter((number) => number !== undefined)
    .map((number) => pullOf(state, number, by));
  const last = pulls.at(-1);
  if (last === undefined) throw new Unplayable('a merge group needs pulls', 'add "pulls: [1]"');
  const head = keySha(happening, 'sha') ?? NO_SHA;
  const base = state.branches.get(last.base) ?? NO_SHA;
  const branch = `gh-readonly-queue/${last.base}/pr-${last.number}-${base}`;
  if (action === 'checks_requested') {
    let tip = base;
    for (const pull of pulls) {
      const sha = pull === last ? head : state.shas.full(`${state.shas.short(head)} with ${pull.number}`);
      putCommit(state, sha, [tip, pull.headSha], by, {
        message: `Merge pull request #${pull.number} from ${state.repo.owner.login}/${pull.head}\n\n${pull.title}`,
        changes: state.graph.changes(tip, pull.headSha),
      });
      tip = sha;
    }
    state.branches.set(branch, head);
  } else {
    state.branches.delete(branch);
  }
  const commit = state.graph.get(head);
  return {
    merge_group: {
      head_sha: head,
      head_ref: `refs/heads/${branch}`,
      base_sha: base,
      base_ref: `refs/heads/${last.base}`,
      head_commit: commit === undefined ? null : simpleCommitJson(commit),
    },
    ...(action === 'destroyed' ? { reason: keyText(happening, 'reason') ?? 'invalidated' } : {}),
  };
};
