import { GitHubError } from './facts.js';

/**
 * `network`: no answer came. `server`: 5xx. `malformed`: an answer without a field that is needed. After these three a
 * write may or may not have been done. `rate-limit` and `refused`: GitHub did not do it.
 */
export type FailureKind = 'network' | 'server' | 'malformed' | 'rate-limit' | 'refused';

/** Refusals that GitHub tells apart only by the sentence it answers; `too-long` is our own, of a list without end. */
export type Known = 'empty-repository' | 'already-exists' | 'no-such-commit' | 'too-long';

/** How a request failed, without its body, headers or token. */
export class RequestFailure extends GitHubError {
  constructor(
    request: string,
    status: number,
    hint: string,
    readonly failure: FailureKind,
    readonly known: Known | null = null,
    /** Milliseconds GitHub asks to wait; null: it does not say. */
    readonly retryAfter: number | null = null,
  ) {
    super(request, status, hint);
    this.name = 'GitHubError';
  }

  /** Asking again later may succeed. */
  get transient(): boolean {
    return this.failure !== 'refused';
  }

  /** A write that failed like this may have been done all the same. */
  get ambiguous(): boolean {
    return this.failure === 'network' || this.failure === 'server' || this.failure === 'malformed';
  }
}

const KNOWN: readonly (readonly [RegExp, Known])[] = [
  [/repository is empty/i, 'empty-repository'],
  [/reference already exists/i, 'already-exists'],
  [/no commit found|object does not exist|not a valid sha|bad object/i, 'no-such-commit'],
];

interface HttpError {
  readonly status: number;
  readonly response?: {
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly data?: unknown;
  };
}

const isHttpError = (error: unknown): error is Error & HttpError =>
  error instanceof Error && 'status' in error && typeof error.status === 'number';

const messageOf = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'message' in data && typeof data.message === 'string'
    ? data.message
    : '';

/** A permission list as GitHub sends it (`contents=write; pull_requests=write`), or null for anything else. */
const permissionsOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[a-z_]+=[a-z]+(?:[;,] ?[a-z_]+=[a-z]+)*$/.test(value) ? value : null;

const refusalHint = (status: number, headers: Readonly<Record<string, unknown>>): string => {
  const permissions = permissionsOf(headers['x-accepted-github-permissions']);
  switch (status) {
    case 401:
      return 'the App could not sign in: check its id, its private key and that it is still installed';
    case 403:
      return permissions === null
        ? 'refused: check the permissions the installation has accepted'
        : `refused: the endpoint accepts ${permissions}; check the permissions the installation has accepted`;
    case 404:
      return 'not there, or not visible to this App';
    case 409:
      return 'in conflict with what is there';
    case 410:
      return 'gone, or switched off in this repository';
    case 422:
      return 'GitHub finds the request invalid';
    default:
      return 'not done';
  }
};

/** Milliseconds to wait by `retry-after` (seconds) or, when the budget is spent, by `x-ratelimit-reset` (epoch seconds). */
const waitOf = (headers: Readonly<Record<string, unknown>>, now: number): number | null => {
  const after = Number(headers['retry-after'] ?? Number.NaN);
  if (Number.isFinite(after) && after >= 0) return after * 1000;
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN);
  return headers['x-ratelimit-remaining'] === '0' && Number.isFinite(reset)
    ? Math.max(0, reset * 1000 - now) + 1000
    : null;
};

/**
 * What went wrong with `request` (method and path, no query), from whatever Octokit threw. An error that is not about
 * a request (a fault of ours) is thrown on as it is.
 */
export const failureOf = (error: unknown, request: string, now: number): RequestFailure => {
  if (error instanceof RequestFailure) return error;
  if (!isHttpError(error)) {
    if (error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name))
      return new RequestFailure(request, 0, 'no answer in time', 'network');
    throw error;
  }
  const { status, response } = error;
  // Octokit gives 500 to a request that never got an answer; only the missing response tells them apart.
  if (response === undefined) return new RequestFailure(request, 0, 'no answer came', 'network');
  const headers = response.headers ?? {};
  const message = messageOf(response.data);
  const wait = waitOf(headers, now);
  if (status >= 500) return new RequestFailure(request, status, 'GitHub is failing', 'server', null, wait);
  const limited = status === 429 || (status === 403 && (wait !== null || /rate limit/i.test(message)));
  if (limited)
    return new RequestFailure(request, status, 'over a rate limit for now', 'rate-limit', null, wait);
  const known = KNOWN.find(([pattern]) => pattern.test(message))?.[1] ?? null;
  return new RequestFailure(request, status, refusalHint(status, headers), 'refused', known);
};
