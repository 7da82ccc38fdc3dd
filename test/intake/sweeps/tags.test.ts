import { describe, expect, test } from '@jest/globals';
import { bench, DAY, failing, HOUR, MINUTE } from './bench.js';

const story = (events: string): string => `
id: SWEEP
title: Tags
policy: |
  version: 1
  merge: pr
  agents: { alpha: { apps: [1001], accounts: [9001] } }
  escalate: { assignees: [mara] }
world:
  tags: [{ name: v1.0.0, commit: { sha: m0 } }, { name: v1.1.0, commit: { sha: m0 } }]
  pulls: { 282: { author: rae, base: main, head: rae/docs, sha: h0 } }
events:
  - pull_request.opened: { by: rae, pull: 282 }
${events}
`;

const FOUR =
  '  - push: { by: alpha, ref: [refs/tags/a, refs/tags/b, refs/tags/c, refs/tags/d], created: true, after: m0, at: +1m }';

const tagActs = async (b: Awaited<ReturnType<typeof bench>>) =>
  (await b.acts())
    .filter(({ kind }) => kind.startsWith('tag.'))
    .map(({ kind, subject, verdict, actor }) => [kind, subject.ref, verdict, actor?.login ?? null])
    .sort();

/** The first look remembers what is there. */
const looked = async (yaml: string, options?: Parameters<typeof bench>[1]) => {
  const b = await bench(yaml, options);
  await b.deliver(1);
  b.pass(HOUR);
  await b.sweep();
  b.lines();
  return b;
};

describe('tags that no webhook tells', () => {
  test('four pushed at once, for which GitHub sends nothing -> kept as done by nobody known; nobody is accused', async () => {
    const b = await looked(story(FOUR));
    expect(await tagActs(b)).toEqual([]);
    await b.deliver(2);
    b.pass(HOUR);
    await b.sweep();
    expect(await tagActs(b)).toEqual(
      ['a', 'b', 'c', 'd'].map((tag) => ['tag.create', tag, 'unattributed', null]),
    );
    expect(b.lines()).toEqual([]);
    b.pass(DAY);
    await b.sweep();
    expect(await tagActs(b)).toHaveLength(4);
    expect([b.failures, b.warned, b.sandbox.unknownEndpoints]).toEqual([[], [], []]);
  });

  test('one of them is told after all -> it is by whoever the webhook names', async () => {
    const b = await looked(story(`${FOUR}\n  - create: { by: alpha, ref: a, ref_type: tag, at: +2h }`));
    await b.deliver(2);
    b.pass(HOUR);
    await b.sweep();
    await b.deliver(3);
    expect(b.lines()).toEqual(expect.arrayContaining(['record tag', 'issue tag:alpha:tags open']));
    expect(await tagActs(b)).toContainEqual(['tag.create', 'a', 'deny', 'alpha-agent[bot]']);
    expect((await tagActs(b)).filter(([, , verdict]) => verdict === 'unattributed')).toHaveLength(3);
  });

  test('moved, and gone', async () => {
    const b = await looked(
      story(`
  - push: { by: alpha, ref: refs/tags/v1.0.0, before: m0, after: t9, forced: true, drop: true, at: +1m }
  - push: { by: alpha, ref: refs/tags/v1.1.0, before: m0, deleted: true, drop: true }
`),
    );
    await b.deliver(2);
    await b.deliver(3);
    b.pass(DAY);
    await b.sweep();
    expect(await tagActs(b)).toEqual([
      ['tag.delete', 'v1.1.0', 'unattributed', null],
      ['tag.move', 'v1.0.0', 'unattributed', null],
    ]);
    expect(b.lines()).toEqual([]);
  });

  test('what webhooks told is not kept a second time', async () => {
    const b = await looked(
      story(`
  - push: { by: alpha, ref: refs/tags/v2, created: true, after: m0, at: +1m }
  - push: { by: mara, ref: refs/tags/v1.0.0, before: m0, after: t8, forced: true }
  - push: { by: mara, ref: refs/tags/v1.0.0, before: t8, after: t9, forced: true }
  - delete: { by: mara, ref: v1.1.0, ref_type: tag }
`),
    );
    for (const n of [2, 3, 4, 5]) await b.deliver(n);
    const told = await tagActs(b);
    b.pass(DAY);
    await b.sweep();
    expect(await tagActs(b)).toEqual(told);
    expect(told.map(([, , verdict]) => verdict)).not.toContain('unattributed');
  });

  test('the same tag made a second time, told only the first -> kept again', async () => {
    const b = await looked(
      story(`
  - create: { by: mara, ref: v2, ref_type: tag, at: +1m }
  - push: { by: mara, ref: refs/tags/v2, before: m0, deleted: true, drop: true, at: +25h }
  - push: { by: mara, ref: refs/tags/v2, created: true, after: t9, drop: true, at: +25h }
`),
    );
    await b.deliver(2);
    b.pass(DAY);
    await b.sweep();
    await b.deliver(3);
    b.pass(DAY);
    await b.sweep();
    await b.deliver(4);
    b.pass(DAY);
    await b.sweep();
    expect(await tagActs(b)).toEqual([
      ['tag.create', 'v2', 'person', 'mara'],
      ['tag.create', 'v2', 'unattributed', null],
      ['tag.delete', 'v2', 'unattributed', null],
    ]);
  });

  test('the list cannot be had -> nothing is taken for gone, and it is asked for again', async () => {
    const b = await looked(story(FOUR), {
      through: failing(/matching-refs/, 502, 8),
    });
    expect(b.warned).toEqual([]);
    for (let ticks = 0; ticks < 6; ticks += 1) {
      b.pass(5 * MINUTE);
      await b.sweep();
    }
    await b.deliver(2);
    b.pass(HOUR);
    await b.sweep();
    expect(await tagActs(b)).toHaveLength(4);
  });
});
