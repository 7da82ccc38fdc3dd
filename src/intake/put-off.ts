import type { Handled } from './deps.js';

/**
 * GitHub gave no answer that a decision needs, for now. Nothing was judged, and what was written says no more than
 * that. The delivery is to be given again, or goes on waiting.
 */
export class PutOff extends Error {
  constructor(
    why: string,
    readonly handled: Handled,
    /** Milliseconds GitHub asks to wait at least; null: it does not say. */
    readonly retryAfter: number | null = null,
  ) {
    super(why);
    this.name = 'PutOff';
  }
}
