import type { FactRow } from '../decide/effects.js';

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Whether two rows tell the same fact, whatever order their keys are in: a row may have been through a database. */
export const sameRow = (a: FactRow, b: FactRow): boolean =>
  JSON.stringify(a, sorted) === JSON.stringify(b, sorted);
