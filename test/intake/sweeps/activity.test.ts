import { describe, expect, test } from '@jest/globals';
import { bench, C01_BREACH, HOUR, MINUTE } from './bench.js';
import { POLICY, story } from './activity-story.js';

const MERGE = story(`
  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +11s, drop: true }
  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +2h }
`);

const sorted = (lines: readonly string[]): readonly string[] => [...lines].sort();

type Rows = readonly Record<string, unknown>[];

/** Rows of the activity list as GitHub would answer them. */
const withActivity =
  (change: (rows: Rows) => Rows) =>
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const { pathname } = new URL(input instanceof Request ? input.url : String(input));
    if (!pathname.endsWith('/activity') || response.status !== 200) return response;
    const { link } = Object.fromEntries(response.headers);
    return Response.json(change((await response.json()) as Rows), {
      headers: link === undefined ? {} : { link },
    });
  };

describe('what no webhook told is found in the activity list', () => {
  test('a merge by an agent -> told once, as of its own time; the webhook that comes late adds nothing', async () => {
    const b = await bench(MERGE);
    await b.deliver(1);
    await b.deliver(2);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(sorted(b.lines())).toEqual(sorted(C01_BREACH));
    const merges = (await b.acts()).filter(({ kind }) => kind === 'pull.merge');
    expect(merges).toMatchObject([
      { tellings: ['activity'], verdict: 'deny', at: '2026-11-30T09:00:11.000Z' },
    ]);
    await b.deliver(3);
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    expect([b.failures, b.warned, b.sandbox.unknownEndpoints]).toEqual([[], [], []]);
  });

  test('a merge that its webhook told -> nothing', async () => {
    const b = await bench(story('  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +11s }'));
    await b.deliver(1);
    await b.deliver(2);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    expect((await b.acts()).filter(({ kind }) => kind === 'pull.merge')).toHaveLength(1);
    expect(await b.store.inbox.list({ repository: 1, limit: 9 })).toHaveLength(2);
  });

  test('a merge by a person -> a line in the act log, and nothing to see', async () => {
    const b = await bench(story('  - pull_request.closed: { by: mara, pull: 283, merged: m1, drop: true }'));
    await b.deliver(1);
    await b.deliver(2);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    expect((await b.acts()).filter(({ kind }) => kind === 'pull.merge')).toMatchObject([
      { verdict: 'person', actor: { login: 'mara' }, tellings: ['activity'] },
    ]);
  });

  test('a push to the trunk by an agent -> told after its grace, with what it touched', async () => {
    const b = await bench(
      story(`
  - push:
      by: alpha
      ref: main
      before: m0
      after: d1
      commits: [{ sha: d1, author: alpha, message: "ci", added: [.github/workflows/x.yml, README.md] }]
      drop: true
`),
    );
    await b.deliver(1);
    await b.deliver(2);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    b.pass(2 * MINUTE);
    await b.sweep();
    expect(b.lines()).toEqual(
      expect.arrayContaining(['record push-level', 'issue push-level:alpha:main open', 'suspend alpha']),
    );
    const acts = (await b.acts()).filter(({ kind }) => kind.startsWith('push') || kind === 'workflow.edit');
    expect(acts.map(({ kind, verdict, at }) => [kind, verdict, at]).sort()).toEqual([
      ['push.trunk', 'deny', '2026-11-30T09:00:00.000Z'],
      ['workflow.edit', 'deny', '2026-11-30T09:00:00.000Z'],
    ]);
    expect(b.failures).toEqual([]);
  });

  test('a trunk that an agent rewrote -> told at once, since a forced push waits for nothing', async () => {
    const b = await bench(
      story(`
  - push: { by: mara, ref: main, before: m0, after: c1, commits: [{ sha: c1, author: mara, message: work }], at: +1m }
  - push: { by: alpha, ref: main, before: c1, after: f1, forced: true, commits: [{ sha: f1, author: alpha, message: other }], drop: true, at: +1m }
`),
    );
    for (const n of [1, 2, 3]) await b.deliver(n);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual(
      expect.arrayContaining(['record dropped-commits', 'suspend alpha', 'backup-ref c1']),
    );
    expect((await b.acts()).filter(({ kind }) => kind === 'push.force')).toMatchObject([
      { at: '2026-11-30T09:02:00.000Z', tellings: ['activity'] },
    ]);
  });

  test('a branch somebody made -> who moved it first is known, and nothing else follows', async () => {
    const b = await bench(
      story('  - push: { by: alpha, ref: alpha/new, created: true, after: n1, drop: true, at: +1m }'),
    );
    await b.deliver(1);
    await b.deliver(2);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    expect(await b.store.repository(1).pushes('alpha/new')).toMatchObject([
      { before: '0'.repeat(40), by: { login: 'alpha-agent[bot]' }, at: '2026-11-30T09:01:00.000Z' },
    ]);
  });

  test('a branch of others that an agent took away -> told once, though both webhooks come late', async () => {
    const b = await bench(
      story(`
  - push: { by: alpha, ref: alpha/old, before: o1, deleted: true, forced: true, at: +1m, drop: true }
  - delete: { by: alpha, ref: alpha/old, ref_type: branch, at: +2h }
  - push: { by: alpha, ref: alpha/old, before: o1, deleted: true, forced: true }
`),
    );
    await b.deliver(1);
    await b.deliver(2);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual(
      expect.arrayContaining(['record branch-delete', 'issue branch-delete:alpha:alpha/old open']),
    );
    await b.deliver(3);
    await b.deliver(4);
    expect(b.lines()).toEqual([]);
    expect((await b.acts()).filter(({ kind }) => kind === 'branch.delete')).toMatchObject([
      { tellings: ['activity', 'delete', 'push'] },
    ]);
  });

  test('a merge by the queue -> by whoever put it there, as far as that was told', async () => {
    const b = await bench(
      story(`
  - pull_request.enqueued: { by: alpha, pull: 283, at: +1m }
  - pull_request.closed: { by: "github-merge-queue[bot]", pull: 283, merged: m1, drop: true }
`),
    );
    await b.deliver(1);
    await b.deliver(2);
    await b.deliver(3);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual(expect.arrayContaining(['record merge-level', 'suspend alpha']));
  });

  test('a merge by the queue, and nobody told who put it there -> nobody is accused', async () => {
    const b = await bench(
      story('  - pull_request.closed: { by: "github-merge-queue[bot]", pull: 283, merged: m1, drop: true }'),
    );
    await b.deliver(1);
    await b.deliver(2);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    expect((await b.acts()).filter(({ kind }) => kind === 'pull.merge')).toMatchObject([
      { verdict: 'person', actor: { login: 'github-merge-queue[bot]' } },
    ]);
  });

  test('one push of the queue lands two PRs -> both are told', async () => {
    const b = await bench(
      story(`
  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +1m, drop: true }
  - pull_request.closed: { by: alpha, pull: 284, merged: m2, at: +1s, drop: true }
`).replace('  checks:', '    284: { author: alpha, base: main, head: alpha/two, sha: h2 }\n  checks:'),
      {
        through: withActivity((rows) => {
          const [last, first] = rows.filter((row) => row['activity_type'] === 'pr_merge');
          return last === undefined || first === undefined
            ? rows
            : [
                { ...last, activity_type: 'merge_queue_merge', before: first['before'] },
                ...rows.filter((row) => row['activity_type'] !== 'pr_merge'),
              ];
        }),
      },
    );
    await b.deliver(1);
    await b.deliver(2);
    await b.deliver(3);
    b.pass(HOUR);
    await b.sweep();
    const merges = (await b.acts()).filter(({ kind }) => kind === 'pull.merge');
    expect(merges.map(({ subject }) => subject.pull).sort()).toEqual([283, 284]);
    expect(b.failures).toEqual([]);
  });

  test('done by nobody GitHub names -> kept as done by nobody known, and nobody is accused', async () => {
    const b = await bench(MERGE, {
      through: withActivity((rows) => rows.map((row) => ({ ...row, actor: null }))),
    });
    await b.deliver(1);
    await b.deliver(2);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    expect((await b.acts()).filter(({ kind }) => kind === 'pull.merge')).toMatchObject([
      { verdict: 'unattributed', actor: null, agent: null, rule: null, at: '2026-11-30T09:00:11.000Z' },
    ]);
    // The webhook says who it was after all.
    await b.deliver(3);
    expect(b.lines()).toEqual(expect.arrayContaining(['record merge-level', 'suspend alpha']));
  });
});

describe('it looks no further than it should', () => {
  test('what happened before the repository was first heard of is left alone', async () => {
    const b = await bench(
      story('  - pull_request.opened: { by: rae, pull: 282, at: +1h }').replace(
        '  - pull_request.opened: { by: rae, pull: 282 }\n',
        '  - pull_request.closed: { by: alpha, pull: 283, merged: m1, drop: true }\n',
      ),
    );
    await b.deliver(1);
    await b.deliver(2);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    expect((await b.acts()).filter(({ kind }) => kind === 'pull.merge')).toEqual([]);
  });

  test('what is younger than two minutes waits for its webhook, and is found by the next pass', async () => {
    const b = await bench(MERGE);
    await b.deliver(1);
    await b.deliver(2);
    b.lines();
    b.pass(MINUTE);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toHaveLength(C01_BREACH.length);
  });

  test('no policy in force -> nothing is looked at', async () => {
    const b = await bench(MERGE.replace(POLICY, '\npolicy: null\n'));
    await b.deliver(1);
    await b.deliver(2);
    b.pass(HOUR);
    await b.sweep();
    b.pass(HOUR);
    await b.sweep();
    expect(b.asked(/\/activity$/)).toBe(0);
    expect(await b.acts()).toEqual([]);
  });

  test('nothing was pushed since -> once a day', async () => {
    const b = await bench(MERGE);
    await b.deliver(1);
    b.pass(HOUR);
    await b.sweep();
    const asked = b.asked(/\/activity$/);
    for (let hours = 0; hours < 23; hours += 1) {
      b.pass(HOUR);
      await b.sweep();
    }
    expect(b.asked(/\/activity$/)).toBe(asked);
    b.pass(HOUR);
    await b.sweep();
    expect(b.asked(/\/activity$/)).toBeGreaterThan(asked);
  });
});
