import { describe, expect, test } from '@jest/globals';
import { bench, failing, HOUR, MINUTE } from './bench.js';

const STORY = `
id: SWEEP
title: Heads without a check
policy: |
  version: 1
  merge: pr
  agents: { alpha: { apps: [1001], accounts: [9001] } }
  escalate: { assignees: [mara] }
world:
  branches: { dev: { sha: v0, by: [mara] } }
  pulls:
    281: { author: alpha, base: main, head: alpha/a, sha: a1 }
    282: { author: rae, base: main, head: rae/docs, sha: h0 }
    283: { author: rae, base: main, head: rae/more, sha: r1 }
    284: { author: rae, base: main, head: rae/seen, sha: s1 }
    285: { author: rae, base: dev, head: rae/dev, sha: d1 }
  checks:
    s1: [{ name: agent-policy, conclusion: success, app: 777 }, { name: build, conclusion: failure, app: 15368 }]
    r1: [{ name: agent-policy, conclusion: success, app: 15368 }]
events:
  - pull_request.opened: { by: rae, pull: 282 }
`;

describe('open PRs whose head has no check of ours', () => {
  test('are looked at again, people first; a check by somebody else is none', async () => {
    const b = await bench(STORY);
    await b.deliver(1);
    expect(b.lines()).toEqual(['check h0 success person']);
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual(['check r1 success person', 'check a1 action_required needs-person']);
    const inbox = await b.store.inbox.list({ repository: 1, limit: 9 });
    expect(inbox.filter(({ guid }) => guid.startsWith('heads:')).map(({ name }) => name)).toEqual([
      'agent-policy.recheck',
      'agent-policy.recheck',
    ]);
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    expect([b.failures, b.warned, b.sandbox.unknownEndpoints]).toEqual([[], [], []]);
  });

  test('where our check fails, and we know nothing of it -> it is looked at again, once', async () => {
    const old = '    a1: [{ name: agent-policy, conclusion: failure, app: 777 }]\n    r1: [';
    const b = await bench(STORY.replace('    r1: [', old));
    await b.deliver(1);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual(['check r1 success person', 'check a1 action_required needs-person']);
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
  });

  test('after a downtime, at once: a PR that came meanwhile, and of which GitHub has no delivery', async () => {
    const b = await bench(
      `${STORY}
  - pull_request.opened: { by: rae, pull: 286, at: +1m, drop: true }
`.replace('  checks:', '    286: { author: rae, base: main, head: rae/late, sha: l1 }\n  checks:'),
    );
    await b.deliver(1);
    b.pass(HOUR);
    await b.sweep();
    b.lines();
    await b.deliver(2);
    b.pass(5 * MINUTE);
    await b.restart();
    await b.sweep();
    expect(b.lines()).toEqual(['check l1 success person']);
  });

  test('without a downtime, only with the pass of the repository', async () => {
    const b = await bench(STORY);
    await b.deliver(1);
    b.pass(HOUR);
    await b.sweep();
    const asked = b.asked(/^GET .*\/pulls$/);
    b.pass(5 * MINUTE);
    await b.sweep();
    expect(b.asked(/^GET .*\/pulls$/)).toBe(asked);
  });

  test('no policy in force -> no PR is looked at', async () => {
    const b = await bench(STORY.replace(/policy: \|\n( {2}.*\n)+/, 'policy: null\n'));
    await b.deliver(1);
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    expect(b.asked(/^GET .*\/pulls$/)).toBe(0);
  });

  test('502 at one of them -> the others were asked for already, and are not asked for twice', async () => {
    const b = await bench(STORY, { broken: failing(/GET .*\/commits\/[0-9a-f]{40}\/check-runs/, 502, 4) });
    await b.deliver(1);
    b.lines();
    b.pass(HOUR);
    b.break();
    await b.sweep();
    expect(b.lines()).toEqual([]);
    b.pass(2 * MINUTE);
    await b.sweep();
    expect(b.lines()).toEqual(['check r1 success person', 'check a1 action_required needs-person']);
    const posted = b.asked(/^POST .*\/check-runs$/);
    b.pass(2 * MINUTE);
    await b.sweep();
    expect(b.asked(/^POST .*\/check-runs$/)).toBe(posted);
  });
});
