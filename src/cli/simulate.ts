import type { Command } from 'commander';
import type { Case } from '../sandbox/case.js';
import { CaseError } from '../sandbox/case-error.js';
import { compareLines } from '../sandbox/expect.js';
import { parseCase } from '../sandbox/parse-case.js';
import type { ExitStatus, Io } from './io.js';
import { playCase, type Played, type PlayedEvent } from './play.js';

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

/** `simulate CASE…`: plays cases through the App, against GitHub in memory. Exit 0, 1 (one differs), 2 (no case). */
export function registerSimulate(program: Command, io: Io): void {
  program
    .command('simulate')
    .description('play cases: events in order, and the effects that follow, with no network')
    .argument('<case...>', 'case files (docs/simulate.md)')
    .option('--check', 'compare with what each case expects')
    .option('--json', 'one JSON object a line')
    .addHelpText(
      'after',
      '\nExit codes: 0 played (with --check: all cases hold), 1 with --check a case differs, 2 a file is not a case or cannot be read.',
    )
    .action(async (files: string[], options: Options) => {
      io.exit(await simulate(files, options, io));
    });
}

async function simulate(files: readonly string[], options: Options, io: Io): Promise<ExitStatus> {
  let code: ExitStatus = 0;
  for (const file of files) {
    const cases = readCases(file, io);
    if (cases === null) return 2;
    for (const one of cases) {
      const played = await playCase(one);
      const differences = options.check === true ? differencesOf(one, played) : [];
      if (options.json === true) tellJson(one, played, differences, options, io);
      else tellPeople(one, played, differences, options, io);
      if (differences.length > 0) code = 1;
    }
  }
  return code;
}

function readCases(file: string, io: Io): readonly Case[] | null {
  let text: string;
  try {
    text = new TextDecoder().decode(io.readFile(file));
  } catch (error) {
    io.err(`${file}: ${error instanceof Error ? error.message : 'it cannot be read'}\n`);
    return null;
  }
  try {
    return parseCase(text, file);
  } catch (error) {
    if (!(error instanceof CaseError)) throw error;
    io.err(`${error.message}\n`);
    return null;
  }
}

const nameOf = ({ id, variant }: Case): string => (variant === null ? id : `${id} (${variant})`);

function tellPeople(
  one: Case,
  played: Played,
  differences: readonly Difference[],
  options: Options,
  io: Io,
): void {
  if (options.check === true) {
    io.out(`${differences.length === 0 ? 'holds  ' : 'differs'} ${nameOf(one)}\n`);
    for (const difference of differences) io.out(diffText(difference));
    return;
  }
  io.out(`${nameOf(one)}: ${one.title}\n`);
  for (const event of played.events) io.out(eventText(event));
}

const eventText = ({ n, title, lines, errors, putOff }: PlayedEvent): string =>
  [
    `${n}. ${title}`,
    ...lines.map((line) => `     ${line}`),
    ...errors.map((error) => `     error: ${error}`),
    ...putOff.map((why) => `     put off: ${why}`),
  ].join('\n') + '\n';

const diffText = ({ n, title, missing, unexpected, errors }: Difference): string =>
  [
    n === 0 ? '  texts written in the case hold what they must never hold' : `  ${n}. ${title}`,
    ...missing.map((line) => `     - ${line}`),
    ...unexpected.map((line) => `     + ${line}`),
    ...errors.map((error) => `     error: ${error}`),
  ].join('\n') + '\n';

function tellJson(
  one: Case,
  played: Played,
  differences: readonly Difference[],
  options: Options,
  io: Io,
): void {
  for (const { n, title, lines, acts, errors } of played.events) {
    const line = {
      case: one.id,
      variant: one.variant,
      n,
      event: title,
      lines,
      acts,
      ...(errors.length > 0 ? { errors } : {}),
    };
    io.out(`${JSON.stringify(line)}\n`);
  }
  if (options.check === true) {
    io.out(
      `${JSON.stringify({ case: one.id, variant: one.variant, holds: differences.length === 0, differences })}\n`,
    );
  }
}
