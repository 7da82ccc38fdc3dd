import type { Account } from '../acts/act.js';
import type { Permission, ReviewFact } from './facts.js';

const RANK: Readonly<Record<Permission, number>> = {
  none: 0,
  read: 1,
  triage: 2,
  write: 3,
  maintain: 4,
  admin: 5,
};

/** Whether a permission is at least another: `atLeast('maintain', 'write')`. */
export const atLeast = (has: Permission, needs: Permission): boolean => RANK[has] >= RANK[needs];

/**
 * The review of each reviewer that stands: the latest one that approved, asked for changes or was dismissed. A
 * comment changes nothing, as on GitHub. Oldest first, so that a list of approvers does not reorder itself.
 */
export function standingReviews(reviews: readonly ReviewFact[]): readonly ReviewFact[] {
  const latest = new Map<number, ReviewFact>();
  const ordered = [...reviews].sort((a, b) => a.at.localeCompare(b.at) || a.id - b.id);
  for (const review of ordered) {
    if (review.state === 'commented' || review.state === 'pending') continue;
    latest.delete(review.by.id);
    latest.set(review.by.id, review);
  }
  return [...latest.values()];
}

/** Logins whose permission a decision over these reviews needs: users whose review stands, whoever they are. */
export function reviewersToLookUp(reviews: readonly ReviewFact[]): readonly Account[] {
  return standingReviews(reviews)
    .map(({ by }) => by)
    .filter(({ type }) => type === 'User');
}
