import { describe, expect, test } from '@jest/globals';
import { rulesFor } from '../../../src/decide/triggers.js';
import { RequestFailure } from '../../../src/github/failure.js';
import type { DeliveryAttempt, Query } from '../../../src/github/read-sweep.js';
import { isRead } from '../../../src/intake/hints.js';
import { rememberedEvents } from '../../../src/intake/remember.js';
import { sweepDeliveries } from '../../../src/intake/sweeps/deliveries.js';
import { openStore } from '../../../src/store/open.js';

const MINUTE = 60_000;
const NOW = Date.parse('2026-11-30T09:00:00Z');

const row = (id: number, over: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  id,
  guid: `g${id}`,
  at: new Date(NOW + id * 1_000).toISOString(),
  redelivery: false,
  ok: true,
  event: 'push',
  action: null,
  ...over,
});

/** A log that only the test adds to, in pages of a hundred. `refuses`: GitHub takes no request to deliver again. */
const swept = async (refuses = false) => {
  const store = await openStore({ file: ':memory:' });
  let rows: readonly DeliveryAttempt[] = [];
  let now = NOW;
  let pages = 0;
  /** Called at each page, when it is asked for. */
  let meanwhile: () => void = () => undefined;
  const asked: number[] = [];
  const warned: string[] = [];
  const show = (...more: readonly DeliveryAttempt[]): void => {
    rows = [...rows, ...more].sort((one, other) => other.id - one.id);
  };
  const sweep = () =>
    sweepDeliveries({
      store,
      github: {
        deliveries: (query: Query) => {
          pages += 1;
          meanwhile();
          const from = Number(query['cursor'] ?? Number.POSITIVE_INFINITY);
          const shown = rows.filter(({ id }) => id <= from);
          const next = shown[100];
          return Promise.resolve({
            items: shown.slice(0, 100),
            next: next === undefined ? null : { cursor: String(next.id) },
          });
        },
        redeliver: (id) => {
          asked.push(id);
          if (refuses) return Promise.reject(new RequestFailure('POST /x', 422, 'refused', 'refused'));
          return Promise.resolve();
        },
      },
      triggered: (name, action) => rulesFor(name, action).length > 0,
      now: () => now,
      warn: (what) => warned.push(what),
    });
  return {
    store,
    asked,
    warned,
    show,
    sweep,
    pass: (ms: number) => (now += ms),
    during: (what: () => void) => (meanwhile = what),
    /** Pages asked for in one sweep. */
    async pages() {
      const before = pages;
      await sweep();
      return pages - before;
    },
  };
};

describe('an attempt that the log shows late, below newer ones', () => {
  test.each([
    ['ten seconds behind the newest -> it is asked for', 190, [190]],
    ['two minutes behind the newest -> it is asked for', 80, [80]],
    ['longer ago than any answer is waited for -> it was there before', 79, []],
  ])('%s', async (_when, late, expected) => {
    const s = await swept();
    s.show(...Array.from({ length: 200 }, (_, id) => row(id + 1)).filter(({ id }) => id !== late));
    s.pass(200_000);
    await s.sweep();
    s.show(row(late, { ok: false }));
    s.pass(5 * MINUTE);
    await s.sweep();
    expect(s.asked).toEqual(expected);
  });

  test('it is asked for once a run and five times in all, and a person is told once', async () => {
    const s = await swept(true);
    s.show(row(5), row(7));
    await s.sweep();
    s.show(row(6, { ok: false }));
    for (let runs = 0; runs < 20; runs += 1) {
      s.pass(5 * MINUTE);
      await s.sweep();
    }
    expect(s.asked).toEqual([6, 6, 6, 6, 6]);
    expect(s.warned).toHaveLength(1);
  });

  test('it was taken after all, or arrived with a later attempt -> nothing is asked for', async () => {
    const s = await swept();
    s.show(row(5), row(9));
    await s.sweep();
    await s.store.inbox.accept({
      guid: 'g6',
      name: 'push',
      body: Buffer.from('{}'),
      receivedAt: new Date(NOW).toISOString(),
      happenedAt: null,
      hint: { repository: 1, action: null, lane: 0, subject: null },
    });
    s.show(row(6, { ok: false }), row(7, { ok: false }), row(8, { guid: 'g7', redelivery: true }));
    await s.sweep();
    expect(s.asked).toEqual([]);
  });

  test('the last one failed for good, and nothing has come since -> it is left at that', async () => {
    const s = await swept(true);
    s.show(row(5), row(6, { ok: false }));
    for (let runs = 0; runs < 20; runs += 1) {
      await s.sweep();
      s.pass(5 * MINUTE);
    }
    expect(s.asked).toHaveLength(5);
    expect(s.warned).toHaveLength(1);
  });
});

describe('requests for the log', () => {
  test.each([
    ['nothing new', 0, 1],
    ['a few', 5, 1],
    ['nearly a page, in five minutes', 59, 1],
  ])('a calm run (%s) asks for one page', async (_what, more, expected) => {
    const s = await swept();
    s.show(...Array.from({ length: 1_000 }, (_, index) => row(5 * (index + 1))));
    s.pass(5_000_000);
    await s.sweep();
    s.show(...Array.from({ length: more }, (_, index) => row(5_000 + 5 * (index + 1))));
    s.pass(5 * MINUTE);
    expect(await s.pages()).toBe(expected);
  });

  test('a hundred pages, while more come in -> each is asked for twice, and it ends', async () => {
    const s = await swept();
    s.show(...Array.from({ length: 100 }, (_, id) => row(id + 1)));
    s.pass(MINUTE);
    await s.sweep();
    // A hundred a second, so that the two minutes behind the newest are longer than a page.
    const at = new Date(NOW + 2 * MINUTE).toISOString();
    s.show(...Array.from({ length: 10_000 }, (_, index) => row(101 + index, { at })));
    let requests = 0;
    s.during(() => {
      requests += 1;
      if (requests % 10 === 0) s.show(row(20_000 + requests, { at }));
    });
    s.pass(5 * MINUTE);
    expect(await s.pages()).toBeLessThan(220);
    expect(await s.pages()).toBeLessThan(220);
  });
});

describe('what is asked for', () => {
  const asked = async (event: string): Promise<boolean> => {
    const [name = '', action = null] = event.split('.');
    const s = await swept();
    s.show(row(1, { ok: false, event: name, action }));
    await s.sweep();
    return s.asked.length === 1;
  };

  test('the taking back of an intent is remembered, though no rule is triggered by it', () => {
    const alone = rememberedEvents().filter((event) => {
      const [name = '', action = null] = event.split('.');
      return rulesFor(name, action).length === 0;
    });
    expect(alone).toEqual(['pull_request.auto_merge_disabled', 'pull_request.dequeued']);
  });

  test.each(rememberedEvents())(
    '%s is remembered -> it is read at the door, and asked for when it is lost',
    async (event) => {
      expect(isRead(event.split('.')[0] ?? '')).toBe(true);
      expect(await asked(event)).toBe(true);
    },
  );

  test.each(['pull_request.labeled', 'pull_request.assigned', 'issues.opened', 'star.created'])(
    '%s, which nobody reads -> it is not',
    async (event) => {
      expect(await asked(event)).toBe(false);
    },
  );
});
