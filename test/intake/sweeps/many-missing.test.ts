import { describe, expect, test } from '@jest/globals';
import type { Query } from '../../../src/github/read-sweep.js';
import { sweepDeliveries } from '../../../src/intake/sweeps/deliveries.js';
import { openStore } from '../../../src/store/open.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('more are missing than are known of at a time', () => {
  const NOW = Date.parse('2026-11-30T09:00:00Z');

  /** A log of `count` deliveries, the newest first, none of which arrived. */
  const logOf = (count: number) => {
    const all = Array.from({ length: count }, (_, index) => ({
      id: count - index,
      guid: `g${String(count - index).padStart(5, '0')}`,
      at: new Date(NOW - index * 1_000 - HOUR).toISOString(),
      redelivery: false,
      ok: false,
      event: 'push',
      action: null,
    }));
    return (query: Query) => {
      const from = Number(query['cursor'] ?? 0);
      const next = from + 100 < count ? { cursor: String(from + 100) } : null;
      return Promise.resolve({ items: all.slice(from, from + 100), next });
    };
  };

  const swept = async (count: number, arrives: boolean) => {
    const store = await openStore({ file: ':memory:' });
    const asked: number[] = [];
    const warned: string[] = [];
    let longest = 0;
    let now = NOW;
    const sweep = () =>
      sweepDeliveries({
        store: {
          inbox: store.inbox,
          cursor: (key) => store.cursor(key),
          saveCursor: (key, value) => {
            longest = Math.max(longest, value.length);
            return store.saveCursor(key, value);
          },
        },
        github: {
          deliveries: logOf(count),
          async redeliver(id) {
            asked.push(id);
            if (!arrives) return;
            await store.inbox.accept({
              guid: `g${String(id).padStart(5, '0')}`,
              name: 'push',
              body: Buffer.from('{}'),
              receivedAt: new Date(now).toISOString(),
              happenedAt: null,
              hint: { repository: 1, action: null, lane: 0, subject: null },
            });
          },
        },
        triggered: () => true,
        now: () => now,
        warn: (what) => warned.push(what),
      });
    return { store, asked, warned, sweep, longest: () => longest, pass: (ms: number) => (now += ms) };
  };

  test('they arrive -> all are asked for, oldest first, and what is written down stays short', async () => {
    const s = await swept(1_750, true);
    for (let runs = 0; (await s.sweep()) === 'more'; runs += 1) expect(runs).toBeLessThan(10);
    expect(s.asked).toEqual(Array.from({ length: 1_750 }, (_, index) => index + 1));
    expect(s.longest()).toBeLessThan(100_000);
    expect(s.warned).toEqual([]);
    await s.store.close();
  });

  test('they do not -> the first are asked for five times, then the next', async () => {
    const s = await swept(1_250, false);
    expect([await s.sweep(), await s.sweep()]).toEqual(['more', 'more']);
    // Whole pages are taken, and the oldest is not full.
    expect(s.asked).toHaveLength(550);
    for (let runs = 0; runs < 40; runs += 1) {
      s.pass(5 * MINUTE);
      if ((await s.sweep()) === 'done') s.pass(MINUTE);
    }
    expect(s.asked).toHaveLength(5 * 1_250);
    expect(s.warned).toHaveLength(3);
    expect(s.longest()).toBeLessThan(100_000);
    await s.store.close();
  });
});
