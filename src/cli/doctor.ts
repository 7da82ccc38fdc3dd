import type { Command } from 'commander';
import { findingsJson, findingsText } from './doctor-finding.js';
import type { Io } from './io.js';
import type { Outside } from './outside.js';
import { STORE_OPTION } from './store-option.js';

interface Options {
  readonly json: boolean;
  readonly store?: string;
}

/** `agent-policy doctor` */
export const registerDoctor = (program: Command, io: Io, outside: Outside): void => {
  program
    .command('doctor')
    .description('look whether the App can do its work: credentials, permissions, webhook, clock, store')
    .option('--json', 'one JSON object a line, one for each finding', false)
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExit status: 0 no failure, 1 a failure, 2 it could not be looked at.')
    .action(async ({ json, store }: Options) => {
      // Probot takes half a second to load, and no other command needs it.
      const { examine } = await import('./doctor-run.js');
      const findings = await examine(store, outside);
      io.out(json ? findingsJson(findings) : findingsText(findings));
      if (findings.some(({ state }) => state === 'fail')) io.exit(1);
    });
};
