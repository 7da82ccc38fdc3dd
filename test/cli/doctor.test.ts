import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { SUPPORTED_NODE } from '../../src/cli/doctor-node.js';
import {
  about,
  doctor,
  ENV,
  gitHub,
  KEY,
  SECRET,
  type Fetch,
  type Json,
  type Surroundings,
} from './doctor-harness.js';
import { arrival, type Machine } from './machine.js';

/** A server that has served for a while: every sweep gone through, nothing left to do. */
const served = (machine: Machine): Promise<void> =>
  machine.serve(async (store) => {
    const at = Date.now() - 60_000;
    await store.inbox.accept(arrival(1));
    await store.inbox.done(1, '2026-11-30T09:01:01.000Z');
    await store.saveCursor(
      'sweep:runs',
      JSON.stringify({ deliveries: at, repositories: { begun: at, ended: at } }),
    );
  });

/** What differs from machine to machine and run to run. */
const settled = (out: string, folder: string): string =>
  out
    .replaceAll(folder, '/srv')
    .replace(/\d+(?:\.\d)? (?:KB|bytes)/g, 'SIZE')
    .replace(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC/g, 'TIME')
    .replace(/\d+ s apart/g, '0 s apart');

describe('doctor', () => {
  test('all is well -> a line each; no server runs beside it, which is told', async () => {
    const { status, out, err, folder } = await doctor({ prepare: served });
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(settled(out, folder)).toMatchInlineSnapshot(`
     "ok    node           Node 22.11.0.
     ok    settings       the settings hold.
     ok    credentials    GitHub knows the App: agent-policy (777).
     ok    permissions    the App has what app.yml lists, and nothing more.
     ok    installations  1 installation granted all of it.
     ok    webhook        deliveries go to https://policy.acme.example/api/github/webhooks.
     ok    deliveries     GitHub's log of deliveries is empty.
     ok    clock          this machine and GitHub are 0 s apart.
     ok    store          /srv/agent-policy.db opens: schema 2, SIZE on disk.
     warn  store          no server holds its lock: none runs on it. Start the server.
     ok    store          0 deliveries to be done.
     ok    sweeps         GitHub's log of deliveries: last gone through TIME.
     ok    sweeps         the repositories: last gone through TIME.
     0 failures, 1 warning
     "
    `);
  });

  test('--json: one object a line, one for each finding', async () => {
    const { status, out } = await doctor({ args: ['--json'], prepare: served });
    expect(status).toBe(0);
    const findings = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    expect(findings[0]).toEqual({ about: 'node', state: 'ok', what: 'Node 22.11.0', remedy: null });
    expect(new Set(findings.map((finding) => finding['about']))).toEqual(
      new Set([
        'node',
        'settings',
        'credentials',
        'permissions',
        'installations',
        'webhook',
        'deliveries',
        'clock',
        'store',
        'sweeps',
      ]),
    );
  });

  test('it changes nothing on GitHub, and asks as the App', async () => {
    const sandbox = gitHub();
    await doctor({ fetch: sandbox.fetch });
    expect(
      sandbox.requests.map(({ request, identity }) => `${identity} ${request.split('?')[0] ?? ''}`),
    ).toEqual([
      'app:777 GET /app',
      'app:777 GET /app/installations',
      'app:777 GET /app/hook/config',
      'app:777 GET /app/hook/deliveries',
    ]);
  });
});

describe('Node', () => {
  test('what it holds to is what package.json asks for', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
    expect(SUPPORTED_NODE).toBe(engines.node);
  });

  test.each([
    ['20.18.1', 'ok: Node 20.18.1.'],
    ['24.0.0', 'ok: Node 24.0.0.'],
    ['20.18.0', 'fail: Node 20.18.0 is not supported. Install one of ^20.18.1 || >=22.'],
    ['20.9.5', 'fail: Node 20.9.5 is not supported. Install one of ^20.18.1 || >=22.'],
    ['21.7.0', 'fail: Node 21.7.0 is not supported. Install one of ^20.18.1 || >=22.'],
    ['18.20.0', 'fail: Node 18.20.0 is not supported. Install one of ^20.18.1 || >=22.'],
  ])('%s -> %s', async (node, line) => {
    const said = await doctor({ node, env: {} });
    expect(about(said, 'node')).toBe(line);
  });
});

describe('settings', () => {
  test('that do not hold -> each told, GitHub not asked; 1', async () => {
    const said = await doctor({ env: { ...ENV, APP_ID: 'x', PORT: 'y', AGENT_POLICY_STORE: ':memory:' } });
    expect(said.status).toBe(1);
    expect(said.out.replaceAll(said.folder, '/srv')).toMatchInlineSnapshot(`
     "ok    node           Node 22.11.0.
     fail  settings       APP_ID is not a number. Set it to the number GitHub shows as App ID.
     fail  settings       PORT is not a number. Set it to a port from 0 to 65535, or leave it out (then: 3000).
     fail  settings       AGENT_POLICY_STORE is not a file: what is not stored is lost. Set it to the path of a file, or leave it out (then: ./agent-policy.db).
     skip  credentials    GitHub is not asked while the settings do not hold.
     skip  store          not looked at while it is not known which file it is.
     3 failures, 0 warnings, 2 not looked at
     "
    `);
  });

  test('.env cannot be read -> told, and nothing else is looked at; 1', async () => {
    const said = await doctor({ prepare: ({ folder }) => mkdirSync(join(folder, '.env')) });
    expect(said.status).toBe(1);
    expect(said.out.replaceAll(said.folder, '/srv')).toMatchInlineSnapshot(`
     "ok    node           Node 22.11.0.
     fail  settings       /srv/.env cannot be read (EISDIR). Run this as the user of the server, or give this user the right to read the file.
     skip  credentials    GitHub is not asked while the settings do not hold.
     skip  store          not looked at while it is not known which file it is.
     1 failure, 0 warnings, 2 not looked at
     "
    `);
  });

  test('a switch that keeps the App from its work is told', async () => {
    const env = { ...ENV, AGENT_POLICY_KILL_SWITCH: 'true', AGENT_POLICY_DRY_RUN: 'true' };
    const { out } = await doctor({ env });
    expect(out.split('\n').filter((line) => line.includes(' settings '))).toMatchInlineSnapshot(`
     [
       "ok    settings       the settings hold.",
       "warn  settings       AGENT_POLICY_KILL_SWITCH is on: no delivery is taken, and nothing is done. Remove it when the reason is gone; what GitHub sent meanwhile is asked for again.",
       "warn  settings       AGENT_POLICY_DRY_RUN is on: nothing is written to GitHub. Remove it to have checks, comments and issues.",
     ]
    `);
  });

  test('.env is read, as the server does', async () => {
    const said = await doctor({
      env: { PRIVATE_KEY: KEY },
      prepare: ({ folder }) => writeFileSync(join(folder, '.env'), `APP_ID=777\nWEBHOOK_SECRET=${SECRET}\n`),
    });
    expect(about(said, 'settings')).toBe('ok: the settings hold.');
  });
});

describe('credentials', () => {
  const answering =
    (status: number, headers: Record<string, string> = {}): Fetch =>
    async () =>
      new Response(JSON.stringify({ message: 'no' }), {
        status,
        headers: { 'content-type': 'application/json', ...headers },
      });

  const otherKey = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey;

  test.each<[string, Surroundings, string]>([
    [
      'another key',
      { env: { ...ENV, PRIVATE_KEY: otherKey } },
      "fail: GitHub refuses the App (401). See that PRIVATE_KEY is a key of the App APP_ID names, and that this machine's clock is right.",
    ],
    [
      'another App',
      { env: { ...ENV, APP_ID: '778' } },
      'fail: there is no App 778 at https://api.github.com. See APP_ID and GITHUB_API_URL.',
    ],
    [
      'nobody answers',
      { fetch: () => Promise.reject(new TypeError('fetch failed')) },
      'fail: GitHub does not answer at https://api.github.com. See GITHUB_API_URL, and that this machine reaches it.',
    ],
    [
      'GitHub is down',
      { fetch: answering(503) },
      'fail: GitHub answers 503 at https://api.github.com. Try again later.',
    ],
    [
      'over the rate limit',
      { fetch: answering(403, { 'retry-after': '30' }) },
      'fail: GitHub asks the App to wait. Try again in 30 s.',
    ],
    [
      'some other server',
      { fetch: async () => Response.json({ hello: 'world' }) },
      'fail: https://api.github.com answers, and not as GitHub does. See GITHUB_API_URL.',
    ],
  ])('%s -> %#', async (_name, surroundings, line) => {
    const said = await doctor(surroundings);
    expect(said.status).toBe(1);
    expect(about(said, 'credentials')).toBe(line);
    expect(about(said, 'webhook')).toBe('skip: not looked at, since GitHub does not let the App in.');
  });

  test('a server that was told to wait -> nothing is asked', async () => {
    const sandbox = gitHub();
    const said = await doctor({
      fetch: sandbox.fetch,
      prepare: (machine) =>
        machine.serve((store) =>
          store.saveCursor('told-to-wait:app:777', new Date(Date.now() + 600_000).toISOString()),
        ),
    });
    expect(about(said, 'credentials')).toMatch(
      /^fail: GitHub asks the App to wait\. Try again in (?:599|600) s\.$/,
    );
    expect(sandbox.requests).toEqual([]);
  });
});
