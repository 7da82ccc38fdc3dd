import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { ROW, measureRecall } from './recall.js';
import type { Recall, Row } from './recall.js';

/** Where a run of the script reads and writes. */
export interface MeasureIo {
  readonly read: (path: string) => string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Something is wrong with the file; the message names file and line. */
class BadFile extends Error {}

/**
 * `measure:attribution --file F [--json]`: how many PRs of a labelled file (JSON lines, one PR each: recall.ts has the
 * shape) attribution recognizes under the built-in policy, per label and per agent and tier. Files are often
 * pseudonymized: where a bot's id is missing it is looked up in the catalogue by its exact login, never a person's.
 * @returns the exit code: 0 measured, 2 wrong usage or a file that cannot be read or holds a wrong line
 */
export function measure(argv: readonly string[], io: MeasureIo): number {
  const program = new Command('measure:attribution')
    .description(
      'Recall of attribution on a file of labelled pull requests, under a policy that lists no agent',
    )
    .requiredOption('--file <path>', 'JSON lines, one pull request each')
    .option('--json', 'one JSON object instead of tables')
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .exitOverride();
  try {
    program.parse([...argv], { from: 'user' });
    const { file, json } = program.opts<{ file: string; json?: boolean }>();
    const recall = measureRecall(rowsOf(file, io));
    io.out(json === true ? `${JSON.stringify(recall)}\n` : tables(recall));
    return 0;
  } catch (error) {
    if (error instanceof BadFile) {
      io.err(`${error.message}\n`);
      return 2;
    }
    // Commander has written its own message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

function rowsOf(file: string, io: MeasureIo): readonly Row[] {
  const rows = read(file, io)
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [rowOf(line, `${file}:${index + 1}`)]));
  if (rows.length === 0)
    throw new BadFile(`${file}: no pull request in it. Give a file with one JSON object a line.`);
  return rows;
}

function read(file: string, io: MeasureIo): string {
  try {
    return io.read(file);
  } catch (error) {
    throw new BadFile(`${file}: cannot be read (${messageOf(error)}). Check the path.`);
  }
}

function rowOf(line: string, where: string): Row {
  const parsed = ROW.safeParse(jsonOf(line, where));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new BadFile(
    `${where}: ${issue?.path.join('.') || 'row'}: ${issue?.message ?? 'is not a pull request'}`,
  );
}

function jsonOf(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The parser's message quotes the line, which is somebody else's text.
    throw new BadFile(`${where}: is not JSON. Each line must be one JSON object.`);
  }
}

function tables(recall: Recall): string {
  const labels = Object.entries(recall.by_label).map(([label, of]) => [
    label,
    String(of.n),
    String(of.agent),
    String(of['likely-agent']),
    String(of.automation ?? 0),
    String(of.undisclosed),
    `${((100 * (of.agent + of['likely-agent'])) / of.n).toFixed(1)}%`,
  ]);
  const agents = Object.entries(recall.by_agent).map(([agent, of]) => [
    agent,
    String(of.certain),
    String(of.strong),
    String(of.indicative),
    String(of.weak),
  ]);
  const branch =
    recall.with_branch === 0
      ? 'No row names its head branch, so evidence from branches is not measured.'
      : `${recall.with_branch} rows name their head branch.`;
  return [
    'Outcome by label',
    table(['label', 'PRs', 'agent', 'likely-agent', 'automation', 'undisclosed', 'recognized'], labels),
    '',
    'PRs by agent found and its strongest evidence',
    table(['agent', 'certain', 'strong', 'indicative', 'weak'], agents),
    '',
    `People called agent: ${recall.people_called_agent}`,
    branch,
    '',
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map(visible));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}

/** Labels come from the file: no control character of theirs reaches the terminal. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '·').slice(0, 60);
}

function messageOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === realpathSync(process.argv[1])) {
  process.exitCode = measure(process.argv.slice(2), {
    read: (path) => readFileSync(path, 'utf8'),
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
}
