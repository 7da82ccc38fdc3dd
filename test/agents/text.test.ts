import { describe, expect, test } from '@jest/globals';
import { spokenLines } from '../../src/agents/body.js';
import { trailerLines } from '../../src/agents/trailers.js';

describe('trailers of a message', () => {
  test.each<[string, string, readonly string[]]>([
    ['the last paragraph', 's\n\nbody\n\nA: 1\nB-b: 2', ['A: 1', 'B-b: 2']],
    ['every paragraph that is trailers throughout', 's\n\nA: 1\n\nbody\n\nB: 2', ['A: 1', 'B: 2']],
    ['not a paragraph with a line of prose', 's\n\nA: 1\nand so on', []],
    [
      'a last paragraph with a sign-off and a quarter of trailers',
      's\n\na b\nc d\ne f\nSigned-off-by: R <r@e>',
      ['Signed-off-by: R <r@e>'],
    ],
    ['not with less than a quarter', 's\n\na b\nc d\ne f\ng h\nSigned-off-by: R <r@e>', []],
    ['not in the middle', 's\n\na b\nSigned-off-by: R <r@e>\n\nend', []],
    ['a last paragraph with a cherry-pick line', 's\n\nA: 1\n(cherry picked from commit 0f)', ['A: 1']],
    ['not the subject', 'A: 1', []],
    ['not the first paragraph behind empty lines', '\n\nA: 1\n', []],
    ['folded values are joined', 's\n\nA: 1\n\t2\nB: 3', ['A: 1 2', 'B: 3']],
    ['a key with a space is none', 's\n\nBREAKING CHANGE: x', []],
    ['a key without a value is none', 's\n\nA:', []],
    ['lines of white space part paragraphs', 's\n \t\nA: 1', ['A: 1']],
    ['Windows line ends', 's\r\n\r\nA: 1\r\n', ['A: 1']],
    ['nothing', '', []],
  ])('%s', (_rule, message, expected) => {
    expect(trailerLines(message)).toEqual(expected);
  });
  test('the last 100 of many', () => {
    const many = Array.from({ length: 150 }, (_, index) => `A: ${index}`);
    expect(trailerLines(`s\n\n${many.join('\n')}`)).toEqual(many.slice(50));
  });
  test('a line over 1,000 characters is none', () => {
    expect(trailerLines(`s\n\nA: ${'x'.repeat(997)}`)).toHaveLength(1);
    expect(trailerLines(`s\n\nA: ${'x'.repeat(998)}`)).toEqual([]);
  });
  test('the end of a message of megabytes is still read', () => {
    expect(trailerLines(`s\n\n${'word '.repeat(400_000)}\n\nA: 1`)).toEqual(['A: 1']);
  });
});

describe('what a body says itself', () => {
  test.each<[string, string, readonly string[]]>([
    ['lines, trimmed, without empty ones', ' a \r\n\r\n  b', ['a', 'b']],
    ['no block quote', 'a\n> b\n   > c\nd', ['a', 'd']],
    ['no fence', 'a\n```ts\nb\n```\nc', ['a', 'c']],
    ['no fence of tildes, which backticks do not close', 'a\n~~~\nb\n```\nc\n~~~\nd', ['a', 'd']],
    ['no fence that a shorter one within does not close', '`````\na\n```\nb\n`````\nc', ['c']],
    ['no fence that is never closed', 'a\n```\nb', ['a']],
    ['no indented code', 'a\n    b\n\tc', ['a']],
    ['no code span', 'a `b` c', ['a  c']],
    ['tags in a code span open nothing', 'a `<!--` and `<pre>`\nb', ['a  and', 'b']],
    [
      'no HTML quote, also nested',
      '<blockquote>\na\n<blockquote>\nb\n</blockquote>\nc\n</blockquote>\nd',
      ['d'],
    ],
    ['no preformatted text', '<pre>\na\n</pre>\nb', ['b']],
    ['no comment over several lines', 'a\n<!-- b\nc\n-->\nd', ['a', 'd']],
    ['a comment on one line', '<!-- a -->', ['<!-- a -->']],
    ['a stray closing tag changes nothing', '</blockquote>\na', ['</blockquote>', 'a']],
    ['nothing', '', []],
  ])('%s', (_rule, body, expected) => {
    expect(spokenLines(body)).toEqual(expected);
  });
});
