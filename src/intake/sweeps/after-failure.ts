import { RequestFailure } from '../../github/failure.js';
import type { InstalledRepository } from '../../github/read-sweep.js';
import { type Failure, failureOfWork } from '../failure-of-work.js';
import { BudgetSpent } from './budget.js';

/** What a pass is to look at: the list of installations, the repositories of one, or one of these. */
export type Item = (
  | { readonly kind: 'app'; readonly installation: null }
  | { readonly kind: 'installation'; readonly installation: number }
  | {
      readonly kind: 'repository';
      readonly installation: number;
      readonly repository: InstalledRepository;
    }
) & {
  /** How often GitHub did not answer. */
  readonly failures: number;
  /** How often it was put off because deliveries of it were still to be worked on. */
  readonly postponed: number;
  /** Not before this; milliseconds since 1970, UTC. */
  readonly notBefore: number;
};

const MINUTE = 60_000;
/** GitHub not answering for about half an hour is waited out; what is left then waits for the next pass. */
const TRIES = 5;
/** A delivery that fails again and again must not keep its repository from being looked at. */
const POSTPONED = 3;

/** `again`: later in this pass. `spent`: its identity has had its share. `wait`: GitHub asks its identity to wait. */
export type AfterFailure =
  | { readonly kind: 'again'; readonly item: Item }
  | { readonly kind: 'spent' }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'dropped'; readonly why: string | null }
  | { readonly kind: 'unexpected'; readonly error: unknown };

/** Gone with its installation, deleted, or blocked by GitHub: no failure, it is just not there any more. */
const GONE: ReadonlySet<number> = new Set([404, 410, 451]);

/** What follows when looking at something failed. `now`: milliseconds since 1970, UTC. */
export function afterFailure(error: unknown, item: Item, now: number): AfterFailure {
  if (error instanceof BudgetSpent) return { kind: 'spent' };
  const failure: Failure = failureOfWork(error);
  switch (failure.kind) {
    case 'told-to-wait':
      return { kind: 'wait', until: now + (failure.retryAfter ?? MINUTE) };
    case 'later': {
      const failures = item.failures + 1;
      if (failures >= TRIES) return { kind: 'dropped', why: failure.why };
      const wait = Math.max(MINUTE * 2 ** (failures - 1), failure.retryAfter ?? 0);
      return { kind: 'again', item: { ...item, failures, notBefore: now + wait } };
    }
    case 'unreadable':
    case 'refused': {
      const gone = error instanceof RequestFailure && GONE.has(error.status);
      return { kind: 'dropped', why: gone ? null : failure.why };
    }
    case 'unexpected':
      return { kind: 'unexpected', error };
  }
}

/** Its deliveries go first, since most of what a sweep would find is in them. Null: it has waited for them long enough. */
export const postponed = (item: Item, now: number): Item | null =>
  item.postponed >= POSTPONED ? null : { ...item, postponed: item.postponed + 1, notBefore: now + MINUTE };

export const firstTime = { failures: 0, postponed: 0, notBefore: 0 } as const;
