import { describe, expect, test } from '@jest/globals';
import { type DeletedFacts, judgeBranchDelete } from '../../src/decide/judge-branch.js';
import { branchDelete, originOf, ruleOf } from './acts.js';
import { ALPHA, ALPHA_DOES, ALPHA_TWO, MYSTERY, MYSTERY_DOES, RAE, at, commit, pullOf } from './make.js';

const LEVELS = ['none', 'pr', 'merge'] as const;
const OWN: DeletedFacts = {
  moves: [{ by: ALPHA, after: 'a1', created: true }],
  tip: 'a1',
  pulls: [],
  based: [],
  lost: [commit('a1', ALPHA)],
};
const OTHERS: DeletedFacts = { ...OWN, moves: [{ by: RAE, after: 'a1', created: true }] };
const head = pullOf({ sha: 'a1', ref: 'feature', author: RAE });
const merged = { ...head, state: 'closed' as const, merged: true };

const judge = (facts: DeletedFacts, context = at('pr'), trunk = false, doer = ALPHA_DOES) =>
  judgeBranchDelete(branchDelete({ trunk }), facts, doer, context);

describe('own', () => {
  test.each([
    ['none', OWN, 'branch-delete'],
    ['pr', OWN, 'allow'],
    ['merge', OWN, 'allow'],
    ['pr', OTHERS, 'branch-delete'],
    ['merge', OTHERS, 'branch-delete'],
  ] as const)('level %s, %j -> %s', (level, facts, rule) => {
    expect(ruleOf(judge(facts, at(level)))).toBe(rule);
  });

  test.each([
    ['the head of its own closed PR', { ...head, author: ALPHA, state: 'closed' as const }, 'allow'],
    ['of its control group’s', { ...head, author: ALPHA_TWO, state: 'closed' as const }, 'allow'],
    ['of its own open PR', { ...head, author: ALPHA }, 'branch-delete'],
    ['of a person’s closed PR', { ...head, state: 'closed' as const }, 'branch-delete'],
    [
      'of its own closed PR, moved since',
      { ...pullOf({ sha: 'a0' }), state: 'closed' as const },
      'branch-delete',
    ],
  ])('a branch others pushed to, %s -> %s', (_, pull, rule) => {
    expect(ruleOf(judge({ ...OTHERS, pulls: [pull] }))).toBe(rule);
  });

  test.each([
    ['acts: { branch.delete: allow }\n', OTHERS, 'allow'],
    ['acts: { branch.delete: deny }\n', OWN, 'branch-delete'],
  ])('%j decides over the level', (rest, facts, rule) => {
    const judged = judge(facts, at('pr', rest));
    expect(ruleOf(judged)).toBe(rule);
    expect(originOf(judged)).toBe('repo:7');
  });

  test('a bot nobody listed has its own branches under unknown-bots: pr', () => {
    const facts = { ...OWN, moves: [{ by: MYSTERY, after: 'a1', created: true }] };
    expect(ruleOf(judge(facts, at('pr', 'unknown-bots: pr\n'), false, MYSTERY_DOES))).toBe('allow');
    expect(ruleOf(judge(facts, at('pr'), false, MYSTERY_DOES))).toBe('branch-delete');
  });
});

describe('a trunk', () => {
  test.each(LEVELS)('level %s -> branch-delete, its own or not, and the tip is kept', (level) => {
    const judged = judge(OWN, at(level), true);
    expect(judged).toMatchObject({ rule: 'branch-delete', remedies: [{ kind: 'backup-ref', sha: 'a1' }] });
  });
});

describe('clean-up', () => {
  test.each(LEVELS)('level %s: the head of a merged PR, whoever’s -> allow', (level) => {
    expect(ruleOf(judge({ ...OTHERS, pulls: [merged] }, at(level)))).toBe('allow');
  });

  test.each([
    ['the branch moved since it was merged', { ...OTHERS, tip: 'a9', pulls: [merged] }],
    ['where it pointed is not known', { ...OTHERS, tip: null, pulls: [merged] }],
  ])('%s -> branch-delete', (_, facts) => {
    expect(ruleOf(judge(facts))).toBe('branch-delete');
  });
});

describe('what follows', () => {
  test('the comment goes to the merged PR, else to the latest whose head it was', () => {
    const older = pullOf({ number: 7, sha: 'a0', state: 'closed', merged: true });
    const newer = pullOf({ number: 8, sha: 'a1', author: RAE });
    expect(judge({ ...OTHERS, pulls: [newer, older] })).toMatchObject({
      comment: { number: 7, about: 'pull' },
    });
    expect(judge({ ...OTHERS, pulls: [newer] })).toMatchObject({ comment: { number: 8, about: 'pull' } });
    expect(judge(OTHERS)).toMatchObject({ comment: null });
  });

  test('open PRs whose base it was are mentioned and not commented on', () => {
    expect(judge({ ...OTHERS, based: [4, 5] })).toMatchObject({ comment: null, mentions: [4, 5] });
  });

  test.each([
    ['only its own commits are gone', [commit('a1', ALPHA)], []],
    ['others’ commits are gone', [commit('a1', RAE)], [{ kind: 'backup-ref', sha: 'a1' }]],
    ['nobody can tell', null, [{ kind: 'backup-ref', sha: 'a1' }]],
  ])('%s -> kept: %j', (_, lost, remedies) => {
    const moves = [{ by: RAE, after: 'x', created: true }];
    expect(judge({ ...OWN, moves, lost })).toMatchObject({ rule: 'branch-delete', remedies });
  });

  test('nothing can be kept of which nobody knows where it pointed', () => {
    expect(judge({ ...OTHERS, tip: null, lost: null })).toMatchObject({
      remedies: [],
      details: { ref: 'feature' },
    });
  });
});
