import type { Client } from './client.js';
import { RequestFailure } from './failure.js';

/** Milliseconds between an ambiguous answer and each look whether the thing was made: GitHub's lists lag a little. */
export const LOOKS = [2000, 5000];
export const TRIES = 5;

export interface Creation<T> {
  /** Looks on GitHub for what is to be made, on all pages. */
  readonly find: () => Promise<T | null>;
  /** One POST, never repeated by itself. */
  readonly create: () => Promise<T>;
  readonly client: Pick<Client, 'pause'>;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Makes a thing once, whatever GitHub answers: it is looked for before it is made, and after an answer that leaves
 * open whether it was made, it is looked for twice, seconds apart, before the next try. Five tries; throws the last
 * failure. `there`: it stood before the first try. `made`: one of the tries made it.
 */
export const createOnce = async <T>({
  find,
  create,
  client,
  sleep,
}: Creation<T>): Promise<{ readonly kind: 'there' | 'made'; readonly value: T }> => {
  const there = await find();
  if (there !== null) return { kind: 'there', value: there };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { kind: 'made', value: await create() };
    } catch (error) {
      if (!(error instanceof RequestFailure) || !error.transient) throw error;
      if (error.ambiguous) {
        for (const wait of LOOKS) {
          await sleep(wait);
          const made = await find();
          if (made !== null) return { kind: 'made', value: made };
        }
        if (attempt === TRIES) throw error;
      } else if (attempt === TRIES || !(await client.pause(error, attempt))) throw error;
    }
  }
};
