/**
 * Rows in the order they came, found by id and by one key: thousands of them must not slow down what asks for a few.
 * Where two have one id, the first is found by it.
 */
export interface Rows<K, T extends { readonly id: number }> extends Iterable<T> {
  add(row: T): void;
  remove(row: T): void;
  get(id: number): T | undefined;
  /** Those with that key, in the order they came. */
  of(key: K): readonly T[];
}

export const createRows = <K, T extends { readonly id: number }>(keyOf: (row: T) => K): Rows<K, T> => {
  const all = new Set<T>();
  const byId = new Map<number, T>();
  const byKey = new Map<K, T[]>();
  return {
    add: (row) => {
      all.add(row);
      if (!byId.has(row.id)) byId.set(row.id, row);
      const key = keyOf(row);
      const others = byKey.get(key);
      if (others === undefined) byKey.set(key, [row]);
      else others.push(row);
    },
    remove: (row) => {
      all.delete(row);
      if (byId.get(row.id) === row) byId.delete(row.id);
      const others = byKey.get(keyOf(row));
      const index = others?.indexOf(row) ?? -1;
      if (index >= 0) others?.splice(index, 1);
    },
    get: (id) => byId.get(id),
    of: (key) => byKey.get(key) ?? [],
    [Symbol.iterator]: () => all[Symbol.iterator](),
  };
};
