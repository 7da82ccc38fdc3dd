import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { serve, type Serving } from '../../src/web/serve.js';

const SECRET = 'the-secret-of-the-hook';
const SETTINGS = {
  host: '127.0.0.1',
  port: 0,
  webhookPath: '/hook',
  webhookSecrets: [SECRET],
  killSwitch: false,
} as const;
const LIMITS = { held: 100_000, connections: 8 };

let serving: Serving;
let lines: string[];
let sockets: Socket[];
/** What storing a delivery waits for. */
let storing: Promise<void>;

beforeEach(async () => {
  lines = [];
  sockets = [];
  storing = Promise.resolve();
  const service = {
    accept: async () => {
      await storing;
      return 'new' as const;
    },
    readiness: () => Promise.reject(new Error('not asked for here')),
  };
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  serving = await serve(SETTINGS, service, log, LIMITS);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await serving.stop(1_000);
});

const open = async (): Promise<Socket> => {
  const socket = connect(serving.port, '127.0.0.1');
  sockets.push(socket);
  // The server closes a refused connection while more is sent: how it ends is asked for by `answerOn`.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

const head = (length: number | 'chunked', signature = '0'.repeat(64)): string =>
  [
    'POST /hook HTTP/1.1',
    'host: here',
    'content-type: application/json',
    'x-github-event: push',
    'x-github-delivery: d-1',
    `x-hub-signature-256: sha256=${signature}`,
    length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${String(length)}`,
    '\r\n',
  ].join('\r\n');

/** All that the server says on a connection until it has said an answer, or closes it. */
const answerOn = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let said = '';
    socket.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      if (/\r\n\r\n.*\n/.test(said)) resolve(said);
    });
    socket.on('close', () => resolve(said));
  });

/** Sends a signed delivery of this many bytes. */
const deliver = async (length: number): Promise<string> => {
  const body = Buffer.alloc(length, 0x20);
  const socket = await open();
  const answer = answerOn(socket);
  socket.write(head(length, createHmac('sha256', SECRET).update(body).digest('hex')));
  socket.write(body);
  return answer;
};

/** Begins a delivery that nobody signed, and leaves it there. */
const begin = async (announced: number, sent: number): Promise<Socket> => {
  const socket = await open();
  socket.write(head(announced));
  socket.write(Buffer.alloc(sent, 0x20));
  return socket;
};

/** What an unsigned delivery of this many bytes is answered. */
const unsigned = async (length: number): Promise<string> => {
  const socket = await open();
  const answer = answerOn(socket);
  socket.write(head(length));
  socket.write(Buffer.alloc(length));
  const said = await answer;
  socket.destroy();
  return said;
};

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  const end = Date.now() + 3_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

const toldFull = (): number => lines.filter((line) => line.includes('all the memory')).length;

describe('what senders hold before their signature can be checked', () => {
  test('above the budget -> 503, the connection closed, and told once', async () => {
    const holding = await begin(90_000, 60_000);
    await until(async () => (await deliver(60_000)).startsWith('HTTP/1.1 503'));
    for (let more = 0; more < 3; more += 1) {
      const answer = await deliver(60_000);
      expect(answer).toMatch(/^HTTP\/1\.1 503 /);
      expect(answer).toMatch(/^connection: close\r$/im);
    }
    expect(toldFull()).toBe(1);
    expect(holding.destroyed).toBe(false);
  });

  test('a connection that ends gives back what it held', async () => {
    const holding = await begin(90_000, 60_000);
    await until(async () => (await deliver(60_000)).startsWith('HTTP/1.1 503'));
    holding.destroy();
    await until(async () => (await deliver(60_000)).startsWith('HTTP/1.1 202'));
    expect(await deliver(90_000)).toMatch(/^HTTP\/1\.1 202 /);
  });

  test('a delivery that was refused gives back what it held', async () => {
    for (let more = 0; more < 5; more += 1) {
      expect(await unsigned(60_000)).toMatch(/^HTTP\/1\.1 401 /);
    }
    expect(await deliver(90_000)).toMatch(/^HTTP\/1\.1 202 /);
  });

  test('what is only announced is not held', async () => {
    for (let more = 0; more < 5; more += 1) await begin(90_000, 1);
    expect(await deliver(80_000)).toMatch(/^HTTP\/1\.1 202 /);
  });

  test('a byte at a time -> counted with what each piece costs', async () => {
    const socket = await open();
    const answer = answerOn(socket);
    socket.write(`${head('chunked')}${'1\r\nx\r\n'.repeat(400)}`);
    expect(await answer).toMatch(/^HTTP\/1\.1 503 /);
  });

  test('a delivery that is being stored is held until it is', async () => {
    let stored = (): void => undefined;
    storing = new Promise((resolve) => (stored = resolve));
    const first = deliver(60_000);
    await until(async () => (await unsigned(60_000)).startsWith('HTTP/1.1 503'));
    stored();
    expect(await first).toMatch(/^HTTP\/1\.1 202 /);
    expect(await deliver(60_000)).toMatch(/^HTTP\/1\.1 202 /);
  });
});

describe('a sender who is refused', () => {
  /** Goes on sending in small pieces, for as long as it may. Resolves to what was answered, and how it ended. */
  const goOn = async (length: number): Promise<{ said: string; error: string | null; sent: number }> => {
    const socket = connect(serving.port, '127.0.0.1');
    sockets.push(socket);
    let [said, sent, error] = ['', 0, null as string | null];
    socket.on('data', (bytes: Buffer) => (said += bytes.toString()));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => (error = code ?? ''));
    const closed = once(socket, 'close');
    socket.write(head(length).replace('x-github-event: push', 'x-github-event: ../push'));
    const timer = setInterval(() => {
      if (sent >= length || !socket.writable) return;
      socket.write(Buffer.alloc(1_000, 0x20));
      sent += 1_000;
    }, 10);
    await closed;
    clearInterval(timer);
    return { said, error, sent };
  };

  test('is read to the end, so that the answer arrives', async () => {
    const { said, error, sent } = await goOn(20_000);
    expect(said).toMatch(/^HTTP\/1\.1 400 [^]*\r\nconnection: close\r\n[^]*its headers are missing\n$/);
    expect({ error, sent }).toEqual({ error: null, sent: 20_000 });
  });

  test('is not read for longer than a moment', async () => {
    const { said, sent } = await goOn(10_000_000);
    expect(said).toMatch(/^HTTP\/1\.1 400 /);
    expect(sent).toBeLessThan(5_000_000);
  });
});

test('more connections than it takes -> closed unanswered', async () => {
  for (let more = 0; more < LIMITS.connections; more += 1) await begin(10, 1);
  expect(await deliver(10)).toBe('');
  for (const socket of sockets) socket.destroy();
  await until(async () => (await deliver(10)).startsWith('HTTP/1.1 202'));
});
