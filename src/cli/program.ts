import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { registerBackup } from './backup.js';
import { registerDeliveries } from './deliveries.js';
import { registerDoctor } from './doctor.js';
import { registerExplain } from './explain.js';
import { registerExport } from './export.js';
import type { ExitStatus, Io } from './io.js';
import { outsideOfProcess, type Outside } from './outside.js';
import { registerSimulate } from './simulate.js';
import { registerValidate } from './validate.js';

const EXIT_CODES = `
Exit codes:
  0  all is well
  1  a problem was found, or nothing matched
  2  bad usage, or something that cannot be read`;

const versionOf = (packageFile: URL): string => {
  const value: unknown = JSON.parse(readFileSync(packageFile, 'utf8'));
  return typeof value === 'object' && value !== null && 'version' in value
    ? String(value.version)
    : 'unknown';
};

/** The program without its commands: what it says of usage goes through `io`, and it throws instead of exiting. */
const createProgram = (io: Io, version: string): Command =>
  new Command('agent-policy')
    .description(
      'What a policy file allows coding agents to do on GitHub, and how the App that holds them to it is doing.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', EXIT_CODES)
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.err(text) })
    .showSuggestionAfterError(true)
    .exitOverride();

/**
 * Runs one command line (without node and the script). Resolves to the exit status: the highest one a command asked
 * for, and 2 where it did not come to that. Rejects only with what nobody foresaw.
 */
export const runCli = async (
  args: readonly string[],
  io: Omit<Io, 'exit'>,
  outside: Outside = outsideOfProcess(),
): Promise<ExitStatus> => {
  let status: ExitStatus = 0;
  const whole: Io = {
    ...io,
    exit: (asked) => {
      if (asked > status) status = asked;
    },
  };
  const program = createProgram(whole, versionOf(new URL('../../package.json', import.meta.url)));
  registerValidate(program, whole);
  registerExplain(program, whole);
  registerSimulate(program, whole);
  registerDoctor(program, whole, outside);
  registerDeliveries(program, whole, outside);
  registerExport(program, whole, outside);
  registerBackup(program, whole, outside);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // --help and --version end by throwing, with 0; everything else that Commander throws is bad usage.
    return error.exitCode === 0 ? status : 2;
  }
  return status;
};
