import { describe, expect, test } from '@jest/globals';
import { triggeringEvents } from '../../../src/decide/triggers.js';
import { bench, HOUR } from './bench.js';

const STORY = `
id: SWEEP
title: Runs in progress
policy: |
  version: 1
  merge: pr
  agents: { alpha: { apps: [1001], accounts: [9001] } }
  runs: { workflows: [".github/workflows/agent.yml"] }
world:
  pulls: { 282: { author: rae, base: main, head: rae/docs, sha: h0 } }
events:
  - pull_request.opened: { by: rae, pull: 282 }
  - workflow_run.in_progress: { by: alpha, run: 5, path: .github/workflows/agent.yml, sha: h0, drop: true }
  - workflow_run.in_progress: { by: rae, run: 6, path: .github/workflows/ci.yml, sha: h0, drop: true }
`;

const runsOf = async (b: Awaited<ReturnType<typeof bench>>) =>
  (await b.store.inbox.list({ repository: 1, limit: 9 }))
    .map(({ guid, name }) => `${name} ${guid}`)
    .filter((line) => line.startsWith('workflow_run'));

describe('workflow runs in progress', () => {
  test('no rule is triggered by a run -> GitHub is asked for none', async () => {
    expect(triggeringEvents()).not.toContain('workflow_run');
    const b = await bench(STORY);
    for (const n of [1, 2, 3]) await b.deliver(n);
    b.pass(HOUR);
    await b.sweep();
    expect(b.asked(/actions\/runs/)).toBe(0);
  });

  test('some rule is -> those of the policy’s workflows are put into the inbox, once each', async () => {
    const b = await bench(STORY, { triggered: () => true });
    for (const n of [1, 2, 3]) await b.deliver(n);
    for (let hours = 0; hours < 25; hours += 1) {
      b.pass(HOUR);
      await b.sweep();
    }
    expect(await runsOf(b)).toEqual(['workflow_run runs:1:5:1']);
    expect(b.asked(/actions\/runs/)).toBeGreaterThan(1);
    const stored = await b.store.inbox.find('runs:1:5:1');
    expect(JSON.parse(Buffer.from(stored?.body ?? []).toString())).toMatchObject({
      action: 'in_progress',
      workflow_run: { id: 5, path: '.github/workflows/agent.yml', head_sha: b.sandbox.sha('h0') },
      repository: { id: 1, default_branch: 'main' },
    });
  });

  test('the policy names no workflow -> GitHub is asked for none', async () => {
    const b = await bench(STORY.replace(/ {2}runs: .*\n/, ''), { triggered: () => true });
    for (const n of [1, 2, 3]) await b.deliver(n);
    b.pass(HOUR);
    await b.sweep();
    expect(b.asked(/actions\/runs/)).toBe(0);
  });
});
