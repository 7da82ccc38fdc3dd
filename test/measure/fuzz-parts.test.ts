import { describe, expect, test } from '@jest/globals';
import { createAnswerReader } from '../../src/measure/fuzz/answers.js';
import type { FuzzCase } from '../../src/measure/fuzz/case.js';
import { caseOf } from '../../src/measure/fuzz/draw.js';
import { createMemoryWatch } from '../../src/measure/fuzz/memory.js';
import type { Making } from '../../src/measure/fuzz/request.js';

const MAKING: Making = {
  seed: 1,
  secrets: { current: 'a secret', previous: 'another' },
  path: '/hook',
  samples: [{ name: 'push', body: '{"ref":"refs/heads/main","forced":false}' }],
};

const cases = (making: Making, count: number): readonly FuzzCase[] =>
  Array.from({ length: count }, (_, number) => caseOf(making, number));

describe('cases', () => {
  test('the same number under the same seed is the same case, whatever was made before', () => {
    expect(caseOf(MAKING, 300)).toEqual(cases(MAKING, 301)[300]);
  });

  test('another seed makes other cases', () => {
    const other = cases({ ...MAKING, seed: 2 }, 50).map(({ kind }) => kind);
    expect(other).not.toEqual(cases(MAKING, 50).map(({ kind }) => kind));
  });

  test('no two cases have a GUID in common', () => {
    const seen = new Map<string, number>();
    for (const { number, steps } of cases(MAKING, 400))
      for (const { guid, stored } of steps.flatMap(({ expected }) => expected)) {
        if (stored === 'no') continue;
        expect([number, undefined]).toContain(seen.get(guid));
        seen.set(guid, number);
      }
    expect(seen.size).toBeGreaterThan(100);
  });

  test('a share of them is to be stored, and a share is to be refused', () => {
    const fates = cases(MAKING, 400).flatMap(({ steps }) =>
      steps.flatMap(({ expected }) => expected.map(({ stored }) => stored)),
    );
    const share = (fate: string): number => fates.filter((one) => one === fate).length / fates.length;
    expect(share('yes')).toBeGreaterThan(0.3);
    expect(share('no')).toBeGreaterThan(0.3);
  });
});

const CHUNKED = 'HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n7\r\nstored\n\r\n0\r\n\r\n';
const SIZED = 'HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 3\r\n\r\nno\n';
const BARE = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';
const GO_ON = 'HTTP/1.1 100 Continue\r\n\r\n';

/** What is read of a text that comes in pieces of so many bytes, and then ends. */
const readIn = (text: string, size: number, bodiless = false) => {
  const reader = createAnswerReader(() => bodiless);
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    Buffer.from(text.slice(at * size, (at + 1) * size)),
  );
  return [...pieces.flatMap((piece) => reader.read(piece)), ...reader.end()];
};

describe.each([1, 7, 10_000])('answers in pieces of %d bytes', (size) => {
  test.each([
    ['a chunked body', CHUNKED, [{ status: 202, closes: false }]],
    ['a body of a told length', SIZED, [{ status: 400, closes: true }]],
    ['a body that ends with the connection', BARE, [{ status: 400, closes: true }]],
    [
      'several, one after another',
      CHUNKED + CHUNKED + SIZED,
      [202, 202, 400].map((status) => ({ status, closes: status === 400 })),
    ],
    ['100 is no answer yet', GO_ON + CHUNKED, [{ status: 202, closes: false }]],
    ['a body that is not whole is no answer', CHUNKED.slice(0, -4), []],
    ['a head that is not whole is no answer', SIZED.slice(0, 30), []],
  ])('%s', (_what, text, answers) => {
    expect(readIn(text, size)).toMatchObject(answers);
    expect(readIn(text, size)).toHaveLength(answers.length);
  });

  test('an answer to HEAD has no body', () => {
    expect(readIn('HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 3\r\n\r\n', size, true)).toMatchObject([
      { status: 405, closes: false },
    ]);
  });

  test('what is no HTTP is said', () => {
    expect(() => readIn('SSH-2.0-x\r\n\r\n', size)).toThrow('no status line');
  });
});

describe('memory', () => {
  const grown = (samples: readonly number[]): number | null => {
    const watch = createMemoryWatch();
    for (const sample of samples) watch.sample(sample);
    const growth = watch.growth();
    return growth === null ? null : growth.end - growth.warm;
  };
  const over = (count: number, of: (at: number) => number): readonly number[] =>
    Array.from({ length: count }, (_, at) => of(at));

  test.each([
    ['what comes and goes is no growth', over(400, (at) => 100 + (at % 20) * 50), 0],
    ['what is taken while it warms up is no growth', over(400, (at) => (at < 90 ? at : 100)), 0],
    ['what is let go of all at once now and then is none', over(840, (at) => 100 + (at % 240)), 0],
    ['what stays is', over(400, (at) => 100 + at), 200],
    ['a run that is too short tells nothing', over(100, () => 1), null],
  ])('%s', (_what, samples, growth) => {
    expect(grown(samples)).toBe(growth);
  });
});
