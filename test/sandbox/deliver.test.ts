import { describe, expect, test } from '@jest/globals';
import { allCases, deliverAll, nameOf } from './cases.js';

describe('every event of every case can be delivered', () => {
  test.each(allCases().map((one) => [nameOf(one), one] as const))('%s', (_, one) => {
    const { deliveries } = deliverAll(one);
    const expected = one.events.filter((event) => event.kind === 'deliver').length;
    expect(deliveries.length).toBeGreaterThanOrEqual(expected);
  });
});
