import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '../../src/store/migrate.js';
import { createStore } from '../../src/store/sql/store.js';
import { createDatabase } from '../../src/store/sqlite/database.js';
import type { Executor } from '../../src/store/sqlite/executor.js';
import { openInProcess } from '../../src/store/sqlite/in-process.js';
import type { Statement } from '../../src/store/sqlite/statement.js';
import type { Store } from '../../src/store/store.js';
import { act, arrival, at, escalation, push, waits, waiver } from './rows.js';

const inMemory = (): Executor => openInProcess({ file: ':memory:', access: 'serve' });

/** Only explains: the driver leaves an explained write unfinished, and nothing could be committed after it. */
const explaining = inMemory();
const working = inMemory();
let asked: Statement[] = [];

/** Runs what it is asked for, and remembers it. */
const database = createDatabase(
  {
    run(unit) {
      asked.push(...unit);
      return working.run(unit);
    },
    close: working.close,
  },
  ':memory:',
);
const store = createStore(database, Date.now);

beforeAll(async () => {
  await migrate(database, Date.now);
  await migrate(createDatabase(explaining, ':memory:'), Date.now);
});
afterAll(async () => {
  await store.close();
  await explaining.close();
});

const isStep = (row: unknown): row is { readonly detail: string } =>
  typeof row === 'object' && row !== null && 'detail' in row;

/** How SQLite goes about everything that `work` asks for. */
const plansOf = async (work: (store: Store) => Promise<unknown>): Promise<readonly string[]> => {
  asked = [];
  await work(store);
  const plans = await Promise.all(
    asked.map(({ sql, parameters }) =>
      explaining.run([{ sql: `explain query plan ${sql}`, parameters, reads: true }]),
    ),
  );
  return plans.flatMap((answers) =>
    answers.flatMap(({ rows }) => rows.filter(isStep).map(({ detail }) => detail)),
  );
};

const first = async (items: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of items) return;
};

const one = store.repository(1);
const before = { bodiesSince: at('09:00:00'), deliveriesSince: at('09:00:00'), actsSince: at('09:00:00') };

test.each<[string, () => Promise<unknown>, RegExp]>([
  [
    'accept',
    () => store.inbox.accept(arrival('g')),
    /deliveries USING .*INDEX sqlite_autoindex_deliveries_1 \(guid=\?\)/,
  ],
  ['known', () => store.inbox.known(['g']), /sqlite_autoindex_deliveries_1 \(guid=\?\)/],
  ['find', () => store.inbox.find('g'), /sqlite_autoindex_deliveries_1 \(guid=\?\)/],
  ['pending', () => store.inbox.pending(0, 10), /INDEX deliveries_left \(state=\? AND id>\?\)/],
  ['dead ones', () => store.inbox.list({ state: 'dead', limit: 9 }), /INDEX deliveries_left \(state=\?\)/],
  [
    'undoneBefore',
    () => store.inbox.undoneBefore(1, at('09:00:00')),
    /INDEX deliveries_undone \(repository=\? AND received_at<\?\)/,
  ],
  ['oldestUndone', () => store.inbox.oldestUndone(), /INDEX deliveries_undone/],
  ['dead', () => store.inbox.dead(), /COVERING INDEX deliveries_left \(state=\?\)/],
  ['done', () => store.inbox.done(1, at('09:00:00')), /INTEGER PRIMARY KEY/],
  [
    'pruned bodies and rows',
    () => store.prune(before),
    /INDEX deliveries_ended \(kept=\? AND ended_at>\? AND ended_at<\?\)/,
  ],
  ['pruned expectations', () => store.prune(before), /INDEX deliveries_left \(state=\?\)/],
  ['pruned acts', () => store.prune(before), /INDEX acts_at \(at<\?\)/],
  ['pruned checks', () => store.prune(before), /INDEX checks_at \(at<\?\)/],
  ['an act', () => one.act('a'), /acts_1 \(repository=\? AND key=\?\)/],
  [
    'acts of an agent',
    () => one.acts({ kind: 'pull.merge', agent: 'a', since: at('09:00:00') }),
    /INDEX acts_agent \(repository=\? AND kind=\? AND agent=\? AND at>\?\)/,
  ],
  [
    'acts on a ref',
    () => one.acts({ kind: 'pull.merge', ref: 'main' }),
    /INDEX acts_ref \(repository=\? AND kind=\? AND ref=\?\)/,
  ],
  ['pushes', () => one.pushes('main'), /pushes_1 \(repository=\? AND ref=\?\)/],
  ['a tree', () => one.tree('a'), /INDEX pushes_after \(repository=\? AND after=\?\)/],
  ['an issue', () => one.escalationOfIssue(1), /INDEX escalations_issue \(repository=\? AND issue=\?\)/],
  ['policies', () => one.policies('repo'), /INDEX policies_since \(repository=\? AND scope=\?\)/],
  ['what is due', () => store.due(at('09:00:00')), /INDEX waiting_due \(due<\?\)/],
  ['the act log', () => first(store.acts({})), /INDEX acts_at/],
  [
    'the act log of a repository',
    () => first(store.acts({ repository: 1, since: at('09:00:00') })),
    /INDEX acts_repository \(repository=\? AND at>\?\)/,
  ],
])('%s: found by its index', async (_, work, plan) => {
  const steps = await plansOf(work);
  expect(steps.join('\n')).toMatch(plan);
});

test('nothing reads a whole table', async () => {
  const steps = await plansOf(async () => {
    await store.inbox.accept(arrival('h'));
    await store.inbox.replay(1);
    await store.inbox.pending(0, 10);
    await store.prune(before);
    for await (const row of store.acts({ since: at('08:00:00') })) expect(row).toBeDefined();
    await one.saveAct(act('a'));
    await one.savePush(push());
    await one.savePull({ number: 1 });
    await one.pull(1);
    await one.saveEscalation(escalation('a', 'b'));
    await one.saveWaiver(waiver());
    await one.waivers(1);
    await one.wait(waits('a', at('09:00:00')));
    await one.unwait('a');
    await one.done('a');
    await one.suspensions();
    await store.due(at('09:00:00'));
  });
  expect(steps.length).toBeGreaterThan(20);
  // `some` are the few rows that were found already.
  expect(steps.filter((step) => /^SCAN (?!some$)\w+$/.test(step))).toEqual([]);
});
