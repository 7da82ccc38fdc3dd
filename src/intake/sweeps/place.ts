import type { z } from 'zod';
import type { Store } from '../../store/store.js';

/** Where a sweep got to, kept in the store: a process that dies leaves off nowhere else. */
export interface Place<T> {
  /** Undefined: never been there, or written by a version that kept other things. Then the sweep begins anew. */
  read(): Promise<T | undefined>;
  save(value: T): Promise<void>;
}

export type Places = Pick<Store, 'cursor' | 'saveCursor'>;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** The place of a sweep by its key: `sweep:deliveries`. */
export const placeOf = <T>(store: Places, key: string, shape: z.ZodType<T>): Place<T> => ({
  async read() {
    const text = await store.cursor(key);
    const result = shape.safeParse(text === undefined ? undefined : parsed(text));
    return result.success ? result.data : undefined;
  },
  save: (value) => store.saveCursor(key, JSON.stringify(value)),
});
