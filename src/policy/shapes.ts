import { z } from 'zod';
import { DURATION, milliseconds } from './duration.js';
import { globProblem } from './glob.js';

/** What a value of a schema is, in words for whoever wrote another one. */
export interface Expectation {
  /** `none, pr or merge`: completes "merge takes …". */
  readonly takes: string;
  /** The words it may be, for "did you mean". */
  readonly words?: readonly string[];
  /** A better word for one that is nearly right, or why this one cannot be. */
  readonly hint?: (written: Written) => Hint | null;
}

/** A scalar as YAML reads it. */
export type Written = string | number | boolean | null;

export interface Hint {
  readonly because?: string;
  readonly suggestion?: string;
}

export const expectations = z.registry<Expectation>();

/** `none, pr or merge` */
export const either = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

export const expecting = <S extends z.ZodType>(schema: S, about: string, expectation: Expectation): S => {
  const described = schema.describe(about);
  expectations.add(described, expectation);
  return described;
};

export const words = <const W extends readonly [string, ...string[]]>(
  list: W,
  about: string,
  hint?: Expectation['hint'],
) =>
  expecting(z.enum(list), about, {
    takes: either(list),
    words: list,
    ...(hint === undefined ? {} : { hint }),
  });

const SWITCHES: Readonly<Record<string, string>> = { yes: 'true', on: 'true', no: 'false', off: 'false' };

export const switchHint = (written: Written): Hint | null => {
  if (typeof written !== 'string') return null;
  const suggestion = SWITCHES[written.toLowerCase()];
  return suggestion === undefined ? null : { suggestion };
};

export const truth = (about: string) =>
  expecting(z.boolean(), about, { takes: 'true or false', words: ['true', 'false'], hint: switchHint });

export const quotedNumberHint = (written: Written): Hint | null =>
  typeof written === 'string' && /^\d{1,9}$/u.test(written)
    ? { because: 'write it without quotes', suggestion: written }
    : null;

export const whole = (from: number, to: number, about: string) =>
  expecting(z.int().min(from).max(to), about, {
    takes: `a whole number from ${String(from)} to ${String(to)}`,
    hint: quotedNumberHint,
  });

export const list = <S extends z.ZodType>(items: S, takes: string, about: string, longest = 200) =>
  expecting(z.array(items).max(longest), about, { takes: `a list of ${takes} (at most ${String(longest)})` });

/** Capped at the largest number JavaScript counts exactly; GitHub's ids are far below. */
export const ID = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

export const LOGIN = /^(?![0-9]+$)[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?$/;
export const SLUG = /^(?![0-9]+$)[A-Za-z0-9][A-Za-z0-9-]{0,99}$/;
export const TEAM = /^@[A-Za-z0-9][A-Za-z0-9_-]{0,99}\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
export const MENTION = /^@[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\/[A-Za-z0-9][A-Za-z0-9._-]{0,99})?$/;
export const FULL_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;
/** No colon: agent names stand in the keys of escalations, between colons. */
export const AGENT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const WORKFLOW = /^[^\\\p{Cc}]{1,255}$/u;
export const LABEL = /^[^\p{Cc}]{1,50}$/u;
/** Neither negated nor absolute; no backslash; no slash at the end (a folder is `docs/**`). */
export const GLOB = /^(?![!/])(?!\.\/)[^\\\p{Cc}]{0,199}[^\\/\p{Cc}]$/u;
export const BRANCH = /^(?![!/])(?!\.\/)(?!refs\/)[^\\\s\p{Cc}:^]{0,199}[^\\/\s\p{Cc}:^]$/u;

export const idHint = (written: Written): Hint | null => {
  if (typeof written !== 'string') return null;
  if (/^\d+$/u.test(written))
    return { because: 'an id is a number: write it without quotes', suggestion: written };
  return written.startsWith('@') && LOGIN.test(written.slice(1)) ? { suggestion: written.slice(1) } : null;
};

const globHint = (written: Written): Hint | null => {
  if (typeof written !== 'string') return null;
  const tidy = written.replace(/^(?:\.?\/)+/u, '').replace(/^refs\/(?:heads|tags)\//u, '');
  if (written.startsWith('!')) return { because: 'a pattern cannot be negated; list what is meant' };
  if (/\\/u.test(written)) return { because: 'folders are parted by "/"' };
  if (tidy !== written && GLOB.test(tidy)) return { suggestion: tidy };
  if (tidy.endsWith('/') && GLOB.test(`${tidy}**`)) return { suggestion: `${tidy}**` };
  const because = globProblem(written);
  return because === null ? null : { because };
};

export const pattern = (shape: RegExp, what: string) => {
  const schema = z
    .string()
    .regex(shape)
    .refine((written) => globProblem(written) === null);
  return expecting(schema, `${what} or a glob: *, **, ?, [abc], {a,b}.`, {
    takes: `${what} or a glob`,
    hint: globHint,
  });
};

export const text = (shape: RegExp, about: string, takes: string, hint?: Expectation['hint']) =>
  expecting(z.string().regex(shape), about, { takes, ...(hint === undefined ? {} : { hint }) });

export const duration = (from: string, to: string, about: string) => {
  const schema = z
    .string()
    .regex(DURATION)
    .refine((written) => {
      // A refinement runs even where the pattern before it did not match.
      if (!DURATION.test(written)) return false;
      const length = milliseconds(written);
      return length >= milliseconds(from) && length <= milliseconds(to);
    });
  return expecting(schema, `${about} From ${from} to ${to}.`, {
    takes: `a duration from ${from} to ${to}, such as 30s, 45m, 6h or 1d`,
  });
};

export const map = <S extends z.ZodRawShape>(shape: S, about: string, sample: string) =>
  expecting(z.strictObject(shape), about, { takes: `a map, such as ${sample}` });
