import { expect, test } from '@jest/globals';
import { LONGEST_WAIT } from '../../src/github/limits.js';
import { type Failure, nextTry } from '../../src/intake/failure-of-work.js';
import { LONGEST_RETRY } from '../../src/intake/longest-retry.js';

const KINDS: readonly Failure['kind'][] = ['later', 'told-to-wait', 'refused', 'unreadable', 'unexpected'];

test.each(KINDS)('%s: no next try is further away than the longest, whatever came before it', (kind) => {
  for (const retryAfter of [null, 0, LONGEST_WAIT])
    for (let attempts = 0; attempts < 40; attempts += 1) {
      const next = nextTry({ kind, why: '', retryAfter }, attempts, 1);
      expect(next.kind === 'retry' ? next.wait : 0).toBeLessThanOrEqual(LONGEST_RETRY);
    }
});
