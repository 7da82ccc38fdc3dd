import type { CommitNode } from '../graph.js';
import type { Pull, State } from '../state.js';

/** A ref as requests name it: branch, tag, full ref, `refs/pull/1/head`, `acme:branch`, a sha or its beginning. */
export const resolve = (state: State, ref: string): string | undefined => {
  const bare = ref.replace(/^[\w.-]+:/, '');
  const pull = /^(?:refs\/)?pull\/(\d+)\/head$/.exec(bare);
  if (pull !== null) return state.pulls.get(Number(pull[1]))?.headSha;
  const branch = state.branches.get(bare.replace(/^(?:refs\/)?heads\//, ''));
  if (branch !== undefined) return branch;
  const tag = state.tags.get(bare.replace(/^(?:refs\/)?tags\//, ''));
  if (tag !== undefined) return tag;
  if (state.graph.commits.has(bare)) return bare;
  if (!/^[0-9a-f]{7,39}$/.test(bare)) return undefined;
  return [...state.graph.commits.keys()].find((sha) => sha.startsWith(bare));
};

export const commitAt = (state: State, ref: string): CommitNode | undefined => {
  const sha = resolve(state, ref);
  return sha === undefined ? undefined : state.graph.get(sha);
};

export const pullAt = (state: State, number: string | undefined): Pull | undefined => {
  const pull = state.pulls.get(Number(number));
  return pull?.exists === true ? pull : undefined;
};

export const pullsThere = (state: State): readonly Pull[] => [...state.pulls].filter((pull) => pull.exists);
