import { z } from 'zod';
import { type Mutation, type ReadEndpoint, weightOf, type WriteEndpoint } from './endpoints.js';
import type { EtagCache, Kept } from './etag-cache.js';
import { failureOf, RequestFailure } from './failure.js';
import { PATIENCE, type Gates } from './gate.js';
import type { Lane } from './lane.js';
import { mutationFailureOf } from './mutation-failure.js';
import { type GitHubOctokit, prepare, REQUEST_TIMEOUT } from './octokit.js';
import { encodePath, nextQuery, pagesOf, pathOf } from './url.js';

export interface ClientDeps {
  readonly octokit: GitHubOctokit;
  /** Whose eyes the answers are for (`installation:42`): no identity is ever given an answer kept for another. */
  readonly identity: string;
  /** As whom an installation's token is asked for: `app:777`. */
  readonly appIdentity: string;
  /** The way out, shared by all clients of a process. */
  readonly gates: Gates;
  /** Who its requests go before. */
  readonly lane: Lane;
  readonly cache: EtagCache;
  /** Milliseconds an answer may take; REQUEST_TIMEOUT where it is left out. */
  readonly timeout?: number;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
}

export type Parameters = Readonly<Record<string, unknown>>;

/**
 * `once`: one attempt; the caller looks whether it was done before it tries again.
 * `repeatable`: doing it twice is doing it once (PATCH, a cancel), so it is tried again like a read.
 */
export type Repeat = 'once' | 'repeatable';

/** GitHub as one installation sees it. Every method throws RequestFailure, a GitHubError, and nothing else. */
export interface Client {
  readonly lane: Lane;
  /** The same client in another lane. */
  inLane(lane: Lane): Client;
  /** `forever`: the answer can never change (a commit, a tree, a blob by its sha), so it is not asked for twice. */
  get<T>(
    route: ReadEndpoint,
    parameters: Parameters,
    shape: z.ZodType<T>,
    keep?: 'revalidate' | 'forever',
  ): Promise<T>;
  /**
   * All pages of a list, in GitHub's order. `within`: the key that holds the list where it is not the whole answer.
   * A list of more than `maxPages` pages of 100 is refused as `too-long`, after the first page.
   */
  list<T>(
    route: ReadEndpoint,
    parameters: Parameters,
    item: z.ZodType<T>,
    within?: string,
    maxPages?: number,
  ): Promise<T[]>;
  /** One page of a list, and the parameters that ask for the next: lists by cursor are read page by page. */
  page<T>(
    route: ReadEndpoint,
    parameters: Parameters,
    item: z.ZodType<T>,
    within?: string,
  ): Promise<{ readonly items: T[]; readonly next: Readonly<Record<string, string>> | null }>;
  write<T>(route: WriteEndpoint, parameters: Parameters, shape: z.ZodType<T>, repeat: Repeat): Promise<T>;
  /** One GraphQL mutation with its input; answers what stands under the mutation's name. */
  mutate<T>(
    mutation: Mutation,
    input: Parameters,
    select: string,
    shape: z.ZodType<T>,
    repeat: Repeat,
  ): Promise<T>;
  /**
   * Waits as long as the failure and the number of the attempt (from 1) ask for. False: that is longer than a request
   * may hold up the work, which is better put off.
   */
  pause(failure: RequestFailure, attempt: number): Promise<boolean>;
}

const ATTEMPTS = 4;
/** Milliseconds before the second try; it doubles. Four tries of a GitHub that fails take less than four seconds. */
const FIRST_WAIT = 500;
const PER_PAGE = 100;
const PAGES_AT_ONCE = 4;
/** 40,000 items: no list a repository's owner would read is that long. */
const MAX_PAGES = 400;

interface Answer {
  readonly json: unknown;
  readonly link: string | null;
}

const INPUT_TYPES: Readonly<Record<Mutation, string>> = {
  disablePullRequestAutoMerge: 'DisablePullRequestAutoMergeInput!',
  dequeuePullRequest: 'DequeuePullRequestInput!',
  revertPullRequest: 'RevertPullRequestInput!',
};

const checked = <T>(shape: z.ZodType<T>, json: unknown, request: string): T => {
  const result = shape.safeParse(json);
  if (result.success) return result.data;
  const field = result.error.issues[0]?.path.map(String).join('.') ?? '';
  throw new RequestFailure(
    request,
    200,
    field === ''
      ? 'its answer has another shape than expected'
      : `its answer lacks ${field}, or has it in another shape`,
    'malformed',
  );
};

/** The items of one page, which may stand under a key of the answer. */
const itemsOf = <T>(item: z.ZodType<T>, within: string | undefined, json: unknown, request: string): T[] => {
  const list =
    within === undefined
      ? json
      : checked(z.object({ [within]: z.array(z.unknown()) }), json, request)[within];
  const shape: z.ZodType<T[]> = z.array(item);
  return checked(shape, list, request);
};

/** A client for one installation (or one token). Reads are tried four times, with waits that grow; refusals are not. */
export const createClient = (deps: ClientDeps): Client => {
  const { octokit, identity, appIdentity, gates, lane, cache, now, sleep, random } = deps;
  prepare(octokit, { gates, identity, appIdentity, timeout: deps.timeout ?? REQUEST_TIMEOUT });

  const pause = async ({ failure, retryAfter }: RequestFailure, attempt: number): Promise<boolean> => {
    // What GitHub names is waited for at the gate.
    if (retryAfter !== null) return retryAfter <= PATIENCE;
    if (failure === 'rate-limit') return false;
    await sleep(Math.round(FIRST_WAIT * 2 ** (attempt - 1) * (0.5 + random() / 2)));
    return true;
  };

  const persistently = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof RequestFailure) || !error.transient || error.failure === 'malformed')
          throw error;
        if (attempt === ATTEMPTS || !(await pause(error, attempt))) throw error;
      }
    }
  };

  const located = (route: string, parameters: Parameters) => {
    let filled = route;
    const others: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(parameters)) {
      // Octokit would write a slash in a path or a ref as %2F.
      const slashed = (name === 'path' || name === 'ref') && typeof value === 'string';
      if (slashed && filled.includes(`{${name}}`))
        filled = filled.replace(`{${name}}`, () => encodePath(value));
      else others[name] = value;
    }
    const { method, url } = octokit.request.endpoint(filled, others);
    return { route: filled, parameters: others, url, request: `${method} ${pathOf(url)}` };
  };

  const read = async (route: ReadEndpoint, parameters: Parameters, keep: 'revalidate' | 'forever') => {
    const at = located(route, parameters);
    const key = `${identity} ${at.url}`;
    const kept = cache.get(key);
    const again = (old: Kept): Answer => ({ json: JSON.parse(old.json) as unknown, link: old.link });
    if (keep === 'forever' && kept !== undefined) return { ...again(kept), request: at.request };
    const answer = await persistently(async (): Promise<Answer> => {
      try {
        const response = await octokit.request(at.route, {
          ...at.parameters,
          headers: kept?.etag ? { 'if-none-match': kept.etag } : {},
          request: { retries: 0, lane, weight: 'read' },
        });
        const json: unknown = response.data;
        const link = response.headers.link ?? null;
        const etag = response.headers.etag ?? null;
        if (response.status === 200 && typeof json === 'object' && (etag !== null || keep === 'forever'))
          cache.set(key, { etag, json: JSON.stringify(json), link });
        return { json, link };
      } catch (error) {
        const notModified = error instanceof Error && 'status' in error && error.status === 304;
        if (notModified && kept !== undefined) return again(kept);
        throw failureOf(error, at.request, now());
      }
    });
    return { ...answer, request: at.request };
  };

  const client: Client = {
    lane,
    inLane: (other) => (other === lane ? client : createClient({ ...deps, lane: other })),
    pause,

    async get(route, parameters, shape, keep = 'revalidate') {
      const { json, request } = await read(route, parameters, keep);
      return checked(shape, json, request);
    },

    async list<T>(
      route: ReadEndpoint,
      parameters: Parameters,
      item: z.ZodType<T>,
      within?: string,
      maxPages: number = MAX_PAGES,
    ) {
      const page = async (number: number) => {
        const asked = { ...parameters, per_page: PER_PAGE, ...(number > 1 ? { page: number } : {}) };
        const { json, link, request } = await read(route, asked, 'revalidate');
        return { items: itemsOf(item, within, json, request), link, request };
      };
      const first = await page(1);
      const items = [...first.items];
      let { link } = first;
      let pagesRead = 1;
      for (;;) {
        const { next, last } = pagesOf(link);
        if (next === null || next <= pagesRead) return items;
        const until = Math.max(last ?? next, next);
        if (until > maxPages)
          throw new RequestFailure(
            first.request,
            200,
            `a list of more than ${maxPages} pages`,
            'refused',
            'too-long',
          );
        while (pagesRead < until) {
          const count = Math.min(PAGES_AT_ONCE, until - pagesRead);
          const from = pagesRead + 1;
          const pages = await Promise.all(Array.from({ length: count }, (_, index) => page(from + index)));
          for (const one of pages) items.push(...one.items);
          link = pages.at(-1)?.link ?? null;
          pagesRead += count;
        }
      }
    },

    async page(route, parameters, item, within) {
      const asked = { per_page: PER_PAGE, ...parameters };
      const { json, link, request } = await read(route, asked, 'revalidate');
      return { items: itemsOf(item, within, json, request), next: nextQuery(link) };
    },

    async write(route, parameters, shape, repeat) {
      const at = located(route, parameters);
      const attempt = async () => {
        try {
          const request = { retries: 0, lane, weight: weightOf(route) };
          const response = await octokit.request(at.route, { ...at.parameters, request });
          return response.data as unknown;
        } catch (error) {
          throw failureOf(error, at.request, now());
        }
      };
      return checked(shape, await (repeat === 'once' ? attempt() : persistently(attempt)), at.request);
    },

    async mutate(mutation, input, select, shape, repeat) {
      const name = `POST /graphql ${mutation}`;
      const query = `mutation($input: ${INPUT_TYPES[mutation]}) { ${mutation}(input: $input) { ${select} } }`;
      const attempt = async (): Promise<unknown> => {
        try {
          const request = { retries: 0, lane, weight: weightOf(mutation) };
          return await octokit.graphql(query, { input, request });
        } catch (error) {
          const at = now();
          throw mutationFailureOf(error, name, at) ?? failureOf(error, name, at);
        }
      };
      const answer = await (repeat === 'once' ? attempt() : persistently(attempt));
      return checked(z.object({ [mutation]: shape }), answer, name)[mutation] as z.infer<typeof shape>;
    },
  };
  return client;
};
