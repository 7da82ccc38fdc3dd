import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { receiveDelivery } from '../intake/delivery.js';
import { createHeld, type Share } from '../intake/held.js';
import type { Service } from '../intake/service.js';
import type { Settings } from '../settings.js';

/** A server that takes deliveries. Who started it stops it. */
export interface Serving {
  readonly port: number;
  /** Takes no more, and waits for the answers that are being given, for at most `patience` milliseconds. */
  stop(patience: number): Promise<void>;
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' } as const;
const JSON_TYPE = { ...TEXT, 'content-type': 'application/json; charset=utf-8' } as const;

const answer = (response: ServerResponse, status: number, text: string): void => {
  if (response.headersSent || response.destroyed) return;
  const body = `${text}\n`;
  // Without a length Node sends chunks: three writes instead of one.
  response.writeHead(status, { ...TEXT, 'content-length': Buffer.byteLength(body) }).end(body);
};

/** Milliseconds in which a sender whom we refuse may send the rest. What GitHub sends is through in that time. */
const LINGER = 1_000;

/**
 * A refused body is not kept, and the connection not used again. But while the sender still writes, a connection that
 * ends is reset, and our answer may be lost with it: so for a moment what comes is read, and let go of.
 */
const refuse = (response: ServerResponse, status: number, why: string): void => {
  if (response.headersSent || response.destroyed) return;
  const { req: request } = response;
  const body = `${why}\n`;
  response.writeHead(status, { ...TEXT, connection: 'close', 'content-length': Buffer.byteLength(body) });
  response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER);
  if (request.readableEnded || request.destroyed) end();
  else request.once('end', end).once('close', end).resume();
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

type Served = Pick<Settings, 'host' | 'port' | 'webhookPath' | 'webhookSecrets' | 'killSwitch'>;

/** What senders may take of this process before their signature can be checked. */
export interface DoorLimits {
  /** Bytes of bodies, over all connections. */
  readonly held: number;
  readonly connections: number;
}

/** Three deliveries of GitHub's greatest size, and some; few hosts give a container less than 512 MB. */
const LIMITS: DoorLimits = { held: 128 * 1024 * 1024, connections: 1_000 };

/**
 * The front door: deliveries at `settings.webhookPath`, answered once they are stored; `/healthz`, `/readyz`. Rejects
 * when it cannot listen (`EADDRINUSE`, `EACCES`, `ENOTFOUND`).
 */
export const serve = async (
  settings: Served,
  service: Pick<Service, 'accept' | 'readiness'>,
  log: Logger,
  limits = LIMITS,
): Promise<Serving> => {
  let stopping = false;
  const held = createHeld(limits.held, () =>
    log.warn(
      { bytes: limits.held },
      'deliveries refused: those on their way in take all the memory there is for them; GitHub is asked for them again',
    ),
  );

  const take = async (request: IncomingMessage, response: ServerResponse, share: Share): Promise<void> => {
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST');
      refuse(response, 405, 'deliveries come by POST');
      return;
    }
    const received = await receiveDelivery(request, settings.webhookSecrets, share);
    if (received.kind === 'gone') return;
    if (received.kind === 'full') {
      refuse(response, 503, 'too much is on its way in');
      return;
    }
    if (received.kind === 'refused') {
      log.warn({ status: received.status }, `delivery refused: ${received.why}`);
      refuse(response, received.status, received.why);
      return;
    }
    const { guid, name, body } = received;
    if (settings.killSwitch) {
      // GitHub's delivery log then shows it as failed, to be delivered again once the switch is off.
      log.warn({ delivery: guid, event: name }, 'the kill switch is on: delivery not taken');
      answer(response, 503, 'the kill switch is on: nothing is taken');
      return;
    }
    try {
      const kind = await service.accept({ guid, name, body });
      log.debug({ delivery: guid, event: name }, `delivery ${kind}`);
      answer(response, 202, kind === 'unread' ? 'nothing to do' : 'stored');
    } catch (error) {
      // GitHub's delivery log shows it as failed, and the sweep asks for it again.
      log.error({ delivery: guid, event: name, err: error }, 'delivery not stored');
      answer(response, 503, 'not stored; the log of this App says why');
    }
  };

  const webhook = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const share = held.share();
    try {
      await take(request, response, share);
    } finally {
      share.release();
    }
  };

  const readiness = async (response: ServerResponse): Promise<void> => {
    const told = await service.readiness();
    response.writeHead(told.ready ? 200 : 503, JSON_TYPE).end(`${JSON.stringify(told)}\n`);
  };

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?', 1)[0];
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (path === '/healthz' && reads) {
      answer(response, stopping ? 503 : 200, stopping ? 'stopping' : 'ok');
    } else if (stopping) {
      refuse(response, 503, 'stopping');
    } else if (path === '/readyz' && reads) {
      await readiness(response);
    } else if (path === settings.webhookPath) {
      await webhook(request, response);
    } else {
      answer(response, 404, 'nothing here');
    }
  };

  const underWay = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const routed = route(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'request failed');
      answer(response, 500, 'failed');
    });
    underWay.add(routed);
    void routed.finally(() => underWay.delete(routed));
  });
  // A body of 25 MB in a minute is 3.5 Mbit/s; slower than that is no delivery of GitHub's.
  server.requestTimeout = 60_000;
  server.headersTimeout = 10_000;
  server.maxConnections = limits.connections;
  const port = await listen(server, settings);

  return {
    port,
    async stop(patience) {
      stopping = true;
      server.close();
      server.closeIdleConnections();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, patience)));
      await Promise.race([Promise.all(underWay), late]);
      clearTimeout(timer);
      server.closeAllConnections();
    },
  };
};
