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

export const errorText = (error: unknown): string =>
  printable(error instanceof Error ? error.message : String(error));

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;

/** One line of JSON that is safe on a terminal too: what JSON may leave raw and cannot be seen is escaped. */
export const jsonLine = (value: unknown): string => {
  const json = JSON.stringify(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => unit(character.charCodeAt(index))).join(''),
  );
  return `${json}\n`;
};
