import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { Probot } from 'probot';
import { z } from 'zod';
import { type Client, createClient } from '../../src/github/client.js';
import { createEtagCache } from '../../src/github/etag-cache.js';
import { RequestFailure } from '../../src/github/failure.js';
import { UnthrottledOctokit } from '../../src/github/unthrottled.js';
import { openGates } from './open-gates.js';
import type { Reply } from './stand-in.js';

const KEY = readFileSync(new URL('../fixtures/app-key.pem', import.meta.url), 'utf8');
const START = Date.parse('2026-11-30T09:00:00Z');

// Octokit shares a token request that is under way with every other Octokit of the process, by the installation's id.
let installations = 1000;

/** Clients of an App as Probot makes them, on a GitHub that answers what a test says. */
const onApp = async (replies: {
  readonly token?: (times: number) => Reply;
  readonly read?: (times: number) => Reply;
}) => {
  const clock = { now: START };
  const sent: { readonly request: string; readonly as: string; readonly version: string | null }[] = [];
  const times = { token: 0, read: 0 };
  const answer = ({ status = 200, body = {}, headers = {} }: Reply): Response =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    const { pathname } = new URL(String(input));
    const as = (headers.get('authorization') ?? '').startsWith('token ') ? 'installation' : 'app';
    sent.push({
      request: `${init?.method ?? 'GET'} ${pathname.replace(/\d{4,}/, 'N')}`,
      as,
      version: headers.get('x-github-api-version'),
    });
    if (pathname.endsWith('/access_tokens')) {
      const fresh: Reply = {
        status: 201,
        body: { token: 'ghs_1', expires_at: '2036-11-30T10:00:00Z', permissions: {} },
      };
      return answer(replies.token?.((times.token += 1)) ?? fresh);
    }
    return answer(replies.read?.((times.read += 1)) ?? { body: { number: 1, slug: 'agent-policy' } });
  };
  const probot = new Probot({
    appId: 777,
    privateKey: KEY,
    secret: 'secret',
    Octokit: UnthrottledOctokit,
    request: { fetch },
    log: pino({ level: 'silent' }),
  });
  await probot.ready();
  const sleep = async (ms: number): Promise<void> => {
    clock.now += ms;
  };
  const gates = openGates({ now: () => clock.now, sleep });
  const clientOf = async (installation: number | null): Promise<Client> =>
    createClient({
      octokit: installation === null ? await probot.auth() : await probot.auth(installation),
      identity: installation === null ? 'app:777' : `installation:${installation}`,
      appIdentity: 'app:777',
      gates,
      lane: 'people',
      cache: createEtagCache(),
      now: () => clock.now,
      sleep,
      random: () => 0.5,
    });
  installations += 2;
  return { clientOf, sent, clock, one: installations, two: installations + 1 };
};

const TOKEN = 'POST /app/installations/N/access_tokens';
const PULL = 'GET /repos/acme/widgets/pulls/1';
const read = (client: Client) =>
  client.get(
    'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    { owner: 'acme', repo: 'widgets', pull_number: 1 },
    z.object({ number: z.number() }),
  );
const failed = async (promise: Promise<unknown>): Promise<RequestFailure> => {
  const error: unknown = await promise.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RequestFailure)) throw error;
  return error;
};

describe('the token of an installation', () => {
  test('is asked for once, as the App, and every request names the API version', async () => {
    const { clientOf, sent, one } = await onApp({});
    await read(await clientOf(one));
    await read(await clientOf(one));
    expect(sent).toEqual([
      { request: TOKEN, as: 'app', version: '2022-11-28' },
      { request: PULL, as: 'installation', version: '2022-11-28' },
      { request: PULL, as: 'installation', version: '2022-11-28' },
    ]);
  });

  test('is not asked for while the App is told to wait', async () => {
    const { clientOf, sent, one } = await onApp({
      read: (times) => (times === 1 ? { status: 429, headers: { 'retry-after': '60' } } : {}),
    });
    const app = await clientOf(null);
    await failed(app.get('GET /app', {}, z.unknown()));
    const failure = await failed(read(await clientOf(one)));
    expect([failure.failure, failure.retryAfter]).toEqual(['rate-limit', 60_000]);
    expect(sent.map(({ request }) => request)).toEqual(['GET /app']);
  });

  test('over a limit, shuts the App’s way and no installation’s that has one', async () => {
    const { clientOf, sent, one, two, clock } = await onApp({
      token: (times) =>
        times === 2
          ? { status: 403, body: { message: 'You have exceeded a secondary rate limit.' } }
          : { status: 201, body: { token: 'ghs_1', expires_at: '2036-11-30T10:00:00Z', permissions: {} } },
    });
    await read(await clientOf(one));
    const failure = await failed(read(await clientOf(two)));
    expect([failure.failure, failure.retryAfter]).toEqual(['rate-limit', 60_000]);
    expect((await failed(read(await clientOf(two)))).retryAfter).toBe(60_000);
    const app = await clientOf(null);
    expect((await failed(app.get('GET /app', {}, z.unknown()))).retryAfter).toBe(60_000);
    await read(await clientOf(one));
    expect(sent.map(({ request }) => request)).toEqual([TOKEN, PULL, TOKEN, PULL]);
    clock.now += 60_000;
    await read(await clientOf(two));
    expect(sent.slice(4).map(({ request }) => request)).toEqual([TOKEN, PULL]);
  });

  test.each([404, 403, 401])('refused with %d is no answer to what was asked for', async (status) => {
    const { clientOf, one } = await onApp({ token: () => ({ status, body: { message: 'Not Found' } }) });
    const failure = await failed(read(await clientOf(one)));
    expect([failure.status, failure.failure, failure.transient]).toEqual([401, 'refused', false]);
  });

  test('that GitHub fails to give is asked for again', async () => {
    const { clientOf, sent, one } = await onApp({
      token: (times) =>
        times < 3
          ? { status: 502 }
          : { status: 201, body: { token: 'ghs_1', expires_at: '2036-11-30T10:00:00Z', permissions: {} } },
    });
    await read(await clientOf(one));
    expect(sent.map(({ request }) => request)).toEqual([TOKEN, TOKEN, TOKEN, PULL]);
  });
});

test('an installation told to wait does not hold up another, nor the App', async () => {
  const { clientOf, sent, one, two } = await onApp({
    read: (times) =>
      times === 1 ? { status: 429, headers: { 'retry-after': '60' } } : { body: { number: 1 } },
  });
  await failed(read(await clientOf(one)));
  expect((await failed(read(await clientOf(one)))).retryAfter).toBe(60_000);
  await read(await clientOf(two));
  expect(sent.map(({ request }) => request)).toEqual([TOKEN, PULL, TOKEN, PULL]);
});
