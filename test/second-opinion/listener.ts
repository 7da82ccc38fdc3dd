import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Received } from './hub.js';

/** A webhook address that answers 202 and keeps what it got. */
export const listen = async (): Promise<{
  readonly url: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
}> => {
  const received: Received[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      received.push({ headers: incoming.headers, bytes: Buffer.concat(chunks) });
      outgoing.writeHead(202).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
