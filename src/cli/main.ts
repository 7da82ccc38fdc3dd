import { existsSync, readFileSync } from 'node:fs';
import { runCli } from './program.js';
import { unexpected } from './unexpected.js';

/** A reader that went away (`| head`) wants no more; that is no error of ours. */
const unlessClosed = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error;
};
process.stdout.on('error', unlessClosed);
process.stderr.on('error', unlessClosed);

try {
  process.exitCode = await runCli(process.argv.slice(2), {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    readFile: (path) => readFileSync(path),
    exists: (path) => existsSync(path),
  });
} catch (error) {
  process.stderr.write(unexpected(error, process.env));
  process.exitCode = 2;
}
