import { describe, expect, test } from '@jest/globals';
import type { Account } from '../../src/acts/act.js';
import { type BranchMove, isOwnBranch, lostOfOthers } from '../../src/decide/branch.js';
import type { CommitFact } from '../../src/decide/facts.js';
import {
  ALPHA,
  ALPHA_DOES,
  ALPHA_TWO,
  BETA,
  DEPENDABOT,
  MYSTERY,
  MYSTERY_DOES,
  RAE,
  at,
  commit,
} from './make.js';

const CONTEXT = at('pr');
const moved = (by: Account | null, sha = 'x', created = false): BranchMove => ({ by, after: sha, created });
const born = (by: Account | null): BranchMove => moved(by, 'birth', true);

describe('a branch is the agent’s own', () => {
  test.each([
    ['made and pushed to by it alone', [moved(ALPHA), born(ALPHA)], true],
    ['also by its second account', [moved(ALPHA_TWO), born(ALPHA)], true],
    ['a person pushed to it', [moved(RAE), born(ALPHA)], false],
    ['another agent pushed to it', [moved(BETA), born(ALPHA)], false],
    ['automation pushed to it', [moved(DEPENDABOT), born(ALPHA)], false],
    ['a person made it', [moved(ALPHA), born(RAE)], false],
    ['somebody whom GitHub does not name pushed to it', [moved(null), born(ALPHA)], false],
    ['nothing is known of it', [], false],
    ['its birth is not known, all that is known is the agent’s', [moved(ALPHA), moved(ALPHA)], true],
    [
      'an earlier branch of that name was a person’s',
      [moved(ALPHA), born(ALPHA), moved(RAE), born(RAE)],
      true,
    ],
    [
      'an earlier branch was the agent’s, this one is a person’s',
      [born(RAE), moved(ALPHA), born(ALPHA)],
      false,
    ],
  ])('%s -> %j', (_, moves, own) => {
    expect(isOwnBranch(moves, ALPHA_DOES, CONTEXT)).toBe(own);
  });

  test('a bot nobody listed has what its own account pushed, and no control group', () => {
    expect(isOwnBranch([born(MYSTERY)], MYSTERY_DOES, CONTEXT)).toBe(true);
    expect(isOwnBranch([moved(ALPHA), born(MYSTERY)], MYSTERY_DOES, CONTEXT)).toBe(false);
  });
});

describe('commits of others that are lost', () => {
  const lost = (
    commits: readonly CommitFact[] | null,
    kept: readonly CommitFact[] = [],
    moves: readonly BranchMove[] = [],
  ) => lostOfOthers(commits, kept, moves, ALPHA_DOES, CONTEXT);

  test.each([
    ['none', [], false],
    ['the agent’s', [commit('c1', ALPHA)], false],
    ['its second account’s', [commit('c1', ALPHA_TWO)], false],
    ['a person’s', [commit('c1', RAE)], true],
    ['another agent’s', [commit('c1', BETA)], true],
    ['nobody’s whom GitHub knows', [commit('c1', null)], true],
    ['the agent’s and a person’s', [commit('c1', ALPHA), commit('c2', RAE)], true],
  ])('%s -> %j', (_, commits, dropped) => {
    expect(lost(commits)).toBe(dropped);
  });

  test('what GitHub cannot tell counts as others’', () => {
    expect(lost(null)).toBe(true);
  });

  test('who pushed it decides over what its author line says', () => {
    expect(lost([commit('c1', ALPHA)], [], [moved(RAE, 'c1')])).toBe(true);
    expect(lost([commit('c1', RAE)], [], [moved(ALPHA, 'c1')])).toBe(false);
  });

  test('without a push and an author account, the committer’s account decides', () => {
    const { author } = commit('c1', null);
    expect(lost([commit('c1', ALPHA, { author })])).toBe(false);
    expect(lost([commit('c1', RAE, { author })])).toBe(true);
  });

  describe('a commit that was rebased is still there', () => {
    const old = commit('c1', RAE, { message: 'A fix' });

    test.each([
      ['same author, same message', commit('c9', RAE, { message: 'A fix' }), false],
      ['another message', commit('c9', RAE, { message: 'A fix, squashed' }), true],
      ['another author', commit('c9', BETA, { message: 'A fix' }), true],
    ])('%s: lost -> %j', (_, now, dropped) => {
      expect(lost([old], [now])).toBe(dropped);
    });

    test('without a message nothing tells that it is the same', () => {
      expect(lost([commit('c1', RAE, { message: '' })], [commit('c9', RAE, { message: '' })])).toBe(true);
    });

    test('one rebased and one dropped -> lost', () => {
      const kept = commit('c9', RAE, { message: 'A fix' });
      expect(lost([old, commit('c2', RAE)], [kept])).toBe(true);
    });
  });
});
