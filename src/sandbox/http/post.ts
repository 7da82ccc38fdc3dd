import { Agent, request, type IncomingMessage } from 'node:http';
import type { Outcome } from '../app/deliveries.js';
import type { Delivery } from '../sandbox.js';

/** Of an answer's body the log keeps the beginning, in bytes. */
const KEPT_BODY = 65_536;

const readAll = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (size < KEPT_BODY) chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks).subarray(0, KEPT_BODY).toString();
};

const headersOf = (response: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));

/**
 * One attempt to deliver, as GitHub's log words what came of it. What the log says of an attempt that got no answer
 * (`timed out` with 0, `failed to connect` with 502) is not documented: it is never `OK`, and that is what counts.
 */
export const createPost = (
  connections: number,
  limit: number,
): { post(url: string, delivery: Delivery): Promise<Outcome>; close(): void } => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  const post = (url: string, { body, headers }: Delivery): Promise<Outcome> =>
    new Promise((resolve) => {
      const start = performance.now();
      const seconds = (): number => Math.round(performance.now() - start) / 1_000;
      const bytes = Buffer.from(body);
      const sent = request(url, {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-length': bytes.length },
      });
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        sent.destroy();
      }, limit);
      const end = (outcome: Outcome): void => {
        clearTimeout(timer);
        resolve({ ...outcome, duration: seconds() });
      };
      const fail = (): void =>
        end(late ? { status: 'timed out', statusCode: 0 } : { status: 'failed to connect', statusCode: 502 });
      sent.on('error', fail);
      sent.on('response', (response) => {
        readAll(response).then((payload) => {
          const code = response.statusCode ?? 0;
          const good = code >= 200 && code < 300;
          end({
            status: good ? 'OK' : `Invalid HTTP Response: ${code}`,
            statusCode: code,
            response: { headers: headersOf(response), payload },
          });
        }, fail);
      });
      sent.end(bytes);
    });

  return { post, close: () => agent.destroy() };
};
