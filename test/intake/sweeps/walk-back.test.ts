import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RequestFailure } from '../../../src/github/failure.js';
import type { Query } from '../../../src/github/read-sweep.js';
import { walkBack } from '../../../src/intake/sweeps/walk-back.js';

/** A list newest first, of numbers that grow, paged by cursor as GitHub pages: what stands after the one named. */
const listOf = (size: number) => {
  const items: number[] = [];
  let asked = 0;
  return {
    add: (count: number) => {
      for (let n = 0; n < count; n += 1) items.unshift(items.length + 1);
    },
    page: async (query: Query) => {
      asked += 1;
      const after = query['after'];
      const start = after === undefined ? 0 : items.indexOf(Number(after)) + 1;
      const shown = items.slice(start, start + size);
      const more = start + size < items.length;
      return { items: shown, next: more ? { after: String(shown.at(-1)) } : null };
    },
    asked: () => asked,
  };
};

const walker = (list: ReturnType<typeof listOf>) => {
  let last = 0;
  let stack: readonly Query[] = [];
  const seen: number[] = [];
  return {
    seen,
    stack: () => stack,
    walk: (work: (item: number) => Promise<'on' | 'stop'> = async () => 'on') =>
      walkBack({
        stack,
        page: list.page,
        isOld: (item) => item <= last,
        keep: async (now) => {
          stack = now;
        },
        async work(items) {
          for (const item of items) {
            if ((await work(item)) === 'stop') return 'stop';
            seen.push(item);
            last = item;
          }
          return 'on';
        },
      }),
  };
};

const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1);

describe('a list is walked back and worked on oldest first', () => {
  test.each([
    ['empty', 0, 1],
    ['one page', 3, 1],
    ['exactly one page', 5, 1],
    ['three pages', 13, 5],
  ])('%s', async (_rule, count, requests) => {
    const list = listOf(5);
    list.add(count);
    const { seen, walk, stack } = walker(list);
    await walk();
    expect(seen).toEqual(upTo(count));
    expect(list.asked()).toBe(requests);
    expect(stack()).toEqual([]);
  });

  test('what was worked on is not worked on again', async () => {
    const list = listOf(5);
    const { seen, walk } = walker(list);
    list.add(7);
    await walk();
    list.add(2);
    await walk();
    expect(seen).toEqual(upTo(9));
  });

  test('more than a page comes while it is walked -> walked down to again', async () => {
    const list = listOf(5);
    list.add(12);
    const { seen, walk } = walker(list);
    await walk(async (item) => {
      if (item === 4) list.add(20);
      return 'on';
    });
    expect(seen).toEqual(upTo(32));
  });

  test('a list that grows with every request -> comes to an end, and the next walk has the rest', async () => {
    const list = listOf(5);
    list.add(22);
    let grows = true;
    const { seen, walk, stack } = walker({
      ...list,
      page: async (query) => {
        if (grows) list.add(1);
        return list.page(query);
      },
    });
    await walk();
    expect(stack()).toEqual([]);
    expect(seen).toEqual(upTo(seen.length));
    expect(seen.length).toBeGreaterThanOrEqual(22);
    grows = false;
    const total = list.asked() + 22;
    await walk();
    expect(seen).toEqual(upTo(total));
  });

  test('stopped at what is too young -> the next walk begins at the top', async () => {
    const list = listOf(5);
    list.add(12);
    const { seen, walk, stack } = walker(list);
    await walk(async (item) => (item === 8 ? 'stop' : 'on'));
    expect([seen, stack()]).toEqual([upTo(7), []]);
    await walk();
    expect(seen).toEqual(upTo(12));
  });

  test('a page fails with 502 -> the way is kept', async () => {
    const list = listOf(5);
    list.add(12);
    const { walk, stack, seen } = walker({
      ...list,
      page: async (query) => {
        if (query['after'] === '3' && list.asked() < 4)
          throw new RequestFailure('GET /x', 502, 'GitHub is failing', 'server', null, null);
        return list.page(query);
      },
    });
    await expect(walk()).rejects.toThrow('502');
    expect(stack()).toHaveLength(3);
    await list.page({});
    await list.page({});
    await walk();
    expect(seen).toEqual(upTo(12));
  });

  test('a cursor that GitHub refuses -> rejects once, and the next walk begins at the top', async () => {
    const list = listOf(5);
    list.add(12);
    let refuse = true;
    const { walk, stack, seen } = walker({
      ...list,
      page: async (query) => {
        if (query['after'] !== undefined && refuse)
          throw new RequestFailure('GET /x', 422, 'no such cursor', 'refused', null, null);
        return list.page(query);
      },
    });
    await expect(walk()).rejects.toThrow('422');
    expect(stack()).toEqual([]);
    refuse = false;
    await walk();
    expect(seen).toEqual(upTo(12));
  });

  test('however it is interrupted and however the list grows, each item is worked on once, in order', async () => {
    const step = fc.record({ grow: fc.nat(12), fails: fc.nat(14) });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(step, { maxLength: 8 }),
        async (size, steps) => {
          const list = listOf(size);
          let left = Number.POSITIVE_INFINITY;
          const broken = {
            ...list,
            page: async (query: Query) => {
              if (left <= 0) throw new RequestFailure('GET /x', 502, '', 'server', null, null);
              left -= 1;
              return list.page(query);
            },
          };
          const { seen, walk } = walker(broken);
          let total = 0;
          for (const { grow, fails } of steps) {
            list.add(grow);
            total += grow;
            left = fails;
            await walk().catch(() => undefined);
          }
          left = Number.POSITIVE_INFINITY;
          await walk();
          await walk();
          expect(seen).toEqual(upTo(total));
        },
      ),
      { numRuns: 300 },
    );
  });
});
