import { describe, expect, test } from '@jest/globals';
import { verify } from '@octokit/webhooks-methods';
import { checkWebhook } from '../openapi/validate.js';
import { allCases, deliverAll, nameOf, SECRET } from './cases.js';

describe('payloads are as GitHub describes its webhooks', () => {
  test.each(allCases().map((one) => [nameOf(one), one] as const))('%s', async (_, one) => {
    const { deliveries } = deliverAll(one);
    const faults = deliveries.flatMap(({ title, delivery }) =>
      checkWebhook(delivery.name, JSON.parse(delivery.body)).map((problem) => `${title}: ${problem}`),
    );
    expect(faults).toEqual([]);
    for (const { delivery } of deliveries) {
      expect(await verify(SECRET, delivery.body, delivery.headers['x-hub-signature-256'] ?? '')).toBe(true);
    }
  });
});
