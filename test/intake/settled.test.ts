import { describe, expect, test } from '@jest/globals';
import type { Effect, FactRow } from '../../src/decide/effects.js';
import { withoutSettled } from '../../src/intake/settled.js';
import type { EscalationMemory } from '../../src/store/ledger.js';
import { bench, HOUR, MINUTE } from './sweeps/bench.js';

const story = (breach: string, by: string): string => `
id: SETTLED
title: A breach is dealt with, the database is lost, and GitHub tells the breach once more
policy: |
  version: 1
  merge: pr
  agents:
    alpha: { apps: [1001], accounts: [9001] }
  people: { approvals: 1, approvers: [otto, mara, rae] }
  escalate: { assignees: [mara] }
world:
  pulls:
    283: { author: alpha, base: main, head: staging, sha: h1 }
    290: { author: alpha, base: main, head: other, sha: o1 }
events:
  - pull_request.opened: { by: alpha, pull: 290 }
  - ${breach}
  - issues.closed: { by: ${by}, issue: 10001, reason: completed, at: +1h }
`;

const MERGE = 'pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +11s }';
const TAG = 'create: { by: alpha, ref: v1, ref_type: tag, at: +11s }';

/** The breach is worked on, but GitHub takes it for lost; somebody closes the issue; the database is lost. */
const toldAgain = async (breach: string, by: string) => {
  const b = await bench(story(breach, by));
  await b.deliver(1);
  for (const delivery of b.miss(2)) {
    b.pass(20_000);
    await b.take(delivery);
  }
  await b.deliver(3);
  expect(b.lines()).toContain('suspend alpha');
  await b.forget();
  for (const wait of [6 * MINUTE, 6 * MINUTE, HOUR]) {
    b.pass(wait);
    await b.sweep();
  }
  const lines = b.lines().filter((line) => /^(issue|suspend)/.test(line));
  return { lines, suspensions: await b.store.repository(1).suspensions(), failures: b.failures };
};

describe('a breach that is told once more to a new database', () => {
  test.each([
    ['merge', MERGE],
    ['tag, whose time is that of its webhook', TAG],
  ])(
    'a person with maintain closed its issue: %s -> it stays closed, and nobody is suspended',
    async (_, breach) => {
      expect(await toldAgain(breach, 'mara')).toEqual({ lines: [], suspensions: [], failures: [] });
    },
  );

  test('a person without closed it -> it is open, and the agent is suspended', async () => {
    const { suspensions } = await toldAgain(MERGE, 'rae');
    expect(suspensions).toMatchObject([{ agent: 'alpha', cause: 'merge-level' }]);
  });
});

describe('what is left out of the effects', () => {
  const key = { rule: 'tag', agent: 'alpha', subject: 'tags' } as const;
  const rowAt = (at: string, ref = 'v1'): FactRow => ({
    at,
    who: { id: 9001, login: 'alpha', type: 'User' },
    agent: 'alpha',
    what: 'tag.create',
    subject: { ref },
    rule: 'tag',
    origin: null,
    state: 'landed',
  });
  const TOLD = rowAt('2026-11-30T09:00:00.000Z');
  const memory: EscalationMemory = {
    key,
    issue: 7,
    state: 'closed',
    rows: [TOLD],
    more: 0,
    closedAt: '2026-11-30T09:05:00Z',
    mentions: [],
  };
  const suspend: Effect = { kind: 'suspend', agent: 'alpha', cause: 'tag', by: null, key };
  const escalate = (row: FactRow): Effect => ({ kind: 'escalate', key, row, mentions: [] });
  const left = (effects: readonly Effect[], saved: EscalationMemory | undefined = memory) =>
    withoutSettled(effects, { escalation: () => Promise.resolve(saved) });

  test.each([
    ['the same', TOLD],
    ['seen a little later, before it was closed', rowAt('2026-11-30T09:04:00Z')],
  ])('a row that stands there: %s -> it, and its suspension', async (_, row) => {
    expect(await left([suspend, escalate(row)])).toEqual([]);
  });

  test.each([
    ['done after it was closed', rowAt('2026-11-30T09:06:00Z')],
    ['done long before', rowAt('2026-11-30T08:40:00Z')],
    ['about something else', rowAt(TOLD.at, 'v2')],
  ])('a row that does not: %s -> nothing', async (_, row) => {
    const effects = [suspend, escalate(row)];
    expect(await left(effects)).toEqual(effects);
  });

  test('one that does and one that does not -> the first alone', async () => {
    const news = escalate(rowAt(TOLD.at, 'v2'));
    expect(await left([suspend, escalate(TOLD), news])).toEqual([suspend, news]);
  });

  test.each([
    ['the issue is open', { ...memory, state: 'open', closedAt: null }],
    ['it is about a state, which may come again', { ...memory, key: { ...key, rule: 'policy-invalid' } }],
    ['there is none', undefined],
  ] as const)('%s -> nothing', async (_, saved) => {
    const effects = [suspend, escalate(TOLD)];
    expect(await withoutSettled(effects, { escalation: () => Promise.resolve(saved) })).toEqual(effects);
  });
});
