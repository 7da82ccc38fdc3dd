import { createHmac, timingSafeEqual } from 'node:crypto';

export type MarkerKind = 'comment' | 'issue';

export interface Marker {
  readonly kind: MarkerKind;
  /** The number of the PR or issue commented on; the key of an escalation. */
  readonly id: string;
}

/** 128 bits, in hex digits: nobody guesses one, and the line stays short. */
const SEAL_LENGTH = 32;

/** UTF-8 bytes. A ref has at most 255 on GitHub; a longer id is a mistake of ours, and a body would not hold it. */
const MAX_ID = 4_096;

const LINE = /^<!-- agent-policy:(comment|issue):([A-Za-z0-9_-]*):([0-9a-f]{32}) -->$/;

const seal = (kind: MarkerKind, id: string, secret: string): string =>
  createHmac('sha256', secret)
    .update(`agent-policy marker 1\n${kind}\n${id}`)
    .digest('hex')
    .slice(0, SEAL_LENGTH);

/**
 * The hidden line by which we know a text of ours again: `<!-- agent-policy:issue:BASE64URL(id):HMAC -->`. The id is
 * encoded, since it may hold a branch name that would end the comment; the HMAC (SHA-256, cut to 128 bits) keeps
 * others from writing one. Throws a RangeError when the secret is empty or the id has more than 4,096 bytes.
 */
export function marker(kind: MarkerKind, id: string, secret: string): string {
  if (secret === '')
    throw new RangeError('A marker needs a secret: with an empty one anybody could write it.');
  const bytes = Buffer.from(id, 'utf8');
  if (bytes.length > MAX_ID) {
    throw new RangeError(`A marker's id has at most ${MAX_ID} bytes, this one has ${bytes.length}.`);
  }
  return `<!-- agent-policy:${kind}:${bytes.toString('base64url')}:${seal(kind, id, secret)} -->`;
}

/**
 * The marker of a text, if it is ours: the last line that has the form of one, sealed with any of the secrets (two
 * while rotating). null for a forged one, also where a good one stands above it: our own texts end with theirs.
 */
export function readMarker(body: string, secrets: readonly string[]): Marker | null {
  const parts = body
    .split(/\r\n|\n|\r/)
    .map((line) => LINE.exec(line))
    .filter((match) => match !== null)
    .at(-1);
  const [, kind, encoded = '', given = ''] = parts ?? [];
  if (kind !== 'comment' && kind !== 'issue') return null;
  const id = Buffer.from(encoded, 'base64url').toString('utf8');
  // Several encodings decode to the same bytes; only the one we write is ours.
  if (Buffer.from(id, 'utf8').toString('base64url') !== encoded) return null;
  const ours = secrets.some(
    (secret) => secret !== '' && timingSafeEqual(Buffer.from(seal(kind, id, secret)), Buffer.from(given)),
  );
  return ours ? { kind, id } : null;
}
