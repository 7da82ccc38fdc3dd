import type { Probot } from 'probot';
import { listen } from './intake/listen.js';
import { createEtagCache } from './github/etag-cache.js';
import { readSettings, type Settings } from './settings.js';
import { createMemoryStore } from './store/memory.js';
import type { AppOptions } from './web/serve.js';

/** What waits for its time is looked at this often, in milliseconds. The grace itself is 90 s. */
const TICK_MS = 5_000;

/** The Probot app, for `npm start` and for plain `probot run ./dist/app.js`, where it reads its settings itself. */
export default function agentPolicy(app: Probot, options?: Partial<AppOptions>): void {
  const settings = options?.settings ?? settingsOfEnvironment();
  const intake = listen(app, {
    store: createMemoryStore(),
    cache: createEtagCache(),
    now: Date.now,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    random: Math.random,
    appId: settings.appId,
    htmlUrl: settings.htmlUrl,
    operator: settings.operatorLevel,
    dryRun: settings.dryRun,
    killSwitch: () => settings.killSwitch,
    markerSecrets: settings.markerSecrets,
    warn: (what) => app.log.warn(what),
    audit: (line) => app.log.info({ audit: line }, 'effect'),
  });
  const timer = setInterval(() => {
    intake
      .tick()
      .catch((error: unknown) =>
        app.log.error({ err: error }, 'what waited could not be worked on; it is tried again'),
      );
  }, TICK_MS);
  timer.unref();
}

function settingsOfEnvironment(): Settings {
  const result = readSettings(process.env);
  if (result.kind === 'ok') return result.settings;
  const problems = result.problems.map(({ variable, wrong, remedy }) => `${variable} ${wrong}. ${remedy}`);
  throw new Error(`Agent Policy did not start: its settings do not hold. ${problems.join(' ')}`);
}
