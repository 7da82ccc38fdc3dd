import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Probot } from 'probot';
import { codeOf } from './error-code.js';
import { compose, surroundingsOf } from './compose.js';
import { UnthrottledOctokit } from './github/unthrottled.js';
import { createLogger, loggedError } from './logger.js';
import {
  htmlUrlOf,
  readDebug,
  readSettings,
  withEnvFile,
  type Environment,
  type SettingProblem,
  type Settings,
} from './settings.js';
import type { Service } from './intake/service.js';
import { startProxy } from './web/proxy.js';
import { openStore } from './store/open.js';
import { type Store, StoreError } from './store/store.js';
import { serve } from './web/serve.js';

/** Milliseconds. Docker and most supervisors kill 10 s after they asked. */
const PATIENCE = 8_000;
/** What closing the store may take beyond that: usually a few milliseconds, but another process may be writing to it. */
const CLOSING = 1_200;
/** What is due is looked at this often, in milliseconds. */
const TICK_MS = 1_000;

/** What the process is given, so that a test gives the same. */
export interface Process {
  readonly env: Environment;
  readonly cwd: string;
  readonly err: (text: string) => void;
  /** Resolves when the process is asked to stop (SIGTERM, SIGINT). */
  readonly stopped: Promise<string>;
  readonly compose: typeof compose;
  /** Milliseconds that work under way has to end once it is asked to stop. */
  readonly patience: number;
}

const listed = (problems: readonly SettingProblem[]): string =>
  problems.map(({ variable, wrong, remedy }) => `  ${variable} ${wrong}. ${remedy}\n`).join('');

/** What to do where the settings do not hold: how to register the App when it has no credentials at all. */
export const refusal = (problems: readonly SettingProblem[], env: Environment): string => {
  const missing = (variable: string): boolean =>
    problems.some((problem) => problem.kind === 'missing' && problem.variable === variable);
  if (!missing('APP_ID') || !missing('PRIVATE_KEY'))
    return `Agent Policy did not start: its settings do not hold.\n\n${listed(problems)}\ndocs/configuration.md lists every variable.\n`;
  const api = env['GITHUB_API_URL'];
  const github = api !== undefined && URL.canParse(api) ? htmlUrlOf(api) : 'https://github.com';
  return `Agent Policy has no credentials yet, so it did not start.

  1. Register the App, with the permissions and events that app.yml lists:
     ${github}/settings/apps/new
     (for an organization: ${github}/organizations/YOUR-ORGANIZATION/settings/apps/new)
  2. Put its App ID, private key and webhook secret into the environment or into .env:
     cp .env.example .env
  3. Start again: npm start

Still to be set:
${listed(problems)}
README.md walks through it; docs/configuration.md lists every variable.
`;
};

/** Why it could not listen, for the person who started it; null: for some other reason. */
const whyNotListening = (error: unknown, { host, port }: Settings): string | null => {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use already. Stop what uses it, or set PORT to another.`;
    case 'EACCES':
      return `This process may not listen on port ${port}. Set PORT to one above 1023.`;
    case 'ENOTFOUND':
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine. Set HOST to localhost or 0.0.0.0.`;
    default:
      return null;
  }
};

/** Opens the store, or says for the person who started it why not. */
const opened = async (
  settings: Settings,
  { cwd, err }: Pick<Process, 'cwd' | 'err'>,
  onLost: (error: StoreError) => void,
): Promise<Store | null> => {
  try {
    return await openStore({ file: resolve(cwd, settings.store), lock: 'serve', thread: true, onLost });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    err(`Agent Policy did not start. ${error.message}\n`);
    return null;
  }
};

/** Starts the service, or says for the person who started it what is wrong with its store. */
const started = async (service: Pick<Service, 'start'>, err: Process['err']): Promise<boolean> => {
  try {
    await service.start();
    return true;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    err(`Agent Policy did not start. ${error.message}\n`);
    return false;
  }
};

/** Whether `work` ended within `ms`. Rejects where it does by then. */
const endsWithin = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
};

/** 0: stopped in order. 1: did not start, or lost its store and has to be started again. `late`: cut off while it stopped. */
export type Ending = 0 | 1 | 'late';

/** Ends the process. What is late hangs in a thread that waits for a file, and an orderly exit would wait for it too. */
export const leave = (ending: Ending): void => {
  if (ending === 'late') process.kill(process.pid, 'SIGKILL');
  // Timers of libraries (token refresh, throttles) would hold the process.
  else process.exit(ending);
};

/** Runs the server until it is asked to stop, and stops it. */
export const run = async (process: Process): Promise<Ending> => {
  const { env, cwd, err, stopped, compose, patience } = process;
  const environment = withEnvFile(env, cwd);
  if (environment.kind === 'wrong') {
    err(refusal([environment.problem], env));
    return 1;
  }
  const result = readSettings(environment.env);
  if (result.kind === 'wrong') {
    err(refusal(result.problems, environment.env));
    return 1;
  }
  const { settings } = result;
  const log = createLogger(settings);
  let lose: (error: StoreError) => void = () => undefined;
  const lost = new Promise<StoreError>((resolve) => (lose = resolve));
  const store = await opened(settings, process, (error) => lose(error));
  if (store === null) return 1;
  const probot = new Probot({
    appId: settings.appId,
    privateKey: settings.privateKey,
    secret: settings.webhookSecrets[0],
    baseUrl: settings.apiUrl,
    Octokit: UnthrottledOctokit,
    log,
  });
  await probot.ready();
  const service = compose(settings, surroundingsOf(settings, store, probot, log));

  const serving = await serve(settings, service, log).catch((error: unknown) => {
    const why = whyNotListening(error, settings);
    if (why === null) throw error;
    err(`Agent Policy did not start. ${why}\n`);
    return null;
  });
  if (serving === null) {
    await store.close();
    return 1;
  }
  if (!(await started(service, err))) {
    await serving.stop(0);
    await service.stop(0);
    return 1;
  }
  const tick = (): Promise<void> =>
    service.tick().catch((error: unknown) => log.error({ err: error }, 'not all that was due could be done'));
  const ticking = setInterval(() => void tick(), TICK_MS);
  log.info(
    {
      github: settings.apiUrl,
      store: settings.store,
      dryRun: settings.dryRun,
      killSwitch: settings.killSwitch,
    },
    `listening on http://${settings.host}:${serving.port}${settings.webhookPath}`,
  );

  const { webhookProxyUrl: channel } = settings;
  const target = `http://${settings.host}:${serving.port}${settings.webhookPath}`;
  const stopProxy = channel === null ? undefined : await startProxy(channel, target, log);
  if (stopProxy === null) log.warn('no deliveries are forwarded: smee-client is missing (npm ci)');

  const ending = await Promise.race([stopped, lost]);
  if (typeof ending === 'string') log.info({ signal: ending }, 'stopping: no more deliveries are taken');
  else log.fatal({ err: ending }, 'the store is lost: no more deliveries are taken');
  clearInterval(ticking);
  const end = Date.now() + patience;
  const left = (): number => Math.max(0, end - Date.now());
  const stop = async (): Promise<void> => {
    const forwarding = endsWithin(Promise.resolve(stopProxy?.()), patience / 2).catch((error: unknown) =>
      log.warn({ err: error }, 'forwarding did not stop in order'),
    );
    await Promise.all([forwarding, serving.stop(patience / 2)]);
    const unfinished = await service.stop(left());
    if (unfinished.length > 0)
      log.warn(
        { deliveries: unfinished },
        'stopped before these were done; the next start goes on with them',
      );
  };
  if (!(await endsWithin(stop(), patience + CLOSING))) {
    log.warn(
      'cut off before the store was closed: what it had answered is kept, the next start goes on from there',
    );
    return 'late';
  }
  log.info('stopped');
  return typeof ending === 'string' ? 0 : 1;
};

const untilStopped = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });

const isEntry = (): boolean => {
  const [, script] = process.argv;
  return script !== undefined && import.meta.url === pathToFileURL(realpathSync(script)).href;
};

if (isEntry()) {
  const ending = await run({
    env: process.env,
    cwd: process.cwd(),
    err: (text) => process.stderr.write(text),
    stopped: untilStopped(),
    compose,
    patience: PATIENCE,
  }).catch((error: unknown) => {
    const { type, message, stack } = loggedError(error);
    process.stderr.write(
      readDebug(process.env) && stack !== undefined
        ? `${stack}\n`
        : `Agent Policy stopped: ${type}: ${message}\nThis is a defect of Agent Policy: please report it, with what AGENT_POLICY_DEBUG=1 prints.\n`,
    );
    return 1 as const;
  });
  leave(ending);
}
