import type { Command } from 'commander';
import { printable } from '../policy/quote.js';
import type { Case } from '../sandbox/case.js';
import { CaseError } from '../sandbox/case-error.js';
import { compareLines } from '../sandbox/expect.js';
import { parseCase } from '../sandbox/parse-case.js';
import type { Io } from './io.js';
import type { Played, PlayedEvent } from './play.js';
import { errorText, jsonLine } from './problem-text.js';

/** How a played case differs from what it expects; empty: it holds. */
export interface Difference {
  readonly n: number;
  readonly title: string;
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
  readonly errors: readonly string[];
}

/** Compares what followed each event with `expect`. An event that is not listed expects nothing. */
export function differencesOf(expected: Case, played: Played): readonly Difference[] {
  const differences = played.events.flatMap((event): Difference[] => {
    const { missing, unexpected } = compareLines(expected.expect[event.n] ?? [], event.lines);
    const differs = missing.length > 0 || unexpected.length > 0 || event.errors.length > 0;
    return differs ? [{ n: event.n, title: event.title, missing, unexpected, errors: event.errors }] : [];
  });
  const forbidden = expected.textNever.filter((text) =>
    played.written.some((written) => written.text.includes(text)),
  );
  return forbidden.length === 0
    ? differences
    : [...differences, { n: 0, title: 'text_never', missing: [], unexpected: forbidden, errors: [] }];
}

interface Options {
  readonly json?: boolean;
  readonly check?: boolean;
}

/** `simulate CASE…`: plays cases through the App, against GitHub in memory. Exit 0, 1 (one differs), 2 (one is at fault). */
export function registerSimulate(program: Command, io: Io): void {
  program
    .command('simulate')
    .description('play cases: events in order, and the effects that follow, with no network')
    .argument('<case...>', 'case files (docs/simulate.md)')
    .option('--check', 'compare with what each case expects')
    .option('--json', 'one JSON object a line')
    .addHelpText(
      'after',
      '\nExit codes: 0 played (with --check: all cases hold), 1 with --check a case differs, 2 a file cannot be read, is not a case or cannot be played.',
    )
    .action(async (files: string[], options: Options) => {
      for (const file of files) await simulate(file, options, io);
    });
}

/** Plays every case of a file. One at fault is told and passed over: what stands after it is played all the same. */
async function simulate(file: string, options: Options, io: Io): Promise<void> {
  for (const one of readCases(file, io)) {
    const played = await playOrTell(one, io);
    if (played === null) continue;
    const differences = options.check === true ? differencesOf(one, played) : null;
    const render = options.json === true ? playedJson : playedText;
    io.out(render(one, played, differences));
    io.exit(differences === null || differences.length === 0 ? 0 : 1);
  }
}

function readCases(file: string, io: Io): readonly Case[] {
  let text: string;
  try {
    text = new TextDecoder().decode(io.readFile(file));
  } catch (error) {
    io.err(`${printable(file)}: cannot be read: ${errorText(error)}\n`);
    io.exit(2);
    return [];
  }
  try {
    return parseCase(text, file);
  } catch (error) {
    tellFault(error, io);
    return [];
  }
}

async function playOrTell(one: Case, io: Io): Promise<Played | null> {
  // Probot, and a GitHub in memory: no other command has to load them.
  const { playCase } = await import('./play.js');
  try {
    return await playCase(one);
  } catch (error) {
    tellFault(error, io);
    return null;
  }
}

/** Says where a case is at fault and what to do. Any other error is no fault of the case. */
function tellFault(error: unknown, io: Io): void {
  if (!(error instanceof CaseError)) throw error;
  const { file, line, column, problem, hint } = error;
  io.err(linesOf([`${file}:${line}:${column}: ${problem}`, `  ${hint}`]));
  io.exit(2);
}

/** Lines for a terminal. Whatever they hold, each stays one line and moves no cursor. */
const linesOf = (lines: readonly string[]): string => lines.map((line) => `${printable(line)}\n`).join('');

/** A text of several lines, each indented under the first. */
const indented = (before: string, text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line, index) => (index === 0 ? before : ' '.repeat(before.length)) + line)
    .filter((line) => line.trim() !== '');

const nameOf = ({ id, variant }: Case): string => (variant === null ? id : `${id} (${variant})`);

/** A played case as people read it, safe on a terminal. `differences` is null where nothing is compared. */
export function playedText(one: Case, played: Played, differences: readonly Difference[] | null): string {
  if (differences === null) {
    return linesOf([`${nameOf(one)}: ${one.title}`, ...played.events.flatMap(eventLines)]);
  }
  const word = differences.length === 0 ? 'holds  ' : 'differs';
  return linesOf([`${word} ${nameOf(one)}`, ...differences.flatMap(diffLines)]);
}

const eventLines = ({ n, title, lines, errors, putOff }: PlayedEvent): readonly string[] => [
  `${n}. ${title}`,
  ...lines.map((line) => `     ${line}`),
  ...errors.flatMap((error) => indented('     error: ', error)),
  ...putOff.flatMap((why) => indented('     put off: ', why)),
];

const diffLines = ({ n, title, missing, unexpected, errors }: Difference): readonly string[] => [
  n === 0 ? '  texts written in the case hold what they must never hold' : `  ${n}. ${title}`,
  ...missing.map((line) => `     - ${line}`),
  ...unexpected.map((line) => `     + ${line}`),
  ...errors.flatMap((error) => indented('     error: ', error)),
];

/** The same as JSON, one object a line. */
function playedJson(one: Case, played: Played, differences: readonly Difference[] | null): string {
  const { id, variant } = one;
  const events = played.events.map(({ n, title, lines, acts, errors }) =>
    jsonLine({
      case: id,
      variant,
      n,
      event: title,
      lines,
      acts,
      ...(errors.length > 0 ? { errors } : {}),
    }),
  );
  const held =
    differences === null
      ? []
      : [jsonLine({ case: id, variant, holds: differences.length === 0, differences })];
  return [...events, ...held].join('');
}
