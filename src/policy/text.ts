import type { Position } from './tree.js';

/** A policy file is read whole into memory and by people: larger ones are refused before they are parsed. */
export const MAX_BYTES = 64 * 1024;

export type TextResult =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly at: Position; readonly message: string };

/**
 * C0 and C1 controls except tab, line feed, carriage return and next line, lone surrogates, and the two
 * noncharacters: YAML 1.2 (5.1) calls none of them printable.
 */
const UNPRINTABLE =
  // eslint would rather not see control characters; `\p{Cc}` names them without writing one.
  /(?![\t\n\r\u0085])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]/u;

/** Bidirectional overrides and isolates make a line read as something it does not say (CVE-2021-42574). */
const REORDERING = /[\u202A-\u202E\u2066-\u2069]/u;

const START: Position = { line: 1, column: 1 };

const positionIn = (text: string, index: number): Position => {
  const before = text.slice(0, index);
  const line = before.split(/\r\n|\r|\n/u).length;
  const lastBreak = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'));
  return { line, column: index - lastBreak };
};

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The first byte that is not UTF-8. A line feed is never part of a longer sequence, so lines can be tried one by one. */
const firstBadByte = (bytes: Uint8Array): Position => {
  let from = 0;
  for (let line = 1; from <= bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, from);
    const slice = bytes.subarray(from, end === -1 ? bytes.length : end);
    try {
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(slice);
    } catch {
      const lossy = new TextDecoder('utf-8', { ignoreBOM: true }).decode(slice);
      return { line, column: Math.max(1, lossy.indexOf('\uFFFD') + 1) };
    }
    if (end === -1) break;
    from = end + 1;
  }
  return START;
};

const decode = (bytes: Uint8Array): TextResult => {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return {
      kind: 'refused',
      at: firstBadByte(bytes),
      message: 'this is not UTF-8 text; save the policy file as UTF-8',
    };
  }
};

/**
 * The text of a policy file, or where it stops being text. Takes bytes as GitHub gave them, or a string that was
 * decoded already. A byte order mark at the start is taken off.
 */
export const readText = (input: string | Uint8Array): TextResult => {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input).length : input.length;
  if (bytes > MAX_BYTES) {
    return {
      kind: 'refused',
      at: START,
      message: `the file has ${String(bytes)} bytes; a policy file has at most ${String(MAX_BYTES)} (64 KiB), so make it shorter`,
    };
  }
  const decoded = typeof input === 'string' ? { kind: 'text' as const, text: input } : decode(input);
  if (decoded.kind === 'refused') return decoded;
  const text = decoded.text.startsWith('\uFEFF') ? decoded.text.slice(1) : decoded.text;

  const unprintable = UNPRINTABLE.exec(text);
  if (unprintable !== null) {
    return {
      kind: 'refused',
      at: positionIn(text, unprintable.index),
      message: `the character ${codePoint(unprintable[0])} does not belong in a text file; remove it`,
    };
  }
  const reordering = REORDERING.exec(text);
  if (reordering !== null) {
    return {
      kind: 'refused',
      at: positionIn(text, reordering.index),
      message: `the character ${codePoint(reordering[0])} makes the line read in another order than it is written; remove it`,
    };
  }
  return { kind: 'text', text };
};
