import { describe, expect, test } from '@jest/globals';
import type { ReviewFact } from '../../src/decide/facts.js';
import { atLeast, reviewersToLookUp, standingReviews } from '../../src/decide/reviews.js';
import { ALPHA, IVO, MARA, OTTO, RAE, after, review } from './make.js';

const told = (reviews: readonly ReviewFact[]) =>
  standingReviews(reviews).map(({ by, state }) => `${by.login} ${state}`);

const sequence = (...states: readonly ReviewFact['state'][]) =>
  states.map((state, index) => review(RAE, state, { id: index + 1, at: after(index) }));

describe('the review that stands', () => {
  test.each([
    [['approved'], ['rae approved']],
    [['approved', 'changes_requested'], ['rae changes_requested']],
    [['changes_requested', 'approved'], ['rae approved']],
    [['changes_requested', 'dismissed'], ['rae dismissed']],
    [['dismissed', 'approved'], ['rae approved']],
    [['approved', 'commented'], ['rae approved']],
    [['changes_requested', 'commented'], ['rae changes_requested']],
    [['approved', 'pending'], ['rae approved']],
    [['commented'], []],
    [['pending'], []],
    [[], []],
  ] as const)('%j -> %j', (states, standing) => {
    expect(told(sequence(...states))).toEqual(standing);
  });

  test('each reviewer has one of their own', () => {
    expect(told([review(RAE, 'approved'), review(MARA, 'changes_requested')])).toEqual([
      'rae approved',
      'mara changes_requested',
    ]);
  });

  test('they come by time, not in the order of the list', () => {
    const [first, second, third] = [RAE, MARA, OTTO].map((by, index) =>
      review(by, 'approved', { id: 10 - index, at: after(index) }),
    );
    if (first === undefined || second === undefined || third === undefined) throw new Error('three reviews');
    const expected = ['rae approved', 'mara approved', 'otto approved'];
    expect(told([third, first, second])).toEqual(expected);
    expect(told([first, second, third])).toEqual(expected);
  });

  test('of two at the same instant the later id stands', () => {
    const reviews = [
      review(RAE, 'changes_requested', { id: 8, at: after(0) }),
      review(RAE, 'approved', { id: 7, at: after(0) }),
    ];
    expect(told(reviews)).toEqual(['rae changes_requested']);
  });

  test('a renamed account has one review, since its id stays', () => {
    const renamed = { ...RAE, login: 'rae-2' };
    expect(told([...sequence('changes_requested'), review(renamed, 'approved', { at: after(9) })])).toEqual([
      'rae-2 approved',
    ]);
  });
});

test('permissions are looked up of users whose review stands, and of nobody else', () => {
  const reviews = [review(RAE, 'approved'), review(ALPHA, 'approved'), review(IVO, 'commented')];
  expect(reviewersToLookUp(reviews)).toEqual([RAE]);
});

describe('permissions', () => {
  const order = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const;
  test.each(order.flatMap((has, high) => order.map((needs, low) => [has, needs, high >= low] as const)))(
    '%s is at least %s -> %s',
    (has, needs, answer) => {
      expect(atLeast(has, needs)).toBe(answer);
    },
  );
});
