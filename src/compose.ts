import type { Logger } from 'pino';
import type { Probot } from 'probot';
import { rulesFor } from './decide/triggers.js';
import { createClient } from './github/client.js';
import { createEtagCache } from './github/etag-cache.js';
import { createGates } from './github/gate.js';
import type { Lane } from './github/lane.js';
import type { GitHubOctokit } from './github/octokit.js';
import { type Limits, PUBLISHED, UNLIMITED } from './github/limits.js';
import { counts } from './intake/failure-of-work.js';
import { createIntake, type IntakeDeps } from './intake/receive.js';
import { createSweeps } from './intake/sweeps/sweeps.js';
import { createService, type Service, type ServiceDeps } from './intake/service.js';
import type { Settings } from './settings.js';
import type { Store } from './store/store.js';

/** What a service stands in: the machine's clock and log for `npm start`, a case's for a simulation. */
export interface Surroundings {
  readonly store: Store;
  /** Octokit with an installation's token; null: as the App itself. */
  readonly octokit: (installation: number | null) => Promise<GitHubOctokit>;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
  readonly busy?: ServiceDeps['busy'];
  readonly limits: Limits;
  readonly log: ServiceDeps['log'];
  readonly warn: (what: string) => void;
  readonly audit: IntakeDeps['audit'];
  readonly onHandled?: IntakeDeps['onHandled'];
}

/** The settings that decide what the service does. */
export type Governing = Pick<
  Settings,
  | 'appId'
  | 'htmlUrl'
  | 'operatorLevel'
  | 'dryRun'
  | 'killSwitch'
  | 'markerSecrets'
  | 'requestTimeout'
  | 'keepBodies'
  | 'keepActs'
>;

/** Store, GitHub, worker and sweeps as one service. It is started, ticked and stopped by who asked for it. */
export function compose(settings: Governing, around: Surroundings): Service {
  const { store, octokit, now, sleep, random, warn } = around;
  const killSwitch = (): boolean => settings.killSwitch;
  const cache = createEtagCache();
  const appIdentity = `app:${settings.appId}`;
  const gates = createGates({
    now,
    sleep,
    load: (key) => store.cursor(`told-to-wait:${key}`),
    save: (key, until) => store.saveCursor(`told-to-wait:${key}`, until),
    warn,
    limits: around.limits,
  });
  const client = async (installation: number | null, lane: Lane) =>
    createClient({
      octokit: await octokit(installation),
      identity: installation === null ? appIdentity : `installation:${installation}`,
      appIdentity,
      gates,
      lane,
      timeout: settings.requestTimeout,
      cache,
      now,
      sleep,
      random,
    });
  const intake = createIntake({
    store,
    client,
    now,
    sleep,
    appId: settings.appId,
    htmlUrl: settings.htmlUrl,
    operator: settings.operatorLevel,
    dryRun: settings.dryRun,
    killSwitch,
    markerSecrets: settings.markerSecrets,
    warn,
    audit: around.audit,
    ...(around.onHandled === undefined ? {} : { onHandled: around.onHandled }),
  });
  return createService({
    store,
    intake,
    killSwitch,
    now,
    random,
    busy: around.busy,
    keep: { bodies: settings.keepBodies, acts: settings.keepActs },
    sweeps: (accept, downSince) =>
      createSweeps({
        store,
        accept,
        downSince,
        client: (installation) => client(installation, 'sweep'),
        deskFor: (repository, installation) => intake.deskFor(repository, installation, 'sweep'),
        remaining: (identity) => gates.of(identity).remaining(),
        triggered: (name, action) => rulesFor(name, action).length > 0,
        now,
        appId: settings.appId,
        warn,
      }),
    log: around.log,
  });
}

/** GitHub limits how fast one may write; an Enterprise Server does not, unless it is told to. */
const limitsOf = (apiUrl: string): Limits => {
  const { hostname } = new URL(apiUrl);
  return hostname === 'api.github.com' || hostname.endsWith('.ghe.com') ? PUBLISHED : UNLIMITED;
};

/** Probot signs in as the App, and as each of its installations. */
export const octokitOf =
  (probot: Pick<Probot, 'auth'>): Surroundings['octokit'] =>
  (installation) =>
    installation === null ? probot.auth() : probot.auth(installation);

/** How busy the event loop was since it was last asked. */
const busyLoop = (): (() => number) => {
  let before = performance.eventLoopUtilization();
  return () => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    return utilization;
  };
};

/** The surroundings of a process: the clock of its machine, and a log that says what became of each delivery. */
export const surroundingsOf = (
  settings: Pick<Settings, 'apiUrl'>,
  store: Store,
  probot: Pick<Probot, 'auth'>,
  log: Logger,
): Surroundings => ({
  store,
  octokit: octokitOf(probot),
  now: Date.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
  busy: busyLoop(),
  limits: limitsOf(settings.apiUrl),
  warn: (what) => log.warn(what),
  audit: (line) => log.info({ audit: line }, 'effect'),
  log: {
    done: ({ guid, name }) => log.info({ delivery: guid, event: name }, 'delivery done'),
    failed: ({ guid, name, attempts }, failure, next, error) => {
      const fault = failure.kind === 'unexpected' && failure.about === undefined ? { err: error } : {};
      const failures = attempts + (counts(failure) ? 1 : 0);
      const about = { delivery: guid, event: name, failures, why: failure.why, ...fault };
      if (next === 'retry') log.warn(about, 'delivery failed for now, and is tried again');
      else log.error(about, 'delivery failed, and is not tried again: see agent-policy deliveries show');
    },
    store: (error) => log.error({ err: error }, 'the store did not take what was to be kept'),
    waits: ({ id }, why) =>
      log.warn({ waiting: id, why }, 'what waited could not be judged, and is tried again'),
    pruned: (counts) => log.debug(counts, 'what is over its time is gone'),
    sweep: (error) => log.error({ err: error }, 'a sweep ended early, and goes on at the next tick'),
  },
});
