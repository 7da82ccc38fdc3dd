import { describe, expect, test } from '@jest/globals';
import { Octokit } from '@octokit/core';
import { z } from 'zod';
import { createClient } from '../../src/github/client.js';
import { createEtagCache } from '../../src/github/etag-cache.js';
import { RequestFailure } from '../../src/github/failure.js';
import { prepare } from '../../src/github/octokit.js';
import { openGates } from './open-gates.js';
import { inTurn, paged, standIn, type Reply } from './stand-in.js';

const REPO = { owner: 'acme', repo: 'widgets' };
const PULL = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
const PULL_1 = 'GET /repos/acme/widgets/pulls/1';
const COMMENTS = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
const COMMENTS_1 = 'POST /repos/acme/widgets/issues/1/comments';
const numbered = z.object({ number: z.number() });

const failureOf = async (promise: Promise<unknown>): Promise<RequestFailure> => {
  const error: unknown = await promise.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RequestFailure)) throw error;
  return error;
};

const SECONDARY = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
const PRIMARY = 'API rate limit exceeded for installation ID 42.';
const spentUntil = (time: string) => ({
  'x-ratelimit-limit': '5000',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': String(Date.parse(time) / 1000),
});

const network = () => Object.assign(new TypeError('fetch failed'), { cause: new Error('ECONNRESET') });

describe('every request', () => {
  test('names the API version, reads and writes and mutations alike', async () => {
    const hub = standIn({
      [PULL_1]: () => ({ body: { number: 1 } }),
      [COMMENTS_1]: () => ({ status: 201, body: {} }),
      'POST /graphql': () => ({ body: { data: { dequeuePullRequest: { clientMutationId: null } } } }),
    });
    await hub.client.get(PULL, { ...REPO, pull_number: 1 }, numbered);
    await hub.client.write(COMMENTS, { ...REPO, issue_number: 1, body: 'x' }, z.unknown(), 'once');
    await hub.client.mutate('dequeuePullRequest', { id: 'PR_1' }, 'clientMutationId', z.unknown(), 'once');
    expect(hub.sent.map(({ headers }) => headers.get('x-github-api-version'))).toEqual([
      '2022-11-28',
      '2022-11-28',
      '2022-11-28',
    ]);
  });

  test('is prepared once, however often the Octokit is prepared', async () => {
    let hooks = 0;
    const octokit = new Octokit();
    const before = octokit.hook.before.bind(octokit.hook);
    const counted = Object.assign(octokit.hook, {
      before: (...args: Parameters<typeof before>) => {
        hooks += 1;
        before(...args);
      },
    });
    expect(counted).toBe(octokit.hook);
    const passage = { gates: openGates(), identity: 'x', appIdentity: 'app:777', timeout: 1 };
    prepare(octokit, passage);
    prepare(octokit, passage);
    expect(hooks).toBe(1);
  });

  test('is given up when no answer comes in time', async () => {
    const hanging: typeof globalThis.fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        // Keeps the process alive while nothing else does: the limit's own timer does not.
        const alive = setTimeout(() => undefined, 5000);
        init?.signal?.addEventListener('abort', () => {
          clearTimeout(alive);
          reject(init.signal?.reason as Error);
        });
      });
    const octokit = new Octokit({ request: { fetch: hanging } });
    const client = createClient({
      octokit,
      timeout: 20,
      identity: 'x',
      appIdentity: 'app:777',
      gates: openGates(),
      lane: 'people',
      cache: createEtagCache(),
      now: () => 0,
      sleep: async () => undefined,
      random: () => 0,
    });
    const failure = await failureOf(
      client.write(COMMENTS, { ...REPO, issue_number: 1, body: 'x' }, z.unknown(), 'once'),
    );
    expect([failure.status, failure.failure, failure.ambiguous]).toEqual([0, 'network', true]);
  });
});

describe('what GitHub answered before', () => {
  const withEtag = (body: unknown) =>
    ((sent) =>
      sent.headers.get('if-none-match') === '"v1"'
        ? { status: 304 }
        : { body, headers: { etag: '"v1"' } }) satisfies (sent: { headers: Headers }) => Reply;

  test('is asked about with its ETag, and 304 gives the answer kept', async () => {
    const hub = standIn({ [PULL_1]: withEtag({ number: 1 }) });
    const first = await hub.client.get(PULL, { ...REPO, pull_number: 1 }, numbered);
    const second = await hub.client.get(PULL, { ...REPO, pull_number: 1 }, numbered);
    expect(second).toEqual(first);
    expect(hub.sent.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"v1"']);
  });

  test('is not shared between installations', async () => {
    const cache = createEtagCache();
    const one = standIn({ [PULL_1]: withEtag({ number: 1 }) }, { cache, identity: 'installation:1' });
    const two = standIn({ [PULL_1]: withEtag({ number: 2 }) }, { cache, identity: 'installation:2' });
    await one.client.get(PULL, { ...REPO, pull_number: 1 }, numbered);
    const seen = await two.client.get(PULL, { ...REPO, pull_number: 1 }, numbered);
    expect(seen).toEqual({ number: 2 });
    expect(two.sent[0]?.headers.get('if-none-match')).toBeNull();
  });

  test('cannot be changed by who reads it', async () => {
    const hub = standIn({ [PULL_1]: withEtag({ number: 1, labels: ['a'] }) });
    const shape = z.looseObject({ labels: z.array(z.string()) });
    const first = await hub.client.get(PULL, { ...REPO, pull_number: 1 }, shape);
    first.labels.push('b');
    const second = await hub.client.get(PULL, { ...REPO, pull_number: 1 }, shape);
    expect(second.labels).toEqual(['a']);
  });

  test('is not asked for again where it can never change', async () => {
    const hub = standIn({
      'GET /repos/acme/widgets/git/commits/abc': () => ({ body: { tree: { sha: 't' } } }),
    });
    const ask = () =>
      hub.client.get(
        'GET /repos/{owner}/{repo}/git/commits/{commit_sha}',
        { ...REPO, commit_sha: 'abc' },
        z.object({ tree: z.object({ sha: z.string() }) }),
        'forever',
      );
    expect([await ask(), await ask()]).toEqual([{ tree: { sha: 't' } }, { tree: { sha: 't' } }]);
    expect(hub.sent).toHaveLength(1);
  });

  test('is dropped, least recently used first, when there are too many or they are too big', () => {
    const cache = createEtagCache({ maxEntries: 2, maxBytes: 1600 });
    const kept = (json: string) => ({ etag: null, json, link: null });
    cache.set('a', kept('1'));
    cache.set('b', kept('2'));
    cache.get('a');
    cache.set('c', kept('3'));
    expect([cache.get('a')?.json, cache.get('b'), cache.get('c')?.json]).toEqual(['1', undefined, '3']);
    cache.set('d', kept('x'.repeat(200)));
    expect(cache.get('d')).toBeUndefined();
    const small = createEtagCache({ maxEntries: 100, maxBytes: 1600 });
    for (let index = 0; index < 20; index += 1) small.set(`k${index}`, kept('y'.repeat(90)));
    expect(small.bytes).toBeLessThanOrEqual(1600);
    expect(small.get('k19')).toBeDefined();
    expect(small.get('k0')).toBeUndefined();
    expect(cache.entries).toBe(2);
  });
});

describe('a read that fails', () => {
  const three = (reply: Reply | Error) => inTurn(reply, reply, reply, { body: { number: 1 } });
  test.each([
    ['502 three times -> the fourth answer', three({ status: 502 }), [375, 750, 1500]],
    ['no connection three times -> the fourth answer', three(network()), [375, 750, 1500]],
    [
      '429 that asks for two seconds -> waits them',
      inTurn({ status: 429, headers: { 'retry-after': '2' } }, { body: { number: 1 } }),
      [2000],
    ],
    [
      'a budget that is filled again in a second -> waits until it is',
      inTurn({ status: 403, headers: spentUntil('2026-11-30T09:00:01Z') }, { body: { number: 1 } }),
      [2000],
    ],
    [
      '503 that asks for a second -> waits it',
      inTurn({ status: 503, headers: { 'retry-after': '1' } }, { body: { number: 1 } }),
      [1000],
    ],
  ])('%s', async (_, handler, waits) => {
    const hub = standIn({ [PULL_1]: handler });
    expect(await hub.client.get(PULL, { ...REPO, pull_number: 1 }, numbered)).toEqual({ number: 1 });
    expect(hub.slept).toEqual(waits);
  });

  test.each([
    ['429 that asks for three seconds', { status: 429, headers: { 'retry-after': '3' } }, 429, 3_000],
    ['429 that names no time', { status: 429 }, 429, 60_000],
    ['a secondary limit that names no time', { status: 403, body: { message: SECONDARY } }, 403, 60_000],
    [
      'a secondary limit that does, whatever is left of the budget',
      {
        status: 403,
        body: { message: SECONDARY },
        headers: {
          ...spentUntil('2026-11-30T10:00:00Z'),
          'x-ratelimit-remaining': '4900',
          'retry-after': '60',
        },
      },
      403,
      60_000,
    ],
    [
      'a budget spent for half an hour',
      { status: 403, headers: spentUntil('2026-11-30T09:30:00Z'), body: { message: PRIMARY } },
      403,
      1_801_000,
    ],
    ['503 that asks for ten minutes', { status: 503, headers: { 'retry-after': '600' } }, 503, 600_000],
  ])('%s -> one try, and the wait is told', async (_, reply, status, retryAfter) => {
    const hub = standIn({ [PULL_1]: () => reply });
    const failure = await failureOf(hub.client.get(PULL, { ...REPO, pull_number: 1 }, numbered));
    expect([hub.sent.length, failure.status, failure.retryAfter]).toEqual([1, status, retryAfter]);
    expect(failure.failure).toBe(status === 503 ? 'server' : 'rate-limit');
    const again = await failureOf(hub.client.get(PULL, { ...REPO, pull_number: 1 }, numbered));
    expect([hub.sent.length, again.failure, again.retryAfter]).toEqual([1, 'rate-limit', retryAfter]);
    expect(again.message).toBe(
      'No answer to GET /repos/acme/widgets/pulls/1: not sent, since GitHub asks to wait',
    );
  });

  test.each([
    ['502 for ever -> four tries, then the failure', { status: 502 }, 4, 502, 'server'],
    ['no connection for ever -> four tries, then the failure', network(), 4, 0, 'network'],
    ['404 -> one try', { status: 404 }, 1, 404, 'refused'],
    ['401 -> one try', { status: 401 }, 1, 401, 'refused'],
    ['422 -> one try', { status: 422 }, 1, 422, 'refused'],
    ['403 without a limit -> one try', { status: 403 }, 1, 403, 'refused'],
    [
      'a limit that ends in an hour -> one try, and the wait is told',
      { status: 429, headers: { 'retry-after': '3600' } },
      1,
      429,
      'rate-limit',
    ],
    ['an answer without the field -> one try', { body: { title: 'x' } }, 1, 200, 'malformed'],
  ])('%s', async (_, reply: Reply | Error, tries, status, kind) => {
    const hub = standIn({ [PULL_1]: () => reply });
    const failure = await failureOf(hub.client.get(PULL, { ...REPO, pull_number: 1 }, numbered));
    expect([hub.sent.length, failure.status, failure.failure]).toEqual([tries, status, kind]);
  });

  test('says what was asked and which permission is missing, and holds no token and no body', async () => {
    const hub = standIn({
      [PULL_1]: () => ({
        status: 403,
        body: { message: 'Resource not accessible by integration, dear secret-body' },
        headers: { 'x-accepted-github-permissions': 'pull_requests=read' },
      }),
    });
    const failure = await failureOf(hub.client.get(PULL, { ...REPO, pull_number: 1 }, numbered));
    expect(failure.message).toBe(
      'GitHub answered 403 to GET /repos/acme/widgets/pulls/1: refused: the endpoint accepts pull_requests=read; check the permissions the installation has accepted',
    );
    expect(JSON.stringify(failure) + String(failure.stack)).not.toMatch(/secret-token|secret-body/);
  });

  test('that is a fault of ours and no answer is thrown on as it is', async () => {
    const fault = new SyntaxError('ours');
    const hub = standIn({});
    hub.octokit.hook.before('request', () => {
      throw fault;
    });
    await expect(hub.client.get(PULL, { ...REPO, pull_number: 1 }, numbered)).rejects.toBe(fault);
  });

  test('does not repeat a header that is no list of permissions', async () => {
    const hub = standIn({
      [PULL_1]: () => ({ status: 403, headers: { 'x-accepted-github-permissions': '<b>evil</b>' } }),
    });
    const failure = await failureOf(hub.client.get(PULL, { ...REPO, pull_number: 1 }, numbered));
    expect(failure.message).not.toContain('evil');
  });

  test('names the field that a needed answer lacks', async () => {
    const hub = standIn({ [PULL_1]: () => ({ body: { user: { id: 'x' } } }) });
    const failure = await failureOf(
      hub.client.get(PULL, { ...REPO, pull_number: 1 }, z.object({ user: z.object({ id: z.number() }) })),
    );
    expect(failure.hint).toBe('its answer lacks user.id, or has it in another shape');
  });
});

describe('a write', () => {
  const write = (hub: ReturnType<typeof standIn>, repeat: 'once' | 'repeatable') =>
    hub.client.write(COMMENTS, { ...REPO, issue_number: 1, body: 'x' }, z.unknown(), repeat);

  test('that creates something is tried once, whatever comes back', async () => {
    const hub = standIn({ [COMMENTS_1]: () => ({ status: 502 }) });
    const failure = await failureOf(write(hub, 'once'));
    expect([hub.sent.length, failure.ambiguous]).toEqual([1, true]);
  });

  test('that may be repeated is tried again after a 502', async () => {
    const hub = standIn({ [COMMENTS_1]: inTurn({ status: 502 }, { status: 200 }) });
    await write(hub, 'repeatable');
    expect(hub.sent).toHaveLength(2);
  });

  test('that was refused was not done', async () => {
    const hub = standIn({ [COMMENTS_1]: () => ({ status: 422 }) });
    expect((await failureOf(write(hub, 'repeatable'))).ambiguous).toBe(false);
    expect(hub.sent).toHaveLength(1);
  });
});

describe('a mutation', () => {
  const mutate = (reply: Reply) => {
    const hub = standIn({ 'POST /graphql': () => reply });
    return failureOf(
      hub.client.mutate('dequeuePullRequest', { id: 'PR_1' }, 'clientMutationId', z.unknown(), 'once'),
    );
  };
  test.each([
    ['UNPROCESSABLE', 422, 'refused'],
    ['NOT_FOUND', 404, 'refused'],
    ['FORBIDDEN', 403, 'refused'],
    ['RATE_LIMITED', 200, 'rate-limit'],
    [undefined, 200, 'server'],
  ])('answered with an error of type %s -> %d %s, without its text', async (type, status, kind) => {
    const failure = await mutate({ body: { data: null, errors: [{ type, message: 'a title of @evil' }] } });
    expect([failure.status, failure.failure]).toEqual([status, kind]);
    expect(failure.message).not.toContain('evil');
  });

  test('answered with 502 -> may have been done', async () => {
    expect((await mutate({ status: 502 })).ambiguous).toBe(true);
  });
});

describe('a list', () => {
  const item = z.object({ id: z.number() });
  const many = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
  const ROUTE = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
  const LIST = 'GET /repos/acme/widgets/issues/1/comments';

  test.each([
    [0, 1],
    [100, 1],
    [101, 2],
    [1234, 13],
  ])('of %d items takes %d requests and keeps their order', async (count, requests) => {
    const hub = standIn({ [LIST]: paged(() => many(count)) });
    const all = await hub.client.list(ROUTE, { ...REPO, issue_number: 1 }, item);
    expect(all).toEqual(many(count));
    expect(hub.sent).toHaveLength(requests);
    expect(new Set(hub.sent.map(({ query }) => query.per_page))).toEqual(new Set(['100']));
  });

  test('that grew while it was read is read to its new end', async () => {
    let size = 150;
    const hub = standIn({
      [LIST]: (sent) => {
        if (sent.query.page === '2') size = 250;
        return paged(() => many(size))(sent);
      },
    });
    expect(await hub.client.list(ROUTE, { ...REPO, issue_number: 1 }, item)).toHaveLength(250);
  });

  test('one page of which cannot be read is no list', async () => {
    const hub = standIn({
      [LIST]: (sent) => (sent.query.page === '3' ? { status: 502 } : paged(() => many(450))(sent)),
    });
    expect((await failureOf(hub.client.list(ROUTE, { ...REPO, issue_number: 1 }, item))).status).toBe(502);
  });

  test('inside of an answer is found by its key', async () => {
    const hub = standIn({
      'GET /repos/acme/widgets/commits/abc/check-runs': paged(
        () => many(101),
        (page) => ({ total_count: 101, check_runs: page }),
      ),
    });
    const runs = await hub.client.list(
      'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
      { ...REPO, ref: 'abc' },
      item,
      'check_runs',
    );
    expect(runs).toHaveLength(101);
  });
});
