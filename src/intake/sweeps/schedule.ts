/*
 * When a sweep runs. Times are milliseconds since 1970, UTC. Pure: what ran, and when, comes in.
 */

import { isLongAgo } from '../../github/left-until.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const DELIVERIES_EVERY = 5 * MINUTE;
export const REPOSITORIES_EVERY = HOUR;
export const QUIET_REPOSITORY_EVERY = 24 * HOUR;
/** A webhook of what happened within this time may be on its way. */
export const ON_ITS_WAY = 2 * MINUTE;
/** GitHub keeps deliveries for three days (docs.github.com/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks). */
export const LOOK_BACK = 72 * HOUR;

export type Sweep = 'deliveries' | 'repositories';

/** When each was last begun and came to its end; null: never. */
export type LastRuns = Readonly<Record<Sweep, number | null>>;

/** The process was away until then; null: it was not. */
export type Downtime = { readonly until: number } | null;

/** The sweeps whose time has come, in the order they are run in: after a downtime, all of them at once. */
export const due = (now: number, last: LastRuns, downtime: Downtime): readonly Sweep[] => {
  const isDue = (ran: number | null, every: number): boolean =>
    ran === null || isLongAgo(ran, now, every) || isBefore(ran, downtime, now);
  return [
    ...(isDue(last.deliveries, DELIVERIES_EVERY) ? (['deliveries'] as const) : []),
    ...(isDue(last.repositories, REPOSITORIES_EVERY) ? (['repositories'] as const) : []),
  ];
};

/** By a clock that has been set back since, a downtime ends some day to come, and all that runs would be before its end. */
const isBefore = (ran: number, downtime: Downtime, now: number): boolean =>
  downtime !== null && downtime.until <= now && ran < downtime.until;

export interface RepositoryRuns {
  /** When the pass began that last looked at it. */
  readonly passedAt: number;
  /** Pushes up to then were looked at. */
  readonly coveredTo: number;
}

/**
 * Whether a pass that began at `pass` looks at a repository: where something was pushed since it was last looked at, at
 * once after a downtime, where it was never seen, and everywhere once a day.
 */
export const repositoryIsDue = (
  pass: number,
  last: RepositoryRuns | null,
  pushedAt: number | null,
  downtime: Downtime,
): boolean => {
  if (last === null || isBefore(last.passedAt, downtime, pass)) return true;
  const moved = pushedAt !== null && pushedAt > last.coveredTo;
  return isLongAgo(last.passedAt, pass, moved ? REPOSITORIES_EVERY : QUIET_REPOSITORY_EVERY);
};
