import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../error-code.js';
import { StoreError } from '../store.js';

const SAY_ANOTHER = 'or name another file in AGENT_POLICY_STORE.';

/** Whether it is there. Throws StoreError where this user may not know. */
const isThere = (path: string, file: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw new StoreError(
      `The store ${file} cannot be looked for by this user (${codeOf(error)}): run this as the user of the server, ${SAY_ANOTHER}`,
      'unreadable',
      { cause: error },
    );
  }
};

const requireRights = (file: string): void => {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new StoreError(
      `The store ${file} may not be read and written: give this user the right to, ${SAY_ANOTHER}`,
      'unreadable',
      { cause: error },
    );
  }
};

/**
 * Creates a file that only its owner reads, where there is none: a store holds what webhooks of private repositories
 * say, and SQLite gives the files beside it the same mode. One that is there is not opened: to close it would end the
 * locks this process holds on it (POSIX). Throws StoreError.
 */
export const createPrivately = (file: string): void => {
  if (isThere(file, file)) return requireRights(file);
  const folder = dirname(file);
  if (!isThere(folder, file))
    throw new StoreError(
      `The store ${file} cannot be created, there is no folder ${folder}: create it, ${SAY_ANOTHER}`,
      'unreadable',
    );
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw new StoreError(
      `The store ${file} cannot be created: give this user the right to write in ${folder}, ${SAY_ANOTHER}`,
      'unreadable',
      { cause: error },
    );
  }
};

/** Throws StoreError where there is no such file, or this user may not use it. */
export const requireFile = (file: string): void => {
  if (isThere(file, file)) return requireRights(file);
  throw new StoreError(
    `There is no store at ${file}: name its file in AGENT_POLICY_STORE, or start the server once, which creates it.`,
    'unreadable',
  );
};
