/** How much memory a process holds when it holds least: what it keeps, and not what it is just about to let go. */
export interface MemoryWatch {
  /** Bytes, now. */
  sample(bytes: number): void;
  /**
   * What it held at least in a window, and of that the most: in the first third after the warm-up, and in the last. Null:
   * too short a run to tell.
   */
  growth(): { readonly warm: number; readonly end: number; readonly peak: number } | null;
}

/** Samples of one window. */
const WINDOW = 20;
/** Share of the run that counts as warm-up: caches fill, code is compiled. */
const WARM_UP = 0.25;
/** Windows that there are at least in a third. */
const LEAST = 3;

export const createMemoryWatch = (): MemoryWatch => {
  const samples: number[] = [];
  return {
    sample: (bytes) => void samples.push(bytes),
    growth() {
      const windows = Array.from({ length: Math.floor(samples.length / WINDOW) }, (_, at) =>
        Math.min(...samples.slice(at * WINDOW, (at + 1) * WINDOW)),
      ).slice(Math.ceil((samples.length / WINDOW) * WARM_UP));
      const third = Math.floor(windows.length / 3);
      if (third < LEAST) return null;
      return {
        // Memory falls by a quarter when V8 collects everything, once a minute perhaps: the most tells of what is kept.
        warm: Math.max(...windows.slice(0, third)),
        end: Math.max(...windows.slice(-third)),
        peak: samples.reduce((most, one) => Math.max(most, one), 0),
      };
    },
  };
};
