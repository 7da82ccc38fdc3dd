import { expect, test } from '@jest/globals';
import { revertText } from '../../src/words/revert.js';
import { place } from './make.js';

const KEY = { rule: 'merge-level', agent: 'alpha', subject: 'main' } as const;

test('a proposal after a breach', () => {
  expect(revertText(283, KEY, place('off'))).toMatchSnapshot();
});

test('a proposal after an objection blames nobody', () => {
  expect(revertText(283, null, place('off'))).toMatchSnapshot();
});

test('it is never merged by us, and says so', () => {
  expect(revertText(283, KEY, place('on')).body).toContain('Agent Policy does not merge it');
});

test('it closes no issue by being merged', () => {
  const subject = 'fixes #1 closes acme/widgets#2 resolves https://github.com/acme/widgets/issues/3';
  expect(revertText(283, { ...KEY, subject, agent: subject }, place('on')).body).not.toMatch(
    /(fix|close|resolve)\w*:? (#|\S+#\d|https?:\/\/)/i,
  );
});
