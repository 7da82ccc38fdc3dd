import type { Pull } from './state.js';

/** The PRs of a repository by number, by head branch and by head. */
export interface Pulls extends Iterable<Pull> {
  add(pull: Pull): void;
  get(number: number): Pull | undefined;
  has(number: number): boolean;
  /** Those whose head branch has that name, a fork's too. */
  ofBranch(branch: string): readonly Pull[];
  /** Those whose head it is, closed ones too. */
  ofHead(sha: string): readonly Pull[];
  /** Gives a PR another head. */
  moveHead(pull: Pull, sha: string): void;
}

const listed = <K>(index: Map<K, Pull[]>, key: K, pull: Pull): void => {
  const others = index.get(key);
  if (others === undefined) index.set(key, [pull]);
  else others.push(pull);
};

export const createPulls = (): Pulls => {
  const byNumber = new Map<number, Pull>();
  const byBranch = new Map<string, Pull[]>();
  const byHead = new Map<string, Pull[]>();
  return {
    add: (pull) => {
      byNumber.set(pull.number, pull);
      listed(byBranch, pull.head, pull);
      listed(byHead, pull.headSha, pull);
    },
    get: (number) => byNumber.get(number),
    has: (number) => byNumber.has(number),
    ofBranch: (branch) => byBranch.get(branch) ?? [],
    ofHead: (sha) => byHead.get(sha) ?? [],
    moveHead: (pull, sha) => {
      const others = byHead.get(pull.headSha);
      const index = others?.indexOf(pull) ?? -1;
      if (index >= 0) others?.splice(index, 1);
      Object.assign(pull, { headSha: sha });
      listed(byHead, sha, pull);
    },
    [Symbol.iterator]: () => byNumber.values(),
  };
};
