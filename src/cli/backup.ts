import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { printable } from '../policy/quote.js';
import { backUp } from '../store/sqlite/backup.js';
import { StoreError } from '../store/store.js';
import type { Io } from './io.js';
import type { Outside } from './outside.js';
import { bytesText } from './problem-text.js';
import { STORE_OPTION, storeFile } from './store-option.js';

/** `agent-policy backup FILE` */
export const registerBackup = (program: Command, io: Io, outside: Outside): void => {
  program
    .command('backup')
    .description('copy the database, whole and consistent, also while the server runs')
    .argument('<file>', 'the copy; there must be no such file')
    .option(...STORE_OPTION)
    .addHelpText('after', '\nExit status: 0 done, 2 the store cannot be read, or the copy not written.')
    .action((given: string, options: { readonly store?: string }) => {
      const file = storeFile(options.store, io, outside);
      if (file === null) return;
      const target = resolve(outside.cwd, given);
      try {
        backUp(file, target);
        io.out(
          `${printable(file)} is copied to ${printable(target)} (${bytesText(statSync(target).size)})\n`,
        );
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        io.err(`agent-policy: ${printable(error.message)}\n`);
        io.exit(2);
      }
    });
};
