import type { Fault } from './fault.js';
import { isRecord } from './records.js';

type Path = readonly PropertyKey[];

/** Payloads of GitHub nest a dozen deep. Anchors can nest without end, and what reads the values is recursive. */
const DEEPEST = 64;

/** With the flag `u` only a surrogate without its other half is one. */
const LONE_SURROGATE = /\p{Surrogate}/u;

const checkText = (text: string, path: Path, fault: Fault, at: 'key' | 'value'): void => {
  if (!LONE_SURROGATE.test(text)) return;
  throw fault(
    path,
    'this text holds half of a character (a surrogate without its other half)',
    'write the whole character, as "\\U0001F600" or itself, or leave it out',
    at,
  );
};

/**
 * Looks at every text and number of a file, whatever the key: URLs, JSON and dates can be made of them.
 * @throws {CaseError} at the first that is no well-formed Unicode, no exact number, or nested too deeply
 */
export const checkValues = (value: unknown, path: Path, fault: Fault): void => {
  if (path.length > DEEPEST) {
    throw fault(path, `this is nested more than ${DEEPEST} deep, or holds itself`, 'write it flatter');
  }
  if (typeof value === 'string') checkText(value, path, fault, 'value');
  if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) {
    throw fault(
      path,
      `${value} is no number that can be counted with`,
      `write one up to ${Number.MAX_SAFE_INTEGER}, or put it in quotes where it is a name`,
    );
  }
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) checkValues(entry, [...path, index], fault);
  } else if (isRecord(value)) {
    for (const [key, entry] of Object.entries(value)) {
      checkText(key, [...path, key], fault, 'key');
      checkValues(entry, [...path, key], fault);
    }
  }
};
