import { describe, expect, test } from '@jest/globals';
import type { ActsQuery } from '../../src/store/store.js';
import type { Opener } from './openers.js';
import { act, arrival, at, push } from './rows.js';

const all = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

/** What every store keeps to beside its ledgers and its inbox. */
export const describeStore = ({ name, use }: Opener): void => {
  describe(`a store ${name}`, () => {
    test('knows a repository by its last name, whatever is told late', () =>
      use(async (store) => {
        const known = { id: 5, owner: 'acme', name: 'widgets', installation: 42, seenAt: at('09:00:00') };
        await store.saveRepository(known);
        await store.saveRepository({ ...known, id: 3 });
        await store.saveRepository({ ...known, name: 'gadgets', seenAt: at('10:00:00') });
        await store.saveRepository({ ...known, name: 'older', seenAt: at('09:30:00') });
        expect(await store.repositories()).toEqual([
          { ...known, id: 3 },
          { ...known, name: 'gadgets', seenAt: at('10:00:00') },
        ]);
      }));

    test('keeps cursors by key, and tells those that begin alike', () =>
      use(async (store) => {
        for (const [key, value] of [
          ['sweep:b', '1'],
          ['sweep:a', '{"page":2}'],
          ['SWEEP:c', '3'],
          ['sweep_d', '4'],
          ['sweep:b', '5'],
        ] as const)
          await store.saveCursor(key, value);
        expect([await store.cursor('sweep:b'), await store.cursor('sweep')]).toEqual(['5', undefined]);
        expect(await store.cursors('sweep:')).toEqual([
          { key: 'sweep:a', value: '{"page":2}' },
          { key: 'sweep:b', value: '5' },
        ]);
        expect(await store.cursors('s%')).toEqual([]);
      }));

    describe('acts of all repositories', () => {
      test.each<[string, ActsQuery, readonly string[]]>([
        ['in the order they were done', {}, ['c', 'a', 'b', 'd']],
        ['since', { since: at('09:00:00') }, ['a', 'b', 'd']],
        ['until', { until: at('09:00:00') }, ['c', 'a', 'b']],
        ['of one repository', { repository: 2 }, ['b']],
        [
          'of one repository, between',
          { repository: 1, since: at('08:30:00'), until: at('09:30:00') },
          ['a'],
        ],
        ['of no such repository', { repository: 3 }, []],
      ])('%s', (_, query, keys) =>
        use(async (store) => {
          await store.repository(1).saveAct(act('a'));
          await store.repository(2).saveAct(act('b'));
          await store.repository(1).saveAct(act('c', { at: at('08:00:00') }));
          await store.repository(1).saveAct(act('d', { at: at('10:00:00') }));
          expect((await all(store.acts(query))).map(({ key }) => key)).toEqual(keys);
        }),
      );

      test('name the repository, where it is known', () =>
        use(async (store) => {
          await store.saveRepository({
            id: 1,
            owner: 'acme',
            name: 'widgets',
            installation: 42,
            seenAt: at('09:00:00'),
          });
          await store.repository(1).saveAct(act('a'));
          await store.repository(2).saveAct(act('b'));
          expect(await all(store.acts({}))).toEqual([
            { ...act('a'), repository: { id: 1, owner: 'acme', name: 'widgets' } },
            { ...act('b'), repository: { id: 2, owner: null, name: null } },
          ]);
        }));

      test('are each told once over many pages, also those of one moment', () =>
        use(async (store) => {
          const one = store.repository(1);
          const keys = Array.from({ length: 1203 }, (_, index) => `k${index}`);
          await Promise.all(
            keys.map((key, index) =>
              one.saveAct(act(key, { at: at(index < 700 ? '09:00:00' : '09:00:01') })),
            ),
          );
          expect((await all(store.acts({}))).map(({ key }) => key)).toEqual(keys);
        }));
    });

    describe('pruning', () => {
      const keep = {
        bodiesSince: at('09:00:00'),
        deliveriesSince: at('08:00:00'),
        actsSince: at('08:00:00'),
      };

      test('takes bodies, then rows, of what is done, and nothing else', () =>
        use(async (store) => {
          const { inbox } = store;
          const ids = new Map<string, number>();
          for (const guid of ['old', 'buried', 'older', 'recent', 'queued', 'waiting'])
            ids.set(guid, (await inbox.accept(arrival(guid, { receivedAt: at('07:00:00') }))).id);
          const id = (guid: string): number => ids.get(guid) ?? 0;
          await inbox.done(id('old'), at('08:30:00'));
          await inbox.bury(id('buried'), { attempts: 8, at: at('07:30:00'), error: 'e' });
          await inbox.done(id('older'), at('07:30:00'));
          await inbox.done(id('recent'), at('09:00:00'));
          await inbox.retry(id('waiting'), { attempts: 1, due: at('07:30:00'), error: 'e' });
          await inbox.expect('expected', at('07:00:00'));

          expect(await store.prune(keep)).toEqual({ bodies: 2, deliveries: 1, acts: 0 });
          const left = await Promise.all(
            (await inbox.list({ limit: 99 })).map(async ({ guid }) => {
              const body = (await inbox.find(guid))?.body;
              return [guid, body === null ? 'no body' : 'body'];
            }),
          );
          expect(left).toEqual([
            ['expected', 'no body'],
            ['waiting', 'body'],
            ['queued', 'body'],
            ['recent', 'body'],
            ['buried', 'body'],
            ['old', 'no body'],
          ]);
          expect([await inbox.replay(id('old')), await inbox.replay(id('recent'))]).toEqual([false, true]);
          expect(await inbox.accept(arrival('old'))).toEqual({ kind: 'known', id: id('old') });
          expect(await store.prune(keep)).toEqual({ bodies: 0, deliveries: 0, acts: 0 });
        }));

      test('takes a dead letter only once it was sent again and is done', () =>
        use(async (store) => {
          const { id } = await store.inbox.accept(arrival('g'));
          await store.inbox.bury(id, { attempts: 8, at: at('07:30:00'), error: 'e' });
          expect(await store.prune(keep)).toEqual({ bodies: 0, deliveries: 0, acts: 0 });
          expect(await store.inbox.accept(arrival('g'))).toEqual({ kind: 'again', id });
          expect((await store.inbox.read(id))?.body).toEqual(Uint8Array.from(arrival('g').body));
          await store.inbox.done(id, at('08:40:00'));
          expect(await store.prune(keep)).toMatchObject({ bodies: 1 });
        }));

      test('takes a row with its body where rows are kept for less long', () =>
        use(async (store) => {
          const { id } = await store.inbox.accept(arrival('g'));
          await store.inbox.done(id, at('08:30:00'));
          expect(
            await store.prune({ ...keep, bodiesSince: at('07:00:00'), deliveriesSince: at('09:00:00') }),
          ).toEqual({ bodies: 1, deliveries: 1, acts: 0 });
          expect(await store.inbox.read(id)).toBeUndefined();
        }));

      test('takes what was expected so long ago, and never came', () =>
        use(async (store) => {
          const { inbox } = store;
          await inbox.expect('came', at('07:00:00'));
          await inbox.accept(arrival('came'));
          await inbox.expect('late', at('07:00:00'));
          expect(await store.prune(keep)).toMatchObject({ deliveries: 0 });
          const later = new Date(Date.now() + 1_000).toISOString();
          expect(await store.prune({ ...keep, deliveriesSince: later })).toMatchObject({ deliveries: 1 });
          expect(await inbox.counts()).toMatchObject({ expected: 0, queued: 1 });
          expect((await inbox.accept(arrival('late'))).kind).toBe('new');
        }));

      test('never gives a number again', () =>
        use(async (store) => {
          const { id } = await store.inbox.accept(arrival('g'));
          await store.inbox.done(id, at('07:00:00'));
          expect(await store.prune(keep)).toMatchObject({ deliveries: 1 });
          expect((await store.inbox.accept(arrival('h'))).id).toBeGreaterThan(id);
        }));

      test('takes old acts, pushes and notes of effects', () =>
        use(async (store) => {
          const one = store.repository(1);
          const [old, young] = [at('07:59:59'), at('08:00:00')];
          await one.saveAct(act('old', { at: old }));
          await one.saveAct(act('young', { at: young }));
          await one.savePush(push({ at: old, tree: 't' }));
          await one.savePush(push({ at: young, by: { id: 1, login: 'x', type: 'User' } }));
          await one.noteEffect('old', { state: 'made', at: old });
          await one.noteEffect('young', { state: 'made', at: young });
          await one.savePolicy('repo', { path: 'p', blob: 'b', text: 't', since: old });
          expect(await store.prune(keep)).toEqual({ bodies: 0, deliveries: 0, acts: 1 });
          expect((await one.acts({})).map(({ key }) => key)).toEqual(['young']);
          expect((await one.pushes('topic')).map((row) => row.at)).toEqual([young]);
          expect([await one.effect('old'), (await one.effect('young'))?.at]).toEqual([undefined, young]);
          expect(await one.policies('repo')).toHaveLength(1);
        }));

      test('goes on until all of many is gone, while others are answered', () =>
        use(async (store) => {
          const { inbox } = store;
          const accepted = await Promise.all(
            Array.from({ length: 620 }, (_, index) => inbox.accept(arrival(`g${index}`))),
          );
          await Promise.all(accepted.map(({ id }) => inbox.done(id, at('07:00:00'))));
          const pruning = store.prune(keep);
          expect((await inbox.accept(arrival('between'))).kind).toBe('new');
          expect(await pruning).toMatchObject({ bodies: 620, deliveries: 620 });
          expect((await inbox.list({ limit: 9 })).map(({ guid }) => guid)).toEqual(['between']);
        }));
    });

    test('finishes what was asked for before it is closed, and refuses the rest', () =>
      use(async (store) => {
        const before = store.inbox.accept(arrival('g'));
        const read = store.repository(1).act('a');
        await store.close();
        expect((await before).kind).toBe('new');
        expect(await read).toBeUndefined();
        await expect(store.inbox.accept(arrival('h'))).rejects.toMatchObject({
          name: 'StoreError',
          kind: 'closed',
        });
        await expect(store.repository(1).acts({})).rejects.toMatchObject({ kind: 'closed' });
      }));
  });
};
