import type { Random } from '../random.js';

const END = Buffer.from('0\r\n\r\n');

const chunk = (piece: Buffer, size: string): Buffer =>
  Buffer.concat([Buffer.from(`${size}\r\n`), piece, Buffer.from('\r\n')]);

const pieces = (body: Buffer, count: number): readonly Buffer[] => {
  const size = Math.max(1, Math.ceil(body.length / count));
  return Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
    body.subarray(at * size, (at + 1) * size),
  );
};

type Encode = (body: Buffer) => Buffer;

/** Chunked bodies as RFC 9112 allows them, section 7.1. */
export const chunkings = (random: Random): readonly [Encode, ...Encode[]] => [
  (body) => Buffer.concat([chunk(body, body.length.toString(16)), END]),
  (body) => Buffer.concat([chunk(body, `000${body.length.toString(16).toUpperCase()}`), END]),
  (body) => Buffer.concat([chunk(body, `${body.length.toString(16)};ext="v";more`), END]),
  (body) =>
    Buffer.concat([
      chunk(body, body.length.toString(16)),
      Buffer.from('0\r\nx-trailer: x\r\nx-hub-signature-256: none\r\n\r\n'),
    ]),
  (body) => {
    const count = 2 + random.below(40);
    return Buffer.concat([
      ...pieces(body, count).map((piece) => chunk(piece, piece.length.toString(16))),
      END,
    ]);
  },
];

/** Chunked bodies that are none, or have no end. */
export const brokenChunkings: readonly [Encode, ...Encode[]] = [
  (body) => Buffer.concat([chunk(body, 'zz'), END]),
  (body) => Buffer.concat([chunk(body, `-${body.length.toString(16)}`), END]),
  (body) => Buffer.concat([chunk(body, 'f'.repeat(20)), END]),
  (body) => Buffer.concat([chunk(body, ''), END]),
  (body) => Buffer.concat([chunk(body, (body.length + 3).toString(16)), END]),
  (body) =>
    Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('no end of a chunk')]),
];
