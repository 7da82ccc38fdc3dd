import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { DIFFERS } from './differs.js';

const FOLDER = 'test/second-opinion';
const tests = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.test.ts') && name !== 'differs.test.ts')
  .map((name) => readFileSync(`${FOLDER}/${name}`, 'utf8'))
  .join('\n');

/** How often a rule is checked, by its whole title. */
const checked = (rule: string): number =>
  [`check('${rule}',`, `check("${rule}",`].reduce((sum, call) => sum + tests.split(call).length - 1, 0);

describe('where emulate differs', () => {
  test.each(DIFFERS)('"$rule" is a rule that is checked, once', ({ rule }) => {
    expect(checked(rule)).toBe(1);
  });
  test.each(DIFFERS)('"$rule" is documented by GitHub', ({ documented }) => {
    expect(documented).toMatch(/^https:\/\/docs\.github\.com\//);
  });
});
