import { createHash } from 'node:crypto';

/** A number from 0 up to 1 that is always the same for the same seed and key, and looks like chance. */
export const chance = (seed: number, key: string): number =>
  createHash('sha256').update(`${seed} ${key}`).digest().readUInt32BE(0) / 2 ** 32;
