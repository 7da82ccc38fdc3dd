import type { Lane } from '../github/lane.js';

/** What work on a delivery is told of its turn. */
export interface Turn {
  readonly lane: Lane;
  /** One that may go as soon as this one asks for the check of the same PR: it need not be written twice. */
  readonly checkComesLater: boolean;
}

export const ALONE: Turn = { lane: 'people', checkComesLater: false };
/** What waited for its time may end in a suspension. */
export const WAITED: Turn = { lane: 'hold', checkComesLater: false };
