import { describe, expect, test } from '@jest/globals';
import { Octokit } from '@octokit/core';
import type { Effect } from '../../src/decide/effects.js';
import { createClient } from '../../src/github/client.js';
import { createEtagCache } from '../../src/github/etag-cache.js';
import { createPort } from '../../src/github/perform.js';
import { createFacts } from '../../src/github/read-facts.js';
import type { World } from '../../src/sandbox/case.js';
import { createSandbox } from '../../src/sandbox/create.js';
import { createModel } from '../store/model.js';
import { KEY, levelNone, row, verdict } from './port-harness.js';
import { REPOSITORY } from './stand-in.js';
import { openGates } from './open-gates.js';

const NOW = Date.parse('2026-11-30T09:00:00Z');
const POLICY = 'version: 1\nmerge: pr\n';

const WORLD: World = {
  pulls: {
    283: {
      author: 'alpha',
      base: 'main',
      head: 'staging',
      sha: 'h1',
      files: [
        'docs/a.md',
        { path: 'docs/ci', status: 'added', mode: '120000', content: '../.github/workflows' },
      ],
      reviews: [{ by: 'mara', state: 'approved', sha: 'h1' }],
      auto_merge: 'alpha',
    },
    284: { author: 'alpha', base: 'main', head: 'done', sha: 'h2', state: 'closed', merged: 'm1' },
  },
  branches: { main: { sha: 'm1', by: ['otto', 'alpha'] } },
  issues: { 5: { author: 'rae', state: 'closed' } },
};

/** Facts and port on the whole sandbox; a request it has no endpoint for is a failure of the test. */
const onSandbox = (world: World = WORLD, policy: string | null = POLICY) => {
  const sandbox = createSandbox({ world, policy, clock: { now: () => NOW }, webhookSecret: 's' });
  const client = createClient({
    octokit: new Octokit({ request: { fetch: sandbox.fetch } }),
    identity: 'installation:1',
    appIdentity: 'app:777',
    gates: openGates(),
    lane: 'people',
    cache: createEtagCache(),
    now: () => NOW,
    sleep: async () => undefined,
    random: () => 0,
  });
  const ledger = createModel();
  const facts = createFacts({ client, repository: REPOSITORY, appId: 777 });
  const port = createPort({
    client,
    repository: REPOSITORY,
    ledger,
    clock: { now: () => NOW },
    sleep: async () => undefined,
    app: { id: 777, slug: 'agent-policy', botLogin: 'agent-policy[bot]' },
    place: {
      htmlUrl: 'https://github.com',
      owner: 'acme',
      repo: 'widgets',
      defaultBranch: 'main',
      prevention: 'off',
    },
    escalate: { labels: ['needs-human'], assignees: ['mara'], mention: null, repository: null },
    dryRun: false,
    markerSecrets: ['secret'],
    mode: 'enforce',
    killSwitch: () => false,
    audit: () => undefined,
  });
  const lines = async (...effects: readonly Effect[]) =>
    (await port.perform(effects)).map(({ line }) => line);
  return { sandbox, facts, lines };
};

describe('facts on the sandbox', () => {
  test('tell a PR, its files with links resolved, its reviews and commits', async () => {
    const { facts, sandbox } = onSandbox();
    const pull = await facts.pull(283);
    expect([pull.author.id, pull.head.ref, pull.autoMerge?.by.id]).toEqual([9001, 'staging', 9001]);
    const files = await facts.files(283, pull.head.sha, pull.changedFiles);
    expect(files.files.map(({ path, linksTo }) => [path, linksTo])).toEqual([
      ['docs/a.md', undefined],
      ['docs/ci', '.github/workflows'],
    ]);
    expect((await facts.reviews(283)).map(({ by, state, sha }) => [by.id, state, sha])).toEqual([
      [11, 'approved', sandbox.sha('h1')],
    ]);
    expect((await facts.commits(283)).map(({ sha }) => sha)).toContain(sandbox.sha('h1'));
    expect((await facts.openPulls()).map(({ number }) => number)).toEqual([283]);
    expect((await facts.pullsWithHead('staging')).map(({ number }) => number)).toEqual([283]);
    expect((await facts.openPullsWithBase('main')).map(({ number }) => number)).toEqual([283]);
    expect((await facts.pullsOfCommit(sandbox.sha('m1'))).map(({ number }) => number)).toEqual([284]);
    expect(sandbox.unknownEndpoints).toEqual([]);
  });

  test('tell people, branches, checks and issues', async () => {
    const { facts, sandbox } = onSandbox();
    expect([await facts.permission('mara'), await facts.permission('nobody')]).toEqual(['maintain', 'none']);
    expect([
      await facts.inTeam('acme', 'platform', 'mara'),
      await facts.inTeam('acme', 'platform', 'rae'),
    ]).toEqual([true, false]);
    expect((await facts.activity('main')).length).toBeGreaterThan(0);
    expect(await facts.compare('main', sandbox.sha('h1'))).not.toEqual([]);
    expect(await facts.tree(sandbox.sha('h1'))).toMatch(/^[0-9a-f]{40}$/);
    expect(await facts.hasOurRulesets()).toEqual({ kind: 'found', value: true });
    expect(await facts.ourCheck(sandbox.sha('h1'))).toBeNull();
    expect(await facts.issue(5)).toMatchObject({ number: 5, state: 'closed', isPull: false });
    expect(sandbox.unknownEndpoints).toEqual([]);
  });

  test('tell the policy file, and absent from unreadable', async () => {
    const { facts } = onSandbox();
    const here = { owner: 'acme', name: 'widgets' };
    const found = await facts.file(here, '.github/agent-policy.yml');
    expect(found.kind === 'found' && Buffer.from(found.value).toString('utf8')).toBe(POLICY);
    expect((await facts.folder(here, '.github')).kind).toBe('found');
    expect((await facts.file(here, '.github/agent-policy.yaml')).kind).toBe('absent');
    expect((await facts.folder({ owner: 'acme', name: '.github' }, '.github')).kind).toBe('absent');

    const none = onSandbox({}, null);
    expect((await none.facts.file(here, '.github/agent-policy.yml')).kind).toBe('absent');
    const fail = [{ request: 'GET /repos/acme/widgets/contents/*', status: 502, times: 99 }];
    const broken = onSandbox({ fail }, null);
    expect((await broken.facts.folder(here, '.github')).kind).toBe('unreadable');
  });

  test('tell who landed the policy', async () => {
    const { facts } = onSandbox();
    const landings = [];
    for await (const landing of facts.landings('.github/agent-policy.yml')) landings.push(landing);
    expect(landings.length).toBeGreaterThan(0);
  });
});

describe('the port on the sandbox', () => {
  test('does every effect, and none of them twice', async () => {
    const { sandbox, facts, lines } = onSandbox();
    const sha = sandbox.sha('h1');
    const merged = await facts.pull(284);
    const effects: Effect[] = [
      { kind: 'record', code: 'merge-level', actKey: 'merge:284', row: row() },
      { kind: 'suspend', agent: 'alpha', cause: 'merge-level', by: null, key: KEY },
      { kind: 'disarm-auto-merge', pull: 283, nodeId: (await facts.pull(283)).nodeId },
      { kind: 'check', verdict: verdict({ sha }) },
      { kind: 'comment', number: 283, about: 'pull', standing: [levelNone] },
      { kind: 'escalate', key: KEY, row: row(), mentions: [283] },
      { kind: 'revert-pull', pull: 284, nodeId: merged.nodeId },
      { kind: 'reopen-issue', issue: 5 },
      { kind: 'backup-ref', sha: sandbox.sha('m0') },
    ];
    expect(await lines(...effects)).toEqual([
      'record merge-level',
      'suspend alpha',
      'disarm-auto-merge 283',
      `check ${sha} success person`,
      'comment 283 open',
      'issue merge-level:alpha:main open',
      'revert-pull 284',
      'reopen-issue 5',
      `backup-ref ${sandbox.sha('m0')}`,
    ]);
    const sent = sandbox.requests.length;
    expect(await lines(...effects.filter(({ kind }) => kind !== 'disarm-auto-merge'))).toEqual([
      'record merge-level',
    ]);
    expect(sandbox.requests.length).toBe(sent);
    expect((await facts.ourCheck(sha))?.conclusion).toBe('success');
    expect((await facts.issue(5)).state).toBe('open');
    expect((await facts.pull(283)).autoMerge).toBeNull();
    expect(await lines({ kind: 'close-escalation', key: KEY })).toEqual([
      'issue merge-level:alpha:main close',
    ]);
    expect(sandbox.unknownEndpoints).toEqual([]);
  });

  test('502 three times on the comment -> exactly one comment', async () => {
    const fail = [{ request: 'POST /repos/*/issues/*/comments', status: 502, times: 3 }];
    const { sandbox, lines } = onSandbox({ ...WORLD, fail });
    const comment: Effect = { kind: 'comment', number: 283, about: 'pull', standing: [levelNone] };
    expect(await lines(comment)).toEqual(['comment 283 open']);
    const posts = sandbox.requests.filter(({ request }) => request.startsWith('POST'));
    expect(posts.map(({ status }) => status)).toEqual([502, 502, 502, 201]);
  });

  test('annotations beyond fifty: a delivery that failed between them is given again and goes on', async () => {
    const fail = [{ request: 'PATCH /repos/*/check-runs/*', status: 502, times: 5 }];
    const { sandbox, lines } = onSandbox({ ...WORLD, fail });
    const problems = Array.from({ length: 130 }, (_, index) => ({
      line: index + 1,
      column: 1,
      path: 'merge',
      message: 'unknown key',
    }));
    const check: Effect = {
      kind: 'check',
      verdict: verdict({
        sha: sandbox.sha('h1'),
        conclusion: 'failure',
        wouldBe: 'failure',
        reasons: [{ code: 'policy-invalid', path: '.github/agent-policy.yml', problems }],
      }),
    };
    const json = async (path: string): Promise<unknown> =>
      (await sandbox.fetch(`https://api.github.com/repos/acme/widgets${path}`)).json();
    const counted = async () => {
      const { check_runs: runs } = (await json(`/commits/${sandbox.sha('h1')}/check-runs`)) as {
        check_runs: { id: number; output: { annotations_count: number } }[];
      };
      return runs.map(({ output }) => output.annotations_count);
    };

    await expect(lines(check)).rejects.toThrow('check-runs');
    expect(await counted()).toEqual([50]);
    expect(await lines(check)).toEqual([`check ${sandbox.sha('h1')} failure policy-invalid`]);
    expect(await counted()).toEqual([130]);
    expect(await lines(check)).toEqual([]);

    const [{ id } = { id: 0 }] = (
      (await json(`/commits/${sandbox.sha('h1')}/check-runs`)) as { check_runs: { id: number }[] }
    ).check_runs;
    const pages = await Promise.all(
      [1, 2].map((page) => json(`/check-runs/${id}/annotations?per_page=100&page=${page}`)),
    );
    expect((pages.flat() as { start_line: number }[]).map(({ start_line: line }) => line)).toEqual(
      problems.map(({ line }) => line),
    );
    expect(sandbox.unknownEndpoints).toEqual([]);
  });
});
