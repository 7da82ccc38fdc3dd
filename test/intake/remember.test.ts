import { describe, expect, test } from '@jest/globals';
import { POLICY, story } from './sweeps/activity-story.js';
import { bench, HOUR } from './sweeps/bench.js';

const FORCED =
  'push: { by: alpha, ref: rae/docs, forced: true, before: h0, after: f2, at: +1m, commits: [{ sha: f2, author: alpha, message: work }]';
const MOVED = '  - pull_request.synchronize: { by: alpha, pull: 282, sha: f2, at: +1s }';

describe('a forced push that only its PR tells of', () => {
  test('its own webhook was dropped -> the sweep finds it', async () => {
    const b = await bench(story(`  - ${FORCED}, drop: true }\n${MOVED}\n`));
    for (const n of [1, 2, 3]) await b.deliver(n);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual(
      expect.arrayContaining(['record dropped-commits', 'suspend alpha', 'backup-ref h0']),
    );
    expect((await b.acts()).filter(({ kind }) => kind === 'push.force')).toMatchObject([
      { verdict: 'deny', tellings: ['activity'] },
    ]);
    expect(b.failures).toEqual([]);
  });

  test('its own webhook came, before that of the PR -> the sweep finds nothing', async () => {
    const b = await bench(story(`  - ${FORCED} }\n${MOVED}\n`));
    for (const n of [1, 2, 3]) await b.deliver(n);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    expect(await b.store.inbox.list({ repository: 1, limit: 9 })).toHaveLength(3);
    expect(await b.store.repository(1).pushes('rae/docs')).toMatchObject([{ told: 'push' }]);
  });
});

describe('a fork has a branch with the name of an agent’s', () => {
  const told = async (fork: boolean) => {
    const b = await bench(`
id: FORK
title: A fork with the same branch name
${POLICY}
world:
  branches: { alpha/fix: { sha: a1, by: [alpha] } }
  pulls:
    40: { author: alpha, base: main, head: alpha/fix, sha: a1 }
    41: { author: zed, base: main, head: ${fork ? 'alpha/fix' : 'zed/x'}, sha: z1${fork ? ', fork: zed/widgets' : ''} }
events:
  - pull_request.opened: { by: alpha, pull: 40 }
  - pull_request.synchronize: { by: ${fork ? 'zed, pull: 41, sha: z2' : 'rae, pull: 40, sha: a9'}, at: +1m }
  - push: { by: alpha, ref: alpha/fix, forced: true, before: ${fork ? 'a1' : 'a9'}, after: a2, at: +1m, commits: [{ sha: a2, author: alpha, message: work }] }
  - delete: { by: alpha, ref: alpha/fix, ref_type: branch, at: +1m }
`);
    await b.deliver(1);
    await b.deliver(2);
    b.lines();
    await b.deliver(3);
    await b.deliver(4);
    return { lines: b.lines(), ledger: b.store.repository(1) };
  };

  test('a push to the fork -> is no push to the agent’s branch, which it may rewrite and take away', async () => {
    const { lines, ledger } = await told(true);
    expect(lines).toEqual([]);
    expect((await ledger.pushes('alpha/fix')).map(({ by }) => by.login)).toEqual(['alpha-agent[bot]']);
  });

  test('somebody else’s push to the agent’s own branch -> is one, though only the PR tells of it', async () => {
    const { lines, ledger } = await told(false);
    expect(lines).toEqual(expect.arrayContaining(['record dropped-commits']));
    expect((await ledger.pushes('alpha/fix')).map(({ by }) => by.login)).toContain('rae');
  });
});
