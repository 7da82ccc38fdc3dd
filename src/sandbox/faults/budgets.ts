import type { Clock } from '../sandbox.js';
import type { Resource } from './told-to-wait.js';

/** What GitHub gives an installation at least. https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
const USUAL = 5_000;
const HOUR = 3_600_000;

/** What an identity has of one hour's requests. */
export interface Budget {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Milliseconds since 1970, a whole second: when the next hour begins. */
  readonly reset: number;
}

/** Counts each identity's requests by the hour, REST and GraphQL apart. */
export interface Budgets {
  of(identity: string, resource: Resource): Budget;
  /** Counts one request; gives what is left after it. */
  spend(identity: string, resource: Resource): Budget;
  /** Whether nothing is left and that counts: only where a limit was given. */
  spent(identity: string, resource: Resource): boolean;
}

/** Without a limit the answers speak of 5,000 an hour, and of another 5,000 once those are used. */
export const createBudgets = (clock: Clock, given: number | undefined): Budgets => {
  const limit = given ?? USUAL;
  const hours = new Map<string, { used: number; reset: number }>();

  const hourOf = (identity: string, resource: Resource): { used: number; reset: number } => {
    const key = `${resource} ${identity}`;
    const known = hours.get(key);
    const over = given === undefined && known !== undefined && known.used >= limit;
    if (known !== undefined && known.reset > clock.now() && !over) return known;
    const hour = { used: 0, reset: Math.ceil((clock.now() + HOUR) / 1_000) * 1_000 };
    hours.set(key, hour);
    return hour;
  };
  const of: Budgets['of'] = (identity, resource) => {
    const { used, reset } = hourOf(identity, resource);
    return { limit, used, remaining: Math.max(0, limit - used), reset };
  };

  return {
    of,
    spend: (identity, resource) => {
      hourOf(identity, resource).used += 1;
      return of(identity, resource);
    },
    spent: (identity, resource) => given !== undefined && hourOf(identity, resource).used >= limit,
  };
};
