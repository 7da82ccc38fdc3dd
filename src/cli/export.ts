import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { printable } from '../policy/quote.js';
import type { ActsQuery, RecordedAct, Store } from '../store/store.js';
import { plural } from '../words/names.js';
import { namesOf, repositoryId } from './deliveries-find.js';
import { FORMATS, headOf, rowOf, type Format } from './export-row.js';
import type { Io } from './io.js';
import { writeAll, type Outside } from './outside.js';
import { STORE_OPTION, withStore } from './store-option.js';
import { codeOf } from '../error-code.js';

interface Options {
  readonly format: Format;
  readonly since?: string;
  readonly until?: string;
  readonly repository?: string;
  readonly output?: string;
  readonly store?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A day (`2026-11-30`, in UTC) or a time with its zone, as ISO 8601 in UTC. A day is its first or its last millisecond. */
const instant =
  (end: 'first' | 'last') =>
  (text: string): string => {
    const whole = DAY.test(text) ? `${text}T${end === 'first' ? '00:00:00.000' : '23:59:59.999'}Z` : text;
    const at = new Date(whole);
    // 2026-02-30 would become the second of March.
    const exists = !DAY.test(text) || at.toJSON()?.startsWith(text) === true;
    if (!TIME.test(whole) || Number.isNaN(at.getTime()) || !exists)
      throw new InvalidArgumentError(
        'It takes a day (2026-11-30) or a time with its zone (2026-11-30T09:00:00Z).',
      );
    return at.toISOString();
  };

/** UTF-16 units written at once: a row each would cost a system call each. */
const CHUNK = 65_536;

async function* textOf(acts: AsyncIterable<RecordedAct>, format: Format, count: (acts: number) => void) {
  let text = headOf(format);
  let done = 0;
  for await (const act of acts) {
    text += rowOf(format, act);
    done += 1;
    if (text.length >= CHUNK) {
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
  count(done);
}

const WRITE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is not there. Make it first.',
  ENOTDIR: 'a part of its path is a file. Check the path.',
  EISDIR: 'it is a folder. Name a file in it.',
  EACCES: 'this user may not write it. Name another, or change the permissions of its folder.',
  EROFS: 'its disk is read-only. Name a file on another one.',
  ENOSPC: 'the disk is full. Make room, or name a file on another one.',
};

/** Writes beside the file and renames, so that a file of that name is whole or is not there. */
const writeFile = async (chunks: AsyncIterable<string>, file: string): Promise<void> => {
  const partial = `${file}.part`;
  try {
    // Logins and branches of private repositories are nobody else's business on this machine.
    await pipeline(chunks, createWriteStream(partial, { mode: 0o600 }));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
};

const exportActs = async (store: Store, options: Options, io: Io, outside: Outside): Promise<void> => {
  const { format, since, until, output } = options;
  const repository =
    options.repository === undefined ? undefined : repositoryId(options.repository, await namesOf(store), io);
  if (repository === null) return;
  const query: ActsQuery = {
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(repository === undefined ? {} : { repository }),
  };
  let written = 0;
  const chunks = textOf(store.acts(query), format, (acts) => {
    written = acts;
  });
  if (output === undefined) {
    await writeAll(chunks, outside.stdout);
    return;
  }
  const file = resolve(outside.cwd, output);
  try {
    await writeFile(chunks, file);
  } catch (error) {
    const why = WRITE_ERRORS[codeOf(error)];
    if (why === undefined) throw error;
    io.err(`agent-policy: ${printable(output)} cannot be written: ${why}\n`);
    io.exit(2);
    return;
  }
  io.out(`${plural(written, 'act')} written to ${printable(output)}\n`);
};

/** `agent-policy export --format jsonl|csv` */
export const registerExport = (program: Command, io: Io, outside: Outside): void => {
  program
    .command('export')
    .description('the act log: one row an act, in the order they were done')
    .addOption(new Option('--format <format>', 'how it is written').choices(FORMATS).makeOptionMandatory())
    .option('--since <time>', 'from this day or time on', instant('first'))
    .option('--until <time>', 'to the end of this day, or to this time', instant('last'))
    .option('--repository <name>', 'only of this repository: owner/name, or its numeric id')
    .option('--output <file>', 'into this file, instead of standard output; one that is there is replaced')
    .option(...STORE_OPTION)
    .addHelpText(
      'after',
      '\nExit status: 0 done, 1 no such repository, 2 the store cannot be read, or the file not written.',
    )
    .action((options: Options) =>
      withStore(options.store, io, outside, (store) => exportActs(store, options, io, outside)),
    );
};
