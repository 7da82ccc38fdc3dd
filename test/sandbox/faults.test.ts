import { afterEach, describe, expect, test } from '@jest/globals';
import { createBudgets } from '../../src/sandbox/faults/budgets.js';
import { FAULTS, type FaultKind, type FaultOptions } from '../../src/sandbox/faults/draw.js';
import { serveSandbox } from '../../src/sandbox/http/serve.js';
import type { SandboxOptions } from '../../src/sandbox/sandbox.js';
import { appJwt } from './app-key.js';
import { sandboxOf } from './cases.js';

const ISSUES = '/repos/acme/widgets/issues';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

type Over = 'in the process' | 'over HTTP';
const BOTH: readonly (readonly [Over])[] = [['in the process'], ['over HTTP']];

const failing = async (faults: Partial<FaultOptions>, over: Over, more: Partial<SandboxOptions> = {}) => {
  const made = sandboxOf({ faults: { seed: 1, share: 1, ...faults }, ...more });
  const { sandbox, now, setTime } = made;
  let url = 'https://api.github.com';
  if (over === 'over HTTP') {
    const served = await serveSandbox(sandbox);
    closing.push(() => served.close());
    ({ url } = served);
  }
  const fetch = over === 'over HTTP' ? globalThis.fetch : sandbox.fetch;
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${url}${path}`, init);
  const open = async (title = 't', init: RequestInit = {}): Promise<Response> =>
    ask(ISSUES, { method: 'POST', body: JSON.stringify({ title }), ...init });
  const wait = (ms: number): void => setTime(now() + ms);
  return { ...made, ask, open, wait, made: () => sandbox.written.length };
};

const only = (...kinds: FaultKind[]): Partial<FaultOptions> => ({ kinds });

describe.each(BOTH)('a request that fails, %s', (over) => {
  test.each([
    ['server-error', 500],
    ['bad-gateway', 502],
  ] as const)('%s -> %i, and nothing was done', async (kind, status) => {
    const { open, made } = await failing(only(kind), over);
    expect((await open()).status).toBe(status);
    expect(made()).toBe(0);
  });
  test('bad-gateway-after -> 502, and it was done', async () => {
    const { open, made } = await failing(only('bad-gateway-after'), over);
    expect((await open()).status).toBe(502);
    expect(made()).toBe(1);
  });
  test('reset -> no answer; some of them were done', async () => {
    const { sandbox, open, made } = await failing(only('reset'), over);
    for (let count = 0; count < 12; count += 1) {
      await expect(open(`t${count}`)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    }
    expect(made()).toBeGreaterThan(0);
    expect(made()).toBeLessThan(12);
    expect(sandbox.requests.every((row) => row.status === 0 && row.fault === 'reset')).toBe(true);
  });
  test('time-out -> no answer until the client gives up', async () => {
    const { open } = await failing(only('time-out'), over);
    const start = performance.now();
    const client = new AbortController();
    setTimeout(() => client.abort(new DOMException('too long', 'TimeoutError')), 80);
    await expect(open('t', { signal: client.signal })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(performance.now() - start).toBeGreaterThanOrEqual(75);
  });
  test('time-out with a patient client -> a reset in the end', async () => {
    const { open } = await failing({ ...only('time-out'), hang: 50 }, over);
    await expect(open()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  });
});

describe.each(BOTH)('told to wait, %s', (over) => {
  const TABLE = [
    ['primary', 403, { 'x-ratelimit-remaining': '0', 'retry-after': null }, 'API rate limit exceeded'],
    ['secondary', 403, { 'x-ratelimit-remaining': '4999', 'retry-after': '2' }, 'secondary rate limit'],
    [
      'secondary-unsaid',
      403,
      { 'x-ratelimit-remaining': '4999', 'retry-after': null },
      'secondary rate limit',
    ],
    ['too-many', 429, { 'x-ratelimit-remaining': '4999', 'retry-after': '2' }, 'secondary rate limit'],
  ] as const;

  test.each(TABLE)('%s -> %i, as GitHub says it', async (kind, status, headers, message) => {
    const { open, now } = await failing({ ...only(kind), wait: [2, 2] }, over);
    const answer = await open();
    expect(answer.status).toBe(status);
    for (const [name, value] of Object.entries(headers))
      expect([name, answer.headers.get(name)]).toEqual([name, value]);
    if (kind === 'primary') expect(Number(answer.headers.get('x-ratelimit-reset'))).toBe(now() / 1_000 + 2);
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining(message) });
  });
  test('who waits as long as was said goes on; who does not is refused and noted', async () => {
    const { sandbox, open, wait } = await failing(
      { kinds: ['secondary'], wait: [2, 2], grace: 0, share: 1, only: (line) => line.startsWith('POST') },
      over,
    );
    await open();
    wait(1_999);
    const early = await open();
    expect([early.status, early.headers.get('retry-after')]).toEqual([403, '1']);
    expect(sandbox.impatient).toEqual([
      {
        request: `POST ${ISSUES}`,
        identity: 'nobody',
        kind: 'secondary',
        at: Date.parse('2026-11-30T09:00:01.999Z'),
        toldAt: Date.parse('2026-11-30T09:00:00Z'),
        until: Date.parse('2026-11-30T09:00:02Z'),
      },
    ]);
    wait(1);
    await open();
    expect(sandbox.impatient).toHaveLength(1);
    expect(sandbox.requests.map((row) => row.fault)).toEqual(['secondary', 'told-to-wait', 'secondary']);
  });
  test('a secondary limit that says nothing lasts a minute', async () => {
    const { sandbox, ask, open, wait } = await failing(
      { kinds: ['secondary-unsaid'], grace: 0, only: (line) => line.startsWith('POST') },
      over,
    );
    await open();
    wait(59_999);
    expect((await ask(ISSUES)).status).toBe(403);
    wait(1);
    expect((await ask(ISSUES)).status).toBe(200);
    expect(sandbox.impatient.map((row) => row.request)).toEqual([`GET ${ISSUES}`]);
  });
  test('what was on its way already when the answer came is refused, and not held against anybody', async () => {
    const { sandbox, open } = await failing({ ...only('too-many'), grace: 5_000 }, over);
    const statuses = await Promise.all([open('a'), open('b'), open('c')]);
    expect(statuses.map((answer) => answer.status)).toEqual([429, 429, 429]);
    expect(sandbox.impatient).toEqual([]);
  });
  test('it counts for that identity alone: one installation, or the App, but not both', async () => {
    const { sandbox, ask, open, now } = await failing(
      { kinds: ['secondary'], grace: 0, only: (line) => line.startsWith(`POST ${ISSUES}`) },
      over,
    );
    const app = { authorization: `Bearer ${appJwt(now())}` };
    const mint = async (): Promise<Record<string, string>> => {
      const answer = await ask('/app/installations/424242/access_tokens', { method: 'POST', headers: app });
      return { authorization: `token ${((await answer.json()) as { token: string }).token}` };
    };
    const first = await mint();
    const second = await mint();
    await open('t', { headers: first });
    expect((await ask(ISSUES, { headers: second })).status).toBe(403);
    expect((await ask('/app', { headers: app })).status).toBe(200);
    expect((await ask(ISSUES)).status).toBe(200);
    expect(sandbox.impatient.map((row) => row.identity)).toEqual(['installation:424242']);
  });
  test('a primary limit of REST leaves GraphQL alone, a secondary one does not; /rate_limit always answers', async () => {
    const graphql = { method: 'POST', body: JSON.stringify({ query: 'query { viewer { login } }' }) };
    for (const [kind, status] of [
      ['primary', 200],
      ['secondary', 403],
    ] as const) {
      const { ask, open } = await failing(
        { kinds: [kind], only: (line) => line.startsWith(`POST ${ISSUES}`) },
        over,
      );
      await open();
      expect({ kind, status: (await ask('/graphql', graphql)).status }).toEqual({ kind, status });
      expect((await ask('/rate_limit')).status).toBe(200);
      expect((await ask(ISSUES)).status).toBe(403);
    }
  });
});

describe('faults by their seed', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `/repos/acme/widgets/issues/${index}`);
  const met = async (seed: number, paths: readonly string[]): Promise<Readonly<Record<string, string>>> => {
    const { sandbox, ask } = await failing(
      { seed, share: 0.5, kinds: ['server-error', 'bad-gateway', 'bad-gateway-after'] },
      'in the process',
    );
    for (const path of paths) await ask(path);
    return Object.fromEntries(sandbox.requests.map((row) => [row.request, String(row.fault)]));
  };

  test('are the same for the same seed, in whatever order the requests come', async () => {
    expect(await met(3, [...lines].reverse())).toEqual(await met(3, lines));
  });
  test('are others for another seed', async () => {
    expect(await met(4, lines)).not.toEqual(await met(3, lines));
  });
  test('are about the share that was asked for, of every kind', async () => {
    const { sandbox, ask, wait } = await failing({ seed: 5, share: 0.2, hang: 1 }, 'in the process');
    for (let count = 0; count < 1_000; count += 1) {
      await ask(ISSUES).catch(() => undefined);
      wait(61_000);
    }
    const failed = sandbox.requests.filter((row) => row.fault !== null);
    expect(failed.length).toBeGreaterThan(150);
    expect(failed.length).toBeLessThan(250);
    expect(new Set(failed.map((row) => row.fault))).toEqual(new Set(FAULTS));
    expect(sandbox.impatient).toEqual([]);
  });
  test('nothing fails where nothing was said', async () => {
    const { sandbox } = sandboxOf();
    for (let count = 0; count < 50; count += 1) await sandbox.fetch(`https://api.github.com${ISSUES}`);
    expect(sandbox.requests.every((row) => row.status !== 500 && row.fault === null)).toBe(true);
  });
});

describe('a case that makes GitHub fail after it did what was asked', () => {
  test('done: true -> the answer fails, the issue is there', async () => {
    const fail = [{ request: `POST ${ISSUES}`, status: 502, times: 1, done: true }];
    const { sandbox } = sandboxOf({ world: { fail } });
    const init = { method: 'POST', body: JSON.stringify({ title: 'once' }) };
    expect((await sandbox.fetch(`https://api.github.com${ISSUES}`, init)).status).toBe(502);
    const listed = (await (await sandbox.fetch(`https://api.github.com${ISSUES}`)).json()) as {
      title: string;
    }[];
    expect(listed.map(({ title }) => title)).toEqual(['once']);
  });
});

describe('the log of requests', () => {
  test('keeps at least as many as were asked for, and not many more', async () => {
    const { sandbox } = sandboxOf({ keep: 10 });
    for (let count = 0; count < 100; count += 1)
      await sandbox.fetch(`https://api.github.com${ISSUES}/${count}`);
    expect(sandbox.requests.length).toBeGreaterThanOrEqual(10);
    expect(sandbox.requests.length).toBeLessThanOrEqual(20);
    expect(sandbox.requests.at(-1)?.request).toBe(`GET ${ISSUES}/99`);
  });
});

describe('a limit by the hour', () => {
  test('once it is used up: 403 until the hour is over, and coming again is impatient', async () => {
    const { sandbox, ask, wait } = await failing({ share: 0, grace: 0 }, 'in the process', { rateLimit: 3 });
    const left: (string | null)[] = [];
    for (let count = 0; count < 3; count += 1)
      left.push((await ask(ISSUES)).headers.get('x-ratelimit-remaining'));
    expect(left).toEqual(['2', '1', '0']);
    wait(60_000);
    const refused = await ask(ISSUES);
    expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([403, '0']);
    expect(Number(refused.headers.get('x-ratelimit-reset'))).toBe(Date.parse('2026-11-30T10:00:00Z') / 1_000);
    expect((await ask(ISSUES)).status).toBe(403);
    expect(sandbox.impatient).toHaveLength(1);
    wait(59 * 60_000);
    expect((await ask(ISSUES)).status).toBe(200);
  });
  test('what did not change costs nothing, nor does asking what is left', async () => {
    const { ask } = await failing({ share: 0 }, 'in the process', { rateLimit: 2 });
    const etag = (await ask(ISSUES)).headers.get('etag') ?? '';
    for (let count = 0; count < 3; count += 1) {
      expect((await ask(ISSUES, { headers: { 'if-none-match': etag } })).status).toBe(304);
    }
    const { rate } = (await (await ask('/rate_limit')).json()) as { rate: Record<string, number> };
    expect(rate).toMatchObject({ limit: 2, used: 1, remaining: 1 });
  });
  test('none was given -> the answers speak of 5,000 an hour, and nobody is ever over it', () => {
    let now = 0;
    const budgets = createBudgets({ now: () => now }, undefined);
    for (let count = 0; count < 4_999; count += 1) budgets.spend('nobody', 'core');
    expect(budgets.of('nobody', 'core')).toMatchObject({ remaining: 1, reset: 3_600_000 });
    expect(budgets.of('installation:1', 'core').remaining).toBe(5_000);
    expect(budgets.of('nobody', 'graphql').remaining).toBe(5_000);
    now = 1_800_000;
    budgets.spend('nobody', 'core');
    expect(budgets.spent('nobody', 'core')).toBe(false);
    expect(budgets.of('nobody', 'core')).toMatchObject({ remaining: 5_000, reset: 5_400_000 });
  });
});
