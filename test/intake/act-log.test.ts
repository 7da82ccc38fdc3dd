import { describe, expect, test } from '@jest/globals';
import type { Act } from '../../src/acts/act.js';
import { firstTelling, rowOf } from '../../src/intake/acts-once.js';
import { aside, standingOf } from '../../src/intake/act-rows.js';
import { noteUnattributed, UNATTRIBUTED } from '../../src/intake/unattributed.js';
import { openStore } from '../../src/store/open.js';
import { story } from './sweeps/activity-story.js';
import { bench } from './sweeps/bench.js';

const alpha = { id: 9001, login: 'alpha-agent[bot]', type: 'Bot' } as const;
const rae = { id: 12, login: 'rae', type: 'User' } as const;
const SHA = 'a'.repeat(40);

const at = (minutes: number): string =>
  new Date(Date.parse('2026-11-30T09:00:00Z') + minutes * 60_000).toISOString();

const made = (delivery: string, actor: Act['actor'] = alpha): Act => ({
  kind: 'tag.create',
  key: 'tag.create:v1',
  telling: 'create',
  pair: true,
  actor,
  delivery,
  ref: 'v1',
  sha: null,
});

const ledgerFor = async (work: (ledger: Awaited<ReturnType<typeof open>>['ledger']) => Promise<void>) => {
  const { store, ledger } = await open();
  await work(ledger);
  await store.close();
};

async function open() {
  const store = await openStore({ file: ':memory:' });
  return { store, ledger: store.repository(1) };
}

describe('another act is another row', () => {
  test('a tag and a branch made and taken away by an agent, and then by a person -> every act stays', async () => {
    const b = await bench(
      story(`
  - create: { by: alpha, ref: v1, ref_type: tag, sha: h0, at: +1m }
  - push: { by: alpha, ref: refs/tags/v1, created: true, after: h0 }
  - delete: { by: alpha, ref: v1, ref_type: tag, at: +1m }
  - create: { by: rae, ref: v1, ref_type: tag, sha: h0, at: +1h }
  - delete: { by: rae, ref: v1, ref_type: tag, at: +1m }
  - delete: { by: alpha, ref: alpha/old, ref_type: branch, at: +1m }
  - push: { by: rae, ref: alpha/old, created: true, after: o1, at: +1m }
  - delete: { by: rae, ref: alpha/old, ref_type: branch, at: +1m }
`),
    );
    for (let n = 1; n <= 9; n += 1) await b.deliver(n);
    const acts = (await b.acts()).filter(({ kind }) => /^(tag|branch)\./.test(kind));
    expect(acts.map(({ kind, verdict, actor }) => [kind, verdict, actor?.login])).toEqual([
      ['tag.create', 'deny', 'alpha-agent[bot]'],
      ['tag.delete', 'deny', 'alpha-agent[bot]'],
      ['tag.create', 'person', 'rae'],
      ['tag.delete', 'person', 'rae'],
      ['branch.delete', 'deny', 'alpha-agent[bot]'],
      ['branch.delete', 'person', 'rae'],
    ]);
    expect(acts[0]?.tellings).toEqual(['create', 'push']);
    expect((await b.store.repository(1).act('tag.create:v1'))?.actor?.login).toBe('rae');
    expect(b.failures).toEqual([]);
  });

  test('one that waited while another of its key came -> goes on in its own row, and is told once', () =>
    ledgerFor(async (ledger) => {
      const waits = { ...rowOf(made('d1'), at(0), 'deny', 'alpha', 'tag'), unfinished: true as const };
      await ledger.saveAct(aside(waits));
      await ledger.saveAct(rowOf(made('d2', rae), at(5), 'person', null, null));
      expect(await firstTelling(made('d1'), at(9), ledger)).toBe(true);
      const again = rowOf(made('d1'), at(9), 'deny', 'alpha', 'tag');
      expect(await standingOf(again, ledger)).toMatchObject({ own: { at: at(0), actor: alpha } });
      await ledger.saveAct(aside(rowOf(made('d1'), at(0), 'deny', 'alpha', 'tag')));
      expect(await firstTelling(made('d1'), at(10), ledger)).toBe(false);
      expect(await ledger.acts({ kind: 'tag.create' })).toHaveLength(2);
    }));

  test('one that is judged again is the same row, whoever else made one before', () =>
    ledgerFor(async (ledger) => {
      const row = rowOf(made('d2', rae), at(5), 'person', null, null);
      await ledger.saveAct(rowOf(made('d1'), at(0), 'deny', 'alpha', 'tag'));
      expect(await standingOf(row, ledger)).toMatchObject({ own: undefined, other: { actor: alpha } });
      await ledger.saveAct({ ...row, unfinished: true });
      expect(await standingOf(row, ledger)).toMatchObject({ own: { actor: rae }, other: undefined });
    }));
});

describe('what is done by nobody known takes the row of nobody', () => {
  const noted = (kind: 'tag.create' | 'pull.merge', key: string, since: string) => ({
    id: 'tags:1:1',
    name: UNATTRIBUTED,
    payload: { acts: [{ key, kind, subject: {} }], since },
  });

  test.each<[string, string, readonly (string | null)[]]>([
    ['since the last look an agent made it -> nothing more', at(0), [alpha.login]],
    ['an agent made it before the last look -> both stay', at(6), [alpha.login, null]],
  ])('%s', (_rule, since, actors) =>
    ledgerFor(async (ledger) => {
      await ledger.saveAct(rowOf(made('d1'), at(5), 'deny', 'alpha', 'tag'));
      const delivery = noted('tag.create', 'tag.create:v1', since);
      await noteUnattributed(delivery, ledger, at(9));
      await noteUnattributed(delivery, ledger, at(9));
      const acts = [...(await ledger.acts({}))].sort((a, b) => a.at.localeCompare(b.at));
      expect(acts.map(({ actor }) => actor?.login ?? null)).toEqual(actors);
    }),
  );

  test('a merge that is known by its commit -> is no other merge, whenever it was seen', () =>
    ledgerFor(async (ledger) => {
      const key = `pull.merge:1:${SHA}`;
      await ledger.saveAct({ ...rowOf(made('d1'), at(0), 'deny', 'alpha', null), kind: 'pull.merge', key });
      await noteUnattributed(noted('pull.merge', key, at(5)), ledger, at(5));
      expect(await ledger.acts({})).toMatchObject([{ key, actor: alpha }]);
    }));

  test('taken away by somebody and made anew -> the one nobody is known for stays too', () =>
    ledgerFor(async (ledger) => {
      const unknown = { actor: null, verdict: 'unattributed' as const, deliveries: ['tags:1:1'] };
      await ledger.saveAct({ ...rowOf(made('x'), at(0), 'deny', null, null), ...unknown });
      const row = rowOf(made('d1'), at(9), 'deny', 'alpha', 'tag');
      expect(await standingOf(row, ledger)).toMatchObject({ own: { actor: null } });
      await ledger.saveAct({ ...row, key: 'tag.delete:v1', kind: 'tag.delete', at: at(5) });
      expect(await standingOf(row, ledger)).toMatchObject({ own: undefined, other: { actor: null } });
    }));
});
