import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { leavesOut } from './docker/ignore.js';
import { readDockerfile, type Step } from './docker/read.js';
import { plainEnvironment, replay, type Played } from './docker/replay.js';
import { problemsOf } from './docker/rules.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const leftOut = leavesOut(readFileSync(join(root, '.dockerignore'), 'utf8'));
const stages = readDockerfile(dockerfile);

describe('the Dockerfile', () => {
  test('is one that Docker takes, and breaks no rule', () => {
    expect(problemsOf(dockerfile)).toEqual([]);
  });

  const GOOD = `FROM node:24-slim AS build
RUN npm ci
FROM node:24-slim
COPY --from=build /app ./
USER node
HEALTHCHECK CMD ["node", "-e", "0"]
CMD ["node", "x.js"]
`;
  test('the one that is broken below breaks none itself', () => {
    expect(problemsOf(GOOD)).toEqual([]);
  });

  test.each<[string, string, string, string]>([
    ['no tag', 'FROM node:24-slim\n', 'FROM node\n', 'node is not pinned'],
    ['latest', 'FROM node:24-slim\n', 'FROM node:latest\n', 'node:latest is not pinned'],
    ['no major', 'FROM node:24-slim\n', 'FROM node:slim\n', 'node:slim is pinned to no major'],
    ['no user', 'USER node\n', '', 'it runs as root'],
    ['root', 'USER node\n', 'USER root\n', 'it runs as root'],
    ['root again', 'USER node\n', 'USER node\nUSER 0:0\n', 'it runs as root'],
    ['no health check', /^HEALTHCHECK.*\n/m.exec(GOOD)?.[0] ?? '', '', 'there is no HEALTHCHECK'],
    ['a shell around the server', '["node", "x.js"]', 'node x.js', 'CMD goes through a shell'],
    ['npm around the server', '"node", "x.js"', '"npm", "start"', 'CMD goes through npm'],
    ['the whole folder', '--from=build /app', '.', 'COPY takes the whole folder'],
    ['a key', '--from=build /app', 'app-key.pem', 'COPY takes app-key.pem'],
    ['an environment', '--from=build /app', '.env', 'COPY takes .env'],
    ['a secret', 'USER node\n', 'USER node\nENV WEBHOOK_SECRET=x\n', 'ENV WEBHOOK_SECRET stays in the image'],
    [
      'a token',
      'RUN npm ci\n',
      'ARG NPM_TOKEN\nRUN npm ci\n',
      'ARG NPM_TOKEN stays in the history of the image',
    ],
    ['ADD', 'RUN npm ci\n', 'ADD https://x.example/y.tar /\n', 'ADD fetches and unpacks: use COPY'],
    [
      'an instruction that is none',
      'USER node\n',
      'USER node\nUSRE x\n',
      'line 6: Unknown instruction: USRE',
    ],
  ])('%s is found', (_name, from, to, problem) => {
    expect(GOOD).toContain(from);
    expect(problemsOf(GOOD.replace(from, to))).toEqual([problem]);
  });

  test('one stage is found', () => {
    const one = GOOD.slice(GOOD.indexOf('FROM', 1)).replace('COPY --from=build /app ./\n', '');
    expect(problemsOf(one)).toEqual(['what only the build needs stays in the image']);
  });

  test('the store is on the volume, and SIGTERM stops it', () => {
    const steps = stages.at(-1)?.steps ?? [];
    const said = steps.flatMap((step) => (step.kind === 'other' ? [`${step.keyword} ${step.text}`] : []));
    expect(said).toEqual(['USER node', 'VOLUME ["/data"]', 'EXPOSE 3000', 'STOPSIGNAL SIGTERM']);
    expect(steps.flatMap((step) => (step.kind === 'env' ? [step.values] : []))).toEqual([
      { NODE_ENV: 'production', HOST: '0.0.0.0', PORT: '3000', AGENT_POLICY_STORE: '/data/agent-policy.db' },
    ]);
  });
});

describe('the build is given', () => {
  test.each(['package.json', 'src', 'src/server.ts', 'src/store/store.ts', 'bin/agent-policy.js'])(
    '%s',
    (path) => {
      expect(leftOut(path)).toBe(false);
    },
  );

  test.each([
    '.env',
    '.env.local',
    'src/.env',
    'key.pem',
    'src/deep/down/key.pem',
    '.git',
    '.git/config',
    'node_modules/x/index.js',
    'dist/server.js',
    'test/fixtures/app-key.pem',
    'agent-policy.db',
    'src/agent-policy.db-wal',
    'anything-new',
  ])('%s: never', (path) => {
    expect(leftOut(path)).toBe(true);
  });

  test('what a later pattern takes back is in again', () => {
    const some = leavesOut('# comment\n*.md\n!README.md\n/docs/\n');
    expect(['a.md', 'README.md', 'docs/x.ts', 'src/docs', 'a.ts'].map(some)).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });
});

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

const commandOf = (kind: 'cmd' | 'healthcheck'): readonly string[] => {
  const found = stages.at(-1)?.steps.flatMap((step: Step) => (step.kind === kind ? [step.exec] : []));
  const exec = found?.[0];
  if (exec === undefined || exec === null) throw new Error(`no ${kind}`);
  return exec;
};

describe('its steps, in a clean folder', () => {
  const NOT_RUN = 'install -d -o node -g node /data';
  let scratch: string;
  let image: Played;
  let skipped: readonly string[];
  let port: number;
  let environment: Record<string, string | undefined>;

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'agent-policy-docker-'));
    const env = { ...plainEnvironment(process.env), npm_config_prefer_offline: 'true' };
    const notRun = [NOT_RUN];
    ({ last: image, skipped } = replay(stages, { context: root, leftOut, scratch, env, notRun }));
    // What that step makes.
    mkdirSync(join(image.root, 'data'));
    port = await freePort();
    environment = {
      PATH: process.env['PATH'],
      ...image.env,
      PORT: String(port),
      APP_ID: '1001',
      PRIVATE_KEY: readFileSync(join(root, 'test/fixtures/app-key.pem'), 'utf8'),
      WEBHOOK_SECRET: 'the-secret-of-the-hook',
      // Nobody answers there: the server starts and is healthy all the same.
      GITHUB_API_URL: 'http://127.0.0.1:9',
    };
  }, 300_000);
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  const [node = '', ...args] = commandOf('cmd');
  const health = (): number | null => {
    const [file = '', ...rest] = commandOf('healthcheck');
    return spawnSync(file, rest, { cwd: image.folder, env: environment }).status;
  };

  test('all but the one that makes the volume run', () => {
    expect(skipped).toEqual([NOT_RUN]);
  });

  test('the image holds the program and what it needs, and nothing of development', () => {
    expect(readdirSync(image.folder).toSorted()).toEqual([
      'LICENSE',
      'app.yml',
      'bin',
      'dist',
      'node_modules',
      'package.json',
      'schema',
    ]);
    const installed = (name: string): boolean => existsSync(join(image.folder, 'node_modules', name));
    expect(['probot', 'libsql', 'typescript', 'jest', 'emulate'].map(installed)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  const commandLine = (...given: readonly string[]): { status: number | null; stdout: string } =>
    spawnSync('node', ['bin/agent-policy.js', ...given], {
      cwd: image.folder,
      env: environment,
      encoding: 'utf8',
    });

  test('the command line runs in it', () => {
    const { status, stdout } = commandLine('--version');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${version}\n` });
  });

  test('without a server the health check fails', () => {
    expect(health()).toBe(1);
  });

  test('CMD serves: healthy, and STOPSIGNAL ends it in order', async () => {
    const child = spawn(node, args, {
      cwd: image.folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    const listening = new Promise<void>((resolve) => {
      const hear = (chunk: Buffer): void => {
        said += chunk.toString();
        if (said.includes('listening on')) resolve();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('close', () => resolve());
    });
    const closed = once(child, 'close');
    try {
      await listening;
      expect(said).toContain('listening on');
      expect(health()).toBe(0);
      expect(existsSync(join(image.root, 'data', 'agent-policy.db'))).toBe(true);
      expect(commandLine('doctor').stdout).toContain('a server holds its lock');
    } finally {
      child.kill('SIGTERM');
    }
    expect(await closed).toEqual([0, null]);
    expect(health()).toBe(1);
  }, 30_000);
});
