import { describe, expect, test } from '@jest/globals';
import type { Opener } from './openers.js';
import { arrival, at } from './rows.js';

const failure = { attempts: 3, due: at('09:05:00'), error: 'GitHub answered 502' };
const dead = { attempts: 8, at: at('10:00:00'), error: 'GitHub answered 502' };

/** What every inbox keeps to, whatever its rows are kept in. */
export const describeInbox = ({ name, use }: Opener): void => {
  describe(`an inbox ${name}`, () => {
    test('gives back what came in', () =>
      use(async ({ inbox }) => {
        const body = Uint8Array.from({ length: 40_000 }, (_, index) => index % 251);
        const given = { body: Uint8Array.from(body), happenedAt: '2026-11-30T08:00:00Z' };
        const { kind, id } = await inbox.accept(arrival('g', given));
        expect(kind).toBe('new');
        expect(await inbox.read(id)).toEqual({
          id,
          guid: 'g',
          name: 'pull_request',
          receivedAt: at('09:00:00'),
          hint: { repository: 1, action: 'opened', lane: 2, subject: 'pull:12' },
          attempts: 0,
          due: null,
          state: 'queued',
          happenedAt: at('08:00:00'),
          endedAt: null,
          error: null,
          body,
        });
      }));

    test('keeps a part of a larger buffer as that part alone, and an empty body', () =>
      use(async ({ inbox }) => {
        const slab = Buffer.from('secret{}secret');
        const { id } = await inbox.accept(arrival('g', { body: slab.subarray(6, 8) }));
        const empty = await inbox.accept(arrival('h', { body: new Uint8Array() }));
        expect((await inbox.read(id))?.body).toEqual(Uint8Array.from(Buffer.from('{}')));
        expect((await inbox.read(empty.id))?.body).toEqual(new Uint8Array());
      }));

    test('keeps what comes in dead, and queues it once it is replayed', () =>
      use(async ({ inbox }) => {
        await inbox.acceptDead(arrival('g'), dead);
        expect(await inbox.pending(0, 10)).toEqual([]);
        const kept = await inbox.find('g');
        expect(kept).toMatchObject({ state: 'dead', attempts: 8, error: dead.error, endedAt: dead.at });
        expect(kept?.body).toEqual(Uint8Array.from(arrival('g').body));
        await inbox.acceptDead(arrival('g'), { ...dead, attempts: 9 });
        expect(await inbox.find('g')).toMatchObject({ id: kept?.id, state: 'dead', attempts: 9 });
        expect(await inbox.replay(kept?.id ?? 0)).toBe(true);
        expect((await inbox.pending(0, 10)).map(({ guid }) => guid)).toEqual(['g']);
      }));

    test('leaves what is done as it is when it comes in dead', () =>
      use(async ({ inbox }) => {
        const { id } = await inbox.accept(arrival('g'));
        await inbox.done(id, at('09:30:00'));
        await inbox.acceptDead(arrival('g'), dead);
        expect(await inbox.read(id)).toMatchObject({ state: 'done', endedAt: at('09:30:00') });
      }));

    test('keeps what has no repository', () =>
      use(async ({ inbox }) => {
        const hint = { repository: null, action: null, lane: 4, subject: null };
        const { id } = await inbox.accept(arrival('g', { hint }));
        expect((await inbox.read(id))?.hint).toEqual(hint);
        expect((await inbox.pending(0, 10)).map((row) => row.hint)).toEqual([hint]);
      }));

    test('numbers arrivals upwards, also those that came together', () =>
      use(async ({ inbox }) => {
        const accepted = await Promise.all(['a', 'b', 'c'].map((guid) => inbox.accept(arrival(guid))));
        const ids = accepted.map(({ id }) => id);
        expect(ids).toEqual([...ids].sort((a, b) => a - b));
        expect(new Set(ids).size).toBe(3);
      }));

    test('counts the dead alone, until they are replayed', () =>
      use(async ({ inbox }) => {
        const [a, b] = await Promise.all(['a', 'b', 'c'].map((guid) => inbox.accept(arrival(guid))));
        for (const one of [a, b]) await inbox.bury(one?.id ?? 0, dead);
        expect(await inbox.dead()).toBe(2);
        await inbox.replay(a?.id ?? 0);
        await inbox.done(b?.id ?? 0, at('11:00:00'));
        expect(await inbox.dead()).toBe(0);
      }));

    describe('told the same GUID again', () => {
      test.each([
        ['queued -> known', [], 'known', 'queued', 0],
        ['done -> known', ['done'], 'known', 'done', 0],
        ['waiting -> again, its failures counted on', ['retry'], 'again', 'queued', 3],
        ['dead -> again, its failures forgotten', ['bury'], 'again', 'queued', 0],
        ['dead and replayed -> known', ['bury', 'replay'], 'known', 'queued', 0],
        ['waiting, then done -> known', ['retry', 'done'], 'known', 'done', 3],
      ] as const)('%s', (_, steps, kind, state, attempts) =>
        use(async ({ inbox }) => {
          const { id } = await inbox.accept(arrival('g'));
          const step = {
            done: () => inbox.done(id, at('09:01:00')),
            retry: () => inbox.retry(id, failure),
            bury: () => inbox.bury(id, dead),
            replay: () => inbox.replay(id),
          };
          for (const one of steps) await step[one]();
          expect(await inbox.accept(arrival('g', { receivedAt: at('11:00:00') }))).toEqual({ kind, id });
          expect(await inbox.read(id)).toMatchObject({
            state,
            attempts,
            due: null,
            receivedAt: at('09:00:00'),
          });
          expect(await inbox.counts()).toEqual({
            expected: 0,
            queued: 0,
            waiting: 0,
            done: 0,
            dead: 0,
            [state]: 1,
          });
        }),
      );

      test('expected -> new, with when it first happened', () =>
        use(async ({ inbox }) => {
          await inbox.expect('g', '2026-11-30T07:00:00Z');
          expect(await inbox.known(['g'])).toEqual(new Set());
          expect(await inbox.pending(0, 10)).toEqual([]);
          expect((await inbox.find('g'))?.body).toBeNull();
          const { kind, id } = await inbox.accept(arrival('g'));
          expect(kind).toBe('new');
          expect(await inbox.read(id)).toMatchObject({
            name: 'pull_request',
            state: 'queued',
            happenedAt: at('07:00:00'),
            receivedAt: at('09:00:00'),
            hint: { repository: 1, lane: 2 },
            body: Uint8Array.from(Buffer.from('{"guid":"g"}')),
          });
          expect(await inbox.accept(arrival('g'))).toEqual({ kind: 'known', id });
        }));

      test('known -> not expected', () =>
        use(async ({ inbox }) => {
          const { id } = await inbox.accept(arrival('g'));
          await inbox.expect('g', at('07:00:00'));
          expect(await inbox.read(id)).toMatchObject({ state: 'queued', happenedAt: null });
        }));
    });

    test('knows GUIDs in any state but expected, also of many', () =>
      use(async ({ inbox }) => {
        const done = await inbox.accept(arrival('a'));
        await inbox.done(done.id, at('09:01:00'));
        const buried = await inbox.accept(arrival('b'));
        await inbox.bury(buried.id, dead);
        await inbox.expect('c', at('09:00:00'));
        const many = Array.from({ length: 250 }, (_, index) => `x${index}`);
        expect(await inbox.known([...many, 'a', 'b', 'c', 'A'])).toEqual(new Set(['a', 'b']));
        expect(await inbox.known([])).toEqual(new Set());
      }));

    test('what is pending comes by its id, page by page', () =>
      use(async ({ inbox }) => {
        const ids: number[] = [];
        for (const guid of ['a', 'b', 'c', 'd', 'e']) ids.push((await inbox.accept(arrival(guid))).id);
        const [a = 0, b = 0, c = 0, d = 0, e = 0] = ids;
        await inbox.done(a, at('09:01:00'));
        await inbox.retry(c, failure);
        await inbox.bury(d, dead);
        const first = await inbox.pending(0, 2);
        expect(first.map(({ id, attempts, due }) => [id, attempts, due])).toEqual([
          [b, 0, null],
          [c, 3, at('09:05:00')],
        ]);
        expect((await inbox.pending(c, 2)).map(({ id }) => id)).toEqual([e]);
        expect(await inbox.pending(e, 2)).toEqual([]);
      }));

    test('a dead letter tells when and why, and is found by GUID and by number', () =>
      use(async ({ inbox }) => {
        const { id } = await inbox.accept(arrival('g'));
        await inbox.bury(id, dead);
        const found = await inbox.find('g');
        expect(found).toMatchObject({
          state: 'dead',
          endedAt: at('10:00:00'),
          error: dead.error,
          attempts: 8,
        });
        expect(await inbox.find(String(id))).toEqual(found);
        expect([await inbox.find('no'), await inbox.find('9'.repeat(30)), await inbox.read(id + 1)]).toEqual([
          undefined,
          undefined,
          undefined,
        ]);
      }));

    test.each([
      ['all, the newest first', { limit: 10 }, ['c', 'b', 'a']],
      ['no more than asked for', { limit: 2 }, ['c', 'b']],
      ['by state', { state: 'dead', limit: 10 }, ['b']],
      ['by repository', { repository: 2, limit: 10 }, ['c', 'b']],
      ['by both', { repository: 2, state: 'queued', limit: 10 }, ['c']],
      ['none', { state: 'waiting', limit: 10 }, []],
    ] as const)('lists %s', (_, query, guids) =>
      use(async ({ inbox }) => {
        const other = { repository: 2, action: null, lane: 0, subject: null };
        await inbox.accept(arrival('a'));
        const { id } = await inbox.accept(arrival('b', { hint: other }));
        await inbox.accept(arrival('c', { hint: other }));
        await inbox.bury(id, dead);
        const listed = await inbox.list(query);
        expect(listed.map(({ guid }) => guid)).toEqual(guids);
        for (const row of listed) expect(row).not.toHaveProperty('body');
      }),
    );

    test.each([
      ['done', true],
      ['dead', true],
      ['waiting', true],
      ['expected', false],
      ['not here', false],
    ] as const)('replays what is %s: %s', (state, replayed) =>
      use(async ({ inbox }) => {
        if (state === 'expected') await inbox.expect('g', at('09:00:00'));
        else if (state !== 'not here') await inbox.accept(arrival('g'));
        const id = (await inbox.find('g'))?.id ?? 77;
        if (state === 'done') await inbox.done(id, at('09:01:00'));
        if (state === 'dead') await inbox.bury(id, dead);
        if (state === 'waiting') await inbox.retry(id, failure);
        expect(await inbox.replay(id)).toBe(replayed);
        expect((await inbox.pending(0, 9)).map(({ attempts, due }) => [attempts, due])).toEqual(
          replayed ? [[0, null]] : [],
        );
      }),
    );

    test('tells the oldest that is neither done nor dead', () =>
      use(async ({ inbox }) => {
        expect(await inbox.oldestUndone()).toBeNull();
        const old = await inbox.accept(arrival('a', { receivedAt: at('08:00:00') }));
        const waiting = await inbox.accept(arrival('b', { receivedAt: at('08:30:00') }));
        await inbox.accept(arrival('c'));
        await inbox.retry(waiting.id, failure);
        expect(await inbox.oldestUndone()).toBe(at('08:00:00'));
        await inbox.done(old.id, at('09:00:00'));
        expect(await inbox.oldestUndone()).toBe(at('08:30:00'));
        await inbox.bury(waiting.id, dead);
        expect(await inbox.oldestUndone()).toBe(at('09:00:00'));
      }));

    test.each([
      ['received before', 1, '09:00:01', true],
      ['received at that moment', 1, '09:00:00', false],
      ['of another repository', 2, '09:00:01', false],
    ] as const)('something undone %s', (_, repository, time, undone) =>
      use(async ({ inbox }) => {
        const { id } = await inbox.accept(arrival('g'));
        expect(await inbox.undoneBefore(repository, at(time))).toBe(undone);
        await inbox.retry(id, failure);
        expect(await inbox.undoneBefore(repository, at(time))).toBe(undone);
        await inbox.done(id, at('09:02:00'));
        expect(await inbox.undoneBefore(repository, at(time))).toBe(false);
      }),
    );

    test('a body that SQL would be hurt by is a body', () =>
      use(async ({ inbox }) => {
        const guid = `'; drop table deliveries; --`;
        const { id } = await inbox.accept(arrival(guid, { body: Buffer.from(guid) }));
        expect((await inbox.find(guid))?.id).toBe(id);
      }));
  });
};
