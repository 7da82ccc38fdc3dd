import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Environment } from '../settings.js';
import { codeOf } from '../error-code.js';

/** What the commands that look after a running App touch, beside what `Io` gives. */
export interface Outside {
  readonly env: Environment;
  /** Where `.env` is looked for, and what paths count from. */
  readonly cwd: string;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  readonly fetch: typeof globalThis.fetch;
  /** Standard output, for more than fits in memory. */
  readonly stdout: Writable;
  /** `20.18.1`. */
  readonly node: string;
}

export const outsideOfProcess = (): Outside => ({
  env: process.env,
  cwd: process.cwd(),
  now: Date.now,
  fetch: globalThis.fetch,
  stdout: process.stdout,
  node: process.versions.node,
});

const WENT_AWAY = new Set(['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED']);

/** Writes text as fast as it is read. A reader that goes away (`| head`) wants no more; that is no error. */
export const writeAll = async (chunks: AsyncIterable<string>, stdout: Writable): Promise<void> => {
  try {
    await pipeline(chunks, stdout, { end: false });
  } catch (error) {
    if (!WENT_AWAY.has(codeOf(error))) throw error;
  }
};
