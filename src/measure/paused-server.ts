import { compose } from '../compose.js';
import { run } from '../server.js';

/* Our server with its worker at rest: what the front door takes when it has the process to itself. */

const stopped = new Promise<string>((resolve) => process.once('SIGTERM', resolve));
process.exit(
  await run({
    env: process.env,
    cwd: process.cwd(),
    err: (text) => process.stderr.write(text),
    stopped,
    compose: (settings, around) => compose({ ...settings, killSwitch: true }, around),
    patience: 8_000,
  }),
);
