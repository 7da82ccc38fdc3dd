import { readFileSync } from 'node:fs';
import pino from 'pino';
import { Probot } from 'probot';
import { rulesFor } from '../../../src/decide/triggers.js';
import { UnthrottledOctokit } from '../../../src/github/unthrottled.js';
import { createIntake } from '../../../src/intake/receive.js';
import { createService, type Service } from '../../../src/intake/service.js';
import { createSweeps, type Sweeps } from '../../../src/intake/sweeps/sweeps.js';
import { createGitHub } from '../../../src/sandbox/app/github.js';
import { deliveryTime } from '../../../src/sandbox/event-time.js';
import { CASE_START_MS } from '../../../src/sandbox/instant.js';
import { parseCase } from '../../../src/sandbox/parse-case.js';
import type { Delivery } from '../../../src/sandbox/sandbox.js';
import { openStore } from '../../../src/store/open.js';
import type { RecordedAct, Store } from '../../../src/store/store.js';
import { clientFor } from '../client-for.js';
import { INSTALLED } from '../installed.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

type Fetch = typeof globalThis.fetch;

const KEY = readFileSync(new URL('../../fixtures/app-key.pem', import.meta.url), 'utf8');

export interface BenchOptions {
  /** Other repositories with the same world and policy, the second, third and so on. */
  readonly more?: readonly { readonly owner: string; readonly name: string }[];
  /** Wraps what GitHub is reached through. */
  readonly through?: (fetch: Fetch) => Fetch;
  /** The same, from when the test says so. */
  readonly broken?: (fetch: Fetch) => Fetch;
  readonly remaining?: (identity: string) => number | null;
  readonly triggered?: (name: string, action: string | null) => boolean;
}

/**
 * A case's sandbox with the App on it: service, sweeps and store as a server has them, on a clock that only the test
 * moves. `deliver(1)` is the case's first event; `miss(1)` the same with the server off.
 */
export async function bench(yaml: string, options: BenchOptions = {}) {
  const [played] = parseCase(yaml, 'bench');
  if (played === undefined) throw new Error('no case');
  let now = CASE_START_MS;
  const clock = { now: () => now };
  const github = createGitHub({ clock, webhookSecret: 'secret' });
  const { world, policy, events } = played;
  const sandboxes = [{ owner: 'acme', name: 'widgets' }, ...(options.more ?? [])].map((name, index) =>
    github.add({ repository: { id: index + 1, ...name }, world, policy, events }),
  );
  const [sandbox] = sandboxes;
  if (sandbox === undefined) throw new Error('no sandbox');
  const asItIs = (fetch: Fetch): Fetch => fetch;
  const whole = (options.through ?? asItIs)(github.fetch);
  const broken = (options.broken ?? asItIs)(whole);
  let isBroken = false;
  const reach: Fetch = (input, init) => (isBroken ? broken : whole)(input, init);
  const signIn = async (): Promise<Probot> => {
    const probot = new Probot({
      appId: 777,
      privateKey: KEY,
      secret: 'secret',
      Octokit: UnthrottledOctokit,
      request: { fetch: reach },
      log: pino({ level: 'silent' }),
    });
    await probot.ready();
    return probot;
  };
  let signedIn = { at: now, probot: await signIn() };
  /** Octokit keeps a token for an hour of the machine's clock, the sandbox for one of its own. */
  const octokit = async (installation: number | null) => {
    if (now - signedIn.at >= HOUR - MINUTE) signedIn = { at: now, probot: await signIn() };
    const { probot } = signedIn;
    return installation === null ? probot.auth() : probot.auth(installation);
  };
  const sleep = () => Promise.resolve();
  let store: Store = await openStore({ file: ':memory:', now: clock.now });
  const lines: string[] = [];
  const warned: string[] = [];
  const failures: string[] = [];

  const start = async (): Promise<{ service: Service; sweeps: Sweeps }> => {
    const client = clientFor(octokit, {
      now: clock.now,
      sleep,
      load: (key) => store.cursor(`told-to-wait:${key}`),
      save: (key, until) => store.saveCursor(`told-to-wait:${key}`, until),
      warn: (what) => warned.push(what),
    });
    const intake = createIntake({
      store,
      client,
      now: clock.now,
      sleep,
      ...INSTALLED,
      warn: (what) => warned.push(what),
      onHandled: (_delivery, { performed }) => lines.push(...performed.map(({ line }) => line)),
    });
    let sweeps: Sweeps | undefined;
    const service = createService({
      store,
      intake,
      killSwitch: () => false,
      now: clock.now,
      random: () => 0.5,
      keep: { bodies: 30 * DAY, acts: 365 * DAY },
      sweeps: (accept, downSince) =>
        (sweeps = createSweeps({
          store,
          client: (installation) => client(installation, 'sweep'),
          remaining: options.remaining ?? (() => null),
          accept,
          triggered: options.triggered ?? ((name, action) => rulesFor(name, action).length > 0),
          deskFor: (repository, installation) => intake.deskFor(repository, installation, 'sweep'),
          now: clock.now,
          appId: 777,
          warn: (what) => warned.push(what),
          downSince,
        })),
      log: {
        done: () => undefined,
        failed: (_delivery, { why }) => failures.push(why),
        store: (error) => failures.push(String(error)),
        waits: (_waiting, why) => failures.push(why),
        pruned: () => undefined,
        sweep: (error) => failures.push(String(error)),
      },
    });
    await service.start();
    if (sweeps === undefined) throw new Error('no sweeps were made');
    return { service, sweeps };
  };
  let running = await start();

  const given = (n: number, repository: number): readonly Delivery[] => {
    const event = events[n - 1];
    if (event?.kind !== 'deliver') throw new Error(`event ${n} is no delivery`);
    now = deliveryTime(event, 0, now);
    return sandboxes[repository - 1]?.deliverAll(event, 0) ?? [];
  };
  const take = async ({ guid, name, body }: Delivery): Promise<void> => {
    await running.service.accept({ guid, name, body: Buffer.from(body) });
    await running.service.idle();
  };
  const short = (line: string): string => line.replace(/\b[0-9a-f]{40}\b/g, (sha) => sandbox.short(sha));

  return {
    sandbox,
    sandboxes,
    github,
    get store(): Store {
      return store;
    },
    /** Another process, whose database is new. */
    async forget() {
      store = await openStore({ file: ':memory:', now: clock.now });
      running = await start();
    },
    warned,
    failures,
    now: () => new Date(now).toISOString(),
    pass: (ms: number) => (now += ms),
    break: () => (isBroken = true),
    async deliver(n: number, repository = 1) {
      for (const delivery of given(n, repository)) {
        await take(delivery);
        sandbox.outcome(delivery.guid, { status: 'OK', statusCode: 202 });
      }
    },
    /** Nobody is there to take it; what GitHub would have delivered. */
    miss(n: number, repository = 1): readonly Delivery[] {
      const deliveries = given(n, repository);
      for (const { guid } of deliveries)
        sandbox.outcome(guid, { status: 'failed to connect', statusCode: 0 });
      return deliveries;
    },
    take,
    /** Ticks once, then works on all that came of it, what GitHub delivers again too. */
    async sweep() {
      await running.service.tick();
      for (const delivery of sandbox.takeRedeliveries()) {
        await take(delivery);
        sandbox.outcome(delivery.guid, { status: 'OK', statusCode: 202 });
      }
      await running.service.idle();
    },
    /** Ticks once, and nobody takes what GitHub delivers again. */
    async sweepInVain() {
      await running.service.tick();
      await running.service.idle();
      const again = sandbox.takeRedeliveries();
      for (const { guid } of again) sandbox.outcome(guid, { status: 'timed out', statusCode: 0 });
      return again.length;
    },
    tick: () => running.service.tick(),
    sweeps: () => running.sweeps,
    /** Another process on the same store. */
    async restart() {
      running = await start();
    },
    /** What was done on GitHub since this was last asked. */
    lines: () => lines.splice(0).map(short),
    async acts() {
      const rows: RecordedAct[] = [];
      for await (const row of store.acts({})) rows.push(row);
      return rows;
    },
    /** Requests so far that a pattern fits. */
    asked: (pattern: RegExp) => github.requests.filter(({ request }) => pattern.test(request)).length,
  };
}

export type Bench = Awaited<ReturnType<typeof bench>>;

/** The first `times` requests that fit are answered with a status instead. */
export const failing =
  (pattern: RegExp, status: number, times = Number.POSITIVE_INFINITY) =>
  (fetch: Fetch): Fetch => {
    let left = times;
    return async (input, init) => {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      if (left <= 0 || !pattern.test(`${request.method} ${decodeURIComponent(pathname)}`))
        return fetch(request);
      left -= 1;
      return Response.json({ message: 'Server Error' }, { status });
    };
  };

export const C01_BREACH = [
  'record merge-level',
  'comment 283 open',
  'issue merge-level:alpha:main open',
  'suspend alpha',
  'revert-pull 283',
];
