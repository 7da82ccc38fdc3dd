import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Share } from './held.js';

type Refusal = 400 | 401 | 413 | 415;

/** A webhook whose signature verified, or why it is not taken. */
export type Received =
  | { readonly kind: 'delivery'; readonly guid: string; readonly name: string; readonly body: Buffer }
  /** `why` is ours, never the sender's text. */
  | { readonly kind: 'refused'; readonly status: Refusal; readonly why: string }
  /** There is no memory for it now. */
  | { readonly kind: 'full' }
  /** The sender went away before the body was complete. */
  | { readonly kind: 'gone' };

/** GitHub sends no payload above 25 MB (docs.github.com/webhooks/webhook-events-and-payloads). */
export const PAYLOAD_LIMIT = 25 * 1024 * 1024;

type Body =
  | { readonly kind: 'body'; readonly pieces: readonly Buffer[] }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'full' }
  | { readonly kind: 'gone' };

interface Reading {
  readonly limit: number;
  readonly share: Share;
  readonly piece: (bytes: Buffer) => void;
}

const readBody = (request: IncomingMessage, { limit, share, piece }: Reading): Promise<Body> =>
  new Promise((resolve) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      resolve({ kind: 'too-large' });
      return;
    }
    const pieces: Buffer[] = [];
    let size = 0;
    let ended = false;
    const end = (body: Body): void => {
      ended = true;
      if (body.kind !== 'body') pieces.length = 0;
      resolve(body);
    };
    request.on('data', (bytes: Buffer) => {
      if (ended) return;
      size += bytes.length;
      const kind = size > limit ? 'too-large' : share.take(bytes.length) ? null : 'full';
      if (kind === null) {
        pieces.push(bytes);
        piece(bytes);
        return;
      }
      request.pause();
      end({ kind });
    });
    request.on('end', () => !ended && end({ kind: 'body', pieces }));
    request.on('close', () => !ended && end({ kind: 'gone' }));
    request.on('error', () => !ended && end({ kind: 'gone' }));
  });

const header = (request: IncomingMessage, name: string, form: RegExp): string | null => {
  const value = request.headers[name];
  return typeof value === 'string' && form.test(value) ? value : null;
};

const hasNoBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

const refused = (status: Refusal, why: string): Received => ({ kind: 'refused', status, why });

/**
 * Reads one delivery: bounded in size and by what `share` has room for, its signature verified over the bytes as they
 * came with one of the secrets (two while one is rotated), and nothing of it parsed. The caller releases the share once
 * the body is no longer needed. Never throws.
 */
export const receiveDelivery = async (
  request: IncomingMessage,
  secrets: readonly [string, ...string[]],
  share: Share,
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

  // Hashed as it comes: only a body that is signed is put together, which holds it twice for a moment.
  const hashes = secrets.map((secret) => createHmac('sha256', secret));
  const piece = (bytes: Buffer): void => hashes.forEach((hash) => hash.update(bytes));
  const read = await readBody(request, { limit, share, piece });
  if (read.kind === 'gone' || read.kind === 'full') return read;
  if (read.kind === 'too-large') return refused(413, 'body above 25 MB');

  if (read.pieces.length === 0) return refused(400, 'no body');
  const told = Buffer.from(signature.slice('sha256='.length), 'hex');
  if (!hashes.some((hash) => timingSafeEqual(hash.digest(), told)))
    return refused(401, 'signature does not match: compare WEBHOOK_SECRET with the settings page of the App');
  return { kind: 'delivery', guid: id, name, body: Buffer.concat(read.pieces) };
};
