import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { closedByKeyword } from '../../src/acts/read-issue.js';

const closes = (body: string) => closedByKeyword(body, 'acme/widgets');

const KEYWORDS = ['close', 'closes', 'closed', 'fix', 'fixes', 'fixed', 'resolve', 'resolves', 'resolved'];

describe('closing keywords', () => {
  test.each(KEYWORDS)('%s #12 -> 12', (keyword) => {
    expect(closes(`${keyword} #12`)).toEqual([12]);
    expect(closes(`${keyword}: #12`)).toEqual([12]);
    expect(closes(`${keyword.toUpperCase()} #12`)).toEqual([12]);
  });

  test.each([
    ['several keywords', 'Fixes #12, closes #13\nresolves #14.', [12, 13, 14]],
    ['one issue named twice', 'Fixes #12. Fixes #12.', [12]],
    ['a tab between', 'fixes\t#12', [12]],
    ['this repository by its name', 'Fixes acme/widgets#12', [12]],
    ['this repository in another case', 'Fixes Acme/Widgets#12', [12]],
    ['an address', 'Fixes https://github.com/acme/widgets/issues/12', [12]],
    [
      'an address of an Enterprise Server',
      'Fixes https://git.acme.example:8443/acme/widgets/issues/12',
      [12],
    ],
    ['brackets around it', '(fixes #12)', [12]],
  ])('%s -> %j %j', (_, body, issues) => {
    expect(closes(body)).toEqual(issues);
  });

  test.each([
    ['a number alone', '#12'],
    ['another word', 'See #12, part of #13, fixing #14, unfixes #15, foreclose #16'],
    ['only the first of a list has a keyword', 'and #12'],
    ['no space', 'fixes#12'],
    ['a line break between', 'fixes\n#12'],
    ['another repository', 'Fixes acme/gadgets#12'],
    ['another repository’s address', 'Fixes https://github.com/acme/gadgets/issues/12'],
    ['the address of a pull request', 'Fixes https://github.com/acme/widgets/pull/12'],
    ['a number that goes on as a word', 'Fixes #12abc'],
    ['a number no issue has', 'Fixes #12345678901'],
    ['an empty body', ''],
  ])('%s closes nothing: %j', (_, body) => {
    expect(closes(body)).toEqual([]);
  });

  test('the second of a list without its own keyword is not closed', () => {
    expect(closes('fixes #12, #13')).toEqual([12]);
  });

  test('the name of the repository is a name, not a pattern', () => {
    expect(closedByKeyword('Fixes acme/widgetsXjs#12', 'acme/widgets.js')).toEqual([]);
    expect(closedByKeyword('Fixes acme/widgets.js#12', 'acme/widgets.js')).toEqual([12]);
  });

  test.each([
    ['keywords', 'fixes '],
    ['keywords and colons', 'fixes: '],
    ['spaces after a keyword', ' ', 'fixes'],
    ['a long name', 'a', 'fixes '],
    ['names and slashes', 'a/', 'fixes '],
    ['hashes', '#', 'fixes '],
    ['digits', '1', 'fixes #'],
    ['dots and dashes', '.-', 'fixes '],
    ['a long host', 'h.', 'fixes https://'],
    ['a long address', 'h/', 'fixes https://h/'],
    ['keywords without spaces', 'close.fix:'],
    ['issues that are closed', 'fixes #1 '],
  ])('300 KB of %s takes linear time', (_, unit, start = '') => {
    const timed = (bytes: number) => {
      const body = start + unit.repeat(Math.ceil(bytes / unit.length));
      const begin = performance.now();
      closes(body);
      return performance.now() - begin;
    };
    timed(10_000);
    // Quadratic time over 300 KB is minutes; linear is milliseconds, whatever else the machine does.
    expect(timed(300_000)).toBeLessThan(1_000);
  });

  test('any text and any name: numbers, each once, and never an exception', () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('fixes ', 'closes: ', '#1', '#22', 'acme/widgets', 'https://github.com/', '/issues/3'),
    );
    fc.assert(
      fc.property(fc.array(word), fc.string(), (words, name) => {
        const numbers = closedByKeyword(words.join(''), name);
        expect(numbers.every((number) => Number.isSafeInteger(number) && number >= 0)).toBe(true);
        expect(new Set(numbers).size).toBe(numbers.length);
      }),
    );
  });
});
