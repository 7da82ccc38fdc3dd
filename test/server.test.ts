import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sign } from '@octokit/webhooks-methods';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import Libsql from 'libsql';
import { build, type Built } from './built.js';

const KEY = readFileSync(new URL('fixtures/app-key.pem', import.meta.url), 'utf8');
const SECRET = 'the-secret-of-the-hook';
const PREVIOUS = 'the-secret-before-it';

/** The tests' own work on deliveries: what it does is written in the payload. */
const COMPOSE = `
import { Worker } from 'node:worker_threads';
import { leave, run } from './server.js';
import { createService } from './intake/service.js';
import { StoreError } from './store/store.js';
const threads = [];
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (...message) { threads[0] ??= this; return postMessage.apply(this, message); };
const full = new StoreError('The store cannot grow, the disk is full: make room.', 'full');
const damaged = new StoreError('The store is damaged: put back a backup.', 'unreadable');
const failing = (store) => {
  const { STORE_FAILS: what } = process.env;
  if (what === 'read') return { ...store, cursor: () => Promise.reject(damaged) };
  if (what !== 'write') return store;
  const accept = () => Promise.reject(full);
  return { ...store, saveCursor: () => Promise.reject(full), inbox: { ...store.inbox, accept } };
};
const compose = (settings, around) => {
  const { octokit, now, random, log, warn } = around;
  const store = failing(around.store);
  const receive = async ({ name, payload }) => {
    if (payload.say === 'fail') throw new Error('the words of a payload: ' + payload.words);
    if (payload.say === 'lose the store') await threads[0].terminate();
    if (payload.say === 'wait') warn('work waits');
    if (payload.say === 'wait') await new Promise((resolve) => setTimeout(resolve, payload.for));
    if (payload.say === 'ask') {
      const { data } = await (await octokit(null)).request('GET /app');
      warn('GitHub says this App is ' + data.slug);
    }
    warn('worked on ' + name + ' at level ' + settings.operatorLevel);
  };
  return createService({
    store,
    intake: { receive, resume: async () => undefined },
    sweeps: () => ({ tick: async () => undefined, last: async () => [{ sweep: 'deliveries', at: null, left: 0 }], stop: async () => undefined }),
    killSwitch: () => settings.killSwitch,
    now,
    random,
    keep: { bodies: settings.keepBodies, acts: settings.keepActs },
    log,
  });
};
`;

const APP = `${COMPOSE}
const stopped = new Promise((resolve) => process.once('SIGTERM', resolve));
const err = (text) => process.stderr.write(text);
const patience = Number(process.env.PATIENCE);
leave(await run({ env: process.env, cwd: process.cwd(), err, stopped, compose, patience }));
`;

/** Asks the process's own way in with several environments, in one process: to start one costs what a test may cost. */
const STARTS = `${COMPOSE}
const answers = [];
for (const { env, cwd } of JSON.parse(process.argv[2])) {
  let said = '';
  const stopped = Promise.resolve('SIGTERM');
  const code = await run({ env, cwd, err: (text) => (said += text), stopped, compose, patience: 0 });
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

let stores = 0;

/** Starts a program with this environment, a store of its own, and nothing else of ours. */
const start = (script: string, env: Record<string, string>, args: readonly string[] = []): Running => {
  const child = spawn(process.execPath, [join(built.folder, 'dist', script), ...args], {
    cwd: empty,
    env: {
      PATH: process.env['PATH'] ?? '',
      PATIENCE: '3000',
      AGENT_POLICY_STORE: join(empty, `store-${String((stores += 1))}.db`),
      ...env,
    },
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
      'x-github-event': 'push',
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
    const unreadable = join(folder, 'unreadable');
    const taken = createServer();
    const answers = new Map<string, { code: number; said: string }>();

    beforeAll(async () => {
      taken.listen(0, 'localhost');
      await once(taken, 'listening');
      const { port } = taken.address() as AddressInfo;
      mkdirSync(join(unreadable, '.env'), { recursive: true });
      writeFileSync(
        join(folder, '.env'),
        `APP_ID=1001\nPORT=not-a-port\nLOG_LEVEL=loud\nWEBHOOK_SECRET=x-x-x-x\n`,
      );
      const environments: Record<string, { env: Record<string, string>; cwd: string }> = {
        enterprise: { env: { GITHUB_API_URL: 'https://ghe.example/api/v3' }, cwd: empty },
        'no secret': { env: CREDENTIALS, cwd: empty },
        'known secret': { env: { ...CREDENTIALS, WEBHOOK_SECRET: 'development' }, cwd: empty },
        '.env': { env: { PRIVATE_KEY: KEY, PORT: '3000' }, cwd: folder },
        'no .env': { env: {}, cwd: unreadable },
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

    test('.env that cannot be read -> says which, and what to do; exit 1, no stack', () => {
      expect(answers.get('no .env')).toEqual({
        code: 1,
        said: `Agent Policy did not start: its settings do not hold.

  ${join(unreadable, '.env')} cannot be read (EISDIR). Run this as the user of the server, or give this user the right to read the file.

docs/configuration.md lists every variable.
`,
      });
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
  let storeOfRunning: string;
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
    await until(() => new RegExp(`"delivery":"${id}".*delivery done`).test(running.output.out));
  };

  beforeAll(async () => {
    github.listen(0, '127.0.0.1');
    await once(github, 'listening');
    storeOfRunning = join(empty, 'of-running.db');
    running = start('entry-of-test.js', {
      ...ENV,
      AGENT_POLICY_STORE: storeOfRunning,
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

  test('a signed push -> 202 once it is stored, and it is worked on with the settings', async () => {
    expect(await deliver(port, '{"zen":"Keep it logically awesome."}')).toMatchObject({
      status: 202,
      text: 'stored\n',
    });
    await logged('worked on push at level none');
  });

  test('an event that no rule listens to -> 202, and nothing is stored', async () => {
    const headers = { 'x-github-event': 'ping' };
    expect(await deliver(port, '{}', { headers })).toMatchObject({ status: 202, text: 'nothing to do\n' });
    await allLogged();
    expect(running.output.out).not.toContain('worked on ping');
  });

  test('the same delivery twice -> 202 twice, and worked on once', async () => {
    const headers = { 'x-github-delivery': 'sent-twice', 'x-github-event': 'delete' };
    expect(await deliver(port, '{}', { headers })).toMatchObject({ status: 202 });
    expect(await deliver(port, '{}', { headers })).toMatchObject({ status: 202 });
    await allLogged();
    expect(running.output.out.split('worked on delete')).toHaveLength(2);
  });

  test('signed with the secret before -> 202 while it is rotated', async () => {
    expect(await deliver(port, '{}', { secret: PREVIOUS })).toMatchObject({ status: 202 });
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
    ['with an id that only a sweep gives', SECRET, { 'x-github-delivery': 'activity:1:2' }, 400],
    ['as a form', SECRET, { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ])('%s -> refused, and nothing is stored', async (_name, secret, headers, status) => {
    const named = { 'x-github-event': 'release', ...headers };
    const answer = await deliver(port, '{"words":"unverified-words"}', { secret, headers: named });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('unverified-words');
    await allLogged();
    expect(running.output.out).toContain('worked on push');
    expect(running.output.out).not.toContain('worked on release');
    expect(running.output.out).not.toContain('unverified-words');
  });

  test('one byte of the body changed after signing -> 401', async () => {
    const headers = { 'x-hub-signature-256': await sign(SECRET, '{"a":1}') };
    expect(await deliver(port, '{"a":2}', { headers })).toMatchObject({ status: 401 });
  });

  test.each(['not json', '[]', 'null', '"text"'])(
    'signed, but %s -> stored as it came, and left to a person: nothing is parsed at the door',
    async (body) => {
      const id = `odd-${String((deliveries += 1))}`;
      const headers = { 'x-github-delivery': id };
      expect(await deliver(port, body, { headers })).toMatchObject({ status: 202 });
      await until(() => new RegExp(`"delivery":"${id}".*not a JSON object`).test(running.output.out));
    },
  );

  test('no body -> 400', async () => {
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-github-delivery': 'empty',
      'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).digest('hex')}`,
    };
    expect(await send(port, '/api/github/webhooks', { method: 'POST', headers })).toMatchObject({
      status: 400,
      text: 'no body\n',
    });
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

  test('work that fails -> it is tried again, and logged without the payload', async () => {
    const body = '{"say":"fail","words":"of-a-stranger","other":"payload-of-a-stranger"}';
    expect(await deliver(port, body)).toMatchObject({ status: 202, text: 'stored\n' });
    await logged('delivery failed for now, and is tried again');
    expect(running.output.out).not.toContain('payload-of-a-stranger');
  });

  test('GITHUB_API_URL is where Octokit asks, with a JWT that is not logged', async () => {
    expect(await deliver(port, '{"say":"ask"}')).toMatchObject({ status: 202 });
    await logged('GitHub says this App is agent-policy-test');
    expect(asked).toEqual([{ path: '/app', authorization: expect.stringMatching(/^bearer eyJ/i) }]);
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
    ['GET', '/readyz', 200],
    ['POST', '/readyz', 404],
  ])('%s %s -> %d', async (method, path, status) => {
    expect((await send(port, path, { method })).status).toBe(status);
  });

  test('/readyz tells of store, worker, what is not done, and sweeps', async () => {
    const { status, text, headers } = await send(port, '/readyz');
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
    });
    expect(JSON.parse(text)).toMatchObject({
      ready: true,
      store: 'ok',
      killSwitch: false,
      worker: { running: expect.any(Number), queued: expect.any(Number), held: expect.any(Number) },
      sweeps: [{ sweep: 'deliveries', at: null, left: 0 }],
    });
  });

  test('a second server on the same store -> says so; exit 1', async () => {
    const second = start('entry-of-test.js', { ...ENV, AGENT_POLICY_STORE: storeOfRunning });
    expect(await second.exit).toBe(1);
    expect(second.output.err).toContain('Agent Policy did not start.');
    expect(second.output.err).toContain(storeOfRunning);
    expect(second.output.err).not.toContain('    at ');
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
  let storeOfEndless: string;
  beforeAll(() => {
    working = start('entry-of-test.js', ENV);
    storeOfEndless = join(empty, 'of-endless.db');
    endless = start('entry-of-test.js', { ...ENV, PATIENCE: '300', AGENT_POLICY_STORE: storeOfEndless });
  });
  afterAll(() => {
    for (const { child } of [working, endless]) child.kill('SIGKILL');
  });

  test('it ends in time -> finishes it, takes no more, exit 0', async () => {
    const port = await portOf(working);
    expect(await deliver(port, '{"say":"wait","for":400}')).toMatchObject({ status: 202 });
    await until(() => working.output.out.includes('work waits'));
    working.child.kill('SIGTERM');
    await until(() => working.output.out.includes('no more deliveries'));
    await expect(deliver(port, '{}')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(await working.exit).toBe(0);
    expect(working.output.out).toContain('delivery done');
    expect(working.output.out).not.toContain('stopped before these were done');
  });

  test('it does not end -> named, exit 0 when patience ends, and the next start goes on with it', async () => {
    const port = await portOf(endless);
    const headers = { 'x-github-delivery': 'the-long-one' };
    await deliver(port, '{"say":"wait","for":60000}', { headers });
    await until(() => endless.output.out.includes('work waits'));
    const from = Date.now();
    endless.child.kill('SIGTERM');
    expect(await endless.exit).toBe(0);
    expect(Date.now() - from).toBeGreaterThanOrEqual(290);
    expect(Date.now() - from).toBeLessThan(4_000);
    expect(endless.output.out).toContain('"deliveries":["the-long-one"]');

    const next = start('entry-of-test.js', { ...ENV, AGENT_POLICY_STORE: storeOfEndless });
    await until(() => next.output.out.includes('work waits'));
    next.child.kill('SIGKILL');
    await next.exit;
  });

  describe('and another process in its store', () => {
    let store: string;
    let other: Libsql.Database;
    let stopping: Running;
    beforeEach(async () => {
      store = join(empty, `beside-${String((stores += 1))}.db`);
      stopping = start('entry-of-test.js', { ...ENV, PATIENCE: '300', AGENT_POLICY_STORE: store });
      const port = await portOf(stopping);
      expect(await deliver(port, '{}')).toMatchObject({ status: 202 });
      await until(() => stopping.output.out.includes('delivery done'));
      other = new Libsql(store);
    });
    afterEach(() => {
      other.close();
      stopping.child.kill('SIGKILL');
    });

    test('that reads -> exit 0 without waiting for it', async () => {
      other.exec('begin');
      other.prepare('select count(*) from sqlite_master').all();
      const from = Date.now();
      stopping.child.kill('SIGTERM');
      expect(await stopping.exit).toBe(0);
      expect(Date.now() - from).toBeLessThan(1_500);
    });

    test('that does not end its writing -> cut off in time, and said so', async () => {
      other.exec('begin immediate');
      const from = Date.now();
      stopping.child.kill('SIGTERM');
      expect(await stopping.exit).toBeNull();
      expect(stopping.child.signalCode).toBe('SIGKILL');
      expect(Date.now() - from).toBeLessThan(2_500);
      expect(stopping.output.out).toContain('cut off before the store was closed');
    });
  });

  test('killed at once after it answered -> the next start goes on with it', async () => {
    const store = join(empty, 'of-killed.db');
    const killed = start('entry-of-test.js', { ...ENV, AGENT_POLICY_STORE: store });
    const port = await portOf(killed);
    await deliver(port, '{"say":"wait","for":300}');
    killed.child.kill('SIGKILL');
    await killed.exit;
    const next = start('entry-of-test.js', { ...ENV, AGENT_POLICY_STORE: store });
    await until(() => next.output.out.includes('worked on push'));
    next.child.kill('SIGKILL');
    await next.exit;
  });
});

describe('a start with a store that', () => {
  test('is full -> serves, says so in the log and at /readyz, and answers 503 to deliveries', async () => {
    const running = start('entry-of-test.js', { ...ENV, STORE_FAILS: 'write' });
    const port = await portOf(running);
    expect(running.output.out).toContain('The store cannot grow, the disk is full: make room.');
    expect(await deliver(port, '{}')).toMatchObject({ status: 503 });
    const { status, text } = await send(port, '/readyz');
    expect([status, JSON.parse(text)]).toMatchObject([503, { ready: false, store: 'failing' }]);
    expect(await send(port, '/healthz')).toMatchObject({ status: 200 });
    running.child.kill('SIGTERM');
    expect(await running.exit).toBe(0);
  });

  test('does not read -> its sentence alone; exit 1', async () => {
    const { output, exit } = start('entry-of-test.js', { ...ENV, STORE_FAILS: 'read' });
    expect(await exit).toBe(1);
    expect(output.err).toBe('Agent Policy did not start. The store is damaged: put back a backup.\n');
    expect(output.out).not.toContain('listening on');
  });
});

test('the store is lost while it runs -> says so, exit 1, so that it is started anew', async () => {
  const running = start('entry-of-test.js', ENV);
  const port = await portOf(running);
  expect(await deliver(port, '{"say":"lose the store"}')).toMatchObject({ status: 202 });
  expect(await running.exit).toBe(1);
  expect(running.output.out).toContain('the store is lost');
});

test.each<[string, (store: string) => void, RegExp]>([
  [
    'moved away',
    (store) => renameSync(store, `${store}.away`),
    /The store \S+\.db was moved or deleted while it was served from: put it or a backup back/,
  ],
  [
    'deleted',
    (store) => rmSync(store),
    /The store \S+\.db was moved or deleted while it was served from: put it or a backup back/,
  ],
  [
    'replaced',
    (store) => {
      copyFileSync(store, `${store}.other`);
      renameSync(`${store}.other`, store);
    },
    /Another file took the place of the store \S+\.db while it was served from: start the server again/,
  ],
])('the database of a server that runs is %s -> says so, exit 1', async (_how, lose, why) => {
  const store = join(empty, `lost-${String((stores += 1))}.db`);
  const running = start('entry-of-test.js', { ...ENV, AGENT_POLICY_STORE: store });
  await portOf(running);
  lose(store);
  expect(await running.exit).toBe(1);
  expect(running.output.out).toContain('the store is lost: no more deliveries are taken');
  expect(running.output.out).toMatch(why);
});

describe('with the kill switch on', () => {
  let running: Running;
  beforeAll(() => {
    running = start('entry-of-test.js', { ...ENV, AGENT_POLICY_KILL_SWITCH: 'true' });
  });
  afterAll(() => {
    running.child.kill('SIGKILL');
  });

  test('a delivery -> 503, named in the log, and nothing is stored; a forged one -> 401', async () => {
    const port = await portOf(running);
    const headers = { 'x-github-delivery': 'for-later' };
    expect(await deliver(port, '{}', { headers })).toMatchObject({ status: 503 });
    expect(await deliver(port, '{}', { secret: 'another' })).toMatchObject({ status: 401 });
    expect(await send(port, '/healthz')).toMatchObject({ status: 200 });
    running.child.kill('SIGTERM');
    expect(await running.exit).toBe(0);
    expect(running.output.out).toContain('"delivery":"for-later"');
    expect(running.output.out).not.toContain('worked on');
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

  const settings = (): Record<string, string> => ({
    APP_ID: '1001',
    PRIVATE_KEY: KEY,
    WEBHOOK_SECRET: SECRET,
    PORT: '0',
    LOG_FORMAT: 'json',
    GITHUB_API_URL: `http://127.0.0.1:${String((github.address() as AddressInfo).port)}`,
  });

  test('npm start, and SIGTERM to npm -> the server stops in order; exit 0', async () => {
    const child = spawn('npm', ['start'], {
      cwd: built.folder,
      env: { PATH: process.env['PATH'] ?? '', AGENT_POLICY_STORE: join(empty, 'npm.db'), ...settings() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    const ended = once(child, 'close');
    await until(() => out.includes('listening on') || child.exitCode !== null, 20_000);
    child.kill('SIGTERM');
    const [code] = await ended;
    expect(out).toMatch(/"msg":"stopped"/);
    expect(code).toBe(0);
  }, 40_000);

  test('it serves: a signed ping -> 202, SIGTERM -> exit 0', async () => {
    const running = start('server.js', settings());
    const port = await portOf(running);
    const headers = { 'x-github-event': 'ping' };
    const zen = '{"zen":"Half measures are as bad as nothing at all."}';
    expect(await deliver(port, zen, { headers })).toMatchObject({ status: 202 });
    running.child.kill('SIGTERM');
    expect(await running.exit).toBe(0);
    expect(running.output.err).toBe('');
  });

  test('plain `probot run` serves it too, and ends with 1 when its database is gone', async () => {
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
        AGENT_POLICY_STORE: join(empty, 'of-probot.db'),
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
    rmSync(join(empty, 'of-probot.db'));
    expect(await closed).toEqual([1, null]);
    expect(output).toContain('of-probot.db was moved or deleted');
  });
});
