import { describe, expect, test } from '@jest/globals';
import { loadPolicyFile, type LoadResult } from '../../src/policy/load.js';
import { countOf } from '../../src/policy/problems.js';
import { NAMES } from './sample.js';

/** The largest file that is read, in bytes. */
const LARGEST = 64 * 1024;
/** Far beyond what a file takes (under a second), and far below what one takes that is read again for each part of it. */
const TIME = 5_000;
const V = 'version: 1\n';

/** A file as large as may be: its parts, counted from 0, between `head` and `tail`. */
const filled = (part: (index: number) => string, head: string, tail = ''): string => {
  let text = head;
  for (let index = 0; text.length + part(index).length + tail.length <= LARGEST; index += 1)
    text += part(index);
  return text + tail;
};
/** A map of `part`s below a key of 30,000 characters. */
const below = (part: string): string => filled(() => part, `${V}? ${'k'.repeat(30_000)}\n: {`, '}');

const load = (text: string): LoadResult =>
  loadPolicyFile(text, '.github/agent-policy.yml', 'repo', { catalogue: NAMES });
const problemsOf = (text: string) => {
  const result = load(text);
  return result.kind === 'invalid' ? result.problems : [];
};

describe('a file of nothing but aliases is refused before one of them is followed', () => {
  test.each<[string, string]>([
    ['in a list, of no anchor', filled(() => '*u,', `${V}a: [`, ']')],
    ['as values of a map, of no anchor', filled((n) => `k${String(n)}: *u\n`, V)],
    ['as keys', filled((n) => `*u : ${String(n)}\n`, V)],
    ['as keys without values', filled(() => '*u,', `${V}a: {`, '}')],
    ['with an anchor before each', filled((n) => `&a${String(n)} x,*u,`, `${V}a: [`, ']')],
    ['of one anchor given again and again', filled(() => '&a x,*a,', `${V}a: [`, ']')],
    ['of the last of many anchors', filled((n) => `&a${String(n)} x,*a${String(n)},`, `${V}a: [`, ']')],
    ['in lists of lists', filled(() => '[*u,[*u]],', `${V}a: [`, ']')],
    ['in maps of lists', filled((n) => `k${String(n)}: {a: [*u, *u]}\n`, V)],
    ['of what holds them', filled(() => '*a,', `${V}a: &a [`, ']')],
  ])(
    '%s',
    (_, text) => {
      expect(problemsOf(text)).toEqual([
        {
          line: expect.any(Number),
          column: expect.any(Number),
          path: '',
          message: 'anchors are used more than 100 times; write the values out',
        },
      ]);
    },
    TIME,
  );

  test('the place is that of the first one over the limit', () => {
    const lines = Array.from({ length: 101 }, (_, n) => `k${String(n)}: *u`);
    expect(problemsOf(`${V}${lines.join('\n')}\n`)).toMatchObject([{ line: 102, column: 7 }]);
  });

  test('100 of no anchor are each told', () => {
    const problems = problemsOf(`${V}trunk: [${Array(100).fill('*u').join(',')}]\n`);
    expect(problems.filter(({ message }) => message.startsWith('there is no anchor &u above'))).toHaveLength(
      100,
    );
  });
});

describe('an alias stands for the nearest anchor of its name above it', () => {
  const trunkOf = (list: string) => {
    const result = load(`${V}trunk: ${list}\n`);
    return result.kind === 'valid' ? result.file.content.trunk : result.problems.map(({ path }) => path);
  };

  test.each<[string, string, readonly string[]]>([
    ['the one anchor', '[&a main, *a]', ['main', 'main']],
    [
      'given again: the later one from there on',
      '[&a main, *a, &a next, *a]',
      ['main', 'main', 'next', 'next'],
    ],
    ['one below it: none', '[*a, &a main]', ['trunk[0]']],
    ['one of another name: none', '[&b main, *a]', ['trunk[1]']],
  ])('%s', (_, list, expected) => {
    expect(trunkOf(list)).toEqual(expected);
  });

  test('what an anchor holds stands for what it stood for where it was written', () => {
    const text = `${V}people: &p { approvers: [&a otto, *a] }\nescalate: { assignees: [&a mara, *a] }\nagents: { claude: { accounts: *a } }\n`;
    const problems = problemsOf(text);
    expect(problems.map(({ path, message }) => [path, message.includes('"mara"')])).toEqual([
      ['agents.claude.accounts', true],
    ]);
  });
});

describe('no file makes its reading, or what is said of it, many times larger than itself', () => {
  test.each<[string, string]>([
    ['a hundred uses of a large list', filled(() => 'a,', `${V}a: &a [`, `]\nb: [${'*a,'.repeat(99)}]\n`)],
    [
      'a hundred uses of a long text that has a near word',
      `${V}trunk: [&a "${'../'.repeat(21_000)}",${'*a,'.repeat(99)}]\n`,
    ],
    ['number keys below a long key', below('1: ,')],
    ['merge keys below a long key', below('<<: ,')],
    ['keys given twice below a long key', below('a: ,')],
    ['tags below a long key', below('a: !a b,')],
    ['unknown keys', filled((n) => `k${String(n)}: 1\n`, V)],
    ['unknown acts', filled((n) => `p${String(n)}: a,`, `${V}acts: {`, '}')],
    ['agents that nobody knows', filled((n) => `  a${String(n)}: {}\n`, `${V}agents:\n`)],
    ['automation of one letter', filled(() => 'b,', `${V}automation: [`, ']')],
    ['a long tag', `${V}a: ${'!'.repeat(65_000)} b`],
    ['quotes', `${V}a: ${'"'.repeat(65_000)}`],
    ['bad escapes', `${V}a: "${'\\q'.repeat(32_000)}"`],
    ['closing brackets', filled(() => ']', V)],
    ['commas', filled(() => ',', `${V}a: [`, ']')],
    ['brackets opened and closed', filled(() => '[]', V)],
    ['lines that are no map', filled(() => 'a\n', V)],
    ['lines with tabs', filled(() => '\ta: 1\n', V)],
    ['several maps a line', filled(() => 'a: b: c\n', V)],
    ['anchors on one value', filled(() => '&a ', `${V}a: `)],
    ['documents', filled(() => '---\n', V)],
    [
      'directives, then documents',
      filled(() => '---\n', filled((n) => `%TAG !a${String(n)}! b\n`, '').slice(0, 32_000)),
    ],
    ['texts in blocks', filled((n) => `k${String(n)}: |\n`, V)],
    ['comments at every depth', filled((n) => `${' '.repeat(100 - (n % 100))}#\n`, `${V}a:\n`)],
    ['digits', `${V}a: ${'1'.repeat(65_000)}`],
  ])(
    '%s',
    (_, text) => {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LARGEST);
      const problems = problemsOf(text);
      expect(problems.length).toBeGreaterThan(0);
      expect(problems.length).toBeLessThanOrEqual(201);
      expect(JSON.stringify(problems).length).toBeLessThan(2 * LARGEST);
    },
    TIME,
  );

  test('a file that is no YAML has its problems counted like one that is', () => {
    const problems = problemsOf(`${V}a: ${'"'.repeat(65_000)}`);
    expect(problems).toHaveLength(201);
    expect(problems.at(-1)?.message).toMatch(/^and \d+ more problems from here on$/);
    expect(countOf(problems)).toBeGreaterThan(30_000);
  });

  test('reading one leaves the depth of stacks as it was', () => {
    const before = Error.stackTraceLimit;
    problemsOf(`${V}a: ]`);
    expect(Error.stackTraceLimit).toBe(before);
    expect(before).toBeGreaterThan(0);
  });

  test('a newer version with many problems has them counted, too', () => {
    const problems = problemsOf(filled((n) => `${String(n)}: 1\n`, 'version: 2\n'));
    expect(problems).toHaveLength(201);
    expect(problems[0]).toMatchObject({ line: 1, column: 10, path: 'version' });
    expect(problems[0]).not.toHaveProperty('suggestion');
  });

  test.each([
    [200, undefined, 200],
    [201, 'and 1 more problem here', 201],
    [202, 'and 2 more problems from here on', 202],
  ])('of %d problems the list ends as it should', (count, last, all) => {
    const problems = problemsOf(
      `${V}${Array.from({ length: count }, (_, n) => `zz${String(n)}: 1\n`).join('')}`,
    );
    expect(problems.find(({ standsFor }) => standsFor !== undefined)?.message).toBe(last);
    expect(countOf(problems)).toBe(all);
  });
});

describe('a text of many lines is no depth', () => {
  test.each([
    ['of a block', `${V}merge: |\n${'  b\n'.repeat(1_000)}`],
    ['of a folded block', `${V}merge: >\n${'  b\n\n'.repeat(1_000)}`],
    ['keys that are asked for in a list', `${V}merge: [${'? ,'.repeat(1_000)}]`],
  ])('%s', (_, text) => {
    expect(problemsOf(text).map(({ message }) => message)).not.toContainEqual(
      expect.stringContaining('nested or indented'),
    );
  });

  test.each([
    ['indentation', `c:\n${' '.repeat(201)}a: 1\n`],
    ['dashes', `c: ${'- '.repeat(21)}\n`],
  ])('what follows it is measured as ever: %s', (_, rest) => {
    expect(problemsOf(`${V}merge: |\n  b\n${rest}`)).toMatchObject([
      { message: expect.stringContaining('nested or indented') },
    ]);
  });
});
