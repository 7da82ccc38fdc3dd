import { generateKeyPairSync } from 'node:crypto';
import { Probot } from 'probot';
import pino from 'pino';
import { compose, type Governing, octokitOf } from '../compose.js';
import type { JudgedAct } from '../decide/effects.js';
import { UNLIMITED } from '../github/limits.js';
import type { Performed } from '../github/port.js';
import { UnthrottledOctokit } from '../github/unthrottled.js';
import { listen } from '../intake/listen.js';
import type { Service } from '../intake/service.js';
import { noteSwept } from '../intake/sweeps/sweeps.js';
import type { Case } from '../sandbox/case.js';
import { createSandbox } from '../sandbox/create.js';
import { atEvent } from '../sandbox/case-error.js';
import { deliveryTime, timeAfter } from '../sandbox/event-time.js';
import { CASE_START_MS } from '../sandbox/instant.js';
import { repetitionsOf } from '../sandbox/parse-event.js';
import type { Delivery, Sandbox, Written } from '../sandbox/sandbox.js';
import { openStore } from '../store/open.js';

const APP_ID = 777;
const SECRET = 'a secret of the sandbox';

const GOVERNING: Governing = {
  appId: APP_ID,
  htmlUrl: 'https://github.com',
  operatorLevel: null,
  dryRun: false,
  killSwitch: false,
  markerSecrets: [SECRET],
  requestTimeout: 30_000,
  keepBodies: 30 * 24 * 3_600_000,
  keepActs: 365 * 24 * 3_600_000,
};

/** What followed one event of a case. */
export interface PlayedEvent {
  readonly n: number;
  readonly title: string;
  /** Effects, with the case's own short shas. */
  readonly lines: readonly string[];
  readonly acts: readonly JudgedAct[];
  /** What could not be done. */
  readonly errors: readonly string[];
  /** Why something that waits goes on waiting: GitHub gave no answer. */
  readonly putOff: readonly string[];
}

export interface Played {
  readonly events: readonly PlayedEvent[];
  readonly written: readonly Written[];
  readonly requests: Sandbox['requests'];
  /** Requests to what GitHub does not have. */
  readonly unknownEndpoints: readonly string[];
}

/** Wraps the sandbox's `fetch`, so that a test can look at what is sent. */
export type Through = (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;

let key: string | undefined;

/** A key for the sandbox's own App, made once a process: nothing outside it will ever see a signature by it. */
const privateKey = (): string =>
  (key ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey);

/**
 * Plays one case through the App as it serves GitHub: signed deliveries, Probot, REST against the sandbox, a clock
 * that only the case moves.
 * @throws {CaseError} at the event that cannot be played
 */
export async function playCase(played: Case, through: Through = (fetch) => fetch): Promise<Played> {
  let now = CASE_START_MS;
  const clock = { now: () => now };
  const sandbox = createSandbox({
    world: played.world,
    policy: played.policy,
    clock,
    webhookSecret: SECRET,
    appId: APP_ID,
    events: played.events,
  });
  const store = await openStore({ file: ':memory:', lock: 'serve' });
  // A case begins where everything was swept: what its world holds is nobody's news.
  await noteSwept(store, now);
  const performed: Performed[] = [];
  const acts: JudgedAct[] = [];
  const errors: string[] = [];
  const putOff: string[] = [];
  const start = async (): Promise<Playing> => {
    const probot = new Probot({
      appId: APP_ID,
      privateKey: privateKey(),
      secret: SECRET,
      Octokit: UnthrottledOctokit,
      request: { fetch: through(sandbox.fetch) },
      log: pino({ level: 'silent' }),
    });
    await probot.ready();
    const service = compose(GOVERNING, {
      store,
      octokit: octokitOf(probot),
      now: clock.now,
      // Retries are requests, and take no time of a case.
      sleep: () => Promise.resolve(),
      random: () => 0.5,
      limits: UNLIMITED,
      warn: () => undefined,
      audit: () => undefined,
      onHandled: (_delivery, handled) => {
        performed.push(...handled.performed);
        acts.push(...handled.acts);
      },
      log: {
        done: () => undefined,
        failed: (_delivery, { kind }, next, error) => {
          const tried = next === 'retry' && kind !== 'unexpected';
          (tried ? putOff : errors).push(...messagesOf(error));
        },
        store: (error) => errors.push(...messagesOf(error)),
        waits: (_waiting, _why, error) => putOff.push(...messagesOf(error)),
        pruned: () => undefined,
        sweep: (error) => errors.push(...messagesOf(error)),
      },
    });
    listen(probot, service);
    await service.start();
    return { probot, service };
  };

  const receive = async ({ probot, service }: Playing, delivery: Delivery): Promise<void> => {
    await probot.webhooks
      .verifyAndReceive({
        id: delivery.guid,
        name: delivery.name,
        payload: delivery.body,
        signature: delivery.headers['x-hub-signature-256'] ?? '',
      })
      .catch((error: unknown) => errors.push(...messagesOf(error)));
    await service.idle();
  };

  let process = await start();
  const delivered = new Map<number, Delivery[]>();
  const events: PlayedEvent[] = [];
  for (const [index, event] of played.events.entries()) {
    const n = index + 1;
    switch (event.kind) {
      case 'deliver': {
        const mine: Delivery[] = [];
        for (let repetition = 0; repetition < repetitionsOf(event); repetition += 1) {
          now = atEvent(event, () => deliveryTime(event, repetition, now));
          const deliveries = sandbox.deliverAll(event, repetition);
          mine.push(...deliveries);
          for (const delivery of deliveries) {
            await receive(process, delivery);
            sandbox.outcome(delivery.guid, { status: 'OK', statusCode: 202 });
          }
        }
        delivered.set(n, mine);
        break;
      }
      case 'redeliver':
        for (const delivery of delivered.get(event.event) ?? []) await receive(process, delivery);
        break;
      case 'tick':
        now = atEvent(event, () => timeAfter(event, now));
        // What could not be worked on was told to the log.
        await process.service.tick().catch(() => undefined);
        await process.service.idle();
        for (const delivery of sandbox.takeRedeliveries()) {
          await receive(process, delivery);
          sandbox.outcome(delivery.guid, { status: 'OK', statusCode: 202 });
        }
        break;
      case 'restart':
        // It dies just now: the next one was never away.
        await store.saveCursor('alive', JSON.stringify(new Date(now).toISOString()));
        process = await start();
        break;
    }
    const lines = performed.splice(0).map(({ line }) => shorten(line, sandbox));
    events.push({
      n,
      title: event.title,
      lines,
      acts: acts.splice(0),
      errors: errors.splice(0),
      putOff: putOff.splice(0),
    });
  }
  return {
    events,
    written: sandbox.written,
    requests: sandbox.requests,
    unknownEndpoints: sandbox.unknownEndpoints,
  };
}

const shorten = (line: string, sandbox: Sandbox): string =>
  line.replace(/\b[0-9a-f]{40}\b/g, (sha) => sandbox.short(sha));

const messagesOf = (error: unknown): string[] => {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.flatMap(messagesOf);
  return [error instanceof Error ? error.message : String(error)];
};

interface Playing {
  readonly probot: Probot;
  readonly service: Service;
}
