import { isLongAgo } from '../github/left-until.js';

/**
 * Whether so much comes in that to take it needs the process for itself. GitHub waits ten seconds for a delivery to be
 * acknowledged and does not send it again by itself; what was taken is safe and can wait. So while it is crowded, work
 * below people's checks is begun now and then only.
 */
export interface Crowd {
  /** A delivery came in. */
  note(): void;
  /** Whether work below people's checks may begin now. */
  mayBegin(): boolean;
  /** It was begun. */
  began(): void;
}

export interface CrowdDeps {
  /** Milliseconds. */
  readonly now: () => number;
  /** The share of the time since it was last asked, from 0 to 1, in which the process had something to do. */
  readonly busy: () => number;
}

/** Milliseconds over which deliveries are counted. */
const WINDOW = 250;
/** In one window: a hundred a second. An organization of thousands does not get there for longer than a burst. */
const MANY = 25;
/** While the process waits for GitHub most of the time, work takes nothing from anybody. */
const BUSY = 0.5;
/** Milliseconds between two deliveries that are begun although it is crowded. */
const NOW_AND_THEN = 250;

export const createCrowd = ({ now, busy }: CrowdDeps): Crowd => {
  let began = Number.NEGATIVE_INFINITY;
  let window = Number.NEGATIVE_INFINITY;
  let count = 0;
  let crowded = false;

  const at = (): number => Math.floor(now() / WINDOW);

  return {
    note() {
      const current = at();
      if (current !== window) {
        const share = busy();
        crowded = current === window + 1 && count >= MANY && share >= BUSY;
        window = current;
        count = 0;
      }
      count += 1;
    },
    mayBegin: () => !crowded || at() < window || at() > window + 1 || isLongAgo(began, now(), NOW_AND_THEN),
    began() {
      began = now();
    },
  };
};
