import { stat } from 'node:fs/promises';
import { codeOf } from '../../error-code.js';
import { StoreError } from '../store.js';

/** What tells a file from any other, whatever its name. */
export interface Identity {
  readonly dev: bigint;
  /** 0: the file system has no such numbers, and nothing can be told from it. */
  readonly ino: bigint;
}

/** `unknown`: it could not be looked at, which says nothing of where it is. */
export type Whereabouts = Identity | 'gone' | 'unknown';

/** Milliseconds between two looks: what is answered meanwhile, and written into a file that has no name, is lost. */
const LOOK_MS = 1_000;

const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** The file that a path leads to now. */
const look = async (file: string): Promise<Whereabouts> => {
  try {
    const { dev, ino } = await stat(file, { bigint: true });
    return { dev, ino };
  } catch (error) {
    return GONE.has(codeOf(error)) ? 'gone' : 'unknown';
  }
};

/** Whether the file that was opened is still the one its path leads to, as far as anybody can tell. */
export const standing = (opened: Whereabouts, seen: Whereabouts): 'there' | 'gone' | 'replaced' => {
  if (seen === 'gone') return 'gone';
  if (seen === 'unknown' || typeof opened === 'string' || opened.ino === 0n || seen.ino === 0n)
    return 'there';
  return opened.ino === seen.ino && opened.dev === seen.dev ? 'there' : 'replaced';
};

const lostError = (file: string, how: 'gone' | 'replaced'): StoreError =>
  new StoreError(
    how === 'gone'
      ? `The store ${file} was moved or deleted while it was served from: put it or a backup back and start the server again, which begins an empty one where there is none.`
      : `Another file took the place of the store ${file} while it was served from: start the server again, which goes on with that one, and stop it before a file is put back.`,
    'failed',
  );

/**
 * Looks every second whether a store's file is still where it was opened: to the process that has it open, one that was
 * deleted or replaced goes on as before, and ends with it. It has to be open already. `lost` is told once. What it
 * resolves to ends it.
 */
export const watchFile = async (file: string, lost: (error: StoreError) => void): Promise<() => void> => {
  const opened = await look(file);
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const again = async (): Promise<void> => {
    const is = standing(opened, await look(file));
    if (over) return;
    if (is === 'there') next();
    else lost(lostError(file, is));
  };
  // One look after the other: a disk that does not answer is asked once.
  const next = (): void => {
    timer = setTimeout(() => void again(), LOOK_MS).unref();
  };
  next();
  return () => {
    over = true;
    clearTimeout(timer);
  };
};
