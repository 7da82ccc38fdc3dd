import { describe, expect, test } from '@jest/globals';
import { GitHubError } from '../../src/github/facts.js';
import { createFacts } from '../../src/github/read-facts.js';
import { BOT, paged, rawPull, REPOSITORY, standIn, user, type Handler } from './stand-in.js';

const R = '/repos/acme/widgets';
const H = 'a'.repeat(40);

const facts = (handlers: Readonly<Record<string, Handler>>) => {
  const hub = standIn(handlers);
  return { ...hub, facts: createFacts({ client: hub.client, repository: REPOSITORY, appId: 777 }) };
};
const answer =
  (body: unknown): Handler =>
  () => ({ body });
const failing =
  (status: number): Handler =>
  () => ({ status, body: { message: 'x' } });

const merged = (number: number, over: Readonly<Record<string, unknown>> = {}) =>
  rawPull(number, { state: 'closed', merged_at: '2026-11-30T08:40:00Z', ...over });

describe('a PR', () => {
  test('open: a test merge is no merge', async () => {
    const { facts: read } = facts({ [`GET ${R}/pulls/1`]: answer(rawPull(1, { changed_files: 3 })) });
    expect(await read.pull(1)).toEqual({
      number: 1,
      nodeId: 'PR_1',
      state: 'open',
      draft: false,
      merged: false,
      mergeCommitSha: null,
      mergedBy: null,
      mergedAt: null,
      author: { id: 13, login: 'rae', type: 'User' },
      title: 'PR 1',
      body: '',
      labels: ['docs'],
      head: { ref: 'topic', sha: H, repo: { id: 1, fullName: 'acme/widgets' } },
      base: { ref: 'main', sha: 'b'.repeat(40) },
      sameRepository: true,
      autoMerge: null,
      changedFiles: 3,
      createdAt: '2026-11-30T08:00:00Z',
      updatedAt: '2026-11-30T08:30:00Z',
    });
  });

  test('merged, by a bot, with auto-merge armed by somebody', async () => {
    const { facts: read } = facts({
      [`GET ${R}/pulls/1`]: answer(
        merged(1, { merged_by: BOT, auto_merge: { enabled_by: user('mara', 11) } }),
      ),
    });
    const pull = await read.pull(1);
    expect([pull.merged, pull.mergeCommitSha, pull.mergedBy?.login, pull.autoMerge?.by.login]).toEqual([
      true,
      'feed'.repeat(10),
      'agent-policy[bot]',
      'mara',
    ]);
  });

  test.each([
    ['of a fork', { id: 2, full_name: 'evil/widgets' }, false],
    ['of a fork that was deleted', null, false],
    ['of the repository', { id: 1, full_name: 'acme/widgets' }, true],
  ])('with a head %s', async (_, repo, same) => {
    const head = { ref: 'topic', sha: H, repo };
    const { facts: read } = facts({ [`GET ${R}/pulls/1`]: answer(rawPull(1, { head })) });
    expect((await read.pull(1)).sameRepository).toBe(same);
  });

  test("of an account that was deleted is the ghost's", async () => {
    const { facts: read } = facts({ [`GET ${R}/pulls/1`]: answer(rawPull(1, { user: null })) });
    expect((await read.pull(1)).author).toEqual({ id: 10137, login: 'ghost', type: 'User' });
  });

  test('without a head is no answer', async () => {
    const { facts: read } = facts({ [`GET ${R}/pulls/1`]: answer(rawPull(1, { head: undefined })) });
    await expect(read.pull(1)).rejects.toThrow(/lacks head/);
  });
});

describe('PRs', () => {
  test('open ones are read on all pages, with this base by its exact name', async () => {
    const all = Array.from({ length: 150 }, (_, index) => rawPull(index + 1));
    const hub = facts({ [`GET ${R}/pulls`]: paged(() => all) });
    expect(await hub.facts.openPulls()).toHaveLength(150);
    const other = rawPull(7, { base: { ref: 'MAIN', sha: H, repo: { id: 1 } } });
    const based = facts({ [`GET ${R}/pulls`]: paged(() => [rawPull(6), other]) });
    expect((await based.facts.openPullsWithBase('main')).map(({ number }) => number)).toEqual([6]);
    expect(based.sent[0]?.query).toMatchObject({ state: 'open', base: 'main' });
  });

  test('with a head: a branch of that name in a fork is another', async () => {
    const fork = rawPull(2, { head: { ref: 'topic', sha: H, repo: { id: 9, full_name: 'acme/fork' } } });
    const hub = facts({ [`GET ${R}/pulls`]: paged(() => [rawPull(3), fork]) });
    expect((await hub.facts.pullsWithHead('topic')).map(({ number }) => number)).toEqual([3]);
    expect(hub.sent[0]?.query).toMatchObject({ state: 'all', head: 'acme:topic', direction: 'desc' });
  });

  test('of a commit: merged ones first and with who merged them, none of another repository', async () => {
    const elsewhere = rawPull(9, { base: { ref: 'main', sha: H, repo: { id: 2 } } });
    const hub = facts({
      [`GET ${R}/commits/${H}/pulls`]: paged(() => [rawPull(1), elsewhere, merged(2)]),
      [`GET ${R}/pulls/2`]: answer(merged(2, { merged_by: user('mara', 11) })),
    });
    const pulls = await hub.facts.pullsOfCommit(H);
    expect(pulls.map(({ number, mergedBy }) => [number, mergedBy?.login])).toEqual([
      [2, 'mara'],
      [1, undefined],
    ]);
  });

  test('of a commit GitHub does not know: none; a bare 404 is no answer', async () => {
    const unknown = facts({ [`GET ${R}/commits/${H}/pulls`]: failing(422) });
    expect(await unknown.facts.pullsOfCommit(H)).toEqual([]);
    const missing = facts({ [`GET ${R}/commits/${H}/pulls`]: failing(404) });
    await expect(missing.facts.pullsOfCommit(H)).rejects.toThrow(GitHubError);
  });
});

const rawFile = (filename: string, over: Readonly<Record<string, unknown>> = {}) => ({
  filename,
  status: 'modified',
  sha: `blob-${filename}`,
  additions: 2,
  patch: '@@ -1 +1,2 @@\n a\n+b',
  ...over,
});
const link = (filename: string, target: string) =>
  rawFile(filename, {
    status: 'added',
    additions: 1,
    patch: `@@ -0,0 +1 @@\n+${target}\n\\ No newline at end of file`,
  });
const FILES = `GET ${R}/pulls/1/files`;
const TREE = `GET ${R}/git/trees/${H}`;
const inTree = (path: string, mode: string, type = 'blob') => ({ path, mode, type, sha: `tree-${path}` });

describe('the files of a PR', () => {
  test('are read on all pages; a rename has both names', async () => {
    const many = Array.from({ length: 250 }, (_, index) => rawFile(`f${index}`));
    const renamed = rawFile('new', { status: 'renamed', previous_filename: 'old' });
    const { facts: read } = facts({ [FILES]: paged(() => [...many, renamed]) });
    const files = await read.files(1, H, 251);
    expect(files.kind).toBe('complete');
    expect(files.files).toHaveLength(251);
    expect(files.files.at(-1)).toEqual({
      path: 'new',
      previousPath: 'old',
      status: 'renamed',
      blob: 'blob-new',
    });
  });

  test('fewer than GitHub counts -> partial', async () => {
    const { facts: read } = facts({ [FILES]: paged(() => [rawFile('a')]) });
    expect(await read.files(1, H, 3400)).toMatchObject({ kind: 'partial', changed: 3400 });
  });

  test('three thousand listed, and nobody said how many there are -> GitHub is asked', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => rawFile(`f${index}`));
    const { facts: read } = facts({
      [FILES]: paged(() => many),
      [`GET ${R}/pulls/1`]: answer(rawPull(1, { changed_files: 3001 })),
    });
    expect(await read.files(1, H, undefined)).toMatchObject({ kind: 'partial', changed: 3001 });
  });

  test('of which none may be a link cost no other request', async () => {
    const hub = facts({ [FILES]: paged(() => [rawFile('a')]) });
    expect((await hub.facts.files(1, H, 1)).kind).toBe('complete');
    expect(hub.requests()).toEqual([FILES]);
  });

  test('links resolve from their folder; a file of one line stays a file', async () => {
    const hub = facts({
      [FILES]: paged(() => [link('docs/ci', '../.github/workflows'), link('VERSION', '1.2.3')]),
      [TREE]: answer({ tree: [inTree('docs/ci', '120000'), inTree('VERSION', '100644')] }),
    });
    const { files } = await hub.facts.files(1, H, 2);
    expect(files.map(({ linksTo }) => linksTo)).toEqual(['.github/workflows', undefined]);
    expect(hub.sent[1]?.query).toEqual({ recursive: '1' });
  });

  test('a link that was only renamed is read from its blob', async () => {
    const { facts: read } = facts({
      [FILES]: paged(() => [rawFile('a/ci', { status: 'renamed', additions: 0, patch: undefined })]),
      [TREE]: answer({ tree: [inTree('a/ci', '120000')] }),
      [`GET ${R}/git/blobs/blob-a/ci`]: failing(418),
      [`GET ${R}/git/blobs/blob-a%2Fci`]: answer({
        encoding: 'base64',
        content: Buffer.from('../.github').toString('base64'),
      }),
    });
    expect((await read.files(1, H, 1)).files[0]?.linksTo).toBe('.github');
  });

  test('in a tree too big to list, the folders on the way are walked', async () => {
    const { facts: read } = facts({
      [FILES]: paged(() => [link('docs/x/ci', '/etc'), link('gone/ci', 'x')]),
      [TREE]: ({ query }) =>
        query.recursive === undefined
          ? { body: { tree: [inTree('docs', '040000', 'tree')] } }
          : { body: { truncated: true, tree: [] } },
      [`GET ${R}/git/trees/tree-docs`]: answer({ tree: [inTree('x', '040000', 'tree')] }),
      [`GET ${R}/git/trees/tree-x`]: answer({ tree: [inTree('ci', '120000')] }),
    });
    const files = await read.files(1, H, 2);
    expect(files.files.map(({ linksTo }) => linksTo)).toEqual(['/etc', undefined]);
    expect(files.kind).toBe('complete');
  });

  test('more than twenty to look at each -> partial', async () => {
    const many = Array.from({ length: 21 }, (_, index) => link(`l${index}`, 'x'));
    const { facts: read } = facts({
      [FILES]: paged(() => many),
      [TREE]: ({ query }) => ({
        body:
          query.recursive === undefined
            ? { tree: many.map(({ filename }) => inTree(filename, '100644')) }
            : { truncated: true, tree: [] },
      }),
    });
    expect((await read.files(1, H, 21)).kind).toBe('partial');
  });

  test('a tree that cannot be read is no answer', async () => {
    const { facts: read } = facts({ [FILES]: paged(() => [link('a', 'b')]), [TREE]: failing(403) });
    await expect(read.files(1, H, 1)).rejects.toThrow(GitHubError);
  });
});

const rawCommit = (sha: string, over: Readonly<Record<string, unknown>> = {}) => ({
  sha,
  commit: {
    message: 'docs',
    author: { name: 'Rae', email: 'rae@example.com', date: '2026-11-30T08:00:00Z' },
    committer: { name: 'GitHub', email: 'noreply@github.com', date: '2026-11-30T08:00:00Z' },
    verification: { verified: true },
  },
  author: user('rae', 13),
  committer: {},
  ...over,
});

describe('commits', () => {
  test('without an account have none, as null or as an empty object', async () => {
    const { facts: read } = facts({
      [`GET ${R}/pulls/1/commits`]: paged(() => [rawCommit('c1'), rawCommit('c2', { author: null })]),
    });
    const [first, second] = await read.commits(1);
    expect([first?.author.account?.id, first?.committer.account, second?.author.account]).toEqual([
      13,
      null,
      null,
    ]);
    expect(first?.verified).toBe(true);
  });

  test('of which GitHub lists 250 are read from the comparison', async () => {
    const many = Array.from({ length: 300 }, (_, index) => rawCommit(`c${index}`));
    const { facts: read } = facts({
      [`GET ${R}/pulls/1/commits`]: paged(() => many.slice(0, 250)),
      [`GET ${R}/pulls/1`]: answer(rawPull(1)),
      [`GET ${R}/compare/${'b'.repeat(40)}...${H}`]: paged(
        () => many,
        (page) => ({ status: 'ahead', total_commits: 300, commits: page }),
      ),
    });
    expect(await read.commits(1)).toHaveLength(300);
  });

  test.each([404, 422])('that cannot be compared (%d) -> null; 502 is no answer', async (status) => {
    const { facts: read } = facts({ [`GET ${R}/compare/a...b`]: failing(status) });
    expect(await read.compare('a', 'b')).toBeNull();
    const broken = facts({ [`GET ${R}/compare/a...b`]: failing(502) });
    await expect(broken.facts.compare('a', 'b')).rejects.toThrow(GitHubError);
  });

  test('of more than ten thousand -> null, after one request', async () => {
    const hub = facts({
      [`GET ${R}/compare/a...b`]: () => ({
        body: { commits: [rawCommit('c1')] },
        headers: {
          link: '<https://api.github.com/x?page=2>; rel="next", <https://api.github.com/x?page=101>; rel="last"',
        },
      }),
    });
    expect(await hub.facts.compare('a', 'b')).toBeNull();
    expect(hub.sent).toHaveLength(1);
  });

  test('have a tree that is asked for once', async () => {
    const hub = facts({ [`GET ${R}/git/commits/${H}`]: answer({ tree: { sha: 't1' } }) });
    expect([await hub.facts.tree(H), await hub.facts.tree(H)]).toEqual(['t1', 't1']);
    expect(hub.sent).toHaveLength(1);
  });
});

describe('reviews and issues', () => {
  test('a pending review is left out; states are small letters', async () => {
    const review = (id: number, state: string) => ({
      id,
      state,
      user: user('mara', 11),
      commit_id: H,
      submitted_at: '2026-11-30T08:10:00Z',
    });
    const { facts: read } = facts({
      [`GET ${R}/pulls/1/reviews`]: paged(() => [review(1, 'APPROVED'), review(2, 'PENDING')]),
    });
    expect(await read.reviews(1)).toEqual([
      {
        id: 1,
        by: { id: 11, login: 'mara', type: 'User' },
        state: 'approved',
        sha: H,
        at: '2026-11-30T08:10:00Z',
      },
    ]);
  });

  test.each([
    ['an issue', undefined, false],
    ['a PR', { url: 'x' }, true],
  ])('%s is told from the other', async (_, pull_request, isPull) => {
    const { facts: read } = facts({
      [`GET ${R}/issues/5`]: answer({
        number: 5,
        user: user('rae', 13),
        state: 'closed',
        title: 't',
        body: null,
        labels: ['a', { name: 'b' }],
        closed_at: '2026-11-30T08:00:00Z',
        ...(pull_request === undefined ? {} : { pull_request }),
      }),
    });
    expect(await read.issue(5)).toMatchObject({
      isPull,
      labels: ['a', 'b'],
      body: '',
      closedAt: '2026-11-30T08:00:00Z',
    });
  });
});

describe('a permission', () => {
  const PERMISSION = `GET ${R}/collaborators/rae/permission`;
  test.each([
    ['the role', { role_name: 'maintain', permission: 'write' }, 'maintain'],
    ['triage is below write', { role_name: 'triage', permission: 'read' }, 'triage'],
    [
      'a role of its own counts as what it is built on',
      { role_name: 'release-captain', permission: 'write' },
      'write',
    ],
    ['no role named', { permission: 'admin' }, 'admin'],
    ['a word nobody knows gives nothing', { role_name: 'x', permission: 'y' }, 'none'],
  ])('%s', async (_, body, expected) => {
    expect(await facts({ [PERMISSION]: answer(body) }).facts.permission('rae')).toBe(expected);
  });

  test('of somebody GitHub does not know is none; 403 is no answer', async () => {
    expect(await facts({ [PERMISSION]: failing(404) }).facts.permission('rae')).toBe('none');
    await expect(facts({ [PERMISSION]: failing(403) }).facts.permission('rae')).rejects.toThrow(GitHubError);
  });

  test.each(['..', 'a/b', '', 'x y', '@rae'])('of %j is none, and nothing is asked', async (login) => {
    const hub = facts({});
    expect([await hub.facts.permission(login), await hub.facts.inTeam('acme', 'platform', login)]).toEqual([
      'none',
      false,
    ]);
    expect(hub.sent).toEqual([]);
  });

  test('of a bot is asked for by its whole login', async () => {
    const hub = facts({
      [`GET ${R}/collaborators/alpha-agent[bot]/permission`]: answer({ permission: 'write' }),
    });
    expect(await hub.facts.permission('alpha-agent[bot]')).toBe('write');
  });

  test.each([
    ['active', true],
    ['pending', false],
  ])('team membership %s -> %s', async (state, expected) => {
    const { facts: read } = facts({ 'GET /orgs/acme/teams/platform/memberships/mara': answer({ state }) });
    expect(await read.inTeam('acme', 'platform', 'mara')).toBe(expected);
  });

  test('no membership -> false; 502 is no answer', async () => {
    const path = 'GET /orgs/acme/teams/platform/memberships/mara';
    expect(await facts({ [path]: failing(404) }).facts.inTeam('acme', 'platform', 'mara')).toBe(false);
    await expect(facts({ [path]: failing(502) }).facts.inTeam('acme', 'platform', 'mara')).rejects.toThrow(
      GitHubError,
    );
  });
});

describe('our rulesets', () => {
  const named = (...list: readonly [string, string][]) =>
    facts({
      [`GET ${R}/rulesets`]: paged(() => list.map(([name, enforcement], id) => ({ id, name, enforcement }))),
    }).facts.hasOurRulesets();
  test.each<[string, [string, string][], boolean]>([
    [
      'both in force',
      [
        ['agent-policy/gates', 'active'],
        ['agent-policy/actors', 'active'],
      ],
      true,
    ],
    ['one missing', [['agent-policy/gates', 'active']], false],
    [
      'one switched off',
      [
        ['agent-policy/gates', 'active'],
        ['agent-policy/actors', 'disabled'],
      ],
      false,
    ],
    [
      'names that are nearly ours',
      [
        ['agent-policy/gates ', 'active'],
        ['Agent-Policy/actors', 'active'],
      ],
      false,
    ],
    ['none', [], false],
  ])('%s -> %s', async (_, list, value) => {
    expect(await named(...list)).toEqual({ kind: 'found', value });
  });

  test('that may not be read are unreadable', async () => {
    expect((await facts({ [`GET ${R}/rulesets`]: failing(403) }).facts.hasOurRulesets()).kind).toBe(
      'unreadable',
    );
  });
});

describe('our check', () => {
  const CHECKS = `GET ${R}/commits/${H}/check-runs`;
  const run = (id: number, conclusion: string | null, app: number, status = 'completed') => ({
    id,
    status,
    conclusion,
    external_id: 'x',
    app: { id: app },
  });
  test("is the latest completed one of ours, never another app's of the same name", async () => {
    const runs = [
      run(1, 'success', 777),
      run(2, 'failure', 777),
      run(3, 'success', 15368),
      run(4, null, 777, 'queued'),
    ];
    const hub = facts({
      [CHECKS]: paged(
        () => runs,
        (page) => ({ total_count: 4, check_runs: page }),
      ),
    });
    expect(await hub.facts.ourCheck(H)).toEqual({ conclusion: 'failure', id: 2 });
    expect(hub.sent[0]?.query).toMatchObject({ check_name: 'agent-policy', filter: 'latest', app_id: '777' });
  });

  test('is null where there is none and where GitHub has no such commit; 404 is no answer', async () => {
    const none = facts({ [CHECKS]: answer({ total_count: 0, check_runs: [] }) });
    expect(await none.facts.ourCheck(H)).toBeNull();
    expect(await facts({ [CHECKS]: failing(422) }).facts.ourCheck(H)).toBeNull();
    await expect(facts({ [CHECKS]: failing(404) }).facts.ourCheck(H)).rejects.toThrow(GitHubError);
  });
});

describe('activity', () => {
  test('is asked for by full ref; rows of a type nobody knows are left out', async () => {
    const row = (activity_type: string) => ({
      activity_type,
      ref: 'refs/heads/topic',
      before: 'a',
      after: 'b',
      timestamp: '2026-11-30T08:00:00Z',
      actor: null,
    });
    const hub = facts({ [`GET ${R}/activity`]: answer([row('push'), row('levitation')]) });
    expect((await hub.facts.activity('topic')).map(({ type, actor }) => [type, actor])).toEqual([
      ['push', null],
    ]);
    expect(hub.sent[0]?.query).toEqual({ ref: 'refs/heads/topic', per_page: '100' });
  });
});

describe('who landed a version of a file', () => {
  const COMMITS = `GET ${R}/commits`;
  const PATH = '.github/agent-policy.yml';
  const mara = user('mara', 11);
  const alpha = { id: 9001, login: 'alpha-agent[bot]', type: 'Bot' };
  const row = (before: string, after: string, actor: unknown, activity_type = 'push') => ({
    activity_type,
    ref: 'refs/heads/main',
    before,
    after,
    timestamp: '2026-11-30T08:00:00Z',
    actor,
  });
  const land = async (handlers: Readonly<Record<string, Handler>>) => {
    const hub = facts({
      [COMMITS]: answer([{ sha: 'c1' }]),
      [`GET ${R}/commits/c1/pulls`]: answer([]),
      ...handlers,
    });
    const found = [];
    for await (const landing of hub.facts.landings(PATH)) found.push(landing);
    return { found, hub };
  };
  const contained = (tip: string, status: string) => ({
    [`GET ${R}/compare/c1...${tip}`]: answer({ status }),
  });

  test('by a PR: who merged it', async () => {
    const pull = merged(4, { merged_by: mara });
    const { found, hub } = await land({
      [`GET ${R}/commits/c1/pulls`]: answer([pull]),
      [`GET ${R}/pulls/4`]: answer(pull),
    });
    expect(found).toMatchObject([{ commit: 'c1', pull: { number: 4 }, by: { login: 'mara' } }]);
    expect(hub.sent[0]?.query).toEqual({ sha: 'main', path: PATH, per_page: '20' });
  });

  test('by a PR to another branch: that did not land it here', async () => {
    const pull = merged(4, { merged_by: mara, base: { ref: 'dev', sha: H, repo: { id: 1 } } });
    const { found } = await land({
      [`GET ${R}/commits/c1/pulls`]: answer([pull]),
      [`GET ${R}/pulls/4`]: answer(pull),
      [`GET ${R}/activity`]: answer([row('m0', 'c1', alpha)]),
    });
    expect(found).toMatchObject([{ pull: null, by: { id: 9001 } }]);
  });

  test('by a push that ended with it: its actor', async () => {
    const { found } = await land({
      [`GET ${R}/activity`]: answer([row('c1', 'm2', mara), row('m0', 'c1', alpha)]),
    });
    expect(found).toMatchObject([{ pull: null, by: { id: 9001 } }]);
  });

  test('in the middle of a push: the actor of the push that brought it, whatever date it bears', async () => {
    const { found } = await land({
      [`GET ${R}/activity`]: answer([
        row('m3', 'm4', mara),
        row('m2', 'm3', mara),
        row('m1', 'm2', alpha),
        row('m0', 'm1', mara),
      ]),
      ...contained('m4', 'ahead'),
      ...contained('m3', 'ahead'),
      ...contained('m2', 'ahead'),
      ...contained('m1', 'diverged'),
      ...contained('m0', 'diverged'),
    });
    expect(found).toMatchObject([{ by: { id: 9001 } }]);
  });

  test('before the oldest row: GitHub does not say any more', async () => {
    const { found } = await land({
      [`GET ${R}/activity`]: answer([row('m1', 'm2', mara)]),
      ...contained('m2', 'ahead'),
      ...contained('m1', 'ahead'),
    });
    expect(found).toMatchObject([{ by: null }]);
  });

  test('before a force push: another history, not searched', async () => {
    const { found } = await land({
      [`GET ${R}/activity`]: answer([
        row('m2', 'm3', mara),
        row('x', 'm2', mara, 'force_push'),
        row('m0', 'x', alpha),
      ]),
      ...contained('m3', 'ahead'),
      ...contained('m2', 'ahead'),
      ...contained('x', 'ahead'),
    });
    expect(found).toMatchObject([{ by: null }]);
  });

  test('in a history that GitHub cannot compare: it does not say; 502 is no answer', async () => {
    const activity = { [`GET ${R}/activity`]: answer([row('m1', 'm2', mara)]) };
    const { found } = await land({ ...activity, [`GET ${R}/compare/c1...m2`]: failing(404) });
    expect(found).toMatchObject([{ by: null }]);
    await expect(land({ ...activity, [`GET ${R}/compare/c1...m2`]: failing(502) })).rejects.toThrow(
      GitHubError,
    );
  });

  test('with the first push to the branch: its actor', async () => {
    const { found } = await land({
      [`GET ${R}/activity`]: answer([row('0'.repeat(40), 'm1', mara, 'branch_creation')]),
      ...contained('m1', 'ahead'),
    });
    expect(found).toMatchObject([{ by: { login: 'mara' } }]);
  });

  test('is looked up lazily', async () => {
    const hub = facts({
      [COMMITS]: answer([{ sha: 'c1' }, { sha: 'c2' }]),
      [`GET ${R}/commits/c1/pulls`]: answer([]),
      [`GET ${R}/activity`]: answer([row('m0', 'c1', alpha)]),
    });
    for await (const { commit } of hub.facts.landings(PATH)) if (commit === 'c1') break;
    expect(hub.requests().some((request) => request.includes('c2'))).toBe(false);
  });
});
