import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { FuzzOptions, FuzzReport } from './fuzz/run.js';
import { GROWTH, runFuzz } from './fuzz/run.js';

const USAGE = `npm run fuzz:intake -- [options]

  --n 100000      cases
  --seed NUMBER   the same seed makes the same cases (drawn anew)
  --only NUMBER   one case alone
`;

const whole = (name: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError(`--${name} takes a whole number, not "${text}".`);
  return Number(text);
};

/** Throws an error with a sentence for whoever typed it. */
const readOptions = (args: readonly string[], fresh: number): FuzzOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: { n: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
  });
  return {
    count: whole('n', values.n ?? '100000'),
    seed: whole('seed', values.seed ?? String(fresh)),
    only: values.only === undefined ? null : whole('only', values.only),
  };
};

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;

const summary = ({ count, seed, only }: FuzzOptions, report: FuzzReport): string => {
  const { seconds, answers, stored, states, memory } = report;
  const listed = [...answers].sort(([one], [other]) => one - other).map(([status, n]) => `${status}: ${n}`);
  const cases = only === null ? count : 1;
  return [
    `seed ${seed}: ${cases} cases in ${seconds.toFixed(1)} s (${Math.round(cases / seconds)} a second)`,
    `answers  ${listed.join(', ')}`,
    `stored   ${stored} acknowledged; ${Object.entries(states)
      .map(([state, n]) => `${n} ${state}`)
      .join(', ')}`,
    memory === null
      ? 'memory   too short a run to tell'
      : `memory   ${megabytes(memory.warm)} after the warm-up, ${megabytes(memory.end)} at the end (at most ${megabytes(GROWTH)} more are allowed), ${megabytes(memory.peak)} at most`,
    '',
  ].join('\n');
};

/** Differences that are printed. */
const SHOWN = 40;

const differing = ({ seed }: FuzzOptions, { differences }: FuzzReport): string =>
  [
    ...differences
      .slice(0, SHOWN)
      .map(({ case: number, kind, what }) =>
        number === null
          ? `${kind}: ${what}\n`
          : `case ${number} (${kind}): ${what}\n  again: npm run fuzz:intake -- --seed ${seed} --only ${number}\n`,
      ),
    ...(differences.length > SHOWN ? [`and ${differences.length - SHOWN} more\n`] : []),
  ].join('');

/** Resolves to the exit code: 0 all as it has to be, 1 something differed, 2 wrong usage. */
const main = async (args: readonly string[]): Promise<0 | 1 | 2> => {
  let options: FuzzOptions;
  try {
    options = readOptions(args, Math.floor(Math.random() * 2 ** 29));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'wrong usage'}\n\n${USAGE}`);
    return 2;
  }
  process.stdout.write(`seed ${options.seed}\n`);
  const report = await runFuzz(options, (line) => void process.stderr.write(`\r${line.padEnd(40)}`));
  process.stderr.write('\r');
  process.stdout.write(summary(options, report) + differing(options, report));
  process.stdout.write(report.differences.length === 0 ? 'nothing differed\n' : 'something differed\n');
  return report.differences.length === 0 ? 0 : 1;
};

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === realpathSync(process.argv[1]))
  process.exitCode = await main(process.argv.slice(2));
