import { describe, expect, test } from '@jest/globals';
import { parseCase } from '../../src/sandbox/parse-case.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { nodeId } from '../../src/sandbox/shapes/urls.js';
import { deliverAll, sandboxOf } from './cases.js';

type Json = Record<string, unknown>;

const after = (
  text: string,
): { sandbox: Sandbox; bodies: readonly Json[]; setTime(ms: number): void; now(): number } => {
  const [one] = parseCase(`id: X\ntitle: t\n${text}`, 'x.yml');
  if (one === undefined) throw new Error('no case');
  const played = deliverAll(one);
  return {
    ...played,
    bodies: played.deliveries.map(({ delivery }) => JSON.parse(delivery.body) as Json),
  };
};

const get = async (sandbox: Sandbox, path: string, init: RequestInit = {}): Promise<Response> =>
  sandbox.fetch(`https://api.github.com${path}`, init);

const ours = async <T>(sandbox: Sandbox, path: string): Promise<T> =>
  (await (await get(sandbox, `/repos/acme/widgets${path}`)).json()) as T;

const post = async (sandbox: Sandbox, path: string, body: unknown, method = 'POST'): Promise<Response> =>
  get(sandbox, path, { method, body: JSON.stringify(body) });

interface Row {
  readonly activity_type: string;
  readonly before: string;
  readonly after: string;
  readonly actor: { readonly login: string };
}

const activity = async (sandbox: Sandbox, ref: string): Promise<readonly string[]> =>
  (await ours<Row[]>(sandbox, `/activity?ref=refs/heads/${ref}&per_page=100`)).map(
    (row) =>
      `${row.activity_type} ${row.actor.login} ${short(sandbox, row.before)}..${short(sandbox, row.after)}`,
  );

const short = (sandbox: Sandbox, sha: string): string => (/^0+$/.test(sha) ? '0' : sandbox.short(sha));

const shas = (sandbox: Sandbox, commits: readonly { sha: string }[]): readonly string[] =>
  commits.map((commit) => sandbox.short(commit.sha));

const compared = async (sandbox: Sandbox, base: string, head: string): Promise<readonly string[]> => {
  const full = (name: string): string => (/^[a-z]\d+$/.test(name) ? sandbox.sha(name) : name);
  const { commits } = await ours<{ commits: { sha: string }[] }>(
    sandbox,
    `/compare/${full(base)}...${full(head)}`,
  );
  return shas(sandbox, commits);
};

/** What every trunk begins with, newest first. */
const START = ['push otto m0~1..m0', 'branch_creation otto 0..m0~1'];

describe('who pushed what', () => {
  test('a branch of the world: its tip by the last, one commit by each before', async () => {
    const { sandbox } = after(
      'world: { branches: { x: { sha: x9, by: [alpha, rae] } } }\nevents: [restart]\n',
    );
    expect(await activity(sandbox, 'x')).toEqual([
      'push rae x~1..x9',
      'branch_creation alpha-agent[bot] 0..x~1',
    ]);
    const tip = await ours<{ author: { login: string } }>(sandbox, `/commits/${sandbox.sha('x9')}`);
    expect(tip.author.login).toBe('rae');
  });
  test('a head branch nobody listed was pushed by the author of its PR', async () => {
    const { sandbox } = after(
      'world: { pulls: { 1: { author: alpha, head: a, sha: h1 } } }\nevents: [restart]\n',
    );
    expect(await activity(sandbox, 'a')).toEqual(['branch_creation alpha-agent[bot] 0..h1']);
  });
  test('a merge told as closed and as push is one row, whichever comes first', async () => {
    const closed = '{ pull_request.closed: { by: mara, pull: 1, merged: m1 } }';
    const push = '{ push: { by: mara, ref: main, before: m0, after: m1 } }';
    const world = 'world: { pulls: { 1: { author: alpha, head: a, sha: h1 } } }\n';
    for (const events of [`[${closed}, ${push}]`, `[${push}, ${closed}]`]) {
      const { sandbox } = after(`${world}events: ${events}\n`);
      expect(await activity(sandbox, 'main')).toEqual(['pr_merge mara m0..m1', ...START]);
      expect(await compared(sandbox, 'm0', 'm1')).toEqual(['h1', 'm1']);
      const pulls = await ours<{ number: number }[]>(sandbox, `/commits/${sandbox.sha('m1')}/pulls`);
      expect(pulls.map((pull) => pull.number)).toEqual([1]);
    }
  });
  test('a deletion told as delete and as push is one row, whichever comes first', async () => {
    const gone = '{ delete: { by: alpha, ref: x, ref_type: branch } }';
    const push = '{ push: { by: alpha, ref: x, before: x1, deleted: true, forced: true } }';
    for (const events of [`[${gone}, ${push}]`, `[${push}, ${gone}]`]) {
      const { sandbox } = after(`world: { branches: { x: { sha: x1, by: [rae] } } }\nevents: ${events}\n`);
      expect(await activity(sandbox, 'x')).toEqual([
        'branch_deletion alpha-agent[bot] x1..0',
        'branch_creation rae 0..x1',
      ]);
      expect((await get(sandbox, '/repos/acme/widgets/git/ref/heads/x')).status).toBe(404);
      expect((await get(sandbox, `/repos/acme/widgets/commits/${sandbox.sha('x1')}`)).status).toBe(200);
    }
  });
  test('a move told again is one row, and another once the branch was put back', async () => {
    const push = '{ push: { by: alpha, ref: x, before: x1, after: x2, forced: true } }';
    const back = '{ push: { by: rae, ref: x, before: x2, after: x1, forced: true } }';
    const { sandbox } = after(
      `world: { branches: { x: { sha: x1, by: [rae] } } }\nevents: [${[push, push, back, push, push].join(', ')}]\n`,
    );
    expect(await activity(sandbox, 'x')).toEqual([
      'force_push alpha-agent[bot] x1..x2',
      'force_push rae x2..x1',
      'force_push alpha-agent[bot] x1..x2',
      'branch_creation rae 0..x1',
    ]);
  });
  test('a row of the world dated later is not there yet', async () => {
    const { sandbox, setTime, now } = after(
      'world: { activity: [{ activity_type: push, actor: rae, ref: main, before: m0, after: m1, timestamp: "2026-11-30T10:00:00Z" }] }\nevents: [restart]\n',
    );
    expect(await activity(sandbox, 'main')).toEqual(START);
    setTime(now() + 3_600_000);
    expect((await activity(sandbox, 'main'))[0]).toBe('push rae m0..m1');
  });
});

describe('what a forced push loses', () => {
  test('of a trunk: the old tip, and no more', async () => {
    const { sandbox } = after(
      'world: { branches: { main: { sha: s1, by: [mara, rae] } } }\nevents: [{ push: { by: alpha, ref: main, forced: true, before: s1, after: s2, commits: [{ sha: s2, author: alpha }] } }]\n',
    );
    expect(await compared(sandbox, 's2', 's1')).toEqual(['s1']);
    expect(await compared(sandbox, 's1', 's2')).toEqual(['s2']);
    expect((await activity(sandbox, 'main'))[0]).toBe('force_push alpha-agent[bot] s1..s2');
  });
  test('of a trunk with one known commit: that commit, and the policy file stays', async () => {
    const { sandbox } = after(
      'events: [{ push: { by: otto, ref: main, before: m0, after: d2, forced: true, commits: [{ sha: d2, author: otto }] } }]\n',
    );
    expect(await compared(sandbox, 'd2', 'm0')).toEqual(['m0']);
    expect((await get(sandbox, '/repos/acme/widgets/contents/.github/agent-policy.yml')).status).toBe(200);
  });
  test('of another branch: everything since it left the trunk', async () => {
    const { sandbox } = after(
      'world: { branches: { x: { sha: x2, by: [rae, alpha] } } }\nevents: [{ push: { by: alpha, ref: x, forced: true, before: x2, after: x3, commits: [{ sha: x3, author: alpha }] } }]\n',
    );
    expect(await compared(sandbox, 'x3', 'x2')).toEqual(['x~1', 'x2']);
  });
  test('also where synchronize told of the new head first', async () => {
    const { sandbox } = after(`
world: { pulls: { 1: { author: alpha, head: a, sha: f1 } } }
events:
  - pull_request.synchronize: { by: alpha, pull: 1, sha: f2 }
  - push: { by: alpha, ref: a, forced: true, before: f1, after: f2, commits: [{ sha: f2, author: alpha }] }
`);
    expect(await compared(sandbox, 'f2', 'f1')).toEqual(['f1']);
    expect((await activity(sandbox, 'a'))[0]).toBe('force_push alpha-agent[bot] f1..f2');
  });
});

describe('what a PR brings', () => {
  test('a PR is not there before its own opened', async () => {
    const world =
      'world: { pulls: { 1: { author: alpha, head: a, sha: h1 }, 2: { author: rae, head: b, sha: h2 } } }\n';
    const [one] = parseCase(
      `id: X\ntitle: t\n${world}events: [{ pull_request.opened: { by: rae, pull: 2 } }]\n`,
      'x',
    );
    if (one === undefined) throw new Error('no case');
    const { sandbox } = sandboxOf({ world: one.world, events: one.events });
    const numbers = async (): Promise<readonly number[]> =>
      (await ours<{ number: number }[]>(sandbox, '/pulls')).map((pull) => pull.number);
    expect(await numbers()).toEqual([1]);
    const [opened] = one.events;
    if (opened?.kind === 'deliver') sandbox.deliver(opened, 0);
    expect(await numbers()).toEqual([2, 1]);
  });
  test('synchronize after the push of the same head still says which head it replaced', () => {
    const { sandbox, bodies } = after(`
world: { pulls: { 1: { author: alpha, head: a, sha: c1 } } }
events:
  - push: { by: beta, ref: a, before: c1, after: c2, commits: [{ sha: c2, author: beta }] }
  - pull_request.synchronize: { by: beta, pull: 1, sha: c2 }
`);
    expect(bodies[1]).toMatchObject({ before: sandbox.sha('c1'), after: sandbox.sha('c2') });
  });
  test('merging applies the content of its files, and its head has them before', async () => {
    const { sandbox } = after(`
world: { pulls: { 1: { author: rae, head: a, sha: h1, files: [{ path: .github/agent-policy.yml, status: modified, content: "version: 1\\nmerge: none\\n" }] } } }
events:
  - pull_request.closed: { by: rae, pull: 1, merged: m1 }
`);
    const raw = { headers: { accept: 'application/vnd.github.raw+json' } };
    const file = async (ref: string): Promise<string> =>
      (await get(sandbox, `/repos/acme/widgets/contents/.github%2Fagent-policy.yml?ref=${ref}`, raw)).text();
    expect(await file('main')).toBe('version: 1\nmerge: none\n');
    expect(await file(sandbox.sha('h1'))).toBe('version: 1\nmerge: none\n');
    expect(await file(sandbox.sha('m0'))).toContain('merge: pr');
    const touched = await ours<{ sha: string }[]>(sandbox, '/commits?path=.github/agent-policy.yml');
    expect(shas(sandbox, touched)).toEqual(['h1', 'm0~1']);
  });
  test('what an event lays over a PR, REST answers too', async () => {
    const { sandbox, bodies } = after(`
world: { pulls: { 1: { author: alpha, head: a, sha: h1 } }, branches: { dev: { sha: d1 } } }
events:
  - pull_request.opened: { by: alpha, pull: 1, payload: { pull_request: { title: other, changed_files: 3400, base: { ref: dev } } } }
`);
    const expected = { title: 'other', changed_files: 3400, base: { ref: 'dev' } };
    expect(bodies[0]?.['pull_request']).toMatchObject(expected);
    expect(await ours(sandbox, '/pulls/1')).toMatchObject(expected);
  });
  test('what only the moment of a delivery said, REST does not', async () => {
    const { sandbox, bodies } = after(`
world: { pulls: { 1: { author: alpha, head: a, sha: h1 } } }
events:
  - pull_request.closed: { by: alpha, pull: 1, merged: m1, payload: { pull_request: { state: open, merged: false } } }
`);
    expect(bodies[0]?.['pull_request']).toMatchObject({ state: 'open', merged: false });
    expect(await ours(sandbox, '/pulls/1')).toMatchObject({ state: 'closed', merged: true });
  });
  test('a tree id laid over a push is the tree of the commit', async () => {
    const { sandbox } = after(`
events:
  - push: { by: rae, ref: x, created: true, after: x1, commits: [{ sha: x1 }], payload: { head_commit: { tree_id: t1 } } }
`);
    expect(await ours(sandbox, `/git/commits/${sandbox.sha('x1')}`)).toMatchObject({
      tree: { sha: sandbox.sha('t1') },
    });
  });
});

describe('pushes of several refs', () => {
  const pushOf = (refs: string): number =>
    after(`events: [{ push: { by: alpha, ref: ${refs}, created: true, after: m0 } }]\n`).bodies.length;
  test('send one delivery each', () => {
    expect(pushOf('[refs/tags/a, refs/tags/b, x]')).toBe(3);
  });
  test('of more than three tags send nothing, and the tags are there', async () => {
    const { sandbox, bodies } = after(
      'events: [{ push: { by: alpha, ref: [refs/tags/a, refs/tags/b, refs/tags/c, refs/tags/d], created: true, after: m0 } }]\n',
    );
    expect(bodies).toHaveLength(0);
    expect(await ours<unknown[]>(sandbox, '/tags')).toHaveLength(4);
  });
});

describe('what GitHub refuses', () => {
  test('a failure counts its requests, spans slashes, and looks at no query', async () => {
    const { sandbox } = sandboxOf({
      world: { fail: [{ request: 'GET /repos/*/contents/*', status: 502, times: 2 }] },
    });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) {
      statuses.push(
        (await get(sandbox, '/repos/acme/widgets/contents/.github/agent-policy.yml?ref=main')).status,
      );
    }
    expect(statuses).toEqual([502, 502, 200]);
    expect((await get(sandbox, '/repos/acme/widgets')).status).toBe(200);
  });
  test('rulesets of a private repository on the free plan', async () => {
    const { sandbox } = sandboxOf({ world: { plan: 'free', private: true } });
    expect((await get(sandbox, '/repos/acme/widgets/rulesets')).status).toBe(403);
    expect(
      (await get(sandboxOf({ world: { plan: 'free' } }).sandbox, '/repos/acme/widgets/rulesets')).status,
    ).toBe(200);
  });
  test('the owner has no .github repository unless the organization has a policy', async () => {
    const path = '/repos/acme/.github/contents/.github';
    expect((await get(sandboxOf().sandbox, path)).status).toBe(404);
    expect((await get(sandboxOf({ world: { org_policy: 'version: 1' } }).sandbox, path)).status).toBe(200);
  });
});

describe('our own effects', () => {
  const merged = `
world: { pulls: { 1: { author: alpha, head: a, sha: h1, auto_merge: mara }, 2: { author: alpha, head: b, sha: h2 } }, issues: { 9: { author: ivo } } }
events:
  - issues.closed: { by: alpha, issue: 9 }
  - pull_request.enqueued: { by: alpha, pull: 1 }
  - pull_request.closed: { by: alpha, pull: 2, merged: m2 }
`;
  const mutate = async (sandbox: Sandbox, name: string, pull: number, more: Json = {}): Promise<Json> => {
    const query = `mutation($id: ID!) { ${name}(input: { pullRequestId: $id }) { clientMutationId } }`;
    const response = await post(sandbox, '/graphql', {
      query,
      variables: { id: nodeId('PR', 700_000 + pull), ...more },
    });
    return (await response.json()) as Json;
  };
  test('auto-merge disarmed stays disarmed, and cannot be disarmed twice', async () => {
    const { sandbox } = after(merged);
    expect((await mutate(sandbox, 'disablePullRequestAutoMerge', 1))['errors']).toBeUndefined();
    expect(await ours(sandbox, '/pulls/1')).toMatchObject({ auto_merge: null });
    expect((await mutate(sandbox, 'disablePullRequestAutoMerge', 1))['errors']).toHaveLength(1);
  });
  test('a PR is taken out of the queue once', async () => {
    const { sandbox } = after(merged);
    expect((await mutate(sandbox, 'dequeuePullRequest', 1))['errors']).toBeUndefined();
    expect((await mutate(sandbox, 'dequeuePullRequest', 1))['errors']).toHaveLength(1);
  });
  test('a revert is a draft PR of ours that takes the merge back, once', async () => {
    const { sandbox } = after(merged);
    const answer = await mutate(sandbox, 'revertPullRequest', 2, { title: 'Back', body: 'why', draft: true });
    const revert = (answer['data'] as { revertPullRequest: { revertPullRequest: { number: number } } })
      .revertPullRequest.revertPullRequest;
    expect(await ours(sandbox, `/pulls/${revert.number}`)).toMatchObject({
      title: 'Back',
      draft: true,
      user: { login: 'agent-policy[bot]' },
      base: { ref: 'main' },
    });
    expect(await ours(sandbox, `/pulls/${revert.number}/files`)).toMatchObject([
      { filename: 'src/pull-2.ts', status: 'removed' },
    ]);
    expect(sandbox.written.map(({ field, text }) => [field, text])).toEqual([
      ['title', 'Back'],
      ['body', 'why'],
    ]);
    expect((await mutate(sandbox, 'revertPullRequest', 2))['errors']).toHaveLength(1);
    expect((await mutate(sandbox, 'revertPullRequest', 1))['errors']).toHaveLength(1);
  });
  test('an unknown mutation and an unknown PR are errors', async () => {
    const { sandbox } = after(merged);
    expect((await mutate(sandbox, 'mergePullRequest', 1))['errors']).toHaveLength(1);
    expect((await mutate(sandbox, 'dequeuePullRequest', 77))['errors']).toHaveLength(1);
  });
  test('an issue opened again is open, and what was written is kept', async () => {
    const { sandbox } = after(merged);
    await post(sandbox, '/repos/acme/widgets/issues/9', { state: 'open', state_reason: 'reopened' }, 'PATCH');
    expect(await ours(sandbox, '/issues/9')).toMatchObject({
      state: 'open',
      state_reason: 'reopened',
      closed_by: null,
    });
    await post(sandbox, '/repos/acme/widgets/issues/9/comments', { body: 'opened again' });
    expect(sandbox.written.map((one) => one.text)).toEqual(['opened again']);
    expect(sandbox.requests.at(-1)).toMatchObject({
      request: 'POST /repos/acme/widgets/issues/9/comments',
      status: 201,
      body: { body: 'opened again' },
    });
  });
  test('a refused write leaves nothing behind', async () => {
    const { sandbox } = after(merged);
    const long = await post(sandbox, '/repos/acme/widgets/issues/9/comments', { body: 'x'.repeat(65_537) });
    expect(long.status).toBe(422);
    expect(await ours(sandbox, '/issues/9/comments')).toEqual([]);
    expect(sandbox.written).toEqual([]);
  });
  test.each([
    ['a summary too long', { title: 't', summary: 'x'.repeat(65_536) }],
    [
      'too many annotations',
      { title: 't', summary: 's', annotations: Array.from({ length: 51 }, () => ({})) },
    ],
    ['no summary', { title: 't' }],
  ])('a check run with %s is refused', async (_, output) => {
    const { sandbox } = after(merged);
    const body = {
      name: 'agent-policy',
      head_sha: sandbox.sha('h1'),
      status: 'completed',
      conclusion: 'success',
      output,
    };
    expect((await post(sandbox, '/repos/acme/widgets/check-runs', body)).status).toBe(422);
  });
});

describe('how answers come', () => {
  test('an unchanged answer is 304 to who knows its ETag, a changed one is not', async () => {
    const { sandbox } = sandboxOf({ world: { issues: { 9: {} } } });
    const path = '/repos/acme/widgets/issues/9';
    const etag = (await get(sandbox, path)).headers.get('etag') ?? '';
    expect((await get(sandbox, path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    await post(sandbox, path, { title: 'other' }, 'PATCH');
    expect((await get(sandbox, path, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });
  test('lists come in pages that link on, and end', async () => {
    const files = Array.from({ length: 250 }, (_, n) => `src/${String(n).padStart(3, '0')}.ts`);
    const { sandbox } = sandboxOf({
      world: { pulls: { 1: { author: 'alpha', head: 'a', sha: 'h1', files } } },
    });
    const seen: string[] = [];
    let next: string | undefined = 'https://api.github.com/repos/acme/widgets/pulls/1/files?per_page=100';
    let pages = 0;
    while (next !== undefined) {
      const response: Response = await sandbox.fetch(next);
      seen.push(...((await response.json()) as { filename: string }[]).map((file) => file.filename));
      next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      pages += 1;
    }
    expect(pages).toBe(3);
    expect(seen).toEqual(files);
  });
  test('a symbolic link is one line without an end, and its mode is in the tree', async () => {
    const files = [{ path: 'ci', status: 'added' as const, mode: '120000', content: '.github/workflows' }];
    const { sandbox } = sandboxOf({
      world: { pulls: { 1: { author: 'alpha', head: 'a', sha: 'h1', files } } },
    });
    expect(await ours(sandbox, '/pulls/1/files')).toMatchObject([
      {
        filename: 'ci',
        status: 'added',
        patch: '@@ -0,0 +1 @@\n+.github/workflows\n\\ No newline at end of file',
      },
    ]);
    const { tree } = await ours<{ tree: { path: string; mode: string }[] }>(
      sandbox,
      `/git/trees/${sandbox.sha('h1')}?recursive=1`,
    );
    expect(tree.find((entry) => entry.path === 'ci')?.mode).toBe('120000');
  });
  test('the same case always sends the same bytes', () => {
    const text =
      'world: { pulls: { 1: { author: alpha, head: a, sha: h1 } } }\nevents: [{ pull_request.opened: { pull: 1 } }]\n';
    expect(after(text).bodies).toEqual(after(text).bodies);
  });
});
