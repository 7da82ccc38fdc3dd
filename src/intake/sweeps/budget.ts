import type { Client } from '../../github/client.js';

/** A sweep takes at most this share of what an identity has left when it starts. */
const SHARE = 0.3;
/** What GitHub gives an installation at least an hour; counted on where no answer has told. https://docs.github.com/apps/creating-github-apps/registering-a-github-app/rate-limits-for-github-apps */
const LEAST = 5_000;
const PER_PAGE = 100;

/** The sweep has had its share: it goes on at the next tick where it was. */
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

/** The budget of an installation; null: of the App itself. */
export type Budgets = (installation: number | null) => Budget;

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
