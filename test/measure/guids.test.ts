import { expect, test } from '@jest/globals';
import { createGuids } from '../../src/measure/guids.js';

const first = '1582-10-15T00:00:00Z';

test('GUIDs are of version 1, all different, and tell when they were made', () => {
  const before = Date.now();
  const next = createGuids();
  const guids = Array.from({ length: 20_000 }, next);
  const after = Date.now();
  expect(new Set(guids).size).toBe(guids.length);
  for (const guid of guids)
    expect(guid).toMatch(/^[\da-f]{8}-[\da-f]{4}-1[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  const [low = '', middle = '', high = ''] = (guids[0] ?? '').split('-');
  const made = Date.parse(first) + Number(BigInt(`0x${high.slice(1)}${middle}${low}`) / 10_000n);
  expect(made).toBeGreaterThanOrEqual(before);
  expect(made).toBeLessThanOrEqual(after);
});

test('two makers never make the same', () => {
  const [one, other] = [createGuids(), createGuids()];
  const guids = Array.from({ length: 1_000 }, () => [one(), other()]).flat();
  expect(new Set(guids).size).toBe(2_000);
});
