import type { Inbox, StoredDelivery } from '../store/inbox.js';

/**
 * What is read of a delivery. `later`: it is large, and another large one is under way; nothing of it was kept. `none`:
 * there is nothing to work on.
 */
export type Payload =
  | { readonly kind: 'later' }
  | { readonly kind: 'none'; readonly stored: Omit<StoredDelivery, 'body'> | null; readonly why: string }
  | { readonly kind: 'payload'; readonly stored: Omit<StoredDelivery, 'body'>; readonly payload: object };

/** The payloads of deliveries that are worked on, so that they take no more memory together than there is. */
export interface Payloads {
  /** False: it is known to be large, and another large one is under way. */
  mayBegin(id: number): boolean;
  /** Reads one whose turn it is. Rejects with StoreError. */
  begin(id: number): Promise<Payload>;
  /** Its payload is let go of. */
  end(id: number): void;
}

/**
 * Bytes of JSON above which a payload is large: of GitHub's, pushes of hundreds of commits alone. Parsed, one takes up
 * to twice as much, beside the text it is parsed from; GitHub sends up to 25 MB. So sixteen small ones and a large one fit
 * into a heap of 256 MB.
 */
const LARGE = 1024 * 1024;
/** How large one is shows only once it is unpacked: so many are at a time. */
const READERS = 4;

const parsed = (body: Uint8Array): object | null => {
  try {
    const value: unknown = JSON.parse(
      Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'),
    );
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};

/** Small payloads go side by side, large ones one at a time. */
export function createPayloads(inbox: Pick<Inbox, 'read'>): Payloads {
  /** Read before, while another large one was under way. */
  const large = new Set<number>();
  let underWay: number | null = null;
  let reading = 0;
  const waiting: (() => void)[] = [];

  const reader = async <T>(read: () => Promise<T>): Promise<T> => {
    // Who ends hands its place on: nobody may slip in between.
    if (reading >= READERS) await new Promise<void>((resolve) => waiting.push(resolve));
    else reading += 1;
    try {
      return await read();
    } finally {
      const next = waiting.shift();
      if (next === undefined) reading -= 1;
      else next();
    }
  };

  const read = async (id: number): Promise<Payload> => {
    const found = await inbox.read(id);
    if (found === undefined) return { kind: 'none', stored: null, why: 'it is not here' };
    const { body, ...stored } = found;
    if (body === null) return { kind: 'none', stored, why: 'its payload is not kept any more' };
    if (body.byteLength > LARGE) {
      if (underWay !== null && underWay !== id) {
        large.add(id);
        return { kind: 'later' };
      }
      underWay = id;
    }
    const payload = parsed(body);
    if (payload === null) return { kind: 'none', stored, why: 'its payload is not a JSON object' };
    return { kind: 'payload', stored, payload };
  };

  return {
    mayBegin: (id) => underWay === null || !large.has(id),
    begin(id) {
      if (large.delete(id)) underWay ??= id;
      return reader(() => read(id));
    },
    end(id) {
      if (underWay === id) underWay = null;
    },
  };
}
