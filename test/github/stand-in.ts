import { Octokit } from '@octokit/core';
import type { Repository } from '../../src/acts/act.js';
import { createClient, type Client } from '../../src/github/client.js';
import { createEtagCache, type EtagCache } from '../../src/github/etag-cache.js';
import { openGates } from './open-gates.js';

/** One request as it went out. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler = (sent: Sent) => Reply | Error;

export const REPOSITORY: Repository = {
  id: 1,
  owner: 'acme',
  ownerType: 'Organization',
  name: 'widgets',
  defaultBranch: 'main',
  private: false,
};

export const BOT = { id: 777001, login: 'agent-policy[bot]', type: 'Bot' };

/**
 * A GitHub that answers what a test says, under a real Octokit: `METHOD /path` → handler. A request nobody expects
 * is answered 418 and so fails the test that made it.
 */
export const standIn = (
  handlers: Readonly<Record<string, Handler>>,
  options: { readonly cache?: EtagCache; readonly identity?: string; readonly random?: () => number } = {},
) => {
  const sent: Sent[] = [];
  const slept: number[] = [];
  const clock = { value: Date.parse('2026-11-30T09:00:00Z') };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input));
    const headers = new Headers(init?.headers);
    const one: Sent = {
      method: init?.method ?? 'GET',
      path: decodeURI(url.pathname),
      query: Object.fromEntries(url.searchParams),
      headers,
      body: typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
    };
    sent.push(one);
    const handler: Handler = handlers[`${one.method} ${one.path}`] ?? (() => ({ status: 418 }));
    const reply = handler(one);
    if (reply instanceof Error) throw reply;
    const status = reply.status ?? 200;
    const none = status === 204 || status === 304;
    return new Response(none ? null : JSON.stringify(reply.body ?? {}), {
      status,
      headers: { 'content-type': 'application/json; charset=utf-8', ...reply.headers },
    });
  };
  const octokit = new Octokit({ request: { fetch }, auth: 'secret-token' });
  const sleep = async (ms: number): Promise<void> => {
    slept.push(ms);
    clock.value += ms;
  };
  const gates = openGates({ now: () => clock.value, sleep });
  /** How each request went out: `words POST /repos/…`. */
  const lanes: string[] = [];
  const client: Client = createClient({
    octokit,
    identity: options.identity ?? 'installation:1',
    appIdentity: 'app:777',
    gates: {
      of: (identity) => ({
        ...gates.of(identity),
        pass: (ticket, send) => {
          lanes.push(`${ticket.lane} ${ticket.weight} ${ticket.request}`);
          return gates.of(identity).pass(ticket, send);
        },
      }),
    },
    lane: 'people',
    cache: options.cache ?? createEtagCache(),
    now: () => clock.value,
    sleep,
    random: options.random ?? (() => 0.5),
  });
  const requests = (): string[] => sent.map(({ method, path }) => `${method} ${path}`);
  return { client, octokit, sent, lanes, slept, clock, requests, fetch };
};

/** A handler that answers one reply after another, and the last one for ever. */
export const inTurn = (...replies: readonly (Reply | Error)[]): Handler => {
  let turn = 0;
  return () => replies[Math.min(turn++, replies.length - 1)] ?? {};
};

/** A handler for a list, in pages with `Link` headers as GitHub sends them. */
export const paged =
  (list: () => readonly unknown[], wrap: (page: readonly unknown[]) => unknown = (page) => page): Handler =>
  ({ path, query }) => {
    const size = Number(query.per_page ?? 30);
    const page = Number(query.page ?? 1);
    const all = list();
    const last = Math.max(1, Math.ceil(all.length / size));
    const to = (number: number, rel: string) =>
      `<https://api.github.com${path}?per_page=${size}&page=${number}>; rel="${rel}"`;
    const link = page < last ? [to(page + 1, 'next'), to(last, 'last')] : [];
    return {
      body: wrap(all.slice((page - 1) * size, page * size)),
      headers: link.length > 0 ? { link: link.join(', ') } : {},
    };
  };

export const user = (login: string, id: number) => ({ id, login, type: 'User' });

/** A PR as GitHub answers it, as far as it is read. */
export const rawPull = (number: number, over: Readonly<Record<string, unknown>> = {}) => ({
  number,
  node_id: `PR_${number}`,
  state: 'open',
  draft: false,
  merged_at: null,
  merge_commit_sha: 'feed'.repeat(10),
  user: user('rae', 13),
  title: `PR ${number}`,
  body: null,
  labels: [{ name: 'docs' }],
  head: { ref: 'topic', sha: 'a'.repeat(40), repo: { id: 1, full_name: 'acme/widgets' } },
  base: { ref: 'main', sha: 'b'.repeat(40), repo: { id: 1, full_name: 'acme/widgets' } },
  auto_merge: null,
  created_at: '2026-11-30T08:00:00Z',
  updated_at: '2026-11-30T08:30:00Z',
  ...over,
});
