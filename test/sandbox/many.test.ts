import { describe, expect, test } from '@jest/globals';
import { createGitHub, type GitHub } from '../../src/sandbox/app/github.js';
import { CASE_START_MS } from '../../src/sandbox/instant.js';
import type { Deliver, RepositoryOptions } from '../../src/sandbox/sandbox.js';
import { appJwt, PUBLIC_KEY } from './app-key.js';
import { SECRET } from './cases.js';

const PLAIN: RepositoryOptions = { world: {}, policy: 'version: 1\n' };
const repository = (id: number, owner: string, name: string, more: Partial<RepositoryOptions> = {}) => ({
  ...PLAIN,
  repository: { id, owner, name },
  ...more,
});

const three = (auth: 'open' | 'checked' = 'open') => {
  const github = createGitHub({
    clock: { now: () => CASE_START_MS },
    webhookSecret: SECRET,
    ...(auth === 'checked' ? { auth: { publicKey: PUBLIC_KEY } } : {}),
  });
  const widgets = github.add(repository(1, 'acme', 'widgets'));
  const gears = github.add(repository(2, 'acme', 'gears', { world: { private: true } }));
  const tools = github.add(repository(3, 'umbra', 'tools', { world: { private: true } }));
  return { github, widgets, gears, tools };
};

const ask = async (
  github: Pick<GitHub, 'fetch'>,
  line: string,
  token?: string,
  body?: unknown,
): Promise<{ status: number; body: never }> => {
  const [method = 'GET', path = ''] = line.split(' ');
  const response = await github.fetch(`https://api.github.com${path}`, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as never };
};

interface Named {
  readonly id: number;
  readonly full_name: string;
}

const push = (after: string): Deliver => ({
  kind: 'deliver',
  title: 'push',
  name: 'push',
  action: null,
  keys: { by: 'rae', ref: 'main', before: 'm0', after },
});

describe('several repositories of one App', () => {
  test('each has its own world, its own requests and its own texts', async () => {
    const { github, widgets, gears } = three();
    widgets.deliver(push('w1'), 0);
    const tip = async (name: string): Promise<string> => {
      const { body } = await ask(github, `GET /repos/${name}/git/ref/heads/main`);
      return (body as { object: { sha: string } }).object.sha;
    };
    expect(await tip('acme/widgets')).toBe(widgets.sha('w1'));
    expect(await tip('ACME/Gears')).toBe(gears.sha('m0'));
    await ask(github, 'POST /repos/acme/gears/issues', undefined, { title: 'of gears' });
    expect(widgets.requests.map((row) => row.request)).toEqual([
      'GET /repos/acme/widgets/git/ref/heads/main',
    ]);
    expect(gears.written.map((one) => one.text)).toEqual(['of gears']);
    expect(widgets.written).toEqual([]);
    expect(github.requests).toHaveLength(3);
  });
  test('no two give the same id to a PR, an issue or a comment, and deliveries have GUIDs of their own', async () => {
    const { github, widgets, gears } = three();
    const made = async (name: string) => {
      const issue = await ask(github, `POST /repos/acme/${name}/issues`, undefined, { title: 't' });
      const { id, number } = issue.body as { id: number; number: number };
      const path = `POST /repos/acme/${name}/issues/${number}/comments`;
      const comment = await ask(github, path, undefined, { body: 'c' });
      return [id, (comment.body as { id: number }).id];
    };
    const ids = [...(await made('widgets')), ...(await made('gears'))];
    expect(new Set(ids).size).toBe(4);
    expect(widgets.deliver(push('a'), 0).guid).not.toBe(gears.deliver(push('a'), 0).guid);
  });
  test('their payloads name the repository, its owner and the installation', () => {
    const { tools } = three();
    expect(JSON.parse(tools.deliver(push('a'), 0).body)).toMatchObject({
      repository: { id: 3, full_name: 'umbra/tools', owner: { login: 'umbra' } },
      organization: { login: 'umbra' },
      installation: { id: expect.any(Number) },
    });
  });
  test('an account has one id everywhere', () => {
    const { widgets, tools } = three();
    const sender = (sandbox: typeof widgets): unknown => {
      const event = { ...push('a'), keys: { ...push('a').keys, by: 'somebody' } };
      return (JSON.parse(sandbox.deliver(event, 0).body) as { sender: unknown }).sender;
    };
    expect(sender(widgets)).toEqual(sender(tools));
  });
  test('the App sees an installation for each owner, and each installation its own repositories', async () => {
    const { github } = three('checked');
    const jwt = appJwt(CASE_START_MS);
    const { body } = await ask(github, 'GET /app/installations', jwt);
    const installations = body as { id: number; account: { login: string } }[];
    expect(installations.map(({ account }) => account.login)).toEqual(['acme', 'umbra']);
    const reached = async (id: number | undefined, asked?: unknown): Promise<readonly string[]> => {
      const minted = await ask(github, `POST /app/installations/${id ?? 0}/access_tokens`, jwt, asked);
      const { token } = minted.body as { token: string };
      const listed = await ask(github, 'GET /installation/repositories', token);
      return (listed.body as { repositories: Named[] }).repositories.map((one) => one.full_name);
    };
    expect(await reached(installations[0]?.id)).toEqual(['acme/widgets', 'acme/gears']);
    expect(await reached(installations[1]?.id)).toEqual(['umbra/tools']);
    expect(await reached(installations[0]?.id, { repositories: ['Gears'] })).toEqual(['acme/gears']);
    expect(await reached(installations[0]?.id, { repository_ids: [1] })).toEqual(['acme/widgets']);
  });
  test('a token reaches the repositories it was asked for, and of the others what anybody sees', async () => {
    const { github } = three('checked');
    const jwt = appJwt(CASE_START_MS);
    const path = 'POST /app/installations/424242/access_tokens';
    const tokenFor = async (asked?: unknown): Promise<string> =>
      ((await ask(github, path, jwt, asked)).body as { token: string }).token;
    const statuses = async (token: string, lines: readonly string[]) => {
      const found: number[] = [];
      for (const line of lines)
        found.push(
          (await ask(github, line, token, line.startsWith('POST') ? { title: 't' } : undefined)).status,
        );
      return found;
    };
    const lines = [
      'GET /repos/acme/widgets',
      'POST /repos/acme/widgets/issues',
      'GET /repos/acme/gears',
      'POST /repos/acme/gears/issues',
      'GET /repos/umbra/tools',
    ];
    expect(await statuses(await tokenFor(), lines)).toEqual([200, 201, 200, 201, 404]);
    expect(await statuses(await tokenFor({ repositories: ['widgets'] }), lines)).toEqual([
      200, 201, 404, 404, 404,
    ]);
    expect(await statuses(await tokenFor({ repositories: ['gears'] }), lines)).toEqual([
      200, 403, 200, 201, 404,
    ]);
  });
  test('one log of deliveries spans them', async () => {
    const { github, widgets, tools } = three();
    for (const sandbox of [widgets, tools])
      sandbox.outcome(sandbox.deliver(push('a'), 0).guid, { status: 'OK', statusCode: 200 });
    const { body } = await ask(github, 'GET /app/hook/deliveries');
    expect((body as { repository_id: number }[]).map((row) => row.repository_id)).toEqual([3, 1]);
  });
  test('the same id or name a second time is an error', () => {
    const { github } = three();
    expect(() => github.add(repository(9, 'Acme', 'Widgets'))).toThrow('acme/Widgets (9) is there already');
    expect(() => github.add(repository(2, 'acme', 'other'))).toThrow('acme/other (2) is there already');
    expect(() => github.add(repository(0, 'acme', 'other'))).toThrow(RangeError);
  });
});
