/**
 * Who goes before whom, most urgent first, wherever something has to wait: for its turn in a repository, for a slot,
 * for the rate limit. `hold`: suspending, disarming, and the deliveries that may lead to it. `words`: comments and
 * issues.
 */
export const LANES = ['hold', 'merge-group', 'people', 'agents', 'words', 'sweep'] as const;

export type Lane = (typeof LANES)[number];

export const rankOf = (lane: Lane): number => LANES.indexOf(lane);
