import { describe, expect, test } from '@jest/globals';
import {
  about,
  ASKED_FOR,
  changed,
  deliver,
  doctor,
  ENV,
  gitHub,
  HOOK_URL,
  type Fetch,
  type Json,
} from './doctor-harness.js';

describe('the webhook', () => {
  const PAGE = "on the App's settings page, under Webhook";
  test.each<[string, string, Record<string, string>, string]>([
    ['as it should be', HOOK_URL, {}, `ok: deliveries go to ${HOOK_URL}.`],
    [
      'another path',
      'https://policy.acme.example/hook?token=1',
      {},
      `fail: deliveries go to https://policy.acme.example/hook, and this server takes them at /api/github/webhooks. Make the webhook URL end in /api/github/webhooks ${PAGE}, or set WEBHOOK_PATH.`,
    ],
    [
      'a path that is set',
      'https://x.example/hook',
      { WEBHOOK_PATH: '/hook' },
      'ok: deliveries go to https://x.example/hook.',
    ],
    [
      'the example of app.yml',
      'https://agent-policy.example/api/github/webhooks',
      {},
      `fail: the webhook URL is still the example of app.yml. Set it to your host ${PAGE}.`,
    ],
    [
      'unencrypted',
      'http://x.example/api/github/webhooks',
      {},
      `warn: deliveries go to http://x.example/api/github/webhooks, unencrypted. Use https:// ${PAGE}.`,
    ],
    ['no URL', 'nonsense', {}, `fail: the webhook URL is no URL. Set it ${PAGE}.`],
    ['none', '', {}, `fail: no webhook URL is set: GitHub delivers nothing. Set it ${PAGE}.`],
    [
      'a channel, in development',
      'https://smee.io/channel-1',
      { WEBHOOK_PROXY_URL: 'https://smee.io/channel-1' },
      'ok: deliveries go to the channel of WEBHOOK_PROXY_URL.',
    ],
    [
      'another channel, whose name is not told',
      'https://smee.io/channel-2',
      { WEBHOOK_PROXY_URL: 'https://smee.io/channel-1' },
      `fail: deliveries go to https://smee.io/…, and WEBHOOK_PROXY_URL listens to another channel. Set the webhook URL to that channel ${PAGE}, or leave WEBHOOK_PROXY_URL out.`,
    ],
  ])('%s', async (_name, hookUrl, env, line) => {
    const fetch = changed(gitHub(hookUrl).fetch, ASKED_FOR);
    expect(about(await doctor({ fetch, env: { ...ENV, ...env } }), 'webhook')).toBe(line);
  });

  test.each<[string, Json, string]>([
    [
      'no secret',
      { secret: undefined },
      `fail: GitHub holds no webhook secret: no delivery is signed, and each is refused. Set the value of WEBHOOK_SECRET ${PAGE}.`,
    ],
    [
      'a form',
      { content_type: 'form' },
      'fail: deliveries do not come as application/json, and each is refused. Set content_type to json: PATCH /app/hook/config, or register the App with app.yml.',
    ],
    [
      'no verification',
      { insecure_ssl: '1' },
      `warn: GitHub does not verify the certificate of this server. Enable SSL verification ${PAGE}.`,
    ],
  ])('%s', async (_name, hook, line) => {
    const fetch = changed(gitHub().fetch, {
      ...ASKED_FOR,
      '/app/hook/config': (json: Json) => ({ ...json, ...hook }),
    });
    expect(about(await doctor({ fetch }), 'webhook')).toContain(line);
  });
});

describe('deliveries', () => {
  const OK = ['OK', 202] as const;
  const FAILED = ['Invalid HTTP Response: 503', 503] as const;
  const LATE = ['timed out', 0] as const;
  test.each<[string, readonly (readonly [string, number])[], RegExp]>([
    ['none', [], /^ok: GitHub's log of deliveries is empty\.$/],
    ['all taken', [OK, OK], /^ok: the newest 2 deliveries since .+ UTC were taken\.$/],
    [
      'some not',
      [OK, FAILED, LATE, FAILED],
      /^warn: of the newest 4 deliveries since .+ UTC, 3 were not taken: 2 × Invalid HTTP Response: 503 and 1 × timed out\. A running server asks for them again/,
    ],
    [
      'none taken',
      [FAILED],
      /^fail: the one delivery since .+ UTC was not taken: 1 × Invalid HTTP Response: 503\. See whether GitHub reaches this server/,
    ],
    ['more than a page', Array.from({ length: 250 }, () => OK), /^ok: the newest 250 deliveries/],
    ['more than is looked at', Array.from({ length: 400 }, () => OK), /^ok: the newest 300 deliveries/],
  ])('%s', async (_name, outcomes, line) => {
    const sandbox = gitHub();
    deliver(sandbox, outcomes);
    expect(about(await doctor({ fetch: changed(sandbox.fetch, ASKED_FOR) }), 'deliveries')).toMatch(line);
  });

  test('taken at a later attempt is taken', async () => {
    const sandbox = gitHub();
    deliver(sandbox, [FAILED]);
    const [failed] = sandbox.deliveries;
    if (failed === undefined) throw new Error('no delivery');
    const fetch = changed(sandbox.fetch, {
      ...ASKED_FOR,
      '/app/hook/deliveries': (rows: Json[]) => [
        { ...rows[0], id: 99, status: 'OK', status_code: 202 },
        ...rows,
      ],
    });
    expect(about(await doctor({ fetch }), 'deliveries')).toMatch(/^ok: the one delivery since/);
  });

  test('GitHub does not tell -> a failure of that alone', async () => {
    const sandbox = gitHub();
    const fetch: Fetch = async (input, init) =>
      String(input).includes('/app/hook/deliveries')
        ? new Response('{}', { status: 404, headers: { 'content-type': 'application/json' } })
        : changed(sandbox.fetch, ASKED_FOR)(input, init);
    const said = await doctor({ fetch });
    expect(said.status).toBe(1);
    expect(about(said, 'deliveries')).toMatch(/^fail: it cannot be looked at: GitHub answered 404/);
    expect(about(said, 'webhook')).toMatch(/^ok:/);
  });
});

describe('the clock', () => {
  test.each([
    [0, /^ok: this machine and GitHub are \d s apart\.$/],
    [25_000, /^ok: this machine and GitHub are 2\d s apart\.$/],
    [-25_000, /^ok: this machine and GitHub are 2\d s apart\.$/],
    [
      90_000,
      /^fail: the clock of this machine is (?:89|9\d) s ahead of GitHub's\. Let a time service set it/,
    ],
    [-600_000, /^fail: the clock of this machine is 10 min behind GitHub's\. Let a time service set it/],
  ])('%i ms ahead', async (ahead, line) => {
    const said = await doctor({ now: () => Date.now() + ahead });
    expect(about(said, 'clock')).toMatch(line);
    expect(said.status).toBe(Math.abs(ahead) > 30_000 ? 1 : 0);
  });

  test('no time told', async () => {
    const said = await doctor({ fetch: () => Promise.reject(new TypeError('fetch failed')) });
    expect(about(said, 'clock')).toBe('skip: no answer of GitHub told its time.');
  });
});
