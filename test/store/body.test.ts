import { createRequire } from 'node:module';
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { packed, unpacked } from '../../src/store/body.js';

interface Example {
  readonly examples: readonly unknown[];
}

const examples = (createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly Example[]).flatMap(
  (event) => event.examples.map((payload) => Buffer.from(JSON.stringify(payload))),
);

describe('a stored body', () => {
  test.each([
    ['JSON', Buffer.from('{"action":"opened"}')],
    ['one byte', Buffer.from([0])],
    ['no byte', Buffer.alloc(0)],
    ['no text', Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xed, 0xa0])],
    ['what looks packed itself', packed(Buffer.from('{"a":1}'))],
    ['what does not get smaller', randomBytes(100_000)],
    ['the most GitHub sends', Buffer.alloc(25 * 1024 * 1024, '{"a":"b"},')],
    ['a part of a larger buffer', Buffer.from('before{"a":1}after').subarray(6, 13)],
  ])('comes out byte for byte: %s', (_what, body) => {
    expect(Buffer.compare(unpacked(packed(body)) ?? Buffer.from('nothing'), body)).toBe(0);
  });

  test("every sample of GitHub's does, and all of them take less than a fifth of their room", () => {
    const sizes = examples.map((body) => {
      const stored = packed(body);
      expect(Buffer.compare(unpacked(stored) ?? Buffer.alloc(0), body)).toBe(0);
      return [body.byteLength, stored.byteLength] as const;
    });
    const sum = (of: 0 | 1): number => sizes.reduce((total, size) => total + size[of], 0);
    expect(sum(1) / sum(0)).toBeLessThan(0.2);
  });

  test.each([
    ['is cut off', (stored: Uint8Array) => stored.subarray(0, stored.byteLength - 2)],
    ['was never packed', () => Buffer.from('{"action":"opened"}')],
    ['is empty', () => Buffer.alloc(0)],
  ])('that %s is as one that is not kept', (_what, damage) => {
    expect(unpacked(damage(packed(Buffer.from('{"action":"opened","number":12}'))))).toBeNull();
  });
});
