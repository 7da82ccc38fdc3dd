import type { Client } from '../../github/client.js';
import { isLongAgo } from '../../github/left-until.js';

const HOUR = 60 * 60_000;
/** Sweeps take at most this share of what an identity has left when its hour begins. */
const SHARE = 0.3;
/** What GitHub gives an installation at least an hour; counted on where no answer has told. https://docs.github.com/apps/creating-github-apps/registering-a-github-app/rate-limits-for-github-apps */
const LEAST = 5_000;
const PER_PAGE = 100;

/** The sweep has had its share: it goes on where it was in the identity's next hour. */
export class BudgetSpent extends Error {
  constructor() {
    super('a sweep has had its share of the rate limit');
    this.name = 'BudgetSpent';
  }
}

export interface Budget {
  /** Takes one request, or throws BudgetSpent. */
  take(): void;
  /** Notes requests that were sent already. */
  note(requests: number): void;
}

/** The budget of an installation for this hour; null: of the App itself. */
export type Budgets = (installation: number | null) => Budget;

/**
 * One budget an identity and hour, whatever the number of ticks in it. `remaining` tells what an identity has left,
 * null: unknown. Within an hour that only falls: where it has risen, or is known no more, GitHub has begun another.
 */
export const hourlyBudgets = (
  remaining: (installation: number | null) => number | null,
  now: () => number,
): Budgets => {
  interface Hour {
    readonly since: number;
    readonly left: number | null;
    readonly budget: Budget;
  }
  const hours = new Map<number | null, Hour>();
  const isOver = ({ since, left }: Hour, seen: number | null): boolean =>
    isLongAgo(since, now(), HOUR) || (left !== null && (seen === null || seen > left));
  return (installation) => {
    const seen = remaining(installation);
    const known = hours.get(installation);
    const hour =
      known === undefined || isOver(known, seen)
        ? { since: now(), left: seen, budget: budgetOf(seen) }
        : { ...known, left: seen };
    hours.set(installation, hour);
    return hour.budget;
  };
};

/** `remaining`: requests the identity has left this hour; null: unknown. */
export const budgetOf = (remaining: number | null): Budget => {
  let left = Math.floor((remaining ?? LEAST) * SHARE);
  return {
    take() {
      if (left <= 0) throw new BudgetSpent();
      left -= 1;
    },
    note(requests) {
      left -= requests;
    },
  };
};

/** A client that asks no more than a budget allows. A list is begun with one and may take its further pages. */
export const within = (budget: Budget, client: Client): Client => ({
  ...client,
  inLane: (lane) => within(budget, client.inLane(lane)),
  get: (...asked) => {
    budget.take();
    return client.get(...asked);
  },
  page: (...asked) => {
    budget.take();
    return client.page(...asked);
  },
  list: async (...asked) => {
    budget.take();
    const items = await client.list(...asked);
    budget.note(Math.max(0, Math.ceil(items.length / PER_PAGE) - 1));
    return items;
  },
  write: (...asked) => {
    budget.take();
    return client.write(...asked);
  },
});
