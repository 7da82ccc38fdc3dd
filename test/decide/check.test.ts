import { describe, expect, test } from '@jest/globals';
import { checkOf, type Weighed } from '../../src/decide/check.js';
import { judgePull, type PullFacts } from '../../src/decide/judge-pull.js';
import { BETA, RAE, approved, at, factsOf, files, pullOf, review } from './make.js';

const CONTEXT = at('pr');
const pull = (number: number, given: Partial<PullFacts> = {}, weighs = true): Weighed => ({
  verdict: judgePull(factsOf({ pull: pullOf({ number }), ...given }), CONTEXT),
  weighs,
});

const passes = (number: number, weighs = true) => pull(number, { reviews: [approved(RAE)] }, weighs);
const waits = (number: number, weighs = true) => pull(number, {}, weighs);
const fails = (number: number, weighs = true) =>
  pull(number, { reviews: [review(RAE, 'changes_requested')] }, weighs);

const told = (...weighed: readonly [Weighed, ...Weighed[]]) => {
  const { conclusion, reasons, pulls } = checkOf('h1', weighed, 'enforce');
  return `${conclusion} ${reasons.map(({ code }) => code).join(',')} of ${pulls.join(',')}`;
};

describe('the worst over the PRs of one head', () => {
  test.each([
    ['one', [passes(1)], 'success within-policy of 1'],
    ['passes and waits', [passes(1), waits(2)], 'action_required needs-person of 1,2'],
    ['waits and passes', [waits(2), passes(1)], 'action_required needs-person of 1,2'],
    ['waits and fails', [waits(1), fails(2)], 'failure changes-requested of 1,2'],
    ['all three', [waits(3), fails(2), passes(1)], 'failure changes-requested of 1,2,3'],
    ['two that wait for the same: one reason', [waits(1), waits(2)], 'action_required needs-person of 1,2'],
  ] as const)('%s', (_, weighed, expected) => {
    const [first, ...rest] = weighed;
    expect(told(first, ...rest)).toBe(expected);
  });

  test('reasons of all that make the conclusion, in their order', () => {
    const path = pull(1, { files: files('AGENTS.md') });
    const agents = pull(2, { reviews: [approved(BETA)] });
    expect(told(path, agents)).toBe('action_required agent-approval,protected-path of 1,2');
  });

  test('an agent of two PRs is named once', () => {
    expect(checkOf('h1', [waits(1), fails(2)], 'enforce').agents.map(({ agent }) => agent)).toEqual([
      'alpha',
    ]);
  });
});

describe('PRs that do not weigh', () => {
  test.each([
    ['change nothing beside one that does', [passes(1), fails(2, false)], 'success within-policy of 1,2'],
    ['nor do they pass it', [waits(1), passes(2, false)], 'action_required needs-person of 1,2'],
    ['count where none does', [fails(2, false)], 'failure changes-requested of 2'],
    ['all of them, the worst', [passes(1, false), waits(2, false)], 'action_required needs-person of 1,2'],
  ] as const)('%s', (_, weighed, expected) => {
    const [first, ...rest] = weighed;
    expect(told(first, ...rest)).toBe(expected);
  });
});

describe('modes', () => {
  test.each([passes(1), waits(1), fails(1)])('observe -> neutral, and what it would be', (one) => {
    const enforced = checkOf('h1', [one], 'enforce');
    expect(checkOf('h1', [one], 'observe')).toEqual({ ...enforced, conclusion: 'neutral' });
    expect(enforced.wouldBe).toBe(enforced.conclusion);
  });
});

describe('the tree', () => {
  test('of one PR is its own', () => {
    const one = waits(1);
    expect(checkOf('h1', [one], 'enforce').tree).toBe(one.verdict.tree);
  });

  test('of several has each below it', () => {
    const [one, two] = [waits(1), passes(2)];
    const { tree } = checkOf('h1', [one, two], 'enforce');
    expect(tree.rule).toBe('pulls');
    expect(tree.children).toEqual([one.verdict.tree, two.verdict.tree]);
  });
});
