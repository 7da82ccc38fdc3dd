import { createGates, type GateDeps, type Gates } from '../../src/github/gate.js';

/** Gates of a process that was told nothing before and keeps what it is told to itself. */
export const openGates = (deps: Partial<GateDeps> = {}): Gates =>
  createGates({
    now: () => 0,
    sleep: async () => undefined,
    load: async () => undefined,
    save: async () => undefined,
    warn: (what) => {
      throw new Error(what);
    },
    ...deps,
  });
