import { describe, expect, test } from '@jest/globals';
import { createPayloads } from '../../src/intake/payloads.js';
import { openStore } from '../../src/store/open.js';
import { type Store, StoreError } from '../../src/store/store.js';

const LARGE = { pad: 'x'.repeat(1_100_000) };

const accepted = async ({ inbox }: Store, guid: string, payload: unknown): Promise<number> => {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const hint = { repository: 1, action: null, lane: 0, subject: null };
  const receivedAt = '2026-11-30T09:00:00.000Z';
  const arrival = { guid, name: 'push', body: Buffer.from(text), receivedAt, happenedAt: null, hint };
  return (await inbox.accept(arrival)).id;
};

const bench = async (...given: readonly unknown[]) => {
  const store = await openStore({ file: ':memory:' });
  const ids: number[] = [];
  for (const [index, payload] of given.entries()) ids.push(await accepted(store, `g${index}`, payload));
  return { store, ids, payloads: createPayloads(store.inbox) };
};

describe('a payload', () => {
  test('is read with its delivery, and parsed', async () => {
    const { payloads, ids } = await bench({ a: 1 });
    expect(await payloads.begin(ids[0] ?? 0)).toMatchObject({
      kind: 'payload',
      stored: { guid: 'g0', state: 'queued' },
      payload: { a: 1 },
    });
  });

  test.each<[string, string, string]>([
    ['no JSON', 'not json', 'its payload is not a JSON object'],
    ['a list', '[]', 'its payload is not a JSON object'],
    ['null', 'null', 'its payload is not a JSON object'],
  ])('%s -> none, and why', async (_name, text, why) => {
    const { payloads, ids } = await bench(text);
    expect(await payloads.begin(ids[0] ?? 0)).toMatchObject({ kind: 'none', why, stored: { guid: 'g0' } });
  });

  test('of a delivery that is not here -> none', async () => {
    const { payloads } = await bench();
    expect(await payloads.begin(7)).toMatchObject({ kind: 'none', stored: null });
  });
});

describe('large ones', () => {
  test('while one is under way -> another is put off, and then known before it is read', async () => {
    const { payloads, ids } = await bench(LARGE, LARGE, { a: 1 });
    const [first = 0, second = 0, small = 0] = ids;
    expect((await payloads.begin(first)).kind).toBe('payload');
    expect(payloads.mayBegin(second)).toBe(true);
    expect(await payloads.begin(second)).toEqual({ kind: 'later' });
    expect([payloads.mayBegin(second), payloads.mayBegin(small)]).toEqual([false, true]);
    expect((await payloads.begin(small)).kind).toBe('payload');
    payloads.end(small);
    expect(payloads.mayBegin(second)).toBe(false);
    payloads.end(first);
    expect(payloads.mayBegin(second)).toBe(true);
    expect((await payloads.begin(second)).kind).toBe('payload');
  });

  test('of two that are known the first to begin keeps the other from it, before either is read', async () => {
    const { payloads, ids } = await bench(LARGE, LARGE, LARGE);
    const [first = 0, second = 0, third = 0] = ids;
    await payloads.begin(first);
    await Promise.all([payloads.begin(second), payloads.begin(third)]);
    payloads.end(first);
    const begun = payloads.begin(second);
    expect(payloads.mayBegin(third)).toBe(false);
    expect((await begun).kind).toBe('payload');
  });

  test('one that is no JSON makes way like any other', async () => {
    const { payloads, ids } = await bench('x'.repeat(1_100_000), LARGE);
    const [broken = 0, other = 0] = ids;
    expect((await payloads.begin(broken)).kind).toBe('none');
    payloads.end(broken);
    expect((await payloads.begin(other)).kind).toBe('payload');
  });
});

describe('reading', () => {
  test('four at a time, in the order they were asked for', async () => {
    let reading = 0;
    let most = 0;
    const order: number[] = [];
    const payloads = createPayloads({
      read: async (id) => {
        order.push(id);
        most = Math.max(most, (reading += 1));
        await new Promise((resolve) => setTimeout(resolve, 5));
        reading -= 1;
        return undefined;
      },
    });
    const ids = Array.from({ length: 16 }, (_, index) => index);
    await Promise.all(ids.map((id) => payloads.begin(id)));
    expect(most).toBe(4);
    expect(order).toEqual(ids);
  });

  test('that fails rejects, and its place is free again', async () => {
    let failing = true;
    const store = await openStore({ file: ':memory:' });
    const id = await accepted(store, 'g', { a: 1 });
    const payloads = createPayloads({
      read: (one) =>
        failing ? Promise.reject(new StoreError('The disk failed.', 'failed')) : store.inbox.read(one),
    });
    const all = await Promise.allSettled(Array.from({ length: 9 }, () => payloads.begin(id)));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 'rejected'));
    failing = false;
    expect((await payloads.begin(id)).kind).toBe('payload');
  });
});
