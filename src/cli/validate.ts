import type { Command } from 'commander';
import { catalogueNames } from '../agents/catalogue.js';
import { notInThisVersion } from '../policy/later.js';
import { bothExtensions, type KnownNames, loadPolicyFile, type Scope } from '../policy/load.js';
import type { Problem } from '../policy/policy.js';
import { printable } from '../policy/quote.js';
import type { ExitStatus, Io } from './io.js';
import { errorText, jsonLine, problemJson, problemLine } from './problem-text.js';

export interface ValidateOptions {
  readonly org: boolean;
  readonly json: boolean;
}

type Outcome =
  | { readonly kind: 'unreadable'; readonly file: string; readonly why: string }
  | {
      readonly kind: 'read';
      readonly file: string;
      readonly problems: readonly Problem[];
      readonly notes: readonly Problem[];
    };

/** The same policy under its other name: `agent-policy.yaml` for `agent-policy.yml`, and the other way round. */
const sibling = (file: string): string | null => {
  const match = /^(?<stem>(?:.*[\\/])?agent-policy)\.(?<extension>ya?ml)$/su.exec(file);
  const { stem, extension } = match?.groups ?? {};
  if (stem === undefined || extension === undefined) return null;
  return `${stem}.${extension === 'yml' ? 'yaml' : 'yml'}`;
};

const folderOf = (file: string): string => file.replace(/[\\/]?[^\\/]*$/u, '') || '.';

const check = (io: Io, file: string, files: readonly string[], scope: Scope, known: KnownNames): Outcome => {
  let bytes: Uint8Array;
  try {
    bytes = io.readFile(file);
  } catch (error) {
    return { kind: 'unreadable', file, why: errorText(error) };
  }
  const result = loadPolicyFile(bytes, file, scope, known);
  const other = sibling(file);
  const twice = other !== null && (files.includes(other) || io.exists(other));
  const problems = [
    ...(twice ? [bothExtensions(folderOf(file))] : []),
    ...(result.kind === 'invalid' ? result.problems : []),
  ];
  return {
    kind: 'read',
    file,
    problems,
    notes: result.kind === 'valid' ? notInThisVersion(result.file) : [],
  };
};

const human = (io: Io, outcome: Outcome): void => {
  if (outcome.kind === 'unreadable') {
    io.err(`${printable(outcome.file)}: cannot be read: ${outcome.why}\n`);
    return;
  }
  for (const problem of outcome.problems) io.out(`${problemLine(outcome.file, problem)}\n`);
  if (outcome.problems.length === 0) io.out(`${printable(outcome.file)}: valid\n`);
  for (const note of outcome.notes) {
    io.out(`${problemLine(outcome.file, { ...note, message: `note: ${note.message}` })}\n`);
  }
};

const json = (io: Io, outcome: Outcome): void => {
  const line =
    outcome.kind === 'unreadable'
      ? { file: outcome.file, valid: false, problems: [], notes: [], error: outcome.why }
      : {
          file: outcome.file,
          valid: outcome.problems.length === 0,
          problems: outcome.problems.map(problemJson),
          notes: outcome.notes.map(problemJson),
        };
  io.out(jsonLine(line));
};

const statusOf = (outcome: Outcome): ExitStatus => {
  if (outcome.kind === 'unreadable') return 2;
  return outcome.problems.length > 0 ? 1 : 0;
};

/** Checks policy files. Every file is reported, also after one that cannot be read. */
export const validate = (
  io: Io,
  files: readonly string[],
  options: ValidateOptions,
  names: readonly string[] = catalogueNames(),
): void => {
  for (const file of files) {
    const outcome = check(io, file, files, options.org ? 'org' : 'repo', { catalogue: names });
    if (options.json) json(io, outcome);
    else human(io, outcome);
    io.exit(statusOf(outcome));
  }
};

/** `agent-policy validate FILE…` */
export const registerValidate = (program: Command, io: Io): void => {
  program
    .command('validate')
    .description('check policy files: every problem with its file, line and column, and what to do about it')
    .argument('<file...>', 'policy files, such as .github/agent-policy.yml')
    .option('--org', "read them as an organization's file, which may say override and repositories", false)
    .option('--json', 'one JSON object a line, one for each file', false)
    .addHelpText('after', '\nExit status: 0 all are valid, 1 one is not, 2 one cannot be read or bad usage.')
    .action((files: readonly string[], options: ValidateOptions) => {
      validate(io, files, options);
    });
};
