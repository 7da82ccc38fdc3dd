import type { IncomingMessage } from 'node:http';
import { verifyWithFallback } from '@octokit/webhooks-methods';

/** One webhook, its signature verified. `payload` is GitHub's, and still holds everybody's text. */
export interface Delivery {
  readonly id: string;
  readonly name: string;
  readonly payload: object;
}

export type Received =
  | { readonly kind: 'delivery'; readonly delivery: Delivery }
  /** `why` is ours, never the sender's text. */
  | { readonly kind: 'refused'; readonly status: 400 | 401 | 413 | 415; readonly why: string }
  /** The sender went away before the body was complete. */
  | { readonly kind: 'gone' };

/** GitHub sends no payload above 25 MB (docs.github.com/webhooks/webhook-events-and-payloads). */
export const PAYLOAD_LIMIT = 25 * 1024 * 1024;

type Body =
  | { readonly kind: 'body'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'gone' };

const readBody = (request: IncomingMessage, limit: number): Promise<Body> =>
  new Promise((resolve) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      resolve({ kind: 'too-large' });
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      request.pause();
      resolve({ kind: 'too-large' });
    });
    request.on('end', () => resolve({ kind: 'body', bytes: Buffer.concat(chunks) }));
    request.on('close', () => resolve({ kind: 'gone' }));
    request.on('error', () => resolve({ kind: 'gone' }));
  });

const header = (request: IncomingMessage, name: string, form: RegExp): string | null => {
  const value = request.headers[name];
  return typeof value === 'string' && form.test(value) ? value : null;
};

const refused = (status: 400 | 401 | 413 | 415, why: string): Received => ({ kind: 'refused', status, why });

const parseObject = (text: string): object | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};

/**
 * Reads one delivery: bounded in size, and nothing parsed before the signature over its bytes verifies with one of
 * the secrets (two while one is rotated). Never throws.
 */
export const receiveDelivery = async (
  request: IncomingMessage,
  secrets: readonly [string, ...string[]],
  limit = PAYLOAD_LIMIT,
): Promise<Received> => {
  if (header(request, 'content-type', /^application\/json\s*(;|$)/i) === null)
    return refused(415, 'content type is not application/json');
  const id = header(request, 'x-github-delivery', /^[\w-]{1,64}$/);
  const name = header(request, 'x-github-event', /^[a-z_]{1,64}$/);
  if (id === null || name === null) return refused(400, 'not a delivery of GitHub: its headers are missing');
  const signature = header(request, 'x-hub-signature-256', /^sha256=[\da-f]{64}$/);
  if (signature === null) return refused(401, 'not signed');

  const body = await readBody(request, limit);
  if (body.kind === 'gone') return { kind: 'gone' };
  if (body.kind === 'too-large') return refused(413, 'body above 25 MB');

  // Bytes that are not UTF-8 decode to something else and then fail the signature, as they should.
  const text = body.bytes.toString('utf8');
  const [secret, ...others] = secrets;
  if (text === '' || !(await verifyWithFallback(secret, text, signature, others)))
    return refused(401, 'signature does not match: compare WEBHOOK_SECRET with the settings page of the App');

  const payload = parseObject(text);
  return payload === null
    ? refused(400, 'body is not a JSON object')
    : { kind: 'delivery', delivery: { id, name, payload } };
};
