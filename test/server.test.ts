import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sign } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build, type Built } from './built.js';

const KEY = readFileSync(new URL('fixtures/app-key.pem', import.meta.url), 'utf8');
const SECRET = 'the-secret-of-the-hook';
const PREVIOUS = 'the-secret-before-it';

/** The tests' own app: what it does about a delivery is written in the payload. */
const APP = `
import { run } from './server.js';
const app = (probot, { addHandler, settings }) => {
  probot.onAny(async ({ name, payload }) => {
    if (payload.say === 'fail') throw new Error('the words of a payload: ' + payload.words);
    if (payload.say === 'wait') probot.log.info('app waits');
    if (payload.say === 'wait') await new Promise((resolve) => setTimeout(resolve, payload.for));
    if (payload.say === 'ask') {
      const octokit = await probot.auth();
      const { data } = await octokit.request('GET /app');
      probot.log.info('GitHub says this App is ' + data.slug);
    }
    probot.log.info({ payload }, 'app saw ' + name + ' at level ' + settings.operatorLevel);
  });
  addHandler((request, response) => {
    if (request.url !== '/extra') return false;
    response.writeHead(200).end('extra');
    return true;
  });
};
const stopped = new Promise((resolve) => process.once('SIGTERM', resolve));
const err = (text) => process.stderr.write(text);
const patience = Number(process.env.PATIENCE);
const given = { env: process.env, cwd: process.cwd(), err, stopped, loadApp: async () => app, patience };
process.exit(await run(given));
`;

/** Asks the process's own way in with several environments, in one process: to start one costs what a test may cost. */
const STARTS = `
import { run } from './server.js';
const answers = [];
for (const { env, cwd } of JSON.parse(process.argv[2])) {
  let said = '';
  const stopped = Promise.resolve('SIGTERM');
  const loadApp = async () => () => undefined;
  const code = await run({ env, cwd, err: (text) => (said += text), stopped, loadApp, patience: 0 });
  answers.push({ code, said });
}
process.stdout.write(JSON.stringify(answers));
process.exit(0);
`;

let built: Built;
let empty: string;
beforeAll(() => {
  built = build();
  empty = mkdtempSync(join(tmpdir(), 'agent-policy-server-'));
  writeFileSync(join(built.folder, 'dist', 'entry-of-test.js'), APP);
  writeFileSync(join(built.folder, 'dist', 'starts-of-test.js'), STARTS);
});
afterAll(() => {
  built.remove();
  rmSync(empty, { recursive: true, force: true });
});

interface Running {
  readonly child: ChildProcess;
  readonly output: { out: string; err: string };
  readonly exit: Promise<number | null>;
}

/** Starts a program with this environment and nothing else of ours. */
const start = (script: string, env: Record<string, string>, args: readonly string[] = []): Running => {
  const child = spawn(process.execPath, [join(built.folder, 'dist', script), ...args], {
    cwd: empty,
    env: { PATH: process.env['PATH'] ?? '', PATIENCE: '3000', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  return {
    child,
    output,
    exit: once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null)),
  };
};

const until = async (holds: () => boolean, within = 5_000): Promise<void> => {
  const end = Date.now() + within;
  while (!holds()) {
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

const portOf = async ({ child, output }: Running): Promise<number> => {
  await until(() => output.out.includes('listening on') || child.exitCode !== null);
  const [, port] = /listening on http:\/\/[^ ]+?:(\d+)/.exec(output.out) ?? [];
  if (port === undefined) throw new Error(`did not listen: ${output.out}${output.err}`);
  return Number(port);
};

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

const send = (
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const sent = httpRequest({ host: 'localhost', port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });

let deliveries = 0;
const deliver = async (
  port: number,
  body: string,
  { secret = SECRET, headers = {} }: { secret?: string; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  send(port, '/api/github/webhooks', {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'ping',
      'x-github-delivery': `d-${String((deliveries += 1))}`,
      'x-hub-signature-256': await sign(secret, body),
      ...headers,
    },
  });

const ENV = { APP_ID: '1001', PRIVATE_KEY: KEY, WEBHOOK_SECRET: SECRET, PORT: '0', LOG_FORMAT: 'json' };

describe('npm start', () => {
  const CREDENTIALS = { APP_ID: '1001', PRIVATE_KEY: KEY };

  test('without credentials -> says where to register the App and what to set; exit 1, no stack', async () => {
    const { output, exit } = start('server.js', {});
    expect(await exit).toBe(1);
    expect(output.err).toMatchInlineSnapshot(`
     "Agent Policy has no credentials yet, so it did not start.

       1. Register the App, with the permissions and events that app.yml lists:
          https://github.com/settings/apps/new
          (for an organization: https://github.com/organizations/YOUR-ORGANIZATION/settings/apps/new)
       2. Put its App ID, private key and webhook secret into the environment or into .env:
          cp .env.example .env
       3. Start again: npm start

     Still to be set:
       APP_ID is not set. Copy the App ID from the App's settings page.
       PRIVATE_KEY is not set, nor is PRIVATE_KEY_PATH. Generate a private key on the App's settings page and name its file in PRIVATE_KEY_PATH.
       WEBHOOK_SECRET is not set. Choose a long random text (\`openssl rand -hex 32\`) and set the same on the App's settings page.

     README.md walks through it; docs/configuration.md lists every variable.
     "
    `);
    expect(output.out).toBe('');
  });

  describe('with settings that do not hold', () => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-policy-env-'));
    const taken = createServer();
    const answers = new Map<string, { code: number; said: string }>();

    beforeAll(async () => {
      taken.listen(0, 'localhost');
      await once(taken, 'listening');
      const { port } = taken.address() as AddressInfo;
      writeFileSync(
        join(folder, '.env'),
        `APP_ID=1001\nPORT=not-a-port\nLOG_LEVEL=loud\nWEBHOOK_SECRET=x-x-x-x\n`,
      );
      const environments: Record<string, { env: Record<string, string>; cwd: string }> = {
        enterprise: { env: { GITHUB_API_URL: 'https://ghe.example/api/v3' }, cwd: empty },
        'no secret': { env: CREDENTIALS, cwd: empty },
        'known secret': { env: { ...CREDENTIALS, WEBHOOK_SECRET: 'development' }, cwd: empty },
        '.env': { env: { PRIVATE_KEY: KEY, PORT: '3000' }, cwd: folder },
        taken: { env: { ...CREDENTIALS, WEBHOOK_SECRET: SECRET, PORT: String(port) }, cwd: empty },
      };
      const { output, exit } = start('starts-of-test.js', {}, [JSON.stringify(Object.values(environments))]);
      expect(await exit).toBe(0);
      // Were anything else written to standard output, this would not be JSON.
      const said = JSON.parse(output.out) as { code: number; said: string }[];
      for (const [index, name] of Object.keys(environments).entries()) {
        const answer = said[index];
        if (answer !== undefined) answers.set(name, answer);
      }
    });
    afterAll(() => {
      taken.close();
      rmSync(folder, { recursive: true });
    });

    test('no credentials for an Enterprise Server -> the address of that server', () => {
      expect(answers.get('enterprise')).toEqual({
        code: 1,
        said: expect.stringContaining('https://ghe.example/settings/apps/new'),
      });
    });

    test('no webhook secret -> refuses to start; exit 1', () => {
      expect(answers.get('no secret')?.code).toBe(1);
      expect(answers.get('no secret')?.said).toMatchInlineSnapshot(`
       "Agent Policy did not start: its settings do not hold.

         WEBHOOK_SECRET is not set. Choose a long random text (\`openssl rand -hex 32\`) and set the same on the App's settings page.

       docs/configuration.md lists every variable.
       "
      `);
    });

    test('the secret everybody knows -> refuses to start; exit 1', () => {
      expect(answers.get('known secret')).toEqual({
        code: 1,
        said: expect.stringContaining('WEBHOOK_SECRET is "development", which anybody can sign with.'),
      });
    });

    test('.env is read, and a variable that is set wins over it', () => {
      const { code, said } = answers.get('.env') ?? {};
      expect(code).toBe(1);
      expect(said).toContain('LOG_LEVEL is not a level');
      expect(said).not.toContain('PORT');
      expect(said).not.toContain('APP_ID');
    });

    test('a port that is taken -> says which, and what to do; exit 1, no stack', () => {
      const { port } = taken.address() as AddressInfo;
      expect(answers.get('taken')).toEqual({
        code: 1,
        said: `Agent Policy did not start. Port ${String(port)} on localhost is in use already. Stop what uses it, or set PORT to another.\n`,
      });
    });
  });
});

describe('a server that runs', () => {
  let running: Running;
  let port: number;
  const asked: { path: string; authorization: string }[] = [];
  const github = createServer((request, response) => {
    asked.push({ path: request.url ?? '', authorization: request.headers.authorization ?? '' });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"slug":"agent-policy-test"}');
  });

  const logged = (text: string): Promise<void> => until(() => running.output.out.includes(text));

  /** Once a delivery that came after them is done, whatever the log says of earlier ones has been read. */
  const allLogged = async (): Promise<void> => {
    const id = `after-${String((deliveries += 1))}`;
    await deliver(port, '{}', { headers: { 'x-github-delivery': id } });
    await logged(`"delivery":"${id}"`);
  };

  beforeAll(async () => {
    github.listen(0, '127.0.0.1');
    await once(github, 'listening');
    running = start('entry-of-test.js', {
      ...ENV,
      WEBHOOK_SECRET_PREVIOUS: PREVIOUS,
      AGENT_POLICY_DEFAULT: 'none',
      LOG_LEVEL: 'trace',
      GITHUB_API_URL: `http://127.0.0.1:${String((github.address() as AddressInfo).port)}`,
    });
    port = await portOf(running);
  });
  afterAll(async () => {
    running.child.kill('SIGKILL');
    await running.exit;
    github.closeAllConnections();
    github.close();
  });

  test('a signed ping -> 200, and the app saw it with its settings', async () => {
    expect(await deliver(port, '{"zen":"Keep it logically awesome."}')).toMatchObject({
      status: 200,
      text: 'ok\n',
    });
    await logged('app saw ping at level none');
  });

  test('signed with the secret before -> 200 while it is rotated', async () => {
    expect(await deliver(port, '{}', { secret: PREVIOUS })).toMatchObject({ status: 200 });
  });

  test.each<[string, string, Record<string, string>, number]>([
    ['signed with another secret', 'another', {}, 401],
    ['signed with the secret everybody knows', 'development', {}, 401],
    ['not signed', SECRET, { 'x-hub-signature-256': '' }, 401],
    [
      'signed with SHA-1 only',
      SECRET,
      { 'x-hub-signature-256': 'sha1=0123456789012345678901234567890123456789' },
      401,
    ],
    ['without a delivery id', SECRET, { 'x-github-delivery': '' }, 400],
    ['with a delivery id that would write into the log', SECRET, { 'x-github-delivery': 'a b' }, 400],
    ['with an event name that is none', SECRET, { 'x-github-event': '__proto__.X' }, 400],
    ['as a form', SECRET, { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ])('%s -> refused, and the app saw nothing', async (_name, secret, headers, status) => {
    const named = { 'x-github-event': 'star', ...headers };
    const answer = await deliver(port, '{"words":"unverified-words"}', { secret, headers: named });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('unverified-words');
    await allLogged();
    expect(running.output.out).toContain('app saw ping');
    expect(running.output.out).not.toMatch(/app saw (?!ping)/);
    expect(running.output.out).not.toContain('unverified-words');
  });

  test('one byte of the body changed after signing -> 401', async () => {
    const headers = { 'x-hub-signature-256': await sign(SECRET, '{"a":1}') };
    expect(await deliver(port, '{"a":2}', { headers })).toMatchObject({ status: 401 });
  });

  test.each(['not json', '[]', 'null', '"text"'])('signed, but %s -> 400', async (body) => {
    expect(await deliver(port, body)).toMatchObject({ status: 400 });
  });

  test('announced above 25 MB -> 413 before it is read', async () => {
    const answer = await deliver(port, '{}', {
      headers: { 'content-length': String(25 * 1024 * 1024 + 1) },
    });
    expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } });
  });

  test('above 25 MB in chunks -> refused without keeping it', async () => {
    const sent = new Promise<number | string>((resolve) => {
      const request = httpRequest(
        {
          host: 'localhost',
          port,
          path: '/api/github/webhooks',
          method: 'POST',
          agent: false,
          headers: {
            'content-type': 'application/json',
            'x-github-event': 'ping',
            'x-github-delivery': 'big',
            'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
          },
        },
        (response) => {
          resolve(response.statusCode ?? 0);
          request.destroy();
        },
      );
      request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      const chunk = Buffer.alloc(1024 * 1024, 0x20);
      let left = 27;
      const more = (): void => {
        while (left > 0) {
          left -= 1;
          if (!request.write(chunk)) {
            request.once('drain', more);
            return;
          }
        }
        request.end();
      };
      more();
    });
    expect([413, 'EPIPE', 'ECONNRESET']).toContain(await sent);
    expect(await send(port, '/healthz')).toMatchObject({ status: 200 });
  });

  test('a handler that fails -> 500 without its words, and logged without the payload', async () => {
    const answer = await deliver(
      port,
      '{"say":"fail","words":"of-a-stranger","other":"payload-of-a-stranger"}',
    );
    expect(answer).toMatchObject({ status: 500, text: 'failed; the log of this App says why\n' });
    await logged('delivery failed');
    expect(running.output.out).not.toContain('payload-of-a-stranger');
  });

  test('GITHUB_API_URL is where Octokit asks, with a JWT that is not logged', async () => {
    expect(await deliver(port, '{"say":"ask"}')).toMatchObject({ status: 200 });
    expect(asked).toEqual([{ path: '/app', authorization: expect.stringMatching(/^bearer eyJ/i) }]);
    await logged('GitHub says this App is agent-policy-test');
    const [, jwt = 'none'] = asked[0]?.authorization.split(' ') ?? [];
    expect(running.output.out).not.toContain(jwt);
  });

  test('nothing that is secret is in the log, at its most talkative', async () => {
    await allLogged();
    for (const secret of [SECRET, PREVIOUS, 'BEGIN RSA', KEY.slice(40, 90)])
      expect(running.output.out + running.output.err).not.toContain(secret);
    expect(running.output.out).not.toContain('Keep it logically awesome');
    for (const line of running.output.out.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });

  test.each<[string, string, number]>([
    ['GET', '/healthz', 200],
    ['HEAD', '/healthz', 200],
    ['GET', '/healthz?x=1', 200],
    ['POST', '/healthz', 404],
    ['GET', '/', 404],
    ['GET', '/probot', 404],
    ['POST', '/probot/import', 404],
    ['GET', '/api/github/webhooks', 405],
    ['GET', '/extra', 200],
  ])('%s %s -> %d', async (method, path, status) => {
    expect((await send(port, path, { method })).status).toBe(status);
  });

  test('asked to stop when it is idle -> exit 0 at once', async () => {
    const from = Date.now();
    running.child.kill('SIGTERM');
    expect(await running.exit).toBe(0);
    expect(Date.now() - from).toBeLessThan(2_500);
    expect(running.output.err).toBe('');
  });
});

describe('asked to stop with work under way', () => {
  let working: Running;
  let endless: Running;
  beforeAll(() => {
    working = start('entry-of-test.js', ENV);
    endless = start('entry-of-test.js', { ...ENV, PATIENCE: '300' });
  });
  afterAll(() => {
    for (const { child } of [working, endless]) child.kill('SIGKILL');
  });

  test('it ends in time -> finishes it, takes no more, exit 0', async () => {
    const port = await portOf(working);
    const underWay = deliver(port, '{"say":"wait","for":400}');
    await until(() => working.output.out.includes('app waits'));
    working.child.kill('SIGTERM');
    await until(() => working.output.out.includes('no more deliveries'));
    await expect(deliver(port, '{}')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(await underWay).toMatchObject({ status: 200 });
    expect(await working.exit).toBe(0);
    expect(working.output.out).not.toContain('redeliver');
  });

  test('it does not end -> names it, exit 0 when patience ends', async () => {
    const port = await portOf(endless);
    const headers = { 'x-github-delivery': 'the-long-one' };
    const cutOff = deliver(port, '{"say":"wait","for":60000}', { headers }).catch(() => 'cut off');
    await until(() => endless.output.out.includes('app waits'));
    const from = Date.now();
    endless.child.kill('SIGTERM');
    expect(await endless.exit).toBe(0);
    expect(Date.now() - from).toBeGreaterThanOrEqual(290);
    expect(Date.now() - from).toBeLessThan(4_000);
    expect(await cutOff).toBe('cut off');
    expect(endless.output.out).toContain('"deliveries":["the-long-one"]');
  });
});

describe('with the kill switch on', () => {
  let running: Running;
  beforeAll(() => {
    running = start('entry-of-test.js', { ...ENV, AGENT_POLICY_KILL_SWITCH: 'true' });
  });
  afterAll(() => {
    running.child.kill('SIGKILL');
  });

  test('a delivery -> 503, named in the log, and the app never sees it; a forged one -> 401', async () => {
    const port = await portOf(running);
    const headers = { 'x-github-delivery': 'for-later' };
    expect(await deliver(port, '{}', { headers })).toMatchObject({ status: 503 });
    expect(await deliver(port, '{}', { secret: 'another' })).toMatchObject({ status: 401 });
    expect(await send(port, '/healthz')).toMatchObject({ status: 200 });
    running.child.kill('SIGTERM');
    expect(await running.exit).toBe(0);
    expect(running.output.out).toContain('"delivery":"for-later"');
    expect(running.output.out).not.toContain('app saw');
  });
});

describe('the App itself', () => {
  const github = createServer((request, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  });
  beforeAll(async () => {
    github.listen(0, '127.0.0.1');
    await once(github, 'listening');
  });
  afterAll(() => {
    github.closeAllConnections();
    github.close();
  });

  test('npm start serves it: a signed ping -> 200, SIGTERM -> exit 0', async () => {
    const running = start('server.js', {
      APP_ID: '1001',
      PRIVATE_KEY: KEY,
      WEBHOOK_SECRET: SECRET,
      PORT: '0',
      LOG_FORMAT: 'json',
      GITHUB_API_URL: `http://127.0.0.1:${String((github.address() as AddressInfo).port)}`,
    });
    const port = await portOf(running);
    expect(await deliver(port, '{"zen":"Half measures are as bad as nothing at all."}')).toMatchObject({
      status: 200,
    });
    running.child.kill('SIGTERM');
    expect(await running.exit).toBe(0);
    expect(running.output.err).toBe('');
  });

  test('plain `probot run` serves it too', async () => {
    const free = createServer().listen(0, 'localhost');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const probot = fileURLToPath(new URL('../node_modules/probot/bin/probot.js', import.meta.url));
    const child = spawn(process.execPath, [probot, 'run', './dist/app.js'], {
      cwd: built.folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        APP_ID: '1001',
        PRIVATE_KEY: KEY,
        WEBHOOK_SECRET: SECRET,
        PORT: String(port),
        LOG_FORMAT: 'json',
        NO_SMEE_SETUP: 'true',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const closed = once(child, 'close');
    await until(() => output.includes('Listening on') || child.exitCode !== null);
    expect(await deliver(port, '{}')).toMatchObject({ status: 200 });
    expect(await deliver(port, '{}', { secret: 'another' })).toMatchObject({ status: 400 });
    child.kill('SIGKILL');
    await closed;
  });
});
