import { describe, expect, test } from '@jest/globals';
import { linkTarget, mayBeLink, resolveLink } from '../../src/github/links.js';

const LINK = '@@ -0,0 +1 @@\n+TARGET\n\\ No newline at end of file';

describe('a file that may be a link', () => {
  test.each([
    ['added, one line without a newline', 'added', 1, LINK, true],
    [
      'another target',
      'modified',
      1,
      '@@ -1 +1 @@\n-old\n\\ No newline at end of file\n+new\n\\ No newline at end of file',
      true,
    ],
    [
      'a file turned into a link',
      'changed',
      1,
      '@@ -1,2 +1 @@\n-a\n-b\n+x\n\\ No newline at end of file',
      true,
    ],
    [
      'a target with a newline in it',
      'added',
      2,
      '@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file',
      true,
    ],
    ['a pure rename: the blob is not shown', 'renamed', 0, undefined, true],
    ['a mode that changed: the blob is not shown', 'changed', 0, undefined, true],
    ['a diff too big to show, one line added', 'added', 1, undefined, true],
    ['a diff too big to show, many lines added', 'added', 900, undefined, false],
    ['an empty or binary file that was added', 'added', 0, undefined, false],
    ['removed', 'removed', 0, '@@ -1 +0,0 @@\n-x\n\\ No newline at end of file', false],
    ['a line with a newline', 'added', 1, '@@ -0,0 +1 @@\n+x', false],
    [
      'only the old side lacks the newline',
      'modified',
      1,
      '@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y',
      false,
    ],
    [
      'a line added at the end of a longer file',
      'modified',
      1,
      '@@ -1,2 +1,3 @@\n a\n b\n+c\n\\ No newline at end of file',
      false,
    ],
    [
      'a change in two places',
      'modified',
      2,
      '@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n\\ No newline at end of file',
      false,
    ],
    [
      'a line longer than any target',
      'added',
      1,
      `@@ -0,0 +1 @@\n+${'x'.repeat(5000)}\n\\ No newline at end of file`,
      false,
    ],
  ])('%s', (_, status, additions, patch, expected) => {
    expect(mayBeLink({ status, additions, patch })).toBe(expected);
  });

  test('has its target in the patch', () => {
    expect(linkTarget(LINK)).toBe('TARGET');
    expect(linkTarget('@@ -0,0 +1 @@\n+x')).toBeNull();
  });
});

describe('a target resolves', () => {
  test.each([
    ['ci', '.github/workflows', '.github/workflows'],
    ['docs/ci', '../.github/workflows', '.github/workflows'],
    ['docs/a/ci', '.././../.github//x/../workflows/', '.github/workflows'],
    ['docs/ci', 'other', 'docs/other'],
    ['docs/ci', '.', 'docs'],
    ['ci', '../outside', '../outside'],
    ['docs/ci', '../../etc/passwd', '../etc/passwd'],
    ['ci', '/etc/passwd', '/etc/passwd'],
  ])('%s -> %s is %s', (path, target, expected) => {
    expect(resolveLink(path, target)).toBe(expected);
  });
});
