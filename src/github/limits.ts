import { type Lane, rankOf } from './lane.js';

/** `content`: a write that makes something people are notified of: a comment, an issue, a pull request. */
export type Weight = 'read' | 'write' | 'content';

/** How fast one identity may go. */
export interface Limits {
  /** Requests under way at once. */
  readonly atOnce: number;
  /** A minute: a read is one point, a write five. */
  readonly points: number;
  readonly contentAMinute: number;
  readonly contentAnHour: number;
}

/**
 * What GitHub publishes for an installation, of its 100 requests at once a fifth.
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
 */
export const PUBLISHED: Limits = { atOnce: 20, points: 900, contentAMinute: 80, contentAnHour: 500 };

/** For a GitHub that does not limit, as an Enterprise Server unless told otherwise. It is heeded all the same. */
export const UNLIMITED: Limits = {
  atOnce: Number.POSITIVE_INFINITY,
  points: Number.POSITIVE_INFINITY,
  contentAMinute: Number.POSITIVE_INFINITY,
  contentAnHour: Number.POSITIVE_INFINITY,
};

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/**
 * No answer is heeded for longer, so that a date that is wrong somewhere does not end all work. GitHub's budgets are by the
 * hour, told in whole seconds; where it asks for more than a day, one request a day asks whether it still holds.
 * Milliseconds.
 */
export const LONGEST_WAIT = 24 * HOUR;

export const POINTS: Readonly<Record<Weight, number>> = { read: 1, write: 5, content: 5 };

/** From this lane on, none takes the last fifth of anything: people's checks, holds and merge groups need it. */
const FIRST_LOWER_LANE: Lane = 'agents';

/** What of a limit a lane may take. */
export const shareOf = (lane: Lane, limit: number): number =>
  rankOf(lane) >= rankOf(FIRST_LOWER_LANE) ? Math.floor((limit * 4) / 5) : limit;
