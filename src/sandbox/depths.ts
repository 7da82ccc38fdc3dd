import type { CommitNode } from './graph.js';

/** How far each commit is from where history starts: the longest way. Whatever reaches a commit is deeper than it. */
export const createDepths = (
  commits: ReadonlyMap<string, CommitNode>,
): {
  of(sha: string): number;
  /** Forgets that of a commit; all of them, where others are built on it. */
  forget(sha: string, others: boolean): void;
} => {
  const depths = new Map<string, number>();
  const of = (sha: string): number => {
    const known = depths.get(sha);
    if (known !== undefined) return known;
    const walk = [sha];
    const entered = new Set<string>();
    for (let next = walk.at(-1); next !== undefined; next = walk.at(-1)) {
      entered.add(next);
      const parents = (commits.get(next)?.parents ?? []).filter((parent) => commits.has(parent));
      const open = parents.filter((parent) => !depths.has(parent) && !entered.has(parent));
      if (open.length > 0) {
        walk.push(...open);
        continue;
      }
      depths.set(next, 1 + Math.max(0, ...parents.map((parent) => depths.get(parent) ?? 0)));
      walk.pop();
    }
    return depths.get(sha) ?? 0;
  };
  return { of, forget: (sha: string, others: boolean) => (others ? depths.clear() : depths.delete(sha)) };
};
