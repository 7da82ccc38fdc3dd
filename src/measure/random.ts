/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 up to 1. */
  unit(): number;
  /** A whole number from 0 up to `below`. */
  below(count: number): number;
  chance(share: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
}

/** 32 bits from a text or a number, spread evenly (FNV-1a). */
const hash = (text: string): number => {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    state = Math.imul(state ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return state;
};

/** Mulberry32, begun from whatever the parts spell: `createRandom(seed, 'case', 12)` needs no case before the twelfth. */
export const createRandom = (...parts: readonly (string | number)[]): Random => {
  let state = hash(parts.join('/'));
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(unit() * count);
  return {
    unit,
    below,
    chance: (share) => unit() < share,
    pick: (items) => items[below(items.length)] ?? items[0],
  };
};
