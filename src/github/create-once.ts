import type { Ledger } from '../store/ledger.js';
import type { Client } from './client.js';
import { RequestFailure } from './failure.js';

/** Milliseconds before each further look whether a thing was made: GitHub's lists lag a little behind its writes. */
export const LOOKS = [2000, 5000];
export const TRIES = 5;

/** Milliseconds after which the lists are taken to hold what was made before. */
const SETTLED = 60_000;

export interface Creation<T> {
  /** What it is, among all effects of the repository: `comment:12`. */
  readonly key: string;
  /** Looks on GitHub for what is to be made, on all pages. */
  readonly find: () => Promise<T | null>;
  /** One POST, never repeated by itself. */
  readonly create: () => Promise<T>;
}

export interface CreationContext {
  readonly client: Pick<Client, 'pause'>;
  readonly ledger: Pick<Ledger, 'effect' | 'noteEffect'>;
  readonly clock: { now(): number };
  readonly sleep: (ms: number) => Promise<void>;
}

/** Looks at once, and again after each wait while nothing is there. */
const look = async <T>(
  find: Creation<T>['find'],
  waits: readonly number[],
  sleep: CreationContext['sleep'],
): Promise<T | null> => {
  for (const wait of waits) {
    if (wait > 0) await sleep(wait);
    const found = await find();
    if (found !== null) return found;
  }
  return null;
};

/**
 * Makes a thing once, whatever GitHub answers and wherever the process dies: it is looked for before it is made, and
 * noted before and after. Where it may have been made (an answer that leaves that open; a note of the last minute by a
 * process that did not get to the answer) it is looked for twice more, seconds apart, before the next try. Five tries;
 * throws the last failure. `there`: it stood before the first try. `made`: one of the tries made it.
 */
export const createOnce = async <T>(
  context: CreationContext,
  { key, find, create }: Creation<T>,
): Promise<{ readonly kind: 'there' | 'made'; readonly value: T }> => {
  const { client, ledger, clock, sleep } = context;
  const iso = (): string => new Date(clock.now()).toISOString();
  /** `at`: when it was begun, so that what was made can be told from what stood before. */
  const finish = async (kind: 'there' | 'made', value: T, at: string) => {
    await ledger.noteEffect(key, { state: 'made', at });
    return { kind, value };
  };
  const note = await ledger.effect(key);
  const open = note?.state === 'making' && clock.now() - Date.parse(note.at) < SETTLED;
  const there = await look(find, open ? [0, ...LOOKS] : [0], sleep);
  if (there !== null) return finish('there', there, note?.at ?? iso());
  for (let attempt = 1; ; attempt += 1) {
    const at = iso();
    await ledger.noteEffect(key, { state: 'making', at });
    try {
      return await finish('made', await create(), at);
    } catch (error) {
      if (!(error instanceof RequestFailure) || !error.transient) throw error;
      if (error.ambiguous) {
        const made = await look(find, LOOKS, sleep);
        if (made !== null) return finish('made', made, at);
        if (attempt === TRIES) throw error;
      } else if (attempt === TRIES || !(await client.pause(error, attempt))) throw error;
    }
  }
};
