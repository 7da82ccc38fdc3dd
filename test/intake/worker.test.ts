import { describe, expect, test } from '@jest/globals';
import type { Delivery } from '../../src/acts/payload.js';
import { RequestFailure } from '../../src/github/failure.js';
import { hintOf } from '../../src/intake/hints.js';
import type { Turn } from '../../src/intake/turn.js';
import { createWorker } from '../../src/intake/worker.js';
import { type Store, StoreError } from '../../src/store/store.js';
import { openStore } from '../../src/store/open.js';

const START = Date.parse('2026-11-30T09:00:00Z');

/** A signal that a test gives when it likes. */
const signal = () => {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give: () => give() };
};

const bench = async (
  work: (delivery: Delivery, turn: Turn) => Promise<void>,
  store?: Store,
  busy: () => number = () => 0,
) => {
  let now = START;
  let paused = false;
  const inTheStore = store ?? (await openStore({ file: ':memory:' }));
  const { inbox } = inTheStore;
  const told: string[] = [];
  const faults: unknown[] = [];
  const worker = createWorker({
    inbox,
    work,
    paused: () => paused,
    now: () => now,
    random: () => 1,
    busy,
    log: {
      done: ({ guid }) => told.push(`${guid} done`),
      failed: ({ guid }, { kind }, next) => told.push(`${guid} ${kind} ${next}`),
      store: (error) => faults.push(error),
    },
  });
  const give = async (guid: string, name: string, payload: unknown): Promise<void> => {
    const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
    const arrival = {
      guid,
      name,
      body,
      receivedAt: new Date(now).toISOString(),
      happenedAt: null,
      hint: hintOf(name, body),
    };
    const accepted = await inbox.accept(arrival);
    if (accepted.kind === 'known') return;
    const { hint, receivedAt } = arrival;
    worker.offer({ id: accepted.id, guid, name, receivedAt, hint, attempts: 0, due: null });
  };
  return {
    worker,
    inbox,
    told,
    faults,
    give,
    pass: (ms: number) => {
      now += ms;
      worker.pump();
    },
    pause: (is: boolean) => {
      paused = is;
      worker.pump();
    },
  };
};

const repository = (id: number) => ({ id, name: `r${id}`, owner: { login: 'acme' } });
const push = (id: number, over: object = {}) => ({
  ref: 'refs/heads/topic',
  repository: repository(id),
  installation: { id: 1 },
  sender: { login: 'x[bot]', id: 9, type: 'Bot' },
  ...over,
});
const opened = (id: number, type: string) => ({
  action: 'opened',
  number: 1,
  pull_request: {},
  repository: repository(id),
  installation: { id: 1 },
  sender: { login: 'x', id: 9, type },
});

const gone = new RequestFailure('GET /x', 502, 'GitHub is failing', 'server');
const never = new RequestFailure('GET /x', 403, 'refused', 'refused');

describe('queued -> done', () => {
  test('each delivery once, in the order of its repository', async () => {
    const seen: string[] = [];
    const { worker, give, inbox, told } = await bench(async ({ id }) => void seen.push(id));
    for (const guid of ['a', 'b', 'c']) await give(guid, 'push', push(1));
    await give('b', 'push', push(1));
    await worker.idle();
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(told).toEqual(['a done', 'b done', 'c done']);
    expect(await inbox.counts()).toMatchObject({ done: 3, queued: 0 });
  });

  test('one of a repository at a time, other repositories side by side', async () => {
    const running = new Set<string>();
    const together: string[] = [];
    const go = signal();
    const { worker, give } = await bench(async ({ id }) => {
      running.add(id);
      together.push([...running].sort().join('+'));
      await go.given;
      running.delete(id);
    });
    await give('a1', 'push', push(1));
    await give('a2', 'push', push(1));
    await give('b1', 'push', push(2));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(together).toEqual(['a1', 'a1+b1']);
    go.give();
    await worker.idle();
    expect(together).toHaveLength(3);
    expect(together.some((names) => names.includes('a1+a2'))).toBe(false);
  });

  test("while another repository floods, a person's check begins at once", async () => {
    const order: string[] = [];
    const go = signal();
    const { worker, give } = await bench(async ({ id }) => {
      order.push(id);
      if (id.startsWith('slow')) await go.given;
    });
    for (let index = 0; index < 40; index += 1)
      await give(`slow${index}`, 'pull_request', opened(index + 100, 'Bot'));
    await give('person', 'pull_request', opened(1, 'User'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(order).toContain('person');
    expect(order).toHaveLength(13);
    go.give();
    await worker.idle();
    expect(order).toHaveLength(41);
  });

  test("while twenty repositories have what may suspend, people's checks and merge groups of others begin at once", async () => {
    const order: string[] = [];
    const go = signal();
    const { worker, give } = await bench(async ({ id }) => {
      order.push(id);
      await go.given;
    });
    const tag = (id: number) => push(id, { ref: 'refs/tags/v1' });
    for (let index = 0; index < 20; index += 1) await give(`tag${index}`, 'push', tag(index + 100));
    await give('person', 'pull_request', opened(1, 'User'));
    await give('group', 'merge_group', { action: 'checks_requested', repository: repository(2) });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(order.slice(14).sort()).toEqual(['group', 'person']);
    go.give();
    await worker.idle();
    expect(order).toHaveLength(22);
  });

  test('what may suspend still begins at once while the rest floods', async () => {
    const order: string[] = [];
    const go = signal();
    const { worker, give } = await bench(async ({ id }) => {
      order.push(id);
      await go.given;
    });
    for (let index = 0; index < 20; index += 1)
      await give(`agent${index}`, 'pull_request', opened(index + 100, 'Bot'));
    await give('tag', 'push', push(1, { ref: 'refs/tags/v1' }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(order).toHaveLength(13);
    expect(order).toContain('tag');
    go.give();
    await worker.idle();
  });

  test('of deliveries above 1 MB one is under way at a time; small ones beside it, also of those repositories', async () => {
    const running = new Set<string>();
    let together: string[] = [];
    const order: string[] = [];
    const ends = new Map<string, () => void>();
    const { worker, give, inbox } = await bench(async ({ id }) => {
      running.add(id);
      order.push(id);
      together = [...running].sort();
      await new Promise<void>((resolve) => ends.set(id, resolve));
      running.delete(id);
    });
    const settled = () => new Promise((resolve) => setTimeout(resolve, 60));
    const pad = 'x'.repeat(1_100_000);
    for (const id of [1, 2, 3]) await give(`large${id}`, 'push', push(id, { pad }));
    await give('small', 'push', push(4));
    await give('person', 'pull_request', opened(2, 'User'));
    await settled();
    expect(together).toEqual(['large1', 'person', 'small']);
    for (const next of ['large2', 'large3']) {
      ends.get(order.findLast((id) => id.startsWith('large')) ?? '')?.();
      ends.get('person')?.();
      await settled();
      expect(together.filter((id) => id.startsWith('large'))).toEqual([next]);
    }
    for (const end of ends.values()) end();
    await worker.idle();
    expect(await inbox.counts()).toMatchObject({ done: 5, queued: 0 });
  });

  test('a large one that fails lets the next one go while it waits for its next try', async () => {
    const seen: string[] = [];
    let failing = true;
    const { worker, give, pass, inbox } = await bench(async ({ id }) => {
      seen.push(id);
      if (id === 'a' && failing) throw gone;
    });
    const pad = 'x'.repeat(1_100_000);
    for (const [index, guid] of ['a', 'b'].entries()) await give(guid, 'push', push(index + 1, { pad }));
    await worker.idle();
    expect(seen).toEqual(['a', 'b']);
    failing = false;
    pass(2_000);
    await worker.idle();
    expect(await inbox.counts()).toMatchObject({ done: 2, waiting: 0 });
  });

  test("while so much comes in that the process is busy, people's checks begin at once and the rest now and then", async () => {
    const seen: string[] = [];
    const { worker, give, pass } = await bench(
      async ({ id }) => void seen.push(id),
      undefined,
      () => 1,
    );
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 30; n += 1) await give(`p${round}-${n}`, 'push', push(2));
      await worker.idle();
      pass(250);
    }
    await give('p', 'push', push(3));
    await worker.idle();
    seen.length = 0;
    for (let n = 0; n < 5; n += 1) await give(`agent-${n}`, 'pull_request', opened(10 + n, 'Bot'));
    for (let n = 0; n < 5; n += 1) await give(`person-${n}`, 'pull_request', opened(20 + n, 'User'));
    await worker.idle();
    expect(seen).toEqual(['person-0', 'person-1', 'person-2', 'person-3', 'person-4']);
    pass(250);
    await worker.idle();
    expect(seen).toHaveLength(6);
    pass(1_000);
    await worker.idle();
    expect(new Set(seen).size).toBeGreaterThan(50);
  });

  test('a hint that names the wrong repository, or none, changes whose turn it is and nothing else', async () => {
    const seen: string[] = [];
    const { worker, give, inbox } = await bench(async ({ id }) => void seen.push(id));
    const body = JSON.stringify({
      repository: { name: 'r5', id: 5, owner: {} },
      installation: { id: 1 },
      sender: null,
    });
    await give('a', 'push', body);
    await worker.idle();
    expect(seen).toEqual(['a']);
    expect(await inbox.find('a')).toMatchObject({ state: 'done' });
  });

  test('of two pushes to one PR only the second is told to write the check', async () => {
    const turns: boolean[] = [];
    const go = signal();
    const { worker, give } = await bench(async ({ id }, { checkComesLater }) => {
      if (id === 'first') await go.given;
      else turns.push(checkComesLater);
    });
    await give('first', 'push', push(1));
    for (const guid of ['one', 'two'])
      await give(guid, 'pull_request', { ...opened(1, 'Bot'), action: 'synchronize', number: 7 });
    go.give();
    await worker.idle();
    expect(turns).toEqual([true, false]);
  });
});

describe('queued -> waiting -> done', () => {
  test('GitHub fails twice -> tried again when it is due, and what came behind it waits', async () => {
    let failures = 2;
    const seen: string[] = [];
    const { worker, give, told, pass, inbox } = await bench(async ({ id }) => {
      if (id === 'a' && failures > 0) {
        failures -= 1;
        throw gone;
      }
      seen.push(id);
    });
    await give('a', 'push', push(1));
    await give('b', 'push', push(1));
    await worker.idle();
    expect(seen).toEqual([]);
    expect(await inbox.find('a')).toMatchObject({
      state: 'waiting',
      attempts: 1,
      error: expect.stringContaining('502'),
    });
    pass(2_000);
    await worker.idle();
    expect(seen).toEqual([]);
    pass(4_000);
    await worker.idle();
    expect(seen).toEqual(['a', 'b']);
    expect(told).toEqual(['a later retry', 'a later retry', 'a done', 'b done']);
  });

  test("meanwhile a person's check of the same repository goes on", async () => {
    const seen: string[] = [];
    const { worker, give } = await bench(async ({ id }) => {
      if (id === 'a') throw gone;
      seen.push(id);
    });
    await give('a', 'push', push(1));
    await give('behind', 'push', push(1));
    await give('person', 'pull_request', opened(1, 'User'));
    await worker.idle();
    expect(seen).toEqual(['person']);
  });

  test('told to wait -> not before that time, and counted as no failure', async () => {
    const limit = new RequestFailure('GET /x', 429, 'over a rate limit for now', 'rate-limit', null, 60_000);
    let limited = true;
    const { worker, give, pass, inbox } = await bench(async () => {
      if (limited) throw limit;
    });
    await give('a', 'push', push(1));
    await worker.idle();
    expect(await inbox.find('a')).toMatchObject({ attempts: 0, due: new Date(START + 61_000).toISOString() });
    limited = false;
    pass(60_000);
    await worker.idle();
    expect(await inbox.find('a')).toMatchObject({ state: 'waiting' });
    pass(1_000);
    await worker.idle();
    expect(await inbox.find('a')).toMatchObject({ state: 'done' });
  });

  test('the disk is full -> tried again, longer each time, however often; with room again it is done', async () => {
    const why = 'The store a.db cannot grow, the disk is full: make room.';
    let full = true;
    const { worker, give, pass, inbox, told } = await bench(async () => {
      if (full) throw new StoreError(why, 'full');
    });
    await give('a', 'push', push(1));
    await worker.idle();
    for (const wait of [5_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000]) {
      expect(await inbox.find('a')).toMatchObject({ state: 'waiting', attempts: 0, error: why });
      const tries = told.length;
      pass(wait - 1);
      await worker.idle();
      expect(told).toHaveLength(tries);
      pass(1);
      await worker.idle();
      expect(told).toHaveLength(tries + 1);
    }
    full = false;
    pass(120_000);
    await worker.idle();
    expect(await inbox.find('a')).toMatchObject({ state: 'done' });
  });

  test('and counts from the start again once something else failed it', async () => {
    const errors = [
      new StoreError('The disk is full.', 'full'),
      new StoreError('The disk is full.', 'full'),
      gone,
      new StoreError('The disk is full.', 'full'),
    ];
    const { worker, give, pass, inbox } = await bench(async () => {
      const error = errors.shift();
      if (error !== undefined) throw error;
    });
    await give('a', 'push', push(1));
    await worker.idle();
    for (const wait of [5_000, 10_000, 2_000, 5_000]) {
      const before = errors.length;
      pass(wait - 1);
      await worker.idle();
      expect(errors).toHaveLength(before);
      pass(1);
      await worker.idle();
    }
    expect(await inbox.find('a')).toMatchObject({ state: 'done', attempts: 1 });
  });

  test('however long it waits, it is judged as of when it came', async () => {
    const times: (string | undefined)[] = [];
    let failing = true;
    const { worker, give, pass } = await bench(async ({ happenedAt }) => {
      times.push(happenedAt);
      if (failing) throw gone;
    });
    await give('a', 'push', push(1));
    await worker.idle();
    failing = false;
    pass(120_000);
    await worker.idle();
    expect(times).toEqual(['2026-11-30T09:00:00.000Z', '2026-11-30T09:00:00.000Z']);
  });

  test('GitHub is asked to send it again -> tried at once', async () => {
    let failing = true;
    const { worker, give, inbox } = await bench(async () => {
      if (failing) throw gone;
    });
    await give('a', 'push', push(1));
    await worker.idle();
    failing = false;
    await give('a', 'push', push(1));
    await worker.idle();
    expect(await inbox.find('a')).toMatchObject({ state: 'done' });
  });
});

describe('queued -> dead', () => {
  test.each<[string, unknown, unknown, number, string]>([
    ['GitHub refuses it for two minutes', never, push(1), 7, 'GitHub answered 403'],
    [
      'a fault of ours, four times',
      new TypeError('words of a payload'),
      push(1),
      4,
      'a fault of this program (TypeError)',
    ],
    ['no JSON', null, 'not json', 1, 'its payload is not a JSON object'],
    ['a list', null, '[]', 1, 'its payload is not a JSON object'],
  ])('%s', async (_name, error, payload, attempts, why) => {
    const { worker, give, pass, inbox, told } = await bench(async () => {
      if (error !== null) throw error;
    });
    await give('a', 'push', payload);
    await give('b', 'push', push(2));
    for (let turn = 0; turn < 8; turn += 1) {
      await worker.idle();
      pass(600_000);
    }
    const dead = await inbox.find('a');
    expect(dead).toMatchObject({ state: 'dead', attempts });
    expect(dead?.error).toContain(why);
    expect(dead?.error).not.toContain('words of a payload');
    expect(told.filter((line) => /^a .* dead$/.test(line))).toHaveLength(1);
  });

  test('and then its repository goes on', async () => {
    const seen: string[] = [];
    const { worker, give, pass } = await bench(async ({ id }) => {
      if (id === 'a') throw never;
      seen.push(id);
    });
    await give('a', 'push', push(1));
    await give('b', 'push', push(1));
    for (let turn = 0; turn < 7; turn += 1) {
      await worker.idle();
      pass(64_000);
    }
    await worker.idle();
    expect(seen).toEqual(['b']);
  });

  test('dead -> queued by replay, noticed by the next load', async () => {
    let refusing = true;
    const { worker, give, inbox, pass } = await bench(async () => {
      if (refusing) throw never;
    });
    await give('a', 'push', push(1));
    for (let turn = 0; turn < 7; turn += 1) {
      await worker.idle();
      pass(64_000);
    }
    refusing = false;
    const dead = await inbox.find('a');
    expect(await inbox.replay(dead?.id ?? 0)).toBe(true);
    await worker.load();
    await worker.idle();
    expect(await inbox.find('a')).toMatchObject({ state: 'done' });
  });

  test('one that waits for its next try, and that a person queues again -> worked on at once', async () => {
    let failing = true;
    const { worker, inbox, give } = await bench(async () => {
      if (failing) throw new RequestFailure('GET /x', 502, 'GitHub is failing', 'server');
    });
    await give('a', 'push', push(1));
    await worker.idle();
    failing = false;
    await worker.load();
    await worker.idle();
    const waiting = await inbox.find('a');
    expect(waiting).toMatchObject({ state: 'waiting' });
    expect(await inbox.replay(waiting?.id ?? 0)).toBe(true);
    await worker.load();
    await worker.idle();
    expect(await inbox.find('a')).toMatchObject({ state: 'done' });
  });
});

describe('starting and stopping', () => {
  test('what an earlier process left is taken up, in its order', async () => {
    const store = await openStore({ file: ':memory:' });
    const earlier = await bench(async () => undefined, store);
    earlier.pause(true);
    for (const guid of ['a', 'b']) await earlier.give(guid, 'push', push(1));
    const seen: string[] = [];
    const later = await bench(async ({ id }) => void seen.push(id), store);
    await later.worker.load();
    await later.worker.idle();
    expect(seen).toEqual(['a', 'b']);
  });

  test('paused -> nothing begins; not paused -> it does', async () => {
    const seen: string[] = [];
    const { worker, give, pause } = await bench(async ({ id }) => void seen.push(id));
    pause(true);
    await give('a', 'push', push(1));
    await worker.idle();
    expect(seen).toEqual([]);
    pause(false);
    await worker.idle();
    expect(seen).toEqual(['a']);
  });

  test('stopped with work under way -> it ends, nothing else begins, and the rest stays queued', async () => {
    const seen: string[] = [];
    const go = signal();
    const { worker, give, inbox } = await bench(async ({ id }) => {
      seen.push(id);
      await go.given;
    });
    await give('a', 'push', push(1));
    await give('b', 'push', push(1));
    await new Promise((resolve) => setTimeout(resolve, 10));
    const stopped = worker.stop(new Promise(() => undefined));
    go.give();
    expect(await stopped).toEqual([]);
    expect(seen).toEqual(['a']);
    expect(await inbox.counts()).toMatchObject({ done: 1, queued: 1 });
  });

  test('patience ends first -> what is cut off is named, and stays queued', async () => {
    const { worker, give, inbox } = await bench(() => new Promise(() => undefined));
    await give('a', 'push', push(1));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await worker.stop(Promise.resolve())).toEqual(['a']);
    expect(await inbox.find('a')).toMatchObject({ state: 'queued' });
  });

  test('the store is closed while a delivery is worked on -> it stays queued, and nothing more is tried', async () => {
    const store = await openStore({ file: ':memory:' });
    const { worker, give, faults, told } = await bench(async () => {
      await store.close();
      void worker.stop(new Promise(() => undefined));
      await store.cursor('alive');
    }, store);
    await give('a', 'push', push(1));
    await worker.idle();
    expect(faults).toEqual([expect.objectContaining({ name: 'StoreError', kind: 'closed' })]);
    expect(told).toEqual([]);
    expect(worker.status()).toMatchObject({ running: 0, queued: 0 });
  });

  test('the store fails when it is told what became of a delivery -> it is worked on again', async () => {
    const store = await openStore({ file: ':memory:' });
    let failing = true;
    const broken: Store = {
      ...store,
      inbox: {
        ...store.inbox,
        done: (id, at) => (failing ? Promise.reject(new Error('disk full')) : store.inbox.done(id, at)),
      },
    };
    const { worker, give, pass, faults } = await bench(async () => undefined, broken);
    await give('a', 'push', push(1));
    await worker.idle();
    expect(faults).toHaveLength(1);
    failing = false;
    pass(5_000);
    await worker.idle();
    expect(await store.inbox.find('a')).toMatchObject({ state: 'done' });
  });
});
