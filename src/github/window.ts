/** How much was spent within a span of time that moves along. Time comes in as milliseconds. */
export interface Window {
  used(now: number): number;
  add(now: number, amount: number): void;
  /** Milliseconds until `amount` fits below `limit`; 0: it fits now. Infinity where it never does. */
  waitFor(now: number, amount: number, limit: number): number;
}

interface Slot {
  number: number;
  amount: number;
}

/**
 * A window of `span` milliseconds kept in `slots` parts. What was spent in a part counts until the whole part has left
 * the window, so in no span is more spent than the limit. A bucket of tokens would allow twice as much at once: a full
 * bucket, and what is refilled meanwhile.
 */
export const createWindow = (span: number, slots: number): Window => {
  const width = span / slots;
  const kept: Slot[] = [];
  const endOf = (slot: Slot): number => (slot.number + 1) * width + span;
  const drop = (now: number): void => {
    const number = Math.floor(now / width);
    // What was spent by a clock that was ahead counts as spent just now, and leaves the window as that does.
    for (const slot of kept) if (slot.number > number) slot.number = number;
    while (kept[0] !== undefined && endOf(kept[0]) <= now) kept.shift();
  };
  const used = (now: number): number => {
    drop(now);
    return kept.reduce((sum, { amount }) => sum + amount, 0);
  };
  return {
    used,
    add(now, amount) {
      drop(now);
      const number = Math.floor(now / width);
      const last = kept.at(-1);
      if (last !== undefined && last.number === number) last.amount += amount;
      else kept.push({ number, amount });
    },
    waitFor(now, amount, limit) {
      let over = used(now) + amount - limit;
      if (over <= 0) return 0;
      for (const slot of kept) {
        over -= slot.amount;
        if (over <= 0) return endOf(slot) - now;
      }
      return Number.POSITIVE_INFINITY;
    },
  };
};
