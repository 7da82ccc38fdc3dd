import { describe, expect, test } from '@jest/globals';
import { bench, HOUR, MINUTE } from './sweeps/bench.js';

const policy = (level: string): string => `version: 1
merge: ${level}
agents: { alpha: { apps: [1001], accounts: [9001] } }
escalate: { assignees: [mara] }
`;

const indented = (text: string, by: number): string => text.replace(/^(?=.)/gm, ' '.repeat(by));

/** A person changes the level by a push, before or after an agent merges; the merge is told late. */
const story = (before: string, after: string, events: (push: string) => string): string => `
id: LATE
title: A merge told late, and a policy that changed
policy: |
${indented(policy(before), 2)}
world:
  pulls:
    282: { author: rae, base: main, head: rae/docs, sha: h0 }
    283: { author: alpha, base: main, head: staging, sha: h1 }
  checks:
    h1: [{ name: agent-policy, conclusion: success, app: 777 }]
    e1: [{ name: agent-policy, conclusion: success, app: 777 }]
events:
  - pull_request.opened: { by: rae, pull: 282 }
${events(`  - push:
      by: mara
      ref: main
      before: m0
      after: p1
      at: +10m
      commits: [{ sha: p1, author: mara, message: the level, modified: [.github/agent-policy.yml] }]
      content:
        .github/agent-policy.yml: |
${indented(policy(after), 10)}`)}
`;
const MERGE = '  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +11s, drop: true }';

const mergesOf = async (b: Awaited<ReturnType<typeof bench>>) =>
  (await b.acts()).filter(({ kind }) => kind === 'pull.merge').map(({ verdict, at }) => [verdict, at]);

const versionsOf = async (b: Awaited<ReturnType<typeof bench>>) =>
  (await b.store.repository(1).policies('repo')).map(({ since, seenAt }) => [
    since.slice(11, 19),
    seenAt?.slice(11, 19),
  ]);

describe('an act told late is judged under the policy of its own time', () => {
  test('a person tightens the policy after a permitted merge -> nobody is accused', async () => {
    const b = await bench(story('merge', 'pr', (push) => `${MERGE}\n${push}`));
    for (const n of [1, 2, 3]) await b.deliver(n);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    expect(await mergesOf(b)).toEqual([['allow', '2026-11-30T09:00:11.000Z']]);
  });

  test('a person loosens the policy after a forbidden merge -> it was forbidden then', async () => {
    const b = await bench(story('pr', 'merge', (push) => `${MERGE}\n${push}`));
    for (const n of [1, 2, 3]) await b.deliver(n);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual(expect.arrayContaining(['record merge-level', 'suspend alpha']));
    expect(await mergesOf(b)).toEqual([['deny', '2026-11-30T09:00:11.000Z']]);
  });

  test('nobody saw the policy land, and GitHub says when -> since then', async () => {
    const b = await bench(
      story(
        'merge',
        'pr',
        (push) => `${push.replace('at: +10m', 'at: +1m\n      drop: true')}
  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +10m, drop: true }
  - pull_request.edited: { by: rae, pull: 282, at: +10m }`,
      ),
    );
    for (const n of [1, 2, 3, 4]) await b.deliver(n);
    expect(await versionsOf(b)).toEqual([
      ['09:01:00', '09:21:00'],
      ['09:00:00', '09:00:00'],
    ]);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual(expect.arrayContaining(['record merge-level']));
    expect(await mergesOf(b)).toEqual([['deny', '2026-11-30T09:11:00.000Z']]);
  });

  test('an agent landed the stricter version, and a person approved it afterwards -> until then the more lenient one counts', async () => {
    const b = await bench(
      story(
        'merge',
        'pr',
        () => `
  - pull_request.closed: { by: alpha, pull: 30, merged: p1, at: +1m }
  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +1m, drop: true }
  - pull_request_review.submitted: { by: mara, pull: 30, state: approved, sha: e1, at: +1m }`,
      ).replace(
        '  checks:',
        `    30:
      author: alpha
      base: main
      head: alpha/stricter
      sha: e1
      files:
        - path: .github/agent-policy.yml
          status: modified
          content: |
${indented(policy('pr'), 12)}  checks:`,
      ),
    );
    for (const n of [1, 2, 3, 4]) await b.deliver(n);
    expect(await versionsOf(b)).toEqual([
      ['09:03:00', '09:03:00'],
      ['09:00:00', '09:00:00'],
    ]);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    expect(await mergesOf(b)).toContainEqual(['allow', '2026-11-30T09:02:00.000Z']);
  });

  test('a person had taken the policy away, and put it back -> what was done in between is not judged, nor when its webhook comes', async () => {
    const b = await bench(
      story(
        'pr',
        'pr',
        () => `
  - push: { by: mara, ref: main, before: m0, after: p1, at: +1m, commits: [{ sha: p1, author: mara, message: off, removed: [.github/agent-policy.yml] }] }
  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +10m, drop: true }
  - push:
      by: mara
      ref: main
      before: m1
      after: p2
      at: +10m
      commits: [{ sha: p2, author: mara, message: on, added: [.github/agent-policy.yml] }]
      content:
        .github/agent-policy.yml: |
${indented(policy('pr'), 10)}
  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +3h }`,
      ),
    );
    for (const n of [1, 2, 3, 4]) await b.deliver(n);
    b.lines();
    b.pass(HOUR);
    await b.sweep();
    expect(await mergesOf(b)).toEqual([['allow', '2026-11-30T09:11:00.000Z']]);
    await b.deliver(5);
    expect(b.lines()).toEqual([]);
  });

  test('a suspension that came after a merge does not reach back to it', async () => {
    const b = await bench(
      story(
        'merge',
        'merge',
        () => `${MERGE}
  - push: { by: alpha, ref: refs/tags/v1, created: true, after: m0, at: +10m }`,
      ),
    );
    for (const n of [1, 2, 3]) await b.deliver(n);
    expect(b.lines()).toContain('suspend alpha');
    b.pass(HOUR);
    await b.sweep();
    expect(await mergesOf(b)).toEqual([['allow', '2026-11-30T09:00:11.000Z']]);
  });

  test('a webhook that GitHub delivers again after a downtime is judged so too', async () => {
    const b = await bench(story('merge', 'pr', (push) => `${MERGE.replace(', drop: true', '')}\n${push}`));
    await b.deliver(1);
    b.miss(2);
    await b.deliver(3);
    b.lines();
    b.pass(MINUTE);
    await b.sweep();
    expect(b.lines()).toEqual([]);
    expect(await mergesOf(b)).toEqual([['allow', '2026-11-30T09:00:11.000Z']]);
  });
});
