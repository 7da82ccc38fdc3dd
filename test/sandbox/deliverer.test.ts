import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { verify } from '@octokit/webhooks-methods';
import { createDeliverer, type DelivererOptions } from '../../src/sandbox/http/deliverer.js';
import type { Deliver } from '../../src/sandbox/sandbox.js';
import { sandboxOf, SECRET } from './cases.js';

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** An App's webhook address that answers as `answer` says. */
const listening = async (answer: (response: ServerResponse, count: number) => void) => {
  const got: Got[] = [];
  let sockets = 0;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      got.push({ headers: incoming.headers, body: Buffer.concat(chunks).toString() });
      answer(outgoing, got.length);
    });
  });
  server.on('connection', () => {
    sockets += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  endings.push(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    close,
    sockets: () => sockets,
  };
};

const accepted = (response: ServerResponse): void => {
  response.writeHead(202).end('taken');
};

const EVENT: Deliver = {
  kind: 'deliver',
  title: 'push',
  name: 'push',
  action: null,
  keys: { by: 'rae', ref: 'main', before: 'm0', after: 'm1' },
};

const sending = (options: DelivererOptions) => {
  const { sandbox } = sandboxOf();
  const deliverer = createDeliverer(sandbox, options);
  endings.push(() => deliverer.close());
  const some = (count: number) => Array.from({ length: count }, () => sandbox.deliver(EVENT, 0));
  const redeliver = async (index: number): Promise<number> => {
    const id = sandbox.deliveries[index]?.id ?? 0;
    const url = `https://api.github.com/app/hook/deliveries/${id}/attempts`;
    return (await sandbox.fetch(url, { method: 'POST' })).status;
  };
  return { sandbox, deliverer, some, redeliver };
};

describe('a delivery', () => {
  test('arrives as it was signed, byte for byte, with the headers GitHub sends', async () => {
    const app = await listening(accepted);
    const { sandbox, deliverer, some } = sending({ url: app.url });
    const [delivery] = some(1);
    if (delivery === undefined) throw new Error('nothing to send');
    const [outcome] = await deliverer.send([delivery]);
    const [got] = app.got;
    expect(got?.body).toBe(delivery.body);
    expect(got?.headers).toMatchObject({
      'x-github-event': 'push',
      'x-github-delivery': delivery.guid,
      'x-github-hook-installation-target-id': '777',
      'user-agent': expect.stringMatching(/^GitHub-Hookshot\//),
      'content-type': 'application/json',
    });
    expect(await verify(SECRET, got?.body ?? '', String(got?.headers['x-hub-signature-256']))).toBe(true);
    expect(outcome).toMatchObject({ status: 'OK', statusCode: 202, response: { payload: 'taken' } });
    expect(sandbox.deliveries.map((row) => row.outcome.status)).toEqual(['OK']);
  });
  test.each([
    [200, 'OK'],
    [301, 'Invalid HTTP Response: 301'],
    [401, 'Invalid HTTP Response: 401'],
    [503, 'Invalid HTTP Response: 503'],
  ])('answered %i -> %s, and it is not sent again', async (code, status) => {
    const app = await listening((response) => response.writeHead(code).end());
    const { sandbox, deliverer, some } = sending({ url: app.url });
    await deliverer.send(some(1));
    await deliverer.idle();
    expect(sandbox.deliveries.map((row) => row.outcome)).toMatchObject([{ status, statusCode: code }]);
    expect(app.got).toHaveLength(1);
  });
  test('no answer within the limit -> timed out, and the next goes on', async () => {
    const app = await listening((response, count) => (count === 1 ? undefined : accepted(response)));
    const { deliverer, some } = sending({ url: app.url, limit: 100, concurrency: 1 });
    const outcomes = await deliverer.send(some(2));
    expect(outcomes).toMatchObject([{ status: 'timed out', statusCode: 0 }, { status: 'OK' }]);
    expect(outcomes[0]?.duration).toBeGreaterThanOrEqual(0.1);
  });
  test('nobody listens, or hangs up -> failed to connect', async () => {
    const app = await listening((response) => response.socket?.destroy());
    const { deliverer, some } = sending({ url: () => app.url });
    expect(await deliverer.send(some(1))).toMatchObject([{ status: 'failed to connect' }]);
    app.close();
    expect(await deliverer.send(some(1))).toMatchObject([{ status: 'failed to connect', statusCode: 502 }]);
  });
});

describe('many deliveries', () => {
  test('go over as many connections as are allowed at once, which are kept', async () => {
    let atOnce = 0;
    let most = 0;
    const app = await listening((response) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      setTimeout(() => {
        atOnce -= 1;
        accepted(response);
      }, 5);
    });
    const { deliverer, some } = sending({ url: app.url, concurrency: 3 });
    await deliverer.send(some(20));
    expect({ most, sockets: app.sockets() }).toEqual({ most: 3, sockets: 3 });
  });
  test('in their order one by one, or in the disorder of a seed', async () => {
    const arrived = async (order: DelivererOptions['order']): Promise<readonly number[]> => {
      const app = await listening(accepted);
      const { deliverer, some } = sending({
        url: app.url,
        concurrency: 1,
        ...(order === undefined ? {} : { order }),
      });
      const sent = some(12);
      await deliverer.send(sent);
      return app.got.map((one) => sent.findIndex(({ guid }) => guid === one.headers['x-github-delivery']));
    };
    const inOrder = Array.from({ length: 12 }, (_, index) => index);
    expect(await arrived(undefined)).toEqual(inOrder);
    const shuffled = await arrived({ seed: 7, within: 4 });
    expect(shuffled).not.toEqual(inOrder);
    expect([...shuffled].sort((a, b) => a - b)).toEqual(inOrder);
    expect(await arrived({ seed: 7, within: 4 })).toEqual(shuffled);
    expect(await arrived({ seed: 8, within: 4 })).not.toEqual(shuffled);
  });
  test('closed -> what waits is given up, and the log knows nothing of it', async () => {
    const app = await listening(() => undefined);
    const { sandbox, deliverer, some } = sending({ url: app.url, concurrency: 1 });
    const sent = deliverer.send(some(3));
    deliverer.close();
    expect(await sent).toEqual([null, null, null]);
    expect(sandbox.deliveries).toEqual([]);
    expect(() => deliverer.send(some(1))).toThrow('closed');
  });
});

describe('a redelivery that was asked for over REST', () => {
  test('is sent with the same GUID and body, and stands in the log as one', async () => {
    let up = false;
    const app = await listening((response) => response.writeHead(up ? 202 : 503).end());
    const { sandbox, deliverer, some, redeliver } = sending({ url: app.url });
    const [delivery] = some(1);
    await deliverer.send(delivery === undefined ? [] : [delivery]);
    up = true;
    expect(await redeliver(0)).toBe(202);
    await deliverer.idle();
    expect(app.got.map((one) => one.headers['x-github-delivery'])).toEqual([delivery?.guid, delivery?.guid]);
    expect(app.got[1]?.body).toBe(delivery?.body);
    expect(sandbox.deliveries.map((row) => [row.redelivery, row.outcome.statusCode])).toEqual([
      [false, 503],
      [true, 202],
    ]);
  });
});
