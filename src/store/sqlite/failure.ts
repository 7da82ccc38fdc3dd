import { StoreError } from '../store.js';
import type { Failure } from './statement.js';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * SQLite's primary result codes by number (https://sqlite.org/rescode.html), where the driver gives only that: when it
 * opens a file, and for an extended code that it has no name for, whose lowest byte is the primary one.
 */
const BY_NUMBER: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  23: 'SQLITE_AUTH',
  26: 'SQLITE_NOTADB',
};

/** What the driver threw, as data. */
export const failureOf = (error: unknown): Failure => {
  const { code, message: said } = isRecord(error) ? error : {};
  const message = typeof said === 'string' ? said : String(error);
  if (typeof code === 'string' && code.startsWith('SQLITE_')) return { code, message };
  const [, number] =
    /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(String(code)) ??
    /^ConnectionFailed\(".*: (\d+)"\)$/s.exec(message) ??
    [];
  return { code: BY_NUMBER[Number(number) & 0xff] ?? 'UNEXPECTED', message };
};

/** The same as a sentence that names the file and says what a person can do. */
export const storeError = ({ code, message }: Failure, file: string): StoreError => {
  const [, primary = ''] = /^SQLITE_([A-Z]+)/.exec(code) ?? [];
  const say = (kind: StoreError['kind'], text: string): StoreError =>
    new StoreError(`${text} (${code})`, kind, { cause: message });
  switch (primary) {
    case 'FULL':
      return say(
        'full',
        `The store ${file} cannot grow, the disk is full: make room; a server that runs goes on by itself then.`,
      );
    case 'NOTADB':
      return say(
        'unreadable',
        `${file} is not a store of this program: name another file in AGENT_POLICY_STORE.`,
      );
    case 'CORRUPT':
      return say(
        'unreadable',
        `The store ${file} is damaged: stop the server and put back a backup, or move the file away and start afresh.`,
      );
    case 'CANTOPEN':
      return say(
        'unreadable',
        `The store ${file} cannot be opened: see that it is a file, and that this user may write it and its folder.`,
      );
    case 'READONLY':
    case 'PERM':
    case 'AUTH':
      return say(
        'unreadable',
        `The store ${file} may not be written: give this user the right to write it and its folder.`,
      );
    case 'BUSY':
    case 'LOCKED':
      return say('failed', `The store ${file} was kept busy by another process: try again.`);
    case 'IOERR':
      return say('failed', `The disk failed to read or write the store ${file}: see to the disk.`);
    default:
      return say('failed', `The store ${file} could not do what it was asked for: ${message}.`);
  }
};

export const closedError = (file: string): StoreError =>
  new StoreError(`The store ${file} is closed.`, 'closed');
