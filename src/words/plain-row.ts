import type { ActSubject, FactRow } from '../decide/effects.js';
import { redact } from './redact.js';

/** Code points of somebody else's text that a row keeps: a table shows no more of it. */
const MAX_DETAIL = 200;

const cut = (text: string): string => [...text].slice(0, MAX_DETAIL).join('');

/** A row without secrets and without more of somebody's text than is ever shown: as it is kept where others can read. */
export const plainRow = (row: FactRow): FactRow => {
  const subject: ActSubject = Object.fromEntries(
    Object.entries(row.subject).map(([key, value]) => [
      key,
      typeof value === 'string' ? redact(key === 'detail' ? cut(value) : value) : value,
    ]),
  );
  return { ...row, subject };
};

/** JSON with the keys of every object in their order: what was read back is the same text again. */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/**
 * Whether two rows tell the same fact. One of them may have been through a database or through GitHub, where it lost
 * its detail or a secret in it. A policy file is pushed once: that it does not load may be told at two times.
 */
export const sameFact = (a: FactRow, b: FactRow): boolean => {
  const [one, other] = [plainRow(a), plainRow(b)];
  const detail = one.subject.detail !== undefined && other.subject.detail !== undefined;
  return sortedJson(bare(one, detail)) === sortedJson(bare(other, detail));
};

const bare = ({ at, ...row }: FactRow, detail: boolean): unknown => {
  const { detail: told, ...subject } = row.subject;
  const once = row.rule === 'policy-invalid' && subject.after !== undefined;
  return { ...row, at: once ? null : at, subject: detail ? { ...subject, detail: told } : subject };
};
