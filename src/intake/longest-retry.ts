import { LONGEST_WAIT, MINUTE } from '../github/limits.js';
import { LONGEST_MS } from './failure-of-work.js';

/** No next try is further away than this when it is noted, with the moment that is added to a wait GitHub asks for. Milliseconds. */
export const LONGEST_RETRY = Math.max(LONGEST_MS, LONGEST_WAIT) + MINUTE;
