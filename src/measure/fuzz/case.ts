import type { Expected } from './draft.js';

/** What is written at once, and what is asked of the answers to it. */
export interface Step {
  /** In order; `pause` milliseconds between them. */
  readonly pieces: readonly Buffer[];
  readonly pause: number;
  readonly expected: readonly Expected[];
  /** Milliseconds the answers may take, where that is not what any answer may. */
  readonly patience?: number;
  /** `kept`: the connection is used again. `ended`: we end our side. `cut`: we are gone at once. */
  readonly after: 'kept' | 'dropped' | 'ended' | 'cut';
}

/** One thing tried, on one connection. The same number under the same seed is the same case. */
export interface FuzzCase {
  readonly number: number;
  /** What is odd about it, in a few words. */
  readonly kind: string;
  readonly steps: readonly Step[];
}
