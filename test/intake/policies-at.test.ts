import { describe, expect, test } from '@jest/globals';
import { versionsAt } from '../../src/intake/policies-at.js';
import type { PolicyMemory } from '../../src/store/ledger.js';

const hour = (h: number): string => `2026-11-30T${String(h).padStart(2, '0')}:00:00.000Z`;

/** Landed then, for certain, and seen an hour later. */
const landed = (blob: string, h: number): PolicyMemory => ({
  path: '.github/agent-policy.yml',
  blob,
  text: 'version: 1\n',
  since: hour(h),
  seenAt: hour(h + 1),
  landed: true,
});
/** First seen then; it may have been there before. */
const seen = (blob: string, h: number): PolicyMemory => {
  const { landed: certain, ...memory } = landed(blob, h);
  return { ...memory, seenAt: hour(h) };
};

describe('which versions may have been in force', () => {
  test.each<[string, readonly PolicyMemory[], number, readonly (string | null)[]]>([
    ['none is known -> none', [], 9, [null]],
    ['before the first landed -> none', [landed('a', 9)], 8, [null]],
    ['before the first was seen -> none, or the first', [seen('a', 9)], 8, [null, 'a']],
    ['at the moment it landed -> it', [landed('a', 9)], 9, ['a']],
    ['after the newest -> it', [seen('b', 12), landed('a', 9)], 13, ['b']],
    ['before the second landed -> the first', [landed('b', 12), landed('a', 9)], 11, ['a']],
    ['before the second was seen -> either', [seen('b', 12), landed('a', 9)], 11, ['a', 'b']],
    [
      'a third is no candidate: it landed after the second was seen',
      [seen('c', 15), seen('b', 12), landed('a', 9)],
      11,
      ['a', 'b'],
    ],
    ['between the second and the third', [seen('c', 15), seen('b', 12), landed('a', 9)], 13, ['b', 'c']],
  ])('%s', (_rule, versions, h, expected) => {
    expect(versionsAt(versions, hour(h)).map((version) => version?.blob ?? null)).toEqual(expected);
  });
});
