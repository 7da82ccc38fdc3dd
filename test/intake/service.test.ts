import { describe, expect, test } from '@jest/globals';
import { RequestFailure } from '../../src/github/failure.js';
import { createService, type Service, type ServiceDeps } from '../../src/intake/service.js';
import type { Waiting } from '../../src/store/ledger.js';
import { openStore } from '../../src/store/open.js';
import { type Store, StoreError } from '../../src/store/store.js';

const START = Date.parse('2026-11-30T09:00:00Z');
const at = (seconds: number): string => new Date(START + seconds * 1_000).toISOString();

const bench = async (
  over: { store?: Store; intake?: Partial<ServiceDeps['intake']>; killed?: boolean } = {},
) => {
  let now = START;
  const store = over.store ?? (await openStore({ file: ':memory:' }));
  const told: string[] = [];
  const down: (string | null)[] = [];
  const start = (): Service =>
    createService({
      store,
      intake: {
        receive: async ({ id }) => void told.push(`worked on ${id}`),
        resume: async ({ id }) => {
          told.push(`resumed ${id}`);
          await store.repository(1).unwait(id);
        },
        ...over.intake,
      },
      sweeps: (_accept, downSince) => {
        down.push(downSince);
        return {
          tick: async () => void told.push('swept'),
          last: () => Promise.resolve([{ sweep: 'deliveries', at: null, left: 0 }]),
          stop: () => Promise.resolve(),
        };
      },
      killSwitch: () => over.killed === true,
      now: () => now,
      random: () => 1,
      keep: { bodies: 24 * 3_600_000, acts: 365 * 24 * 3_600_000 },
      log: {
        done: () => undefined,
        failed: () => undefined,
        store: (error) => told.push(`store: ${String(error)}`),
        waits: ({ id }) => told.push(`${id} goes on waiting`),
        pruned: () => undefined,
        sweep: () => told.push('a sweep failed'),
      },
    });
  return { store, told, down, start, pass: (seconds: number) => (now += seconds * 1_000) };
};

const body = Buffer.from(
  JSON.stringify({
    ref: 'refs/heads/x',
    repository: { id: 1, name: 'r', owner: { login: 'a' } },
    installation: { id: 1 },
  }),
);
const push = (guid: string) => ({ guid, name: 'push', body });
const waits = (id: string, seconds: number): Waiting => ({
  id,
  due: at(seconds),
  delivery: { id, name: 'push', payload: {} },
});

describe('a delivery', () => {
  test('stored, then worked on; the same again is known', async () => {
    const { start, told } = await bench();
    const service = start();
    await service.start();
    expect(await service.accept(push('a'))).toBe('new');
    expect(await service.accept(push('a'))).toBe('known');
    await service.idle();
    expect(told).toEqual(['worked on a']);
  });

  test('of an event that no rule listens to -> not stored', async () => {
    const { start, store } = await bench();
    expect(await start().accept({ guid: 'a', name: 'star', body })).toBe('unread');
    expect(await store.inbox.find('a')).toBeUndefined();
  });

  test('the store cannot take it -> rejects, and nothing is worked on', async () => {
    const { start, store, told } = await bench();
    const service = start();
    await store.close();
    await expect(service.accept(push('a'))).rejects.toMatchObject({ name: 'StoreError' });
    expect(told).toEqual([]);
  });

  test('taken before the end of a process -> worked on by the next', async () => {
    const { start, told } = await bench({ killed: false });
    const first = start();
    await first.accept(push('a'));
    await first.idle();
    const stuck = await bench({ killed: true });
    await stuck.start().accept(push('b'));
    const next = await bench({ store: stuck.store });
    const service = next.start();
    await service.start();
    await service.idle();
    expect([told, next.told]).toEqual([['worked on a'], ['worked on b']]);
  });
});

describe('what waits', () => {
  test('waiting -> resumed when it is due, not before', async () => {
    const { start, store, told, pass } = await bench();
    const service = start();
    await service.start();
    await store.repository(1).wait(waits('grace', 90));
    pass(89);
    await service.tick();
    expect(told).toEqual(['swept']);
    pass(1);
    await service.tick();
    expect(told).toEqual(['swept', 'swept', 'resumed grace']);
  });

  test('due, but an older delivery of its repository is not done -> goes on waiting', async () => {
    const failing = new RequestFailure('GET /x', 502, 'GitHub is failing', 'server');
    let fails = true;
    const { start, store, told, pass } = await bench({
      intake: {
        receive: async ({ id }) => {
          if (fails) throw failing;
          told.push(`worked on ${id}`);
        },
      },
    });
    const service = start();
    await service.start();
    await service.accept(push('merge'));
    await service.idle();
    await store.repository(1).wait(waits('grace', 1));
    pass(1);
    await service.tick();
    expect(told).toEqual(['swept']);
    fails = false;
    pass(9);
    await service.tick();
    await service.idle();
    await service.tick();
    expect(told.filter((line) => line !== 'swept')).toEqual(['worked on merge', 'resumed grace']);
  });

  test('GitHub gives no answer -> waits longer each time, and is told', async () => {
    const { start, store, told, pass } = await bench({
      intake: { resume: () => Promise.reject(new RequestFailure('GET /x', 502, 'failing', 'server')) },
    });
    const service = start();
    await service.start();
    await store.repository(1).wait(waits('grace', 0));
    await expect(service.tick()).rejects.toThrow('1 waiting deliveries could not be worked on');
    await service.tick();
    expect(told.filter((line) => line.startsWith('grace'))).toHaveLength(1);
    pass(2);
    await expect(service.tick()).rejects.toThrow('could not be worked on');
    pass(2);
    await service.tick();
    pass(2);
    await expect(service.tick()).rejects.toThrow('could not be worked on');
    expect(told.filter((line) => line.startsWith('grace'))).toHaveLength(3);
  });
});

test('what waits failed while the clock was a year ahead -> tried again once it is right', async () => {
  const { start, store, told, pass } = await bench({
    intake: { resume: () => Promise.reject(new RequestFailure('GET /x', 502, 'failing', 'server')) },
  });
  const year = 365 * 86_400;
  const service = start();
  await service.start();
  await store.repository(1).wait(waits('grace', 0));
  pass(year);
  await expect(service.tick()).rejects.toThrow('could not be worked on');
  pass(-year);
  await expect(service.tick()).rejects.toThrow('could not be worked on');
  expect(told.filter((line) => line.startsWith('grace'))).toHaveLength(2);
});

describe('what waits in several repositories', () => {
  test('the same id in two of them is two things: one that fails holds the other not', async () => {
    const { start, store, told } = await bench({
      intake: {
        resume: async ({ id, delivery }) => {
          if (delivery.name === 'fails') throw new RequestFailure('GET /x', 502, 'failing', 'server');
          told.push(`resumed ${id}`);
          await store.repository(2).unwait(id);
        },
      },
    });
    const service = start();
    await service.start();
    const one = waits('agent-policy.recheck:12', 0);
    await store.repository(1).wait({ ...one, delivery: { ...one.delivery, name: 'fails' } });
    await expect(service.tick()).rejects.toThrow('1 waiting');
    await store.repository(2).wait(one);
    await service.tick();
    expect(told).toContain('resumed agent-policy.recheck:12');
  });

  test('one that hangs holds no other repository, and the stop waits for it', async () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const { start, store, told } = await bench({
      intake: {
        resume: async ({ id }) => {
          if (id === 'hangs') await ended;
          told.push(`resumed ${id}`);
          await store.repository(id === 'hangs' ? 1 : 2).unwait(id);
        },
      },
    });
    const service = start();
    await service.start();
    await store.repository(1).wait(waits('hangs', 0));
    const first = service.tick();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await store.repository(2).wait(waits('other', 0));
    await service.tick();
    expect(told).toContain('resumed other');
    const stopped = service.stop(5_000);
    end();
    await Promise.all([stopped, first]);
    expect(told).toContain('resumed hangs');
  });

  test('refused for good -> a dead letter that can be replayed, and nothing waits any more', async () => {
    const { start, store, pass } = await bench({
      intake: { resume: () => Promise.reject(new RequestFailure('GET /x', 404, 'gone', 'refused')) },
    });
    const service = start();
    await service.start();
    await store.repository(1).wait(waits('grace', 0));
    for (let turn = 0; turn < 8; turn += 1) {
      await service.tick().catch(() => undefined);
      pass(70);
    }
    expect(await store.repository(1).waiting()).toEqual([]);
    expect(await store.inbox.find('waited:1:grace')).toMatchObject({ state: 'dead', attempts: 7 });
  });
});

test('what waits and meets a full disk goes on waiting, however often, and is no dead letter', async () => {
  const { start, store, told, pass } = await bench({
    intake: { resume: () => Promise.reject(new StoreError('The disk is full.', 'full')) },
  });
  const service = start();
  await service.start();
  await store.repository(1).wait(waits('grace', 0));
  for (let turn = 0; turn < 30; turn += 1) {
    await service.tick().catch(() => undefined);
    pass(120);
  }
  expect(told.filter((line) => line === 'grace goes on waiting')).toHaveLength(30);
  expect(await store.repository(1).waiting()).toHaveLength(1);
  expect(await store.inbox.dead()).toBe(0);
});

describe('a stop', () => {
  test('notes first that the process lived, whatever it then waits for', async () => {
    const { start, store, pass } = await bench({
      intake: { receive: () => new Promise(() => undefined) },
    });
    const service = start();
    await service.start();
    await service.accept(push('endless'));
    pass(40);
    const stopped = service.stop(500);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await store.cursor('alive')).toBe(JSON.stringify(at(40)));
    expect(await stopped).toEqual(['endless']);
  });
});

describe('a start', () => {
  test.each<[string, number, string | null]>([
    ['a minute after the last sign of life -> it was not down', 60, null],
    ['an hour after it -> down since then', 3_600, at(0)],
    ['the clock was set back a minute -> it was not down', -60, null],
    ['the clock was a year ahead then -> it may have been down', -365 * 86_400, at(0)],
  ])('%s', async (_name, seconds, since) => {
    const { start, down, pass } = await bench();
    await start().start();
    pass(seconds);
    await start().start();
    expect(down).toEqual([null, since]);
  });
});

describe('a start on a store that fails', () => {
  const failing = async (over: (store: Store) => Partial<Store>) => {
    const store = await openStore({ file: ':memory:' });
    return bench({ store: { ...store, ...over(store) } });
  };

  test('to write -> logged and not ready, but what is there is taken up; it writes again -> ready', async () => {
    let full = true;
    const { start, store, told, pass } = await failing((real) => ({
      saveCursor: (key, value) =>
        full ? Promise.reject(new StoreError('The disk is full.', 'full')) : real.saveCursor(key, value),
    }));
    const hint = { repository: 1, action: null, lane: 4, subject: null };
    const times = { receivedAt: at(0), happenedAt: null };
    await store.inbox.accept({ guid: 'left', name: 'push', body: Buffer.from(body), ...times, hint });
    const service = start();
    await service.start();
    expect(await service.readiness()).toMatchObject({ ready: false, store: 'failing' });
    await service.idle();
    expect(told).toEqual(['store: StoreError: The disk is full.', 'worked on left']);
    full = false;
    pass(30);
    await service.tick();
    expect(await service.readiness()).toMatchObject({ ready: true, store: 'ok' });
  });

  test.each<[string, (store: Store) => Partial<Store>, string]>([
    [
      'to read',
      () => ({ cursor: () => Promise.reject(new StoreError('It is damaged.', 'unreadable')) }),
      'It is damaged.',
    ],
    ['by a fault of ours', () => ({ saveCursor: () => Promise.reject(new TypeError('ours')) }), 'ours'],
  ])('%s -> rejects', async (_name, over, why) => {
    const { start } = await failing(over);
    await expect(start().start()).rejects.toThrow(why);
  });
});

describe('readiness', () => {
  test('not started -> not ready; started -> ready; stopped -> the store is closed', async () => {
    const { start } = await bench();
    const service = start();
    expect(await service.readiness()).toMatchObject({ ready: false, store: 'ok' });
    await service.start();
    expect(await service.readiness()).toMatchObject({ ready: true, oldestUndone: null, dead: 0 });
    await service.stop(0);
    expect(await service.readiness()).toMatchObject({ ready: false, store: 'failing' });
  });

  test('the store does not take what is to be written -> failing, though it reads; it does again -> ready', async () => {
    const store = await openStore({ file: ':memory:' });
    let full = false;
    const filling: Store = {
      ...store,
      inbox: {
        ...store.inbox,
        accept: (arrival) =>
          full ? Promise.reject(new StoreError('The disk is full.', 'full')) : store.inbox.accept(arrival),
      },
    };
    const { start } = await bench({ store: filling });
    const service = start();
    await service.start();
    full = true;
    await expect(service.accept(push('a'))).rejects.toThrow('full');
    expect(await service.readiness()).toMatchObject({ ready: false, store: 'failing' });
    full = false;
    await service.accept(push('a'));
    expect(await service.readiness()).toMatchObject({ ready: true, store: 'ok' });
  });

  test('the clock is set back two hours -> what runs by it goes on', async () => {
    const { start, store, pass, told } = await bench({ killed: false });
    const service = start();
    await service.start();
    await service.tick();
    pass(-7_200);
    await store.inbox.accept({
      guid: 'replayed',
      name: 'push',
      body,
      receivedAt: at(-7_200),
      happenedAt: null,
      hint: { repository: 1, action: null, lane: 4, subject: null },
    });
    await service.tick();
    await service.idle();
    expect(told).toContain('worked on replayed');
  });

  test('what is not done is told by its age', async () => {
    const { start } = await bench({ killed: true });
    const service = start();
    await service.start();
    await service.accept(push('a'));
    expect(await service.readiness()).toMatchObject({
      killSwitch: true,
      oldestUndone: at(0),
      worker: { running: 0, queued: 1 },
    });
  });
});

test('with the kill switch on nothing is resumed, swept or worked on', async () => {
  const { start, store, told, pass } = await bench({ killed: true });
  const service = start();
  await service.start();
  await service.accept(push('a'));
  await store.repository(1).wait(waits('grace', 0));
  pass(10);
  await service.tick();
  await service.idle();
  expect(told).toEqual([]);
});
