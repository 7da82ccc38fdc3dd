import { z } from 'zod';
import { LONGEST_WAIT } from './limits.js';

/** GitHub counts REST and GraphQL apart; a secondary limit stops both. */
export type Bucket = 'core' | 'graphql';

/** The value of a header by its lower-case name; null: it is not there. */
export type Header = (name: string) => string | null;

/** The budget of an hour as an answer tells it. */
export interface Budget {
  readonly bucket: Bucket;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until it is filled again, above 0 and no more than LONGEST_WAIT. */
  readonly resetIn: number;
}

/** What an answer says about further requests. */
export interface Told {
  /** Milliseconds in which nothing more may be asked, no more than LONGEST_WAIT; `unsaid`: it says to wait, and not how long. */
  readonly hold: number | 'unsaid' | null;
  readonly budget: Budget | null;
}

/** GitHub's own sentences. Of GraphQL only what begins with them counts: the rest of its messages may hold anybody's text. */
const LIMITED = /^(?:you have exceeded|you have triggered an abuse|api rate limit)/i;
export const isLimit = (message: string): boolean => LIMITED.test(message);
const SECONDARY = /secondary rate limit|abuse detection/i;

const within = (least: number, wait: number): number => Math.min(Math.max(least, wait), LONGEST_WAIT);

/** `retry-after` is in seconds, or a date as HTTP allows it. */
const holdOf = (value: string | null, now: number): number | null => {
  if (value === null || value.trim() === '') return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return within(0, seconds * 1_000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : within(0, date - now);
};

const numberOf = (value: string | null): number | null =>
  value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null;

/** By GitHub's own clock where it names the time: ours may differ. */
const resetIn = (reset: number, header: Header, now: number): number => {
  const date = Date.parse(header('date') ?? '');
  // Both are told in whole seconds.
  const wait = Number.isNaN(date) ? reset * 1_000 - now + 1_000 : reset * 1_000 - date;
  return within(1_000, wait);
};

const budgetOf = (header: Header, bucket: Bucket, now: number): Budget | null => {
  const remaining = numberOf(header('x-ratelimit-remaining'));
  const reset = numberOf(header('x-ratelimit-reset'));
  if (remaining === null || reset === null) return null;
  const named = header('x-ratelimit-resource');
  return {
    bucket: named === 'graphql' || (named === null && bucket === 'graphql') ? 'graphql' : 'core',
    limit: numberOf(header('x-ratelimit-limit')) ?? remaining,
    remaining,
    resetIn: resetIn(reset, header, now),
  };
};

/**
 * Reads the limits out of an answer: `retry-after` of a refusal, the budget of any answer, and the sentences by which
 * GitHub tells a secondary limit that names no time. `message` is what the body of a refusal says (`messageIn`).
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export const toldBy = (
  status: number,
  header: Header,
  message: string,
  bucket: Bucket,
  now: number,
): Told => {
  // A token that is not accepted is counted as nobody's: those numbers are not this identity's.
  if (status === 401) return { hold: null, budget: null };
  const budget = budgetOf(header, bucket, now);
  const mayLimit = status >= 400 || bucket === 'graphql';
  const said = mayLimit ? holdOf(header('retry-after'), now) : null;
  if (said !== null) return { hold: said, budget };
  const spent = budget?.remaining === 0;
  // GraphQL answers 200 to what it refuses.
  const limited = status === 429 || ((status === 403 || bucket === 'graphql') && isLimit(message));
  const unsaid = limited && (!spent || SECONDARY.test(message));
  return { hold: unsaid ? 'unsaid' : null, budget };
};

/** Milliseconds an answer asks to wait at least; null: it does not say. */
export const waitOf = ({ hold, budget }: Told): number | null => {
  const spent = budget?.remaining === 0 ? budget.resetIn : null;
  if (typeof hold === 'number') return Math.max(hold, spent ?? 0);
  return spent;
};

const refusal = z.object({ message: z.string() });
const graphqlRefusal = z.object({
  errors: z.array(z.object({ type: z.string().optional().catch(undefined), message: z.string().catch('') })),
});

/** What a refusal says of itself, in REST's form or in GraphQL's; empty where it says nothing. */
export const messageIn = (body: unknown): string => {
  const rest = refusal.safeParse(body);
  if (rest.success) return rest.data.message;
  const [first] = graphqlRefusal.safeParse(body).data?.errors ?? [];
  return first?.type === 'RATE_LIMITED' ? 'API rate limit exceeded' : (first?.message ?? '');
};
