import { setImmediate } from 'node:timers/promises';
import { createEngine } from './engine.js';
import type { Executor } from './executor.js';
import { closedError, storeError } from './failure.js';
import { openFile, type FileOptions } from './open-file.js';

/** Runs each unit at once, blocking: for `:memory:`, and for a command that ends soon. Throws StoreError. */
export const openInProcess = (options: FileOptions): Executor => {
  const opened = openFile(options);
  const engine = createEngine(opened.connection);
  let closed = false;
  return {
    async run(unit) {
      if (closed) throw closedError(options.file);
      const [outcome] = engine.run([unit]);
      if (outcome === undefined) return [];
      if (outcome.kind === 'failed') throw storeError(outcome.failure, options.file);
      return outcome.answers;
    },
    async close() {
      // What was asked for in this turn is on its way through promises.
      await setImmediate();
      if (closed) return;
      closed = true;
      opened.close();
    },
  };
};
