import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SERVERS, takeTurn, type Turn } from './acknowledge.js';
import { type BenchOptions, type BenchReport, markdownOf, written } from './bench-report.js';
import { takeWait, type Wait, WAITS } from './check-wait.js';
import { startGitHub } from './github-child.js';
import { signedSample } from './load.js';
import { createPlace } from './stand-in.js';

const USAGE = `npm run bench:intake -- [options]

  --seconds 5         of each turn under load
  --connections 16,64 at once, one after the other
  --rounds 3          turns of each server and number of connections
  --wait-seconds 20   of each measure of a person's wait; 0: none
  --every 250         milliseconds between two PRs of a person
  --flood 300         deliveries a second of another repository
  --json              what was measured as JSON
  --write             into docs/benchmarks.md
`;

const DOCUMENT = new URL('../../docs/benchmarks.md', import.meta.url);
/** Repositories whose deliveries come under load, and PRs and pushes of each. */
const REPOSITORIES = 8;
const EACH = 16;
/** Bytes of a payload. */
const SIZE = 30_000;

interface Asked extends BenchOptions {
  readonly json: boolean;
  readonly write: boolean;
}

const whole = (name: string, text: string, least: number): number => {
  if (!/^\d{1,6}$/.test(text) || Number(text) < least)
    throw new RangeError(`--${name} takes a whole number from ${least} on, not "${text}".`);
  return Number(text);
};

const eachWhole = (name: string, text: string, least: number): readonly number[] =>
  text.split(',').map((one) => whole(name, one, least));

/** Throws an error with a sentence for whoever typed it. */
const readOptions = (args: readonly string[]): Asked => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '16,64' },
      rounds: { type: 'string', default: '3' },
      'wait-seconds': { type: 'string', default: '20' },
      every: { type: 'string', default: '250' },
      flood: { type: 'string', default: '300' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  return {
    seconds: whole('seconds', values.seconds, 1),
    connections: eachWhole('connections', values.connections, 1),
    rounds: whole('rounds', values.rounds, 1),
    waits: {
      seconds: whole('wait-seconds', values['wait-seconds'], 0),
      every: whole('every', values.every, 1),
      flood: whole('flood', values.flood, 1),
    },
    json: values.json,
    write: values.write,
  };
};

type Tell = (line: string) => void;

/** Every server in turn, round after round, so that what else the machine does meets all of them. */
const takeTurns = async (
  options: BenchOptions,
  tell: Tell,
): Promise<Pick<BenchReport, 'turns' | 'payload'>> => {
  const place = createPlace();
  const github = await startGitHub(REPOSITORIES);
  try {
    const samples = (await github.samples({ each: EACH, size: SIZE })).map(signedSample);
    const turns: Turn[] = [];
    const { rounds, seconds } = options;
    for (let round = 1; round <= rounds; round += 1)
      for (const connections of options.connections)
        for (const server of SERVERS) {
          tell(`round ${round} of ${rounds}: ${server}, ${connections} connections`);
          const turn = { place, github: github.url, samples, seconds, connections };
          turns.push(await takeTurn(server, turn));
        }
    const payload = samples.reduce((sum, { body }) => sum + body.length, 0) / samples.length;
    return { turns, payload };
  } finally {
    await github.stop();
    place.remove();
  }
};

const takeWaits = async ({ waits }: BenchOptions, tell: Tell): Promise<readonly Wait[]> => {
  const taken: Wait[] = [];
  if (waits.seconds === 0) return taken;
  for (const name of WAITS) {
    tell(`a person waits: ${name}`);
    taken.push(await takeWait(name, waits));
  }
  return taken;
};

/** Resolves to the exit code: 0 measured, 2 wrong usage. Rejects where a server lost something or did not stop. */
const main = async (args: readonly string[]): Promise<0 | 2> => {
  let asked: Asked;
  try {
    asked = readOptions(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'wrong usage'}\n\n${USAGE}`);
    return 2;
  }
  const { json, write, ...options } = asked;
  const tell: Tell = (line) => void process.stderr.write(`${line}\n`);
  const at = new Date().toISOString();
  const report: BenchReport = {
    options,
    at,
    ...(await takeTurns(options, tell)),
    waits: await takeWaits(options, tell),
  };
  const markdown = markdownOf(report);
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : `${markdown}\n`);
  if (write) writeFileSync(DOCUMENT, written(readFileSync(DOCUMENT, 'utf8'), markdown));
  return 0;
};

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === realpathSync(process.argv[1]))
  process.exitCode = await main(process.argv.slice(2));
