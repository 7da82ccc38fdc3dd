import type { Answer, Unit } from './statement.js';

/** Where units are run. What resolves is on the disk. */
export interface Executor {
  /** Rejects with StoreError. */
  readonly run: (unit: Unit) => Promise<readonly Answer[]>;
  /** Finishes what was asked for before; everything after it is refused. */
  readonly close: () => Promise<void>;
}
