import { fail, ok, skip, type Finding } from './doctor-finding.js';

/** Milliseconds. GitHub refuses an App's token whose times are off by more. */
const TOLERATED = 30_000;

interface Reading {
  /** Milliseconds that our clock is ahead of GitHub's. */
  readonly ahead: number;
  /** Milliseconds between asking and the answer: the reading is as exact as half of it, and a second. */
  readonly took: number;
}

/** Reads GitHub's clock off its answers, good or bad. */
export interface ClockReader {
  readonly fetch: typeof globalThis.fetch;
  finding(): Finding;
}

const difference = (ms: number): string => {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  return seconds < 120 ? `${String(seconds)} s` : `${String(Math.round(seconds / 60))} min`;
};

export const createClockReader = (fetch: typeof globalThis.fetch, now: () => number): ClockReader => {
  let best: Reading | undefined;
  return {
    fetch: async (input, init) => {
      const asked = now();
      const response = await fetch(input, init);
      const answered = now();
      const theirs = Date.parse(response.headers.get('date') ?? '');
      const reading = { ahead: (asked + answered) / 2 - theirs, took: answered - asked };
      if (!Number.isNaN(theirs) && (best === undefined || reading.took < best.took)) best = reading;
      return response;
    },
    finding() {
      if (best === undefined) return skip('clock', 'no answer of GitHub told its time');
      const { ahead, took } = best;
      // The header counts whole seconds, and a slow answer says little.
      if (Math.abs(ahead) <= TOLERATED + took / 2 + 1_000)
        return ok('clock', `this machine and GitHub are ${difference(ahead)} apart`);
      return fail(
        'clock',
        `the clock of this machine is ${difference(ahead)} ${ahead > 0 ? 'ahead of' : 'behind'} GitHub's`,
        'Let a time service set it (chrony, systemd-timesyncd): GitHub refuses tokens of another time',
      );
    },
  };
};
