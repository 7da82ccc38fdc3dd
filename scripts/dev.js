/**
 * `npm run dev`: builds on every change and restarts the server after it. Reads .env as `npm start` does; with
 * WEBHOOK_PROXY_URL in it, deliveries of that smee.io channel are forwarded to this machine.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const project = ['-p', 'tsconfig.build.json'];

console.log('Building once; what does not hold is shown and does not stop the server.');
spawnSync(process.execPath, [tsc, ...project], { cwd, stdio: 'inherit' });

const children = [
  spawn(process.execPath, [tsc, ...project, '--watch', '--preserveWatchOutput'], { cwd, stdio: 'inherit' }),
  spawn(process.execPath, ['--watch', '--watch-preserve-output', 'dist/server.js'], {
    cwd,
    stdio: 'inherit',
  }),
];

const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
// One without the other is of no use.
for (const child of children) child.once('exit', stop);
