/** How much memory a process holds when it holds least: what it keeps, and not what it is just about to let go. */
export interface MemoryWatch {
  /** Bytes, now. */
  sample(bytes: number): void;
  /** The least of the first windows after the warm-up, and of the last ones; null: too short a run to tell. */
  growth(): { readonly warm: number; readonly end: number; readonly peak: number } | null;
}

/** Samples of one window. */
const WINDOW = 20;
/** Share of the run that counts as warm-up: caches fill, code is compiled. */
const WARM_UP = 0.25;
/** Windows looked at on either side. */
const COMPARED = 3;

export const createMemoryWatch = (): MemoryWatch => {
  const samples: number[] = [];
  return {
    sample: (bytes) => void samples.push(bytes),
    growth() {
      const windows = Array.from({ length: Math.floor(samples.length / WINDOW) }, (_, at) =>
        Math.min(...samples.slice(at * WINDOW, (at + 1) * WINDOW)),
      ).slice(Math.ceil((samples.length / WINDOW) * WARM_UP));
      if (windows.length < 2 * COMPARED) return null;
      return {
        warm: Math.min(...windows.slice(0, COMPARED)),
        end: Math.min(...windows.slice(-COMPARED)),
        peak: samples.reduce((most, one) => Math.max(most, one), 0),
      };
    },
  };
};
