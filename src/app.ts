import type { Probot } from 'probot';
import { compose, surroundingsOf } from './compose.js';
import { listen } from './intake/listen.js';
import { readSettings, type Settings } from './settings.js';
import { openStore } from './store/open.js';
import type { StoreError } from './store/store.js';

/** What is due is looked at this often, in milliseconds. */
const TICK_MS = 1_000;

/** The Probot app, for `probot run ./dist/app.js`: every delivery goes into the store and is worked on from there. */
export default async function agentPolicy(app: Probot): Promise<void> {
  const settings = settingsOfEnvironment();
  const onLost = (error: StoreError): never => {
    app.log.fatal({ err: error }, 'the store is lost: no more deliveries are taken');
    // What Probot answers from here on would be kept by nobody.
    process.exit(1);
  };
  const store = await openStore({ file: settings.store, lock: 'serve', thread: true, onLost });
  const service = compose(settings, surroundingsOf(settings, store, app, app.log));
  await service.start();
  const tick = (): Promise<void> =>
    service
      .tick()
      .catch((error: unknown) => app.log.error({ err: error }, 'not all that was due could be done'));
  setInterval(() => void tick(), TICK_MS).unref();
  listen(app, service);
}

function settingsOfEnvironment(): Settings {
  const result = readSettings(process.env);
  if (result.kind === 'ok') return result.settings;
  const problems = result.problems.map(({ variable, wrong, remedy }) => `${variable} ${wrong}. ${remedy}`);
  throw new Error(`Agent Policy did not start: its settings do not hold. ${problems.join(' ')}`);
}
