import { describe, expect, test } from '@jest/globals';
import { doerOf, isOwn } from '../../src/decide/doer.js';
import {
  ALPHA,
  ALPHA_DOES,
  ALPHA_TWO,
  APP,
  BETA,
  DEPENDABOT,
  MYSTERY,
  MYSTERY_DOES,
  RAE,
  ROBOT,
  at,
  bot,
  contextOf,
  seen,
  user,
} from './make.js';

const CONTEXT = at('pr');
const QUEUE = bot(118344674, 'github-merge-queue[bot]');
const ACTIONS = bot(41898282, 'github-actions[bot]');

describe('whose an act is', () => {
  test.each([
    ['an agent', ALPHA, { kind: 'agent', agent: 'alpha' }],
    ['its second account', ALPHA_TWO, { kind: 'agent', agent: 'alpha' }],
    ['an agent that is a user', ROBOT, { kind: 'agent', agent: 'robot' }],
    ['an agent under another login', { ...ALPHA, login: 'renamed[bot]' }, { kind: 'agent', agent: 'alpha' }],
    ['a bot nobody listed', MYSTERY, { kind: 'unknown-bot', agent: 'mystery[bot]' }],
  ])('%s -> it', (_, account, doer) => {
    expect(doerOf(account, CONTEXT)).toEqual({ ...doer, account });
  });

  test.each([
    ['a person', RAE],
    ['a person with an agent’s login', user(666, 'alpha-agent[bot]')],
    ['automation', DEPENDABOT],
    ['the merge queue', QUEUE],
    ['a workflow', ACTIONS],
    ['ourselves', APP],
  ])('%s -> nobody’s whom the policy is about', (_, account) => {
    expect(doerOf(account, CONTEXT)).toBeNull();
  });

  test('marks make no person an agent', () => {
    expect(doerOf(RAE, CONTEXT, [seen('alpha'), seen('beta', 'strong')])).toBeNull();
  });

  describe('shared: marked', () => {
    const shared = contextOf(
      'version: 1\nagents:\n  coder: { accounts: [13], shared: marked }\n  alpha: { accounts: [9001] }\n',
    );

    test('with the agent’s marks -> the agent; without, or with another agent’s -> a person', () => {
      expect(doerOf(RAE, shared, [seen('coder')])).toEqual({ kind: 'agent', agent: 'coder', account: RAE });
      expect(doerOf(RAE, shared)).toBeNull();
      expect(doerOf(RAE, shared, [seen('alpha')])).toBeNull();
    });
  });
});

describe('own', () => {
  test.each([
    ['the doer', ALPHA, true],
    ['its control group', ALPHA_TWO, true],
    ['another agent', BETA, false],
    ['a person', RAE, false],
    ['nobody', null, false],
  ])('%s -> %j', (_, account, own) => {
    expect(isOwn(account, ALPHA_DOES, CONTEXT)).toBe(own);
  });

  test('a bot nobody listed has itself alone', () => {
    expect(isOwn(MYSTERY, MYSTERY_DOES, CONTEXT)).toBe(true);
    expect(isOwn(bot(9701, 'mystery-two[bot]'), MYSTERY_DOES, CONTEXT)).toBe(false);
  });
});
