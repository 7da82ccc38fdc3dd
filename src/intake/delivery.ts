import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A webhook whose signature verified, or why it is not taken. */
export type Received =
  | { readonly kind: 'delivery'; readonly guid: string; readonly name: string; readonly body: Buffer }
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

const hasNoBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

const refused = (status: 400 | 401 | 413 | 415, why: string): Received => ({ kind: 'refused', status, why });

/** Whether a body is signed with a secret; compared in constant time. */
const isSigned = (body: Buffer, signature: string, secret: string): boolean =>
  timingSafeEqual(
    createHmac('sha256', secret).update(body).digest(),
    Buffer.from(signature.slice('sha256='.length), 'hex'),
  );

/**
 * Reads one delivery: bounded in size, its signature verified over the bytes as they came with one of the secrets (two
 * while one is rotated), and nothing of it parsed. Never throws.
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
  if (hasNoBody(request)) return refused(400, 'no body');
  const signature = header(request, 'x-hub-signature-256', /^sha256=[\da-f]{64}$/);
  if (signature === null) return refused(401, 'not signed');

  const body = await readBody(request, limit);
  if (body.kind === 'gone') return { kind: 'gone' };
  if (body.kind === 'too-large') return refused(413, 'body above 25 MB');

  if (body.bytes.length === 0) return refused(400, 'no body');
  if (!secrets.some((secret) => isSigned(body.bytes, signature, secret)))
    return refused(401, 'signature does not match: compare WEBHOOK_SECRET with the settings page of the App');
  return { kind: 'delivery', guid: id, name, body: body.bytes };
};
