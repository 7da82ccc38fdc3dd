import { describe, expect, test } from '@jest/globals';
import { BudgetSpent, hourlyBudgets } from '../../../src/intake/sweeps/budget.js';

const MINUTE = 60_000;

/** GitHub's count of one identity, and how much is taken of it. */
const budgeted = () => {
  const state = { now: 0, left: null as number | null };
  const budgets = hourlyBudgets(
    () => state.left,
    () => state.now,
  );
  /** One tick that takes all it may. */
  const takeAll = (installation: number | null = null): number => {
    const budget = budgets(installation);
    for (let taken = 0; ; taken += 1) {
      try {
        budget.take();
      } catch (error) {
        expect(error).toBeInstanceOf(BudgetSpent);
        if (state.left !== null) state.left -= taken;
        return taken;
      }
    }
  };
  return { state, takeAll };
};

describe('the budget of sweeps', () => {
  test('ten ticks in one hour -> 30 % of what was left at its beginning, once', () => {
    const { state, takeAll } = budgeted();
    state.left = 5_000;
    const taken: number[] = [];
    for (let ticks = 0; ticks < 10; ticks += 1) {
      taken.push(takeAll());
      state.now += 1_000;
    }
    expect(taken).toEqual([1_500, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test('begun while the clock was a year ahead, and nothing tells what is left -> once it is right, another', () => {
    const { state, takeAll } = budgeted();
    state.now = 365 * 24 * 60 * MINUTE;
    expect([takeAll(), takeAll()]).toEqual([1_500, 0]);
    state.now = 0;
    expect([takeAll(), takeAll()]).toEqual([1_500, 0]);
  });

  test.each([
    ['nothing tells of it, and an hour has gone by', 60 * MINUTE, 3_500, 1_050],
    ['GitHub counts anew', MINUTE, 5_000, 1_500],
    ['the hour that was told is over', MINUTE, null, 1_500],
  ])('%s -> another', (_, later, left, taken) => {
    const { state, takeAll } = budgeted();
    state.left = 5_000;
    takeAll();
    expect(takeAll()).toBe(0);
    state.now += later;
    state.left = left;
    expect([takeAll(), takeAll()]).toEqual([taken, 0]);
  });

  test('what is left becomes known only by its first answer -> that begins no other hour', () => {
    const { state, takeAll } = budgeted();
    expect(takeAll()).toBe(1_500);
    state.left = 15_000;
    expect(takeAll()).toBe(0);
    state.left = 12_000;
    expect(takeAll()).toBe(0);
  });

  test('each identity has its own', () => {
    const { state, takeAll } = budgeted();
    state.left = 100;
    expect([takeAll(1), takeAll(2), takeAll(1)]).toEqual([30, 21, 0]);
  });
});
