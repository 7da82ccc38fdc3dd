import { GitHubError, type Read } from './facts.js';
import { type Bucket, messageIn, toldBy, waitOf } from './rate-limit.js';

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

/** Milliseconds a failure asks to wait at least; null: it does not say, or it is no failure of a request. */
export const retryAfterOf = (error: unknown): number | null =>
  error instanceof RequestFailure ? error.retryAfter : null;

/** The longest of several waits; null: none of them says. */
export const longestWait = (waits: readonly (number | null)[]): number | null =>
  waits.reduce((longest, wait) => (wait === null ? longest : Math.max(longest ?? 0, wait)), null);

/** A look-up that GitHub did not answer. Throws on what is no failure of a request. */
export const unreadable = (error: unknown): Extract<Read<never>, { kind: 'unreadable' }> => {
  if (!(error instanceof GitHubError)) throw error;
  const transient = error instanceof RequestFailure && error.transient;
  const retryAfter = retryAfterOf(error);
  return {
    kind: 'unreadable',
    why: error.message,
    transient,
    ...(retryAfter === null ? {} : { retryAfter }),
  };
};

const KNOWN: readonly (readonly [RegExp, Known])[] = [
  [/repository is empty/i, 'empty-repository'],
  [/reference already exists/i, 'already-exists'],
  [/no commit found|object does not exist|not a valid sha|bad object/i, 'no-such-commit'],
];

type Headers = Readonly<Record<string, unknown>>;

interface HttpError {
  readonly status: number;
  readonly request?: { readonly url?: unknown };
  readonly response?: { readonly headers?: Headers; readonly data?: unknown };
}

const isHttpError = (error: unknown): error is Error & HttpError =>
  error instanceof Error && 'status' in error && typeof error.status === 'number';

/** A permission list as GitHub sends it (`contents=write; pull_requests=write`), or null for anything else. */
const permissionsOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[a-z_]+=[a-z]+(?:[;,] ?[a-z_]+=[a-z]+)*$/.test(value) ? value : null;

const refusalHint = (status: number, headers: Headers): string => {
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

/** What an answer that Octokit threw tells about further requests: see `toldBy`. */
const toldIn = (status: number, headers: Headers, message: string, bucket: Bucket, now: number) =>
  toldBy(status, (name) => (typeof headers[name] === 'string' ? headers[name] : null), message, bucket, now);

/** Milliseconds that the headers of GraphQL's answer ask to wait; null: they do not. */
export const graphqlWait = (headers: unknown, now: number): number | null =>
  typeof headers === 'object' && headers !== null
    ? waitOf(toldIn(200, headers as Headers, '', 'graphql', now))
    : null;

/** Octokit asks for the installation's token inside of the first request that needs one, and throws its failure there. */
const isTokenRequest = (request: HttpError['request']): boolean =>
  typeof request?.url === 'string' && TOKEN_REQUEST.test(request.url);

export const TOKEN_REQUEST = /\/app\/installations\/[^/]+\/access_tokens$/;

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
  // The gate did not let it out; Octokit takes that for a network that failed.
  if (error.cause instanceof RequestFailure) return error.cause;
  const { status, response } = error;
  // Octokit gives 500 to a request that never got an answer; only the missing response tells them apart.
  if (response === undefined) return new RequestFailure(request, 0, 'no answer came', 'network');
  const headers = response.headers ?? {};
  const message = messageIn(response.data);
  const told = toldIn(status, headers, message, 'core', now);
  const wait = waitOf(told);
  if (status >= 500) return new RequestFailure(request, status, 'GitHub is failing', 'server', null, wait);
  const limited = status === 429 || (status === 403 && (told.hold !== null || wait !== null));
  if (limited)
    return new RequestFailure(request, status, 'over a rate limit for now', 'rate-limit', null, wait);
  // That there is no such installation says nothing about what was asked for.
  if (isTokenRequest(error.request))
    return new RequestFailure(request, 401, refusalHint(401, headers), 'refused');
  const known = KNOWN.find(([pattern]) => pattern.test(message))?.[1] ?? null;
  return new RequestFailure(request, status, refusalHint(status, headers), 'refused', known);
};
