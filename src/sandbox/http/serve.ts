import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is served: a sandbox, or a GitHub of several. */
export interface Face {
  readonly fetch: typeof globalThis.fetch;
}

export interface ServeOptions {
  /** 0, as long as nothing is said: any free port. */
  readonly port?: number;
}

/** A sandbox on loopback. */
export interface Served {
  /** `http://127.0.0.1:41234`: what the App takes for the API's address. */
  readonly url: string;
  /** Ends every connection and frees the port. */
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
/** GitHub's own limit on what it is sent is near; nobody should send the sandbox more, in bytes. */
const LARGEST_BODY = 26_214_400;
const KEEP_ALIVE_MS = 60_000;

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const requestOf = (incoming: IncomingMessage, body: Buffer, signal: AbortSignal): Request => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) headers.append(name, one);
  }
  const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? LOOPBACK}`);
  const method = incoming.method ?? 'GET';
  const bare = method === 'GET' || method === 'HEAD';
  return new Request(url, { method, headers, signal, ...(bare ? {} : { body: new Uint8Array(body) }) });
};

const answer = async (face: Face, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  const body = await bodyOf(incoming);
  if (body === undefined) {
    outgoing.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const response = await face.fetch(requestOf(incoming, body, gone.signal));
  const bytes = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(bytes);
};

/**
 * Serves the REST face over HTTP on loopback. Where the face gives no answer (a fault that hangs or resets), the
 * connection is reset.
 */
export const serveSandbox = async (face: Face, options: ServeOptions = {}): Promise<Served> => {
  const server = createServer((incoming, outgoing) => {
    answer(face, incoming, outgoing).catch(() => incoming.socket.resetAndDestroy());
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, LOOPBACK, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
};
