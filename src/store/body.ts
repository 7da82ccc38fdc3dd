import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/**
 * The least there is. On GitHub's samples (24 KB a PR) it leaves a tenth for 30 µs; twice the time leaves a twelfth, and
 * Deflate at its fastest takes half as long again.
 */
const QUALITY = 1;
/**
 * Looks back 256 KB, which is more than all but the largest payloads have, and takes two thirds of the time that the
 * default of 4 MB does.
 */
const WINDOW_BITS = 18;
/** Bytes that room is made for at a time: most bodies need no more, and making the default of 16 KB is a sixth of the time. */
const CHUNK = 4_096;

/**
 * Bytes that are to be stored packed. Who runs the statement packs them: beside the event loop, where it can. They are
 * given away with it, and may be gone here.
 */
export interface ToPack {
  readonly toPack: Uint8Array;
}

/** A payload as it is stored: JSON full of addresses, most of which the disk need not be given. */
export const packed = (body: Uint8Array): Uint8Array =>
  brotliCompressSync(body, {
    chunkSize: CHUNK,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
    },
  });

/** The payload, byte for byte; null: what is stored is damaged, and tells as little as if it were not kept. */
export const unpacked = (stored: Uint8Array): Uint8Array | null => {
  try {
    const { buffer, byteOffset, byteLength } = brotliDecompressSync(stored);
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch {
    return null;
  }
};
