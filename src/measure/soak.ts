import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions, type SoakOptions, USAGE } from './soak/options.js';
import { commandOf, reportJson, reportText } from './soak/report.js';
import { soak } from './soak/run.js';

const read = (): SoakOptions => {
  try {
    return readOptions(process.argv.slice(2), Math.random().toString(36).slice(2, 10));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
};

const options = read();
const folder = mkdtempSync(join(tmpdir(), 'agent-policy-soak-'));
const began = Date.now();
const seconds = (): string => `${Math.round((Date.now() - began) / 1_000)} s`;
const { stderr } = process;
const say = (line: string): void => {
  stderr.write(stderr.isTTY ? `\r\x1b[K${seconds()}: ${line}` : `${seconds()}: ${line}\n`);
};

say(`seed ${options.seed}`);
const outcome = await soak(options, folder, say).catch((error: unknown) => {
  stderr.write(
    `\nThe soak broke off: ${error instanceof Error ? error.message : String(error)}\nThe store and the log: ${folder}\nAgain: ${commandOf(options)}\n`,
  );
  process.exit(1);
});
if (stderr.isTTY) stderr.write('\n');
process.stdout.write(options.json ? reportJson(options, outcome) : reportText(options, outcome));
const good = outcome.differences.length === 0;
if (good && !options.keep) rmSync(folder, { recursive: true, force: true });
process.exit(good ? 0 : 1);
