import { expect, test } from '@jest/globals';
import { cases, files, playAll, waiting } from './waiting.js';

test('there are 31 cases', () => {
  expect(files).toHaveLength(31);
});

test('whatever is listed as waiting is a case', () => {
  const known = new Set(cases.map(({ id, variant }) => `${id} ${String(variant)}`));
  const listed = Object.entries(waiting).flatMap(([id, { variants }]) =>
    variants.map((variant) => `${id} ${String(variant)}`),
  );
  expect(listed.filter((name) => !known.has(name))).toEqual([]);
});

// The other half is played beside it, in more-cases.test.ts.
playAll(files.filter((_, index) => index % 2 === 0));
