import { createClient, type Client } from '../github/client.js';
import { createEtagCache } from '../github/etag-cache.js';
import { GitHubError } from '../github/facts.js';
import { RequestFailure } from '../github/failure.js';
import { createGates } from '../github/gate.js';
import { PUBLISHED } from '../github/limits.js';
import { UnthrottledOctokit } from '../github/unthrottled.js';
import type { Settings } from '../settings.js';
import { createClockReader } from './doctor-clock.js';
import { fail, ok, skip, type Finding } from './doctor-finding.js';
import { appFindings, appShape, installationFindings, installationShape, type App } from './doctor-grants.js';
import { readManifest } from './doctor-manifest.js';
import { deliveriesFindings, deliveryShape, hookFindings, hookShape } from './doctor-webhook.js';

export interface DoctorGitHub {
  readonly settings: Settings;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Until when an earlier process was told to wait (ISO 8601, UTC), by identity. */
  readonly toldToWait: (key: string) => Promise<string | undefined>;
}

/** Pages of the newest deliveries that are looked at, of 100 each. */
const DELIVERY_PAGES = 3;

const silent = { debug() {}, info() {}, warn() {}, error() {} };

const clientFor = (
  { settings, now, sleep, toldToWait }: DoctorGitHub,
  fetch: typeof globalThis.fetch,
): Client => {
  const identity = `app:${String(settings.appId)}`;
  return createClient({
    octokit: new UnthrottledOctokit({
      auth: { appId: settings.appId, privateKey: settings.privateKey },
      baseUrl: settings.apiUrl,
      request: { fetch },
      log: silent,
    }),
    identity,
    appIdentity: identity,
    gates: createGates({
      now,
      sleep,
      load: toldToWait,
      // The server's own store keeps what it is told; this process ends at once.
      save: async () => undefined,
      warn: () => undefined,
      limits: PUBLISHED,
    }),
    lane: 'words',
    cache: createEtagCache(),
    timeout: settings.requestTimeout,
    now,
    sleep,
    random: Math.random,
  });
};

const secondsOf = (ms: number | null): string =>
  ms === null ? 'a minute' : `${String(Math.ceil(ms / 1_000))} s`;

const credentialsFailure = (error: GitHubError, { apiUrl, appId }: Settings): Finding => {
  const failure = error instanceof RequestFailure ? error.failure : 'refused';
  switch (failure) {
    case 'network':
      return fail(
        'credentials',
        `GitHub does not answer at ${apiUrl}`,
        'See GITHUB_API_URL, and that this machine reaches it',
      );
    case 'server':
      return fail('credentials', `GitHub answers ${String(error.status)} at ${apiUrl}`, 'Try again later');
    case 'rate-limit':
      return fail(
        'credentials',
        'GitHub asks the App to wait',
        `Try again in ${secondsOf(error instanceof RequestFailure ? error.retryAfter : null)}`,
      );
    case 'malformed':
      return fail('credentials', `${apiUrl} answers, and not as GitHub does`, 'See GITHUB_API_URL');
    case 'refused':
      return error.status === 404
        ? fail(
            'credentials',
            `there is no App ${String(appId)} at ${apiUrl}`,
            'See APP_ID and GITHUB_API_URL',
          )
        : fail(
            'credentials',
            `GitHub refuses the App (${String(error.status)})`,
            "See that PRIVATE_KEY is a key of the App APP_ID names, and that this machine's clock is right",
          );
  }
};

/** Looks at one thing; where GitHub does not tell it, that is the finding. */
const looking = async (
  about: Finding['about'],
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> => {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return [fail(about, `it cannot be looked at: ${error.message}`, 'Try again later')];
  }
};

const newestDeliveries = async (client: Client) => {
  const deliveries = [];
  let asked: Readonly<Record<string, string>> = {};
  for (let page = 0; page < DELIVERY_PAGES; page += 1) {
    const { items, next } = await client.page('GET /app/hook/deliveries', asked, deliveryShape);
    deliveries.push(...items);
    if (next === null) break;
    asked = next;
  }
  return deliveries;
};

/** What GitHub says of the App: who it is, what it may, where it delivers, how that went, what time it is. */
export const githubFindings = async (given: DoctorGitHub): Promise<readonly Finding[]> => {
  const clock = createClockReader(given.fetch, given.now);
  const client = clientFor(given, clock.fetch);
  const manifest = readManifest();
  let app: App;
  try {
    app = await client.get('GET /app', {}, appShape);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const others = ['permissions', 'installations', 'webhook', 'deliveries'] as const;
    return [
      credentialsFailure(error, given.settings),
      ...others.map((about) => skip(about, 'not looked at, since GitHub does not let the App in')),
      clock.finding(),
    ];
  }
  return [
    ok('credentials', `GitHub knows the App: ${app.slug} (${String(app.id)})`),
    ...appFindings(app, manifest),
    ...(await looking('installations', async () =>
      installationFindings(await client.list('GET /app/installations', {}, installationShape), app, manifest),
    )),
    ...(await looking('webhook', async () =>
      hookFindings(await client.get('GET /app/hook/config', {}, hookShape), given.settings, manifest.hookUrl),
    )),
    ...(await looking('deliveries', async () => deliveriesFindings(await newestDeliveries(client)))),
    clock.finding(),
  ];
};
