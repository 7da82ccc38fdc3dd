import { deleteBranch, moveBranch, noteActivity } from '../history.js';
import { NO_SHA } from '../shas.js';
import { ensureCommit, type Handler, keySha, keyText } from './happening.js';

/** A ref that came. The push of the same ref may follow, and says then where it points. */
export const create: Handler = (happening) => {
  const { state, by } = happening;
  const ref = keyText(happening, 'ref') ?? '';
  const type = keyText(happening, 'ref_type') ?? 'branch';
  const sha = keySha(happening, 'sha') ?? state.branches.get(state.defaultBranch) ?? NO_SHA;
  ensureCommit(state, sha, by);
  if (type === 'tag') {
    if (!state.tags.has(ref)) state.tags.set(ref, sha);
    state.pushedAt = state.clock.now();
  } else if (!state.branches.has(ref)) {
    moveBranch(state, ref, sha);
    noteActivity(state, {
      type: 'branch_creation',
      ref: `refs/heads/${ref}`,
      before: NO_SHA,
      after: sha,
      actor: by,
    });
  }
  return {
    ref,
    ref_type: type,
    full_ref: `refs/${type === 'tag' ? 'tags' : 'heads'}/${ref}`,
    master_branch: state.defaultBranch,
    description: null,
    pusher_type: 'user',
  };
};

/** A ref that went. `push` with `deleted` may tell the same, before or after. */
export const remove: Handler = (happening) => {
  const { state, by } = happening;
  const ref = keyText(happening, 'ref') ?? '';
  const type = keyText(happening, 'ref_type') ?? 'branch';
  if (type === 'tag') {
    state.tags.delete(ref);
    state.pushedAt = state.clock.now();
  } else {
    deleteBranch(state, ref, by);
  }
  return {
    ref,
    ref_type: type,
    full_ref: `refs/${type === 'tag' ? 'tags' : 'heads'}/${ref}`,
    pusher_type: 'user',
  };
};
