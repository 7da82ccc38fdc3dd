import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { SandboxOptions } from '../../src/sandbox/sandbox.js';
import { appJwt, jwt, PUBLIC_KEY } from './app-key.js';
import { sandboxOf } from './cases.js';

const OURS = '/repos/acme/widgets';

interface Said {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

const checked = (given: Partial<SandboxOptions> = {}) => {
  const made = sandboxOf({ auth: { publicKey: PUBLIC_KEY }, ...given });
  const ask = async (line: string, token: string | null, body?: unknown): Promise<Said> => {
    const [method = 'GET', path = ''] = line.split(' ');
    const response = await made.sandbox.fetch(`https://api.github.com${path}`, {
      method,
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json: unknown = text === '' ? {} : JSON.parse(text);
    return { status: response.status, body: json as Record<string, unknown>, headers: response.headers };
  };
  const minted = async (body?: unknown): Promise<string> => {
    const said = await ask('POST /app/installations/424242/access_tokens', appJwt(made.now()), body);
    if (said.status !== 201) throw new Error(`${said.status} ${JSON.stringify(said.body)}`);
    return String(said.body['token']);
  };
  return { ...made, ask, minted };
};

describe("the App's JWT", () => {
  const other = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey;
  const seconds = (now: number): number => Math.floor(now / 1_000);

  const TABLE: readonly (readonly [string, number, string | null, (now: number) => string | null])[] = [
    ['as it should be', 200, null, (now) => appJwt(now)],
    ['issued by the client id', 200, null, (now) => appJwt(now, { iss: 'Iv1.0000000000000309' })],
    ['its issuer as text', 200, null, (now) => appJwt(now, { iss: '777' })],
    ['issued a minute ahead of GitHub', 200, null, (now) => appJwt(now, { iat: seconds(now) + 60 })],
    [
      'issued more than a minute ahead',
      401,
      "'Issued at' claim",
      (now) => appJwt(now, { iat: seconds(now) + 61 }),
    ],
    ['no issue date', 401, "'Issued at' claim", (now) => appJwt(now, { iat: undefined })],
    ['good for ten minutes', 200, null, (now) => appJwt(now, { exp: seconds(now) + 600 })],
    ['good for longer', 401, 'too far in the future', (now) => appJwt(now, { exp: seconds(now) + 601 })],
    ['expired', 401, "'Expiration time' claim", (now) => appJwt(now, { exp: seconds(now) })],
    ['no expiry', 401, "'Expiration time' claim", (now) => appJwt(now, { exp: undefined })],
    ['of another App', 404, 'Integration not found', (now) => appJwt(now, { iss: 778 })],
    [
      'signed with another key',
      401,
      'could not be decoded',
      (now) => jwt({ iss: 777, iat: seconds(now), exp: seconds(now) + 60 }, other),
    ],
    ['unsigned', 401, 'could not be decoded', (now) => `${appJwt(now).split('.').slice(0, 2).join('.')}.`],
    [
      'signed by another algorithm',
      401,
      'could not be decoded',
      (now) => jwt({ iss: 777, iat: seconds(now), exp: seconds(now) + 60 }, undefined, { alg: 'none' }),
    ],
    ['no token', 401, 'could not be decoded', () => null],
  ];

  test.each(TABLE)('%s -> %i', async (_, status, message, token) => {
    const { ask, now } = checked();
    const said = await ask('GET /app', token(now()));
    expect(said.status).toBe(status);
    if (message !== null) expect(said.body['message']).toContain(message);
  });

  test('an installation token is no JWT', async () => {
    const { ask, minted } = checked();
    const token = await minted();
    for (const line of [
      'GET /app',
      'GET /app/installations',
      'GET /app/hook/deliveries',
      `GET ${OURS}/installation`,
    ]) {
      expect({ line, status: (await ask(line, token)).status }).toEqual({ line, status: 401 });
    }
  });
  test('a JWT reads and writes no repository', async () => {
    const { ask, now } = checked();
    const token = appJwt(now());
    for (const line of [`GET ${OURS}/pulls`, `POST ${OURS}/issues`, 'GET /installation/repositories']) {
      expect({ line, status: (await ask(line, token)).status }).toEqual({ line, status: 401 });
    }
  });
});

describe('an installation token', () => {
  test('reads and writes its repositories for an hour', async () => {
    const { ask, minted, setTime, now } = checked();
    const token = await minted();
    expect((await ask(`POST ${OURS}/issues`, token, { title: 't' })).status).toBe(201);
    setTime(now() + 3_599_999);
    expect((await ask(`GET ${OURS}/issues`, token)).status).toBe(200);
    setTime(now() + 1);
    expect(await ask(`GET ${OURS}/issues`, token)).toMatchObject({
      status: 401,
      body: { message: 'Bad credentials' },
    });
  });
  test('revoked -> 401', async () => {
    const { ask, minted } = checked();
    const token = await minted();
    expect((await ask('DELETE /installation/token', token)).status).toBe(204);
    expect((await ask(`GET ${OURS}/issues`, token)).status).toBe(401);
  });
  test('nobody minted it -> 401, for what anybody may read too', async () => {
    const { ask } = checked();
    expect((await ask(`GET ${OURS}/issues`, 'ghs_made_up')).status).toBe(401);
  });
  test('of an installation there is not -> 404', async () => {
    const { ask, now } = checked();
    expect((await ask('POST /app/installations/1/access_tokens', appJwt(now()))).status).toBe(404);
  });
  test('with fewer permissions -> only those, and the answer names the one that lacks', async () => {
    const { ask, minted } = checked();
    const token = await minted({ permissions: { contents: 'read', issues: 'write' } });
    expect((await ask(`POST ${OURS}/issues`, token, { title: 't' })).status).toBe(201);
    const said = await ask(`POST ${OURS}/git/refs`, token, { ref: 'refs/heads/x', sha: '0'.repeat(40) });
    expect(said).toMatchObject({ status: 403, body: { message: 'Resource not accessible by integration' } });
    expect(said.headers.get('x-accepted-github-permissions')).toBe('contents=write');
  });
  test('a permission the installation has not -> 422', async () => {
    const { ask, now } = checked();
    const asked = [{ permissions: { workflows: 'write' } }, { permissions: { statuses: 'write' } }];
    for (const body of asked) {
      const said = await ask('POST /app/installations/424242/access_tokens', appJwt(now()), body);
      expect(said.status).toBe(422);
    }
  });
  test.each([[{ repositories: ['nothing'] }], [{ repository_ids: [99] }]])(
    'a repository the installation has not (%j) -> 422',
    async (body) => {
      const { ask, now } = checked();
      const said = await ask('POST /app/installations/424242/access_tokens', appJwt(now()), body);
      expect(said).toMatchObject({
        status: 422,
        body: { message: expect.stringContaining('parent installation') },
      });
    },
  );
});

describe('without a token', () => {
  test('a public repository is read, not written', async () => {
    const { ask } = checked();
    expect((await ask(`GET ${OURS}/contents/README.md`, null)).status).toBe(200);
    expect((await ask(`POST ${OURS}/issues`, null, { title: 't' })).status).toBe(401);
    expect((await ask(`GET ${OURS}/keys`, null)).status).toBe(401);
  });
  test('a private one is not there', async () => {
    const { ask, minted } = checked({ world: { private: true } });
    expect((await ask(`GET ${OURS}/contents/README.md`, null)).status).toBe(404);
    expect((await ask(`GET ${OURS}/contents/README.md`, await minted())).status).toBe(200);
  });
  test('where nobody is turned away, everything is answered', async () => {
    const { ask } = checked({ auth: 'open' });
    expect((await ask('GET /app', null)).status).toBe(200);
    expect((await ask(`POST ${OURS}/issues`, 'ghs_made_up', { title: 't' })).status).toBe(201);
  });
});
