import { describe, expect, test } from '@jest/globals';
import type { Account } from '../../src/acts/act.js';
import { createMemoryStore } from '../../src/store/memory.js';
import type { ActRow, EscalationMemory, PushRow, Waiting } from '../../src/store/ledger.js';

const alpha: Account = { id: 9001, login: 'alpha-agent[bot]', type: 'Bot' };
const rae: Account = { id: 13, login: 'rae', type: 'User' };
const ledger = () => createMemoryStore().repository(1);

const act = (key: string, over: Partial<ActRow> = {}): ActRow => ({
  key,
  kind: 'pull.merge',
  actor: alpha,
  agent: 'alpha',
  at: '2026-11-30T09:00:00Z',
  tellings: ['push'],
  verdict: 'deny',
  rule: 'merge-level',
  subject: { ref: 'main' },
  ...over,
});

const push = (over: Partial<PushRow> = {}): PushRow => ({
  ref: 'topic',
  before: 'a',
  after: 'b',
  by: alpha,
  at: '2026-11-30T09:00:00Z',
  ...over,
});

describe('a delivery', () => {
  test('is new once', async () => {
    const one = ledger();
    expect([await one.begin('g'), await one.begin('g'), await one.begin('h')]).toEqual([true, false, true]);
  });

  test('that was forgotten is new again, and no other is', async () => {
    const one = ledger();
    await one.begin('g');
    await one.begin('h');
    await one.forget('g');
    expect([await one.begin('g'), await one.begin('h')]).toEqual([true, false]);
  });
});

describe('what was saved', () => {
  test('is not changed by what the caller does to it afterwards', async () => {
    const one = ledger();
    const row = { ...act('a'), tellings: ['push'] };
    await one.saveAct(row);
    row.tellings.push('forged');
    expect((await one.act('a'))?.tellings).toEqual(['push']);
  });

  test('cannot be changed by who reads it', async () => {
    const one = ledger();
    await one.saveAct(act('a'));
    const [read] = await one.acts({});
    expect(() => Object.assign(read?.subject ?? {}, { ref: 'other' })).toThrow(TypeError);
    expect((await one.act('a'))?.subject.ref).toBe('main');
  });

  test('replaces the row with the same key', async () => {
    const one = ledger();
    await one.saveAct(act('a'));
    await one.saveAct(act('a', { verdict: 'explained' }));
    expect((await one.acts({})).map(({ verdict }) => verdict)).toEqual(['explained']);
  });

  test('belongs to one repository', async () => {
    const store = createMemoryStore();
    await store.repository(1).saveAct(act('a'));
    expect(await store.repository(2).act('a')).toBeUndefined();
    expect(await store.repository(1).act('a')).toBeDefined();
  });
});

describe('acts', () => {
  test.each([
    ['all', {}, ['a', 'b', 'c']],
    ['by kind', { kind: 'push.trunk' }, ['c']],
    ['by agent', { agent: 'beta' }, ['b']],
    ['by ref', { ref: 'release/1' }, ['c']],
    ['since a time, that time included', { since: '2026-11-30T10:00:00.000Z' }, ['b', 'c']],
    ['by two of them', { agent: 'alpha', since: '2026-11-30T09:30:00Z' }, ['c']],
    ['none', { agent: 'gamma' }, []],
  ] as const)('%s', async (_, query, keys) => {
    const one = ledger();
    await one.saveAct(act('a'));
    await one.saveAct(act('b', { agent: 'beta', at: '2026-11-30T10:00:00Z' }));
    await one.saveAct(
      act('c', { kind: 'push.trunk', at: '2026-11-30T11:00:00Z', subject: { ref: 'release/1' } }),
    );
    expect((await one.acts(query)).map(({ key }) => key)).toEqual(keys);
  });
});

describe('pushes', () => {
  test('told twice are one; moved alike by two are two', async () => {
    const one = ledger();
    await one.savePush(push());
    await one.savePush(push({ at: '2026-11-30T09:00:01Z' }));
    await one.savePush(push({ by: rae }));
    await one.savePush(push({ ref: 'other' }));
    expect((await one.pushes('topic')).map(({ by }) => by.id)).toEqual([9001, 13]);
  });

  test('tell the tree of what they brought, also after a telling without it', async () => {
    const one = ledger();
    await one.savePush(push({ tree: 't' }));
    await one.savePush(push());
    expect([await one.tree('b'), await one.tree('a')]).toEqual(['t', undefined]);
  });
});

describe('memories', () => {
  test('of a PR nobody saved hold its number alone', async () => {
    const one = ledger();
    expect(await one.pull(5)).toEqual({ number: 5 });
    await one.savePull({ number: 5, armedBy: alpha });
    expect(await one.pull(5)).toEqual({ number: 5, armedBy: alpha });
  });

  test('of a suspension end with resume', async () => {
    const one = ledger();
    await one.suspend({
      agent: 'alpha',
      since: '2026-11-30T09:00:00Z',
      cause: 'merge-level',
      by: null,
      key: null,
    });
    expect((await one.suspensions()).map(({ agent }) => agent)).toEqual(['alpha']);
    await one.resume('alpha');
    expect(await one.suspensions()).toEqual([]);
  });

  test('of checks and comments are by sha and number', async () => {
    const one = ledger();
    const check = {
      sha: 's',
      conclusion: 'success',
      reasons: ['person'],
      pulls: [1],
      hash: 'h',
      id: 1,
    } as const;
    await one.saveCheck(check);
    expect([await one.check('s'), await one.check('t')]).toEqual([check, undefined]);
    const comment = { number: 3, id: 9, facts: [], standing: [], state: 'cleared', hash: 'h' } as const;
    await one.saveComment(comment);
    expect([await one.comment(3), await one.comment(4)]).toEqual([comment, undefined]);
  });

  test('of escalations tell keys apart that look alike when joined', async () => {
    const one = ledger();
    const memory = (agent: string, subject: string): EscalationMemory => ({
      key: { rule: 'merge-level', agent, subject },
      issue: null,
      state: 'open',
      rows: [],
      more: 0,
      closedAt: null,
      mentions: [],
    });
    await one.saveEscalation(memory('a', 'b:c'));
    await one.saveEscalation(memory('a:b', 'c'));
    expect((await one.escalation({ rule: 'merge-level', agent: 'a', subject: 'b:c' }))?.key.agent).toBe('a');
    expect(await one.escalations('merge-level')).toHaveLength(2);
    expect(await one.escalations('push-level')).toEqual([]);
  });

  test('of effects done once', async () => {
    const one = ledger();
    await one.saveDone('revert-pull:1');
    expect([await one.done('revert-pull:1'), await one.done('revert-pull:2')]).toEqual([true, false]);
  });

  test('of policies come newest first, a version that came back twice', async () => {
    const one = ledger();
    const version = (blob: string, hour: string) => ({
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
  });
});

describe('what waits', () => {
  const waits = (id: string, due: string): Waiting => ({
    id,
    due,
    delivery: { id, name: 'push', payload: { ref: 'x' } },
  });

  test('comes by its time, and its repository is listed until nothing waits', async () => {
    const store = createMemoryStore();
    const one = store.repository(1);
    store.repository(2);
    await one.wait(waits('late', '2026-11-30T10:00:00Z'));
    await one.wait(waits('soon', '2026-11-30T09:00:00.000Z'));
    expect((await one.waiting()).map(({ id }) => id)).toEqual(['soon', 'late']);
    expect(await store.repositories()).toEqual([1]);
    await one.unwait('soon');
    await one.unwait('late');
    expect(await store.repositories()).toEqual([]);
  });
});
