import type { Octokit } from '@octokit/core';
import { TOKEN_REQUEST } from './failure.js';
import type { Gates, Ticket } from './gate.js';
import { LANES } from './lane.js';
import { type Weight } from './limits.js';

/** What the App needs of an Octokit: Probot's, authenticated for one installation, or a bare one in tests. */
export type GitHubOctokit = Pick<Octokit, 'request' | 'graphql' | 'hook'>;

/**
 * 2026-03-10 takes `merge_commit_sha` out of every PR answer; 2022-11-28 is supported until 2028-03-10.
 * https://docs.github.com/rest/about-the-rest-api/breaking-changes
 */
export const API_VERSION = '2022-11-28';

/** Milliseconds after which a request without an answer is given up. Node's fetch alone waits five minutes. */
export const REQUEST_TIMEOUT = 30_000;

/** How the requests of one Octokit go out. */
export interface Passage {
  readonly gates: Gates;
  /** Whose requests they are: `installation:42`, `app:777`. */
  readonly identity: string;
  /** Whose an installation's token is asked as: `app:777`. */
  readonly appIdentity: string;
  /** Milliseconds an answer may take. */
  readonly timeout: number;
}

const prepared = new WeakSet<object>();

type Fetch = typeof globalThis.fetch;

const withTimeout =
  (fetch: Fetch, timeout: number): Fetch =>
  (input, init) => {
    // Not AbortSignal.timeout: nothing holds such a signal, and one that is collected ends no request.
    const limit = new AbortController();
    const late = (): void => limit.abort(new DOMException('No answer in time.', 'TimeoutError'));
    setTimeout(late, timeout).unref();
    const signal = init?.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal;
    return fetch(input, { ...init, signal });
  };

const WEIGHTS: readonly Weight[] = ['read', 'write', 'content'];

/** A request says with Octokit's own `request` options in which lane it goes and what it weighs. */
const ticketOf = (
  asked: { readonly lane?: unknown; readonly weight?: unknown },
  method: string,
  path: string,
): Ticket => ({
  lane: LANES.find((lane) => lane === asked.lane) ?? 'people',
  weight: WEIGHTS.find((weight) => weight === asked.weight) ?? (method === 'GET' ? 'read' : 'write'),
  bucket: path.endsWith('/graphql') ? 'graphql' : 'core',
  request: `${method} ${path}`,
});

/**
 * Stands around fetch itself: so nothing that Octokit does before (a token, a JWT) stands between the decision and the
 * sending, and the tries that Octokit makes by itself after a 401 pass as well.
 */
const throughGate =
  (fetch: Fetch, asked: object, { gates, identity, appIdentity }: Passage): Fetch =>
  (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const forToken = TOKEN_REQUEST.test(pathname);
    // Without a token nothing can be held, and it is asked for once an hour.
    const ticket = ticketOf(forToken ? { lane: 'hold' } : asked, init?.method ?? 'GET', pathname);
    return gates.of(forToken ? appIdentity : identity).pass(ticket, () => fetch(input, init));
  };

/**
 * Makes every request of this Octokit, reads and writes, name the API version, pass the gate of its identity and end
 * after a time. Octokit and Probot do none of it. Doing it twice is doing it once.
 */
export const prepare = (octokit: GitHubOctokit, passage: Passage): void => {
  if (prepared.has(octokit.hook)) return;
  prepared.add(octokit.hook);
  octokit.hook.before('request', (options) => {
    options.headers['x-github-api-version'] = API_VERSION;
    const fetch = withTimeout(options.request?.fetch ?? globalThis.fetch, passage.timeout);
    options.request = { ...options.request, fetch: throughGate(fetch, options.request ?? {}, passage) };
  });
};
