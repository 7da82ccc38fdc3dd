import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Probot } from 'probot';
import type { Logger } from 'pino';
import type { Delivery } from '../intake/delivery.js';
import { receiveDelivery } from '../intake/delivery.js';
import type { Settings } from '../settings.js';

/** An extra way in, for what the app itself serves: answers true when the request was its own. */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/** What an app is given beside Probot. Under plain `probot run` there are no settings: the app reads its own. */
export interface AppOptions {
  readonly cwd: string;
  readonly addHandler: (handler: HttpHandler) => void;
  readonly settings?: Settings;
}

/** A Probot app: it says which events exist. */
export type AppFunction = (app: Probot, options: AppOptions) => void | Promise<void>;

/** A server that takes deliveries. Who started it stops it. */
export interface Serving {
  readonly port: number;
  /** Takes no more, waits for what is under way, for at most `patience` milliseconds; says what was cut off. */
  stop(patience: number): Promise<{ readonly unfinished: readonly string[] }>;
}

/** GitHub gives up on a delivery after 10 s (docs.github.com/webhooks/using-webhooks/best-practices). */
const ANSWER_WITHIN = 9_000;

const answer = (response: ServerResponse, status: number, text: string): void => {
  if (response.headersSent || response.destroyed) return;
  response
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' })
    .end(`${text}\n`);
};

/** A refused body is not read to its end: the connection cannot be used again. */
const refuse = (response: ServerResponse, status: number, why: string): void => {
  if (!response.headersSent) response.setHeader('connection', 'close');
  answer(response, status, why);
};

const listen = (server: Server, settings: Pick<Settings, 'host' | 'port'>): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: settings.host, port: settings.port }, () => {
      server.removeListener('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : settings.port);
    });
  });

/**
 * Serves one app: deliveries at `settings.webhookPath`, `/healthz`, and what the app adds. Rejects when it cannot
 * listen (`EADDRINUSE`, `EACCES`, `ENOTFOUND`) or when the app does not load.
 */
export const serve = async (settings: Settings, app: AppFunction, log: Logger): Promise<Serving> => {
  const probot = new Probot({
    appId: settings.appId,
    privateKey: settings.privateKey,
    secret: settings.webhookSecrets[0],
    baseUrl: settings.apiUrl,
    log,
  });
  await probot.ready();
  const handlers: HttpHandler[] = [];
  const addHandler = (handler: HttpHandler): void => {
    handlers.push(handler);
  };
  await app(probot, { cwd: process.cwd(), addHandler, settings });

  const underWay = new Map<string, Promise<void>>();
  let stopping = false;

  /** 200 when it is done, 202 when it goes on, 500 when it failed: GitHub's delivery log then shows it as such. */
  const work = async ({ id, name, payload }: Delivery, response: ServerResponse): Promise<void> => {
    const late = setTimeout(() => answer(response, 202, 'still at work'), ANSWER_WITHIN);
    try {
      // The payload is checked where it is read; Probot's type is a union over every event there is.
      await probot.receive({ id, name, payload } as Parameters<Probot['receive']>[0]);
      log.info({ delivery: id, event: name }, 'delivery done');
      answer(response, 200, 'ok');
    } catch (error) {
      log.error({ delivery: id, event: name, err: error }, 'delivery failed');
      answer(response, 500, 'failed; the log of this App says why');
    } finally {
      clearTimeout(late);
    }
  };

  const webhook = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST');
      refuse(response, 405, 'deliveries come by POST');
      return;
    }
    const received = await receiveDelivery(request, settings.webhookSecrets);
    if (received.kind === 'gone') return;
    if (received.kind === 'refused') {
      log.warn({ status: received.status }, `delivery refused: ${received.why}`);
      refuse(response, received.status, received.why);
      return;
    }
    const { delivery } = received;
    if (settings.killSwitch) {
      // GitHub's delivery log then shows it as failed, to be delivered again once the switch is off.
      log.warn({ delivery: delivery.id, event: delivery.name }, 'the kill switch is on: delivery not taken');
      answer(response, 503, 'the kill switch is on: nothing is taken');
      return;
    }
    const done = work(delivery, response);
    const key = `${delivery.id}#${String(underWay.size)}`;
    underWay.set(key, done);
    await done;
    underWay.delete(key);
  };

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?', 1)[0];
    if (path === '/healthz' && (request.method === 'GET' || request.method === 'HEAD')) {
      answer(response, stopping ? 503 : 200, stopping ? 'stopping' : 'ok');
      return;
    }
    if (stopping) {
      refuse(response, 503, 'stopping');
      return;
    }
    if (path === settings.webhookPath) {
      await webhook(request, response);
      return;
    }
    for (const handler of handlers) if (await handler(request, response)) return;
    answer(response, 404, 'nothing here');
  };

  const server = createServer((request, response) => {
    route(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'request failed');
      answer(response, 500, 'failed');
    });
  });
  // A body of 25 MB in a minute is 3.5 Mbit/s; slower than that is no delivery of GitHub's.
  server.requestTimeout = 60_000;
  server.headersTimeout = 10_000;
  const port = await listen(server, settings);

  const stop = async (patience: number): Promise<{ unfinished: readonly string[] }> => {
    stopping = true;
    server.close();
    server.closeIdleConnections();
    const waiting = new AbortController();
    await Promise.race([
      Promise.all(underWay.values()),
      sleep(patience, undefined, { signal: waiting.signal, ref: true }).catch(() => undefined),
    ]);
    waiting.abort();
    const unfinished = [...underWay.keys()].map((key) => key.split('#', 1)[0] ?? key);
    server.closeAllConnections();
    return { unfinished };
  };
  return { port, stop };
};
