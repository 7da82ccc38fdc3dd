/** What one request holds of the memory that all of them share. */
export interface Share {
  /** Holds one more piece of a body; false: there is no room for it, and it is not to be kept. */
  take(bytes: number): boolean;
  /** Gives back all that was taken. */
  release(): void;
}

/** The memory that bodies on their way in may take together. */
export interface Held {
  share(): Share;
  /** Bytes held now, with what each piece costs beside its own bytes. */
  bytes(): number;
}

/**
 * What a Buffer costs beside its bytes, rounded up: a sender that sends a byte at a time makes one of each. A delivery
 * of 25 MB that comes in pieces of one network frame (1448 bytes) counts as 34 MB.
 */
const PER_PIECE = 512;

/** One budget of `limit` bytes for all requests. `full` is called once for each time that it runs out. */
export const createHeld = (limit: number, full: () => void): Held => {
  let held = 0;
  let told = false;
  return {
    share() {
      let own = 0;
      return {
        take(bytes) {
          const cost = bytes + PER_PIECE;
          if (held + cost > limit) {
            if (!told) full();
            told = true;
            return false;
          }
          held += cost;
          own += cost;
          return true;
        },
        release() {
          held -= own;
          own = 0;
          // Not at every byte that comes free: a flood would write a line for each.
          if (held < limit / 2) told = false;
        },
      };
    },
    bytes: () => held,
  };
};
