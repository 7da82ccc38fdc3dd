import type { Origin, Sourced } from './policy.js';
import type { Order } from './strictness.js';

/** A value and who said it. */
export interface Said<T> {
  readonly value: T;
  readonly origin: Origin;
}

/** Whether a repository may only tighten what the organization says, or may also loosen it. */
export type Override = 'tighten' | 'any';

/** What each layer says of one key, nearest first. */
export interface Sayings<T> {
  readonly repo: readonly Said<T>[];
  readonly org: readonly Said<T>[];
  /** The operator's, then the preset's. */
  readonly rest: readonly Said<T>[];
}

const BUILT_IN: Origin = { layer: 'built-in' };

const sourced = <T>(winner: Said<T>, all: Sayings<T>): Sourced<T> => ({
  value: winner.value,
  origin: winner.origin,
  overrode: [...all.repo, ...all.org, ...all.rest].filter((said) => said !== winner),
});

/**
 * The first layer that says something wins, but where both files do, the repository's value counts only if it is
 * not looser than the organization's. What lost is kept, nearest first.
 */
export const settle = <T>(all: Sayings<T>, builtIn: T, order: Order<T>, override: Override): Sourced<T> => {
  const [repo] = all.repo;
  const [org] = all.org;
  if (repo !== undefined && org !== undefined) {
    const nearest = override === 'any' || order(repo.value, org.value) >= 0;
    return sourced(nearest ? repo : org, all);
  }
  const winner = repo ?? org ?? all.rest[0];
  return winner === undefined ? { value: builtIn, origin: BUILT_IN, overrode: [] } : sourced(winner, all);
};

const sameWord = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Both lists, the nearer one first. Nothing of either is lost, so nothing counts as overridden. */
export const addUp = (
  all: Sayings<readonly string[]>,
  builtIn: readonly string[],
  override: Override,
): Sourced<readonly string[]> => {
  const [repo] = all.repo;
  const [org] = all.org;
  if (repo === undefined || org === undefined || override === 'any') {
    return settle(all, builtIn, () => 0, override);
  }
  const added = org.value.filter((item) => !repo.value.includes(item));
  const repoAdds = repo.value.some((item) => !org.value.includes(item));
  return {
    value: [...repo.value, ...added],
    origin: repoAdds || added.length === 0 ? repo.origin : org.origin,
    overrode: all.rest,
  };
};

/** What both lists have; null is everything. Compared without case. */
export const shrink = <T extends readonly string[] | null>(
  all: Sayings<T | readonly string[]>,
  builtIn: T,
  override: Override,
): Sourced<T | readonly string[]> => {
  const [repo] = all.repo;
  const [org] = all.org;
  if (repo === undefined || org === undefined || override === 'any') {
    return settle<T | readonly string[]>(all, builtIn, () => 0, override);
  }
  const allowed = org.value;
  const wanted = repo.value;
  if (allowed === null || wanted === null) return sourced(allowed === null ? repo : org, all);
  const kept = wanted.filter((item) => allowed.some((other) => sameWord(item, other)));
  const winner = kept.length === wanted.length ? repo : org;
  return { ...sourced(winner, all), value: kept };
};
