import { codeOf } from '../error-code.js';
import type { Problem } from '../policy/policy.js';
import { printable } from '../policy/quote.js';

/** `file:line:column: message (did you mean "pr"?)`, one line, safe on a terminal whatever the file holds. */
export const problemLine = (file: string, problem: Problem): string => {
  const meant =
    problem.suggestion === undefined ? '' : ` (did you mean ${JSON.stringify(problem.suggestion)}?)`;
  return printable(`${file}:${String(problem.line)}:${String(problem.column)}: ${problem.message}${meant}`);
};

/** A problem as `--json` prints it: without an empty suggestion. */
export const problemJson = ({ line, column, path, message, suggestion }: Problem) => ({
  line,
  column,
  path,
  message,
  ...(suggestion === undefined ? {} : { suggestion }),
});

/** What to do about a file that cannot be read, by Node's code for it. */
const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file. Check the path: it counts from the folder that the command runs in.',
  ENOTDIR: 'a part of its path is a file. Check the path.',
  EISDIR: 'it is a folder. Name the files in it.',
  EACCES: 'this user may not read it. Change its permissions, or run the command as somebody who may.',
};

/** Why a file could not be read and what to do about it, to stand after "cannot be read: ". Safe on a terminal. */
export const errorText = (error: unknown): string =>
  READ_ERRORS[codeOf(error)] ?? printable(error instanceof Error ? error.message : String(error));

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;

/** Text in which whatever cannot be seen is escaped as JSON does it: `\u202e`, one for each UTF-16 unit. */
export const visible = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => unit(character.charCodeAt(index))).join(''),
  );

/** One line of JSON that is safe on a terminal too: what JSON may leave raw and cannot be seen is escaped. */
export const jsonLine = (value: unknown): string => `${visible(JSON.stringify(value))}\n`;

/** Text of several lines that is safe on a terminal: its line breaks stay, everything else unseen is escaped. */
export const visibleLines = (text: string): string => `${text.split('\n').map(printable).join('\n')}\n`;

/** A size for people: `512 bytes`, `1.5 MB` (of a million bytes). */
export const bytesText = (bytes: number): string => {
  if (bytes < 1_000) return `${String(bytes)} bytes`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length);
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1] ?? ''}`;
};
