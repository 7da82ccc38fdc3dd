import { StoreError } from './store.js';

/** ISO 8601 to milliseconds since 1970. Throws StoreError where it is no time: nothing could ever find such a row. */
export const millis = (iso: string): number => {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) throw new StoreError('A row was to be stored whose time is no time.', 'failed');
  return at;
};

/** Milliseconds since 1970 to ISO 8601, UTC, with its milliseconds. */
export const iso = (at: number): string => new Date(at).toISOString();

export const toJson = (value: unknown): string => JSON.stringify(value);

/** A row as it was saved. Only what `toJson` wrote comes in here. */
export const fromJson = <T>(text: string): T => {
  try {
    const value: unknown = JSON.parse(text);
    return value as T;
  } catch (error) {
    throw new StoreError('A stored row cannot be read: put back a backup of the store.', 'unreadable', {
      cause: error,
    });
  }
};
