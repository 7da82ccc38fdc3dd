import { GitHubError } from '../github/facts.js';
import { RequestFailure } from '../github/failure.js';
import { PerformError } from '../github/perform.js';
import { printable } from '../github/audit.js';
import { StoreError } from '../store/store.js';
import { PutOff } from './put-off.js';
import { UnreadPayload } from './unread-payload.js';

/** Why work on a delivery failed, and what that means for its next try. */
export interface Failure {
  /**
   * `later`: it may go next time. `told-to-wait`: GitHub said when, and it is no fault of the delivery. `refused`: GitHub
   * will not, though what it has just been told of may only not be there yet. `unreadable`: its payload is none, or
   * lacks what is read. `unexpected`: a fault of ours.
   */
  readonly kind: 'later' | 'told-to-wait' | 'refused' | 'unreadable' | 'unexpected';
  /** Something could not be kept or read, which says nothing of the delivery, whatever the kind. */
  readonly about?: 'store';
  /** Our own words, printable, for a log and for `deliveries show`. */
  readonly why: string;
  /** Milliseconds GitHub asked to wait at least. */
  readonly retryAfter: number | null;
}

const of = (kind: Failure['kind'], error: Error, retryAfter: number | null = null): Failure => ({
  kind,
  why: printable(error.message, 500),
  retryAfter,
});

/**
 * A file that others keep busy, and a disk that fails: so is told, too, that a quota is used up, or that there is no room
 * for the index of the log. Whatever else a store could not do may lie in what it was given, and would never end.
 */
const TROUBLE = /\(SQLITE_(?:BUSY|LOCKED|IOERR)\w*\)$/;

const isTrouble = (error: StoreError): boolean => error.kind !== 'failed' || TROUBLE.test(error.message);

/** Failures of several effects as one: all that the store's trouble kept from being done are done once that is over. */
const together = (error: PerformError): Failure => {
  const failures = error.failed.map((one) => failureOfWork(one.error));
  const waits = failures.flatMap(({ retryAfter }) => (retryAfter === null ? [] : [retryAfter]));
  const limited = failures.every(({ kind }) => kind === 'told-to-wait' || kind === 'refused');
  const failure = of(
    limited ? 'told-to-wait' : 'later',
    error,
    waits.length === 0 ? null : Math.max(...waits),
  );
  const ofStore = failures.find(({ about }) => about === 'store');
  return ofStore === undefined ? failure : { ...failure, about: 'store', why: ofStore.why };
};

export function failureOfWork(error: unknown): Failure {
  if (error instanceof RequestFailure) {
    if (error.failure === 'rate-limit') return of('told-to-wait', error, error.retryAfter);
    // Not signed in: that is about a key or a token that ended early, never about the delivery.
    return of(error.transient || error.status === 401 ? 'later' : 'refused', error, error.retryAfter);
  }
  if (error instanceof PerformError) {
    return error.retryable ? together(error) : of('refused', error);
  }
  if (error instanceof PutOff)
    return of(error.retryAfter === null ? 'later' : 'told-to-wait', error, error.retryAfter);
  if (error instanceof GitHubError) return of('later', error);
  if (error instanceof UnreadPayload) return of('unreadable', error);
  if (error instanceof StoreError && isTrouble(error)) return { ...of('unexpected', error), about: 'store' };
  // Whatever else was thrown may hold somebody's text: its kind alone is kept.
  const name = error instanceof Error ? error.name : typeof error;
  return {
    kind: 'unexpected',
    why: `a fault of this program (${printable(name, 60)}); the log has more`,
    retryAfter: null,
  };
}

/**
 * Tries before a delivery is left to a person. GitHub failing for about two hours is waited out; and two minutes of 404
 * or 422, since its API lags behind its webhooks.
 */
const TRIES = { later: 18, refused: 7, unreadable: 1, unexpected: 4 } as const;

const FIRST_MS = 2_000;
/** Milliseconds. */
export const LONGEST_MS = 10 * 60_000;

/** Whether a failure counts towards those after which a delivery is left to a person. */
export const counts = ({ kind, about }: Failure): boolean => about === undefined && kind !== 'told-to-wait';

const FIRST_OF_STORE_MS = 5_000;
/** A person who made room should see it used while they still look. */
const LONGEST_OF_STORE_MS = 2 * 60_000;

/** Milliseconds until the store is tried again that failed `inARow` times before: from 5 s to 2 min, and they differ a little. */
export const storeWait = (inARow: number, random: number): number =>
  Math.round(Math.min(LONGEST_OF_STORE_MS, FIRST_OF_STORE_MS * 2 ** inARow) * (0.5 + random / 2));

/**
 * What follows a failure: the next try, with waits that double from 2 s to 10 min and differ a little, never before
 * GitHub allows it; or nothing more. `attempts`: failures before this one; being told to wait and trouble of the store
 * count as none. `inARow`: how often in a row the store had failed it; where nobody has counted, it waits its longest.
 */
export function nextTry(
  failure: Failure,
  attempts: number,
  random: number,
  inARow = Number.POSITIVE_INFINITY,
):
  | { readonly kind: 'retry'; readonly attempts: number; readonly wait: number }
  | { readonly kind: 'bury'; readonly attempts: number } {
  if (failure.about === 'store') {
    const wait = Math.max(storeWait(inARow, random), failure.retryAfter ?? 0);
    return { kind: 'retry', attempts, wait };
  }
  if (failure.kind === 'told-to-wait') {
    const wait = (failure.retryAfter ?? 60_000) + 1_000 * random;
    return { kind: 'retry', attempts, wait: Math.round(wait) };
  }
  const failed = attempts + 1;
  if (failed >= TRIES[failure.kind]) return { kind: 'bury', attempts: failed };
  const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempts) * (0.5 + random / 2);
  return { kind: 'retry', attempts: failed, wait: Math.round(Math.max(wait, failure.retryAfter ?? 0)) };
}
