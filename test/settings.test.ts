import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { pemOf } from '../src/private-key.js';
import { SETTING_GROUPS, SETTING_NAMES, SETTINGS } from '../src/settings-table.js';
import {
  htmlUrlOf,
  readDebug,
  readSettings,
  readStoreFile,
  type Environment,
  type Settings,
} from '../src/settings.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const KEY = read('fixtures/app-key.pem');
const GOOD = { APP_ID: '1001', PRIVATE_KEY: KEY, WEBHOOK_SECRET: 'a-secret-of-the-hook' };

const noFile = (path: string): string => {
  throw Object.assign(new Error(`no such file: ${path}`), { code: 'ENOENT' });
};

const settings = (env: Environment, readFile = noFile): Settings => {
  const result = readSettings(env, readFile);
  if (result.kind === 'wrong') throw new Error(JSON.stringify(result.problems));
  return result.settings;
};

const problems = (env: Environment, readFile = noFile) => {
  const result = readSettings(env, readFile);
  return result.kind === 'ok' ? [] : result.problems;
};

describe('the file of the store, for commands that need no credentials', () => {
  test.each([
    [{}, './agent-policy.db'],
    [{ AGENT_POLICY_STORE: '' }, './agent-policy.db'],
    [{ AGENT_POLICY_STORE: '/data/x.db' }, '/data/x.db'],
    [{ APP_ID: 'wrong', AGENT_POLICY_STORE: 'x.db' }, 'x.db'],
  ])('%j -> %s', (env, file) => {
    expect(readStoreFile(env)).toEqual({ kind: 'ok', file });
  });

  test('a store that is no file is refused', () => {
    expect(readStoreFile({ AGENT_POLICY_STORE: ':memory:' })).toMatchObject({
      kind: 'wrong',
      problem: { variable: 'AGENT_POLICY_STORE', wrong: 'is not a file: what is not stored is lost' },
    });
  });
});

describe('defaults', () => {
  test('three variables are enough', () => {
    expect(settings(GOOD)).toEqual({
      appId: 1001,
      privateKey: KEY,
      webhookSecrets: ['a-secret-of-the-hook'],
      markerSecrets: [expect.stringMatching(/^[\da-f]{64}$/)],
      port: 3000,
      host: 'localhost',
      webhookPath: '/api/github/webhooks',
      webhookProxyUrl: null,
      apiUrl: 'https://api.github.com',
      htmlUrl: 'https://github.com',
      store: './agent-policy.db',
      keepBodies: 2_592_000_000,
      keepActs: 31_536_000_000,
      requestTimeout: 30_000,
      logLevel: 'info',
      logFormat: 'pretty',
      operatorLevel: null,
      dryRun: false,
      killSwitch: false,
    });
  });

  test('an empty variable counts as unset', () => {
    const empty = Object.fromEntries(SETTING_NAMES.map((name) => [name, '']));
    expect(settings({ ...empty, ...GOOD })).toEqual(settings(GOOD));
  });

  test('production logs JSON, unless LOG_FORMAT says otherwise', () => {
    expect(settings({ ...GOOD, NODE_ENV: 'production' }).logFormat).toBe('json');
    expect(settings({ ...GOOD, NODE_ENV: 'prod' }).logFormat).toBe('json');
    for (const mode of ['development', 'test'])
      expect(settings({ ...GOOD, NODE_ENV: mode }).logFormat).toBe('pretty');
    expect(settings({ ...GOOD, NODE_ENV: 'production', LOG_FORMAT: 'pretty' }).logFormat).toBe('pretty');
  });
});

describe('what is missing', () => {
  test('an empty environment names all three, in the order of the table', () => {
    const found = problems({});
    expect(found.map(({ kind, variable }) => [kind, variable])).toEqual([
      ['missing', 'APP_ID'],
      ['missing', 'PRIVATE_KEY'],
      ['missing', 'WEBHOOK_SECRET'],
    ]);
    expect(found.every(({ remedy }) => remedy.length > 20)).toBe(true);
  });

  test.each(['APP_ID', 'PRIVATE_KEY', 'WEBHOOK_SECRET'])('%s alone', (name) => {
    expect(problems({ ...GOOD, [name]: undefined }).map(({ variable }) => variable)).toEqual([name]);
  });
});

describe('what is wrong is told with the variable and a remedy, and all at once', () => {
  test.each<[string, string, string]>([
    ['APP_ID', 'Iv1.8a61f9b3a7aba766', 'is not a number'],
    ['APP_ID', '0', 'is not a number'],
    ['PRIVATE_KEY', 'not a key', 'is not an RSA private key in PEM form'],
    ['WEBHOOK_SECRET', 'development', 'is "development", which anybody can sign with'],
    ['WEBHOOK_SECRET', 'trailing ', 'begins or ends with white space'],
    ['WEBHOOK_SECRET_PREVIOUS', 'development', 'is "development", which anybody can sign with'],
    ['PORT', '3000a', 'is not a number'],
    ['PORT', '-1', 'is not a number'],
    ['PORT', '65536', 'is above 65535'],
    ['HOST', 'http://localhost', 'is not a host name or address'],
    ['WEBHOOK_PATH', 'api', 'is not a path that begins with /'],
    ['WEBHOOK_PROXY_URL', 'smee.io/x', 'is not an https:// URL'],
    ['GITHUB_API_URL', 'ghe.example', 'is not a URL'],
    [
      'GITHUB_API_URL',
      'ftp://ghe.example',
      'must begin with https:// (http:// only on this machine), since tokens are sent to it',
    ],
    [
      'GITHUB_API_URL',
      'http://ghe.example/api/v3',
      'must begin with https:// (http:// only on this machine), since tokens are sent to it',
    ],
    ['GITHUB_API_URL', 'https://u:p@ghe.example', 'must hold no user name, password, query or fragment'],
    ['GITHUB_HTML_URL', 'https://ghe.example?x', 'must hold no user name, password, query or fragment'],
    ['LOG_LEVEL', 'verbose', 'is not a level the log knows'],
    ['LOG_FORMAT', 'text', 'is neither pretty nor json'],
    ['AGENT_POLICY_DEFAULT', 'prr', 'is not a level'],
    ['AGENT_POLICY_DRY_RUN', 'yes', 'is neither true nor false'],
    ['AGENT_POLICY_KILL_SWITCH', 'on', 'is neither true nor false'],
    ['AGENT_POLICY_MARKER_SECRET', 'short', 'is shorter than 16 characters'],
  ])('%s=%s', (name, value, wrong) => {
    expect(problems({ ...GOOD, [name]: value })).toEqual([
      { kind: 'wrong', variable: name, wrong, remedy: expect.stringMatching(/^\S.{15,}[.)?]$/) },
    ]);
  });

  test('several problems come together, in the order of the table', () => {
    const env = { LOG_LEVEL: 'loud', PORT: 'x', APP_ID: 'y', PRIVATE_KEY: KEY };
    expect(problems(env).map(({ variable }) => variable)).toEqual([
      'APP_ID',
      'WEBHOOK_SECRET',
      'PORT',
      'LOG_LEVEL',
    ]);
  });

  test('a variable that is wrong is not also missing', () => {
    expect(problems({ ...GOOD, APP_ID: 'x' })).toHaveLength(1);
  });

  test('a misspelled switch of ours is refused, since it would be believed to be on', () => {
    expect(problems({ ...GOOD, AGENT_POLICY_DRYRUN: 'true' })).toEqual([
      {
        kind: 'wrong',
        variable: 'AGENT_POLICY_DRYRUN',
        wrong: 'is not a variable of this App',
        remedy: 'Did you mean AGENT_POLICY_DRY_RUN?',
      },
    ]);
    expect(problems({ ...GOOD, DRY_RUN: 'true' })).toEqual([]);
  });

  test('GHE_HOST alone would leave an Enterprise App talking to github.com', () => {
    expect(problems({ ...GOOD, GHE_HOST: 'ghe.example' }).map(({ variable }) => variable)).toEqual([
      'GHE_HOST',
    ]);
    const both = { ...GOOD, GHE_HOST: 'ghe.example', GITHUB_API_URL: 'https://ghe.example/api/v3' };
    expect(settings(both).apiUrl).toBe('https://ghe.example/api/v3');
  });

  test('a smee channel is refused in production, and taken elsewhere', () => {
    const env = { ...GOOD, WEBHOOK_PROXY_URL: 'https://smee.io/abc' };
    expect(problems({ ...env, NODE_ENV: 'production' }).map(({ variable }) => variable)).toEqual([
      'WEBHOOK_PROXY_URL',
    ]);
    expect(settings(env).webhookProxyUrl).toBe('https://smee.io/abc');
  });

  test.each(SETTING_NAMES)('no value of %s is in any error', (name) => {
    const value = '~~tell~nobody~~\n';
    expect(JSON.stringify(problems({ ...GOOD, [name]: value }))).not.toContain('tell');
  });
});

describe('the private key', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const pkcs8 = generateKeyPairSync('rsa', {
    modulusLength: 1024,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
  const elliptic = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;

  test.each<[string, string, string]>([
    ['as it stands', KEY, KEY],
    ['PKCS#8', pkcs8, pkcs8],
    ['with written line breaks', KEY.replaceAll('\n', '\\n'), KEY],
    ['with Windows line breaks', KEY.replaceAll('\n', '\r\n'), KEY],
    ['with spaces for line breaks', KEY.trim().replaceAll('\n', ' '), KEY],
    ['in quotes', `"${KEY}"`, KEY],
    ['as base64', base64(KEY), KEY],
    ['as base64 of written line breaks', base64(KEY.replaceAll('\n', '\\n')), KEY],
  ])('%s -> the PEM', (_name, text, pem) => {
    expect(pemOf(text)).toBe(pem);
  });

  test.each<[string, string]>([
    ['empty', ''],
    ['words', 'secret'],
    ['half a key', KEY.slice(0, 400)],
    ['a key with a hole', KEY.replace(/\n.{64}\n/, '\n')],
    ['a key that is not RSA', elliptic],
    ['a certificate', KEY.replaceAll('RSA PRIVATE KEY', 'CERTIFICATE')],
  ])('%s -> none', (_name, text) => {
    expect(pemOf(text)).toBeNull();
  });

  const byPath = { ...GOOD, PRIVATE_KEY: undefined, PRIVATE_KEY_PATH: 'keys/app.pem' };

  test('PRIVATE_KEY_PATH names the file', () => {
    expect(settings(byPath, (path) => (path === 'keys/app.pem' ? KEY : '')).privateKey).toBe(KEY);
  });

  test('PRIVATE_KEY wins over PRIVATE_KEY_PATH', () => {
    expect(settings({ ...byPath, PRIVATE_KEY: KEY }, () => pkcs8).privateKey).toBe(KEY);
  });

  test('a file that is not there, and one that holds something else', () => {
    expect(problems(byPath)[0]?.wrong).toBe('names a file that cannot be read (ENOENT)');
    expect(problems(byPath, () => 'hello')[0]?.wrong).toBe(
      'names a file that holds no RSA private key in PEM form',
    );
  });
});

describe('secrets in rotation', () => {
  test('the previous webhook secret is accepted after the current one', () => {
    expect(settings({ ...GOOD, WEBHOOK_SECRET_PREVIOUS: 'the-one-before' }).webhookSecrets).toEqual([
      'a-secret-of-the-hook',
      'the-one-before',
    ]);
  });

  test('markers of the previous secret still verify, and so do those from before a marker secret was set', () => {
    const [before] = settings({ ...GOOD, WEBHOOK_SECRET: 'the-one-before' }).markerSecrets;
    const [now] = settings(GOOD).markerSecrets;
    const own = 'a marker secret of its own';
    const rotated = settings({
      ...GOOD,
      WEBHOOK_SECRET_PREVIOUS: 'the-one-before',
      AGENT_POLICY_MARKER_SECRET: own,
    });
    expect(rotated.markerSecrets).toEqual([own, now, before]);
    expect(before).not.toBe(now);
  });

  test('the marker secret is not the webhook secret', () => {
    expect(settings(GOOD).markerSecrets).not.toContain(GOOD.WEBHOOK_SECRET);
  });
});

describe('which GitHub', () => {
  test.each([
    ['https://api.github.com', 'https://github.com'],
    ['https://ghe.example/api/v3', 'https://ghe.example'],
    ['https://ghe.example:8443/api/v3', 'https://ghe.example:8443'],
    ['https://api.octocorp.ghe.com', 'https://octocorp.ghe.com'],
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
  ])('%s is seen at %s', (api, html) => {
    expect(htmlUrlOf(api)).toBe(html);
    expect(settings({ ...GOOD, GITHUB_API_URL: `${api}/` })).toMatchObject({ apiUrl: api, htmlUrl: html });
  });

  test('GITHUB_HTML_URL says otherwise', () => {
    expect(settings({ ...GOOD, GITHUB_HTML_URL: 'https://git.example/' }).htmlUrl).toBe(
      'https://git.example',
    );
  });
});

test.each<[string | undefined, boolean]>([
  ['1', true],
  ['true', true],
  ['0', false],
  ['loud', false],
  [undefined, false],
])('AGENT_POLICY_DEBUG=%s -> stacks: %s', (value, debug) => {
  expect(readDebug({ AGENT_POLICY_DEBUG: value })).toBe(debug);
});

describe('what people copy and read is in step with the table', () => {
  const example = read('../.env.example');
  // Prettier pads the cells of a table.
  const page = read('../docs/configuration.md').replace(/ +/g, ' ');

  test('.env.example has each variable once, in the order of the table, and no other', () => {
    const names = [...example.matchAll(/^# ?([A-Z_]+)=|^([A-Z_]+)=/gm)].map(([, off, on]) => off ?? on);
    expect(names).toEqual(SETTING_NAMES);
  });

  test.each(SETTING_NAMES)('.env.example says of %s what the table says', (name) => {
    const { meaning, default: unset, example: value } = SETTINGS[name];
    const lines = example.split('\n');
    const at = lines.findIndex((line) => line === `${name}=${value}` || line === `# ${name}=${value}`);
    expect(at).toBeGreaterThan(0);
    expect(lines[at]?.startsWith('#')).toBe(unset !== null && name !== 'PRIVATE_KEY_PATH');
    const above = lines.slice(0, at).join('\n').split('\n\n').at(-1) ?? '';
    const text = above.replace(/^# ?/gm, '').replace(/\s+/g, ' ').trim();
    expect(text).toBe(unset === null ? meaning : `${meaning} Default: ${unset}.`);
  });

  test('.env.example, filled in, is an environment that holds', () => {
    const env: Record<string, string> = {};
    for (const [, name = '', value = ''] of example.matchAll(/^(?:# )?([A-Z_]+)=(.*)$/gm)) env[name] = value;
    const filled = { ...env, ...GOOD, WEBHOOK_PROXY_URL: '' };
    expect(problems(filled)).toEqual([]);
  });

  test.each(SETTING_NAMES)('docs/configuration.md has the row of %s', (name) => {
    const { meaning, default: unset } = SETTINGS[name];
    expect(page).toContain(`| \`${name}\` | ${meaning} | ${unset ?? 'must be set'} |`);
  });

  test('docs/configuration.md has no row of a variable that is not there', () => {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
    expect(rows).toEqual(SETTING_NAMES);
  });

  test('variables of a group stand together', () => {
    const groups = SETTING_NAMES.map((name) => SETTINGS[name].group);
    const order = groups.filter((group, index) => group !== groups[index - 1]);
    expect(order).toEqual([...SETTING_GROUPS]);
  });
});
