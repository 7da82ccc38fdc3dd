import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Ledger } from '../../src/store/ledger.js';
import { openStore } from '../../src/store/open.js';
import { createModel } from './model.js';
import { act, escalation, push, waits, waiver } from './rows.js';

/** Few names, so that rows meet; some that SQL, JSON or UTF-8 could stumble over. */
const name = fc.constantFrom('a', 'b', 'A', '', `'"%_`, 'a\u0000b', '\u00e9', 'e\u0301', '\ud83d\ude00');
const number = fc.constantFrom(1, 2, 2 ** 31, 2 ** 53 - 1);
const time = fc.constantFrom(
  '2026-11-30T09:00:00Z',
  '2026-11-30T09:00:00.000Z',
  '2026-11-30T09:00:00.001Z',
  '2026-11-30T10:30:00+01:30',
  '1969-12-31T23:59:59Z',
);
const agent = fc.option(name);
const kind = fc.constantFrom('pull.merge' as const, 'push.trunk' as const);
const account = number.map((id) => ({ id, login: 'x', type: 'User' as const }));
const text = fc.oneof(name, fc.string({ unit: 'grapheme' }));
const rule = fc.constantFrom('merge-level' as const, 'tag' as const);

/** One thing that is asked of a ledger, and its answer. */
type Step = (ledger: Ledger) => Promise<unknown>;

const present = <T extends object>(record: T): T =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;

const saves: fc.Arbitrary<Step>[] = [
  fc.record({ key: name, number, agent: name, at: time }).map(
    ({ key, number: pull, agent: who, at }) =>
      (ledger) =>
        ledger.saveTogether([
          { kind: 'act', row: act(key, { agent: who, at }) },
          { kind: 'pull', memory: { number: pull, toldAt: at } },
          { kind: 'suspension', suspension: { agent: who, since: at, cause: 'pause', by: null, key: null } },
          { kind: 'escalation', memory: escalation(who, key, { issue: pull }) },
          { kind: 'done', key },
        ]),
  ),
  fc.record({ key: name, kind, agent, at: time, ref: fc.option(name, { nil: undefined }), word: text }).map(
    ({ key, ref, word, ...over }) =>
      (ledger) =>
        ledger.saveAct(
          act(key, { ...over, tellings: [word], subject: present({ ref }) as { ref?: string } }),
        ),
  ),
  fc.record({ ref: name, before: name, after: name, by: account, at: time, told: fc.boolean() }).map(
    ({ told, ...over }) =>
      (ledger) =>
        ledger.savePush(push(told ? { ...over, tree: encodeURIComponent(over.after) } : over)),
  ),
  fc.record({ number, armedBy: fc.option(account, { nil: undefined }), seen: fc.option(fc.array(name)) }).map(
    ({ seen, armedBy, ...memory }) =>
      (ledger) =>
        ledger.savePull({
          ...memory,
          ...(armedBy && { armedBy }),
          ...(seen && { evidence: seen.map((one) => ({ agent: one, tier: 'weak', evidence: [] })) }),
        }),
  ),
  fc
    .record({ agent: name, since: time })
    .map((over) => (ledger) => ledger.suspend({ ...over, cause: 'pause', by: null, key: null })),
  name.map((one) => (ledger) => ledger.resume(one)),
  fc
    .record({ sha: name, hash: text, id: number })
    .map(
      (over) => (ledger) =>
        ledger.saveCheck({ ...over, conclusion: 'success', reasons: [], pulls: [over.id] }),
    ),
  fc
    .record({ number, hash: text, id: fc.option(number) })
    .map((over) => (ledger) => ledger.saveComment({ ...over, facts: [], standing: [], state: 'open' })),
  fc.record({ rule, agent: name, subject: name, issue: fc.option(number), more: fc.nat() }).map(
    ({ issue, more, ...key }) =>
      (ledger) =>
        ledger.saveEscalation({ ...escalation(key.agent, key.subject, { issue, more }), key }),
  ),
  name.map((key) => (ledger) => ledger.saveDone(key)),
  fc.record({ key: name, state: fc.constantFrom('making' as const, 'made' as const), at: time }).map(
    ({ key, ...note }) =>
      (ledger) =>
        ledger.noteEffect(key, note),
  ),
  fc
    .record({ pull: number, head: name, base: name, why: text })
    .map((over) => (ledger) => ledger.saveWaiver(waiver(over))),
  fc
    .record({ scope: fc.constantFrom('repo' as const, 'org' as const), path: name, blob: name, since: time })
    .map(
      ({ scope, ...memory }) =>
        (ledger) =>
          ledger.savePolicy(scope, { ...memory, text: memory.blob }),
    ),
  fc.record({ id: name, due: time }).map(
    ({ id, due }) =>
      (ledger) =>
        ledger.wait(waits(id, due)),
  ),
  name.map((id) => (ledger) => ledger.unwait(id)),
];

const reads: fc.Arbitrary<Step>[] = [
  name.map((key) => (ledger) => ledger.act(key)),
  fc
    .record({ kind, agent: name, since: time, ref: name }, { requiredKeys: [] })
    .map((query) => (ledger) => ledger.acts(query)),
  name.map((ref) => (ledger) => ledger.pushes(ref)),
  name.map((sha) => (ledger) => ledger.tree(sha)),
  number.map((one) => (ledger) => ledger.pull(one)),
  fc.constant((ledger) => ledger.suspensions()),
  name.map((sha) => (ledger) => ledger.check(sha)),
  number.map((one) => (ledger) => ledger.comment(one)),
  fc.record({ rule, agent: name, subject: name }).map((key) => (ledger) => ledger.escalation(key)),
  rule.map((one) => (ledger) => ledger.escalations(one)),
  number.map((issue) => (ledger) => ledger.escalationOfIssue(issue)),
  name.map((key) => (ledger) => ledger.done(key)),
  name.map((key) => (ledger) => ledger.effect(key)),
  number.map((pull) => (ledger) => ledger.waivers(pull)),
  fc.constantFrom('repo' as const, 'org' as const).map((scope) => (ledger) => ledger.policies(scope)),
  fc.constant((ledger) => ledger.waiting()),
];

test('a ledger in SQL answers as one in plain maps, whatever is asked of it', async () => {
  const store = await openStore({ file: ':memory:' });
  let repository = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 3, arbitrary: fc.oneof(...saves) }, fc.oneof(...reads)), { maxLength: 60 }),
      fc.array(fc.oneof(...reads), { minLength: 10, maxLength: 30 }),
      async (steps, last) => {
        // A repository of its own each time; what another one holds must not be seen.
        repository += 1;
        const [ledger, model] = [store.repository(repository), createModel()];
        for (const step of [...steps, ...last]) expect(await step(ledger)).toEqual(await step(model));
      },
    ),
    { numRuns: 200 },
  );
  await store.close();
}, 60_000);
