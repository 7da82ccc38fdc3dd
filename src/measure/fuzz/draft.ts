import { createHmac } from 'node:crypto';
import type { Outcome } from './body.js';

/** How the end of a body is told. `raw`: these header lines, and the body as it is. */
export type Framing =
  | { readonly kind: 'length' }
  | { readonly kind: 'chunked'; readonly encode: (body: Buffer) => Buffer }
  | { readonly kind: 'raw'; readonly lines: readonly string[] };

/** One request before it is written down. Faults change it. */
export interface Draft {
  method: string;
  target: string;
  version: string;
  /** Name and value; several of a name are sent as several. */
  headers: [string, string][];
  body: Buffer;
  framing: Framing;
  lineEnd: string;
  /** Before the request line. */
  prefix: string;
  /** The sender ends its side after it, as one that has nothing more to say. */
  ends: boolean;
}

/** What is asked of the server for one request. */
export interface Expected {
  /** Whether the store must hold it. `if acknowledged`: where it was answered 202; otherwise it may. */
  readonly stored: 'yes' | 'no' | 'if acknowledged';
  /** One of these is answered. */
  readonly statuses: ReadonlySet<number>;
  /** The connection may end without an answer. */
  readonly mayClose: boolean;
  readonly guid: string;
  readonly name: string;
  readonly body: Buffer;
  readonly outcome: Outcome;
  /** Answers to HEAD have no body. */
  readonly bodiless: boolean;
}

export const signatureOf = (body: Buffer, secret: string, algorithm: 'sha1' | 'sha256' = 'sha256'): string =>
  `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`;

export const headerOf = (draft: Draft, name: string): string =>
  draft.headers.find(([known]) => known.toLowerCase() === name)?.[1] ?? '';

/** Puts this in place of every header of that name; undefined: leaves it out. */
export const setHeader = (draft: Draft, name: string, ...values: readonly string[]): void => {
  const others = draft.headers.filter(([known]) => known.toLowerCase() !== name);
  draft.headers = [...others, ...values.map((value): [string, string] => [name, value])];
};

/** The lines that say where the body ends. */
const framingLines = ({ framing, body }: Draft): readonly string[] => {
  switch (framing.kind) {
    case 'length':
      return [`content-length: ${body.length}`];
    case 'chunked':
      return ['transfer-encoding: chunked'];
    case 'raw':
      return framing.lines;
  }
};

/** The bytes on the wire. Header values are latin1, so that any byte can stand in them. */
export const bytesOf = (draft: Draft): Buffer => {
  const { method, target, version, headers, framing, body, lineEnd, prefix } = draft;
  const lines = [
    `${method} ${target}${version === '' ? '' : ` ${version}`}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...framingLines(draft),
  ];
  const head = Buffer.from(`${prefix}${lines.join(lineEnd)}${lineEnd}${lineEnd}`, 'latin1');
  return Buffer.concat([head, framing.kind === 'chunked' ? framing.encode(body) : body]);
};
