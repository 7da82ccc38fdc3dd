import { randomBytes } from 'node:crypto';

/** 100-nanosecond steps from the start of the Gregorian calendar to that of Unix time (RFC 9562, section 5.1). */
const GREGORIAN = 0x01b2_1dd2_1381_4000n;
const STEPS_PER_MS = 10_000n;

/**
 * GUIDs as GitHub's deliveries have them: version 1, by the clock (`72d3162e-cc78-11e3-81ab-4c9367dc0958`). Those of one
 * moment begin alike, which a store's index notices. No two are the same.
 */
export const createGuids = (): (() => string) => {
  const node = randomBytes(8);
  node[0] = ((node[0] ?? 0) & 0x3f) | 0x80;
  const rest = node.toString('hex');
  let last = 0n;
  return () => {
    const now = BigInt(Date.now()) * STEPS_PER_MS + GREGORIAN;
    last = now > last ? now : last + 1n;
    const time = last.toString(16).padStart(15, '0');
    return `${time.slice(7)}-${time.slice(3, 7)}-1${time.slice(0, 3)}-${rest.slice(0, 4)}-${rest.slice(4)}`;
  };
};
