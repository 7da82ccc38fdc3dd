import type { State } from './state.js';

/**
 * What was just made over REST is in no list yet, for as long as the sandbox's lag says, though reading it by its id
 * works at once: GitHub's lists are behind its writes.
 */
export const unlistedYet = <T extends object>(state: State, made: T): T => {
  if (state.lag > 0) state.listedFrom.set(made, state.clock.now() + state.lag);
  return made;
};

export const isListed = (state: State, row: object): boolean =>
  (state.listedFrom.get(row) ?? -Infinity) <= state.clock.now();
