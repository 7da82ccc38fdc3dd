import { describe, expect, test } from '@jest/globals';
import type { PolicyMemory } from '../../src/store/ledger.js';
import { act, alpha, escalation, push, rae, waits, waiver } from './rows.js';
import type { Opener } from './openers.js';

/** What every ledger keeps to, whatever its rows are kept in. */
export const describeLedger = ({ name, use }: Opener): void => {
  describe(`a ledger ${name}`, () => {
    describe('what was saved', () => {
      test('comes out equal, and as a copy of its own each time', () =>
        use(async (store) => {
          const one = store.repository(1);
          const row = act('a', { unfinished: true, subject: { ref: 'main', pull: 3, before: 'x' } });
          await one.saveAct(row);
          const [first, second] = [await one.act('a'), await one.act('a')];
          expect(first).toEqual(row);
          expect(first).not.toBe(second);
          expect(first?.subject).not.toBe(second?.subject);
        }));

      test('is not changed by what the caller does to it afterwards', () =>
        use(async (store) => {
          const one = store.repository(1);
          const row = { ...act('a'), tellings: ['push'] };
          const saving = one.saveAct(row);
          row.tellings.push('forged');
          await saving;
          expect((await one.act('a'))?.tellings).toEqual(['push']);
        }));

      test('replaces the row with the same key', () =>
        use(async (store) => {
          const one = store.repository(1);
          await one.saveAct(act('a'));
          await one.saveAct(act('a', { verdict: 'explained', agent: null, subject: {} }));
          expect((await one.acts({})).map(({ verdict }) => verdict)).toEqual(['explained']);
          expect(await one.acts({ agent: 'alpha' })).toEqual([]);
          expect(await one.acts({ ref: 'main' })).toEqual([]);
        }));

      test('belongs to one repository', () =>
        use(async (store) => {
          await store.repository(1).saveAct(act('a'));
          expect(await store.repository(2).act('a')).toBeUndefined();
          expect(await store.repository(1).act('a')).toBeDefined();
        }));

      test('may be of a repository whose id needs 53 bits', () =>
        use(async (store) => {
          await store.repository(2 ** 53 - 1).saveAct(act('a'));
          expect(await store.repository(2 ** 53 - 1).act('a')).toBeDefined();
          expect(await store.repository(2 ** 53 - 2).act('a')).toBeUndefined();
        }));

      test('is refused where its time is no time', () =>
        use(async (store) => {
          await expect(store.repository(1).saveAct(act('a', { at: 'soon' }))).rejects.toMatchObject({
            name: 'StoreError',
            kind: 'failed',
          });
          expect(await store.repository(1).act('a')).toBeUndefined();
        }));
    });

    describe('acts', () => {
      test.each([
        ['all, in the order they were first saved', {}, ['a', 'b', 'c']],
        ['by kind', { kind: 'push.trunk' }, ['c']],
        ['by agent', { agent: 'beta' }, ['b']],
        ['by ref', { ref: 'release/1' }, ['c']],
        ['since a time, that time included', { since: '2026-11-30T10:00:00.000Z' }, ['b', 'c']],
        ['since a time of another zone', { since: '2026-11-30T11:30:00+01:00' }, ['c']],
        ['by two of them', { agent: 'alpha', since: '2026-11-30T09:30:00Z' }, ['c']],
        ['none', { agent: 'gamma' }, []],
      ] as const)('%s', (_, query, keys) =>
        use(async (store) => {
          const one = store.repository(1);
          await one.saveAct(act('a'));
          await one.saveAct(act('b', { agent: 'beta', at: '2026-11-30T10:00:00Z' }));
          await one.saveAct(
            act('c', { kind: 'push.trunk', at: '2026-11-30T11:00:00Z', subject: { ref: 'release/1' } }),
          );
          await one.saveAct(act('a', { verdict: 'allow' }));
          expect((await one.acts(query)).map(({ key }) => key)).toEqual(keys);
        }),
      );
    });

    describe('pushes', () => {
      test('told twice are one, the later telling; moved alike by two are two', () =>
        use(async (store) => {
          const one = store.repository(1);
          await one.savePush(push());
          await one.savePush(push({ by: rae }));
          await one.savePush(push({ at: '2026-11-30T09:00:01Z' }));
          await one.savePush(push({ ref: 'other' }));
          expect(await one.pushes('topic')).toEqual([
            push({ at: '2026-11-30T09:00:01Z' }),
            push({ by: rae }),
          ]);
        }));

      test('tell the tree of what they brought, also after a telling without it', () =>
        use(async (store) => {
          const one = store.repository(1);
          await one.savePush(push({ tree: 't' }));
          await one.savePush(push());
          expect([await one.tree('b'), await one.tree('a')]).toEqual(['t', undefined]);
          expect(await one.pushes('topic')).toEqual([push()]);
        }));
    });

    describe('memories', () => {
      test('of a PR nobody saved hold its number alone', () =>
        use(async (store) => {
          const one = store.repository(1);
          expect(await one.pull(5)).toEqual({ number: 5 });
          await one.savePull({ number: 5, armedBy: alpha });
          expect(await one.pull(5)).toEqual({ number: 5, armedBy: alpha });
        }));

      test('of a PR keep its evidence as it was saved last', () =>
        use(async (store) => {
          const one = store.repository(1);
          const evidence = [{ agent: 'alpha', tier: 'certain', evidence: [] }] as const;
          await one.savePull({ number: 5, evidence });
          await one.savePull({ number: 6, evidence: [] });
          expect(await one.pull(5)).toEqual({ number: 5, evidence });
          expect(await one.pull(6)).toEqual({ number: 6, evidence: [] });
          await one.savePull({ number: 5, toldAt: '2026-11-30T09:00:00Z', evidence: [] });
          expect(await one.pull(5)).toEqual({ number: 5, toldAt: '2026-11-30T09:00:00Z', evidence: [] });
          await one.savePull({ number: 5 });
          expect(await one.pull(5)).toEqual({ number: 5 });
        }));

      test('of a suspension end with resume, and come in the order agents were suspended', () =>
        use(async (store) => {
          const one = store.repository(1);
          const suspended = (agent: string, since: string) => ({
            agent,
            since,
            cause: 'merge-level' as const,
            by: null,
            key: null,
          });
          await one.suspend(suspended('beta', '2026-11-30T09:00:00Z'));
          await one.suspend(suspended('alpha', '2026-11-30T08:00:00Z'));
          await one.suspend(suspended('beta', '2026-11-30T10:00:00Z'));
          expect(await one.suspensions()).toEqual([
            suspended('beta', '2026-11-30T10:00:00Z'),
            suspended('alpha', '2026-11-30T08:00:00Z'),
          ]);
          await one.resume('beta');
          await one.resume('nobody');
          expect((await one.suspensions()).map(({ agent }) => agent)).toEqual(['alpha']);
        }));

      test('of checks and comments are by sha and number', () =>
        use(async (store) => {
          const one = store.repository(1);
          const check = {
            sha: 's',
            conclusion: 'success',
            reasons: ['person'],
            pulls: [1],
            hash: 'h',
            id: 1,
          } as const;
          await one.saveCheck(check);
          await one.saveCheck({ ...check, id: 2 });
          expect([await one.check('s'), await one.check('t')]).toEqual([{ ...check, id: 2 }, undefined]);
          const comment = {
            number: 3,
            id: 9,
            facts: [],
            standing: [],
            state: 'cleared',
            hash: 'h',
          } as const;
          await one.saveComment(comment);
          expect([await one.comment(3), await one.comment(4)]).toEqual([comment, undefined]);
        }));

      test('of escalations tell keys apart that look alike when joined', () =>
        use(async (store) => {
          const one = store.repository(1);
          await one.saveEscalation(escalation('a', 'b:c'));
          await one.saveEscalation(escalation('a:b', 'c', { issue: 7 }));
          expect((await one.escalation({ rule: 'merge-level', agent: 'a', subject: 'b:c' }))?.key.agent).toBe(
            'a',
          );
          expect(await one.escalation({ rule: 'tag', agent: 'a', subject: 'b:c' })).toBeUndefined();
          expect((await one.escalations('merge-level')).map(({ key }) => key.agent)).toEqual(['a', 'a:b']);
          expect(await one.escalations('push-level')).toEqual([]);
          expect((await one.escalationOfIssue(7))?.key.agent).toBe('a:b');
          expect(await one.escalationOfIssue(8)).toBeUndefined();
        }));

      test('of effects done once say nothing of what was noted, and the other way round', () =>
        use(async (store) => {
          const one = store.repository(1);
          const note = { state: 'making', at: '2026-11-30T09:00:00Z' } as const;
          await one.saveDone('revert-pull:1');
          await one.noteEffect('comment:1', note);
          await one.noteEffect('revert-pull:1', { ...note, state: 'made' });
          expect([await one.done('revert-pull:1'), await one.done('comment:1')]).toEqual([true, false]);
          expect(await one.effect('comment:1')).toEqual(note);
          expect(await one.effect('revert-pull:1')).toEqual({ ...note, state: 'made' });
          await one.saveDone('comment:1');
          expect([await one.done('comment:1'), await one.effect('comment:1')]).toEqual([true, note]);
          expect([await one.done('other'), await one.effect('other')]).toEqual([false, undefined]);
        }));

      test('of waivers: a later one for the same head, base and reason replaces it', () =>
        use(async (store) => {
          const one = store.repository(1);
          for (const over of [{}, { head: 'i' }, { why: 'again' }, { base: 'next' }, { pull: 2 }])
            await one.saveWaiver(waiver(over));
          expect(await one.waivers(1)).toEqual([
            waiver({ why: 'again' }),
            waiver({ head: 'i' }),
            waiver({ base: 'next' }),
          ]);
          expect(await one.waivers(3)).toEqual([]);
        }));

      test('of policies come newest first, a version that came back twice', () =>
        use(async (store) => {
          const one = store.repository(1);
          const version = (blob: string, hour: string): PolicyMemory => ({
            path: '.github/agent-policy.yml',
            blob,
            text: blob,
            since: `2026-11-30T${hour}:00:00Z`,
          });
          for (const [blob, hour] of [
            ['a', '09'],
            ['b', '10'],
            ['a', '11'],
            ['a', '11'],
          ] as const)
            await one.savePolicy('repo', version(blob, hour));
          expect((await one.policies('repo')).map(({ blob }) => blob)).toEqual(['a', 'b', 'a']);
          expect(await one.policies('org')).toEqual([]);
        }));

      test('of two policies with one time: the one saved last is the newer', () =>
        use(async (store) => {
          const one = store.repository(1);
          const version = (blob: string): PolicyMemory => ({
            path: 'p',
            blob,
            text: blob,
            since: '2026-11-30T09:00:00Z',
          });
          for (const blob of ['a', 'b', 'a']) await one.savePolicy('org', version(blob));
          expect((await one.policies('org')).map(({ blob }) => blob)).toEqual(['a', 'b']);
        }));
    });

    test('what waits comes by its time, until it waits no more', () =>
      use(async (store) => {
        const one = store.repository(1);
        await one.wait(waits('late', '2026-11-30T10:00:00Z'));
        await one.wait(waits('soon', '2026-11-30T09:00:00.000Z'));
        await store.repository(2).wait(waits('soon', '2026-11-30T09:30:00Z'));
        expect(await one.waiting()).toEqual([
          waits('soon', '2026-11-30T09:00:00.000Z'),
          waits('late', '2026-11-30T10:00:00Z'),
        ]);
        expect(
          (await store.due('2026-11-30T09:30:00Z')).map(({ repository, waiting }) => [
            repository,
            waiting.id,
          ]),
        ).toEqual([
          [1, 'soon'],
          [2, 'soon'],
        ]);
        await one.unwait('soon');
        await one.wait(waits('late', '2026-11-30T08:00:00Z'));
        expect(await one.waiting()).toEqual([waits('late', '2026-11-30T08:00:00Z')]);
        await one.unwait('late');
        expect(await one.waiting()).toEqual([]);
        expect(await store.due('2026-11-30T08:59:59Z')).toEqual([]);
      }));
  });
};
