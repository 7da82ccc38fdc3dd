import { join } from 'node:path';
import { openStore } from '../../store/open.js';
import type { Store } from '../../store/store.js';
import { type Child, pause, startChild } from '../child.js';
import { startGitHub } from '../github-child.js';
import { createPlace, environmentOf, PREVIOUS_SECRET, SECRET, WEBHOOK_PATH } from '../stand-in.js';
import { caseOf } from './draw.js';
import { createLane } from './connection.js';
import { createFuzzLedger, type Difference, type FuzzLedger } from './ledger.js';
import { createLogWatch, type LogWatch } from './log.js';
import { createMemoryWatch } from './memory.js';
import type { Making } from './request.js';

export interface FuzzOptions {
  readonly count: number;
  readonly seed: number;
  /** Only this case; null: all of them. */
  readonly only: number | null;
}

export interface FuzzReport {
  readonly differences: readonly Difference[];
  readonly seconds: number;
  readonly answers: ReadonlyMap<number, number>;
  readonly stored: number;
  readonly states: Readonly<Record<string, number>>;
  readonly memory: { readonly warm: number; readonly end: number; readonly peak: number } | null;
}

/** Connections at once. */
const LANES = 16;
/** An answer may take so many milliseconds, also while the worker parses 25 MB. */
const PATIENCE = 10_000;
/** What the worker has left may take so many milliseconds more. */
const DRAIN_MS = 180_000;
const STOP_MS = 10_000;
const SAMPLE_MS = 100;
/** Bytes by which what the server keeps may grow after the warm-up: the cache of the store, the heap's slack. */
export const GROWTH = 64 * 1024 * 1024;
/**
 * Megabytes of heap that the server may take. Where V8 has gigabytes, it lets hundreds of megabytes lie before it collects
 * them, and what grows says nothing of what is kept.
 */
const HEAP = 96;
/** Enough to see what is wrong. */
const MOST = 25;

interface Running {
  readonly making: Making;
  readonly server: Child;
  readonly ledger: FuzzLedger;
  readonly log: LogWatch;
  readonly found: Difference[];
  readonly tell: (line: string) => void;
}

const about = (what: string): Difference => ({ case: null, kind: 'the run', what });

/** Sends the cases from `from` up to `end`, on several connections at once. Ends early where enough is wrong. */
const sendAll = async ({ making, server, ledger, found, tell }: Running, from: number, end: number) => {
  let next = from;
  const isOver = (): boolean => next >= end || found.length >= MOST || server.ended() !== undefined;
  const work = async (): Promise<void> => {
    const lane = createLane(server.port, PATIENCE);
    while (!isOver()) {
      const fuzzed = caseOf(making, next);
      next += 1;
      try {
        for (const step of fuzzed.steps) found.push(...ledger.note(fuzzed, step, await lane.send(step)));
      } catch (error) {
        const why = error instanceof Error ? error.message : 'unknown';
        found.push({ case: fuzzed.number, kind: fuzzed.kind, what: `not sent: ${why}` });
      }
      if (next % 1_000 === 0) tell(`${next} of ${end} cases`);
    }
    lane.close();
  };
  await Promise.all(Array.from({ length: LANES }, work));
};

/** Waits until nothing is left to be worked on. */
const drained = async (store: Store, server: Child): Promise<boolean> => {
  for (
    const end = Date.now() + DRAIN_MS;
    Date.now() < end && server.ended() === undefined;
    await pause(200)
  ) {
    const { queued, waiting } = await store.inbox.counts();
    if (queued + waiting === 0) return true;
  }
  return false;
};

/** What the process itself did wrong: ended, wrote errors, kept memory. */
const faultsOf = ({ server, log }: Running, memory: FuzzReport['memory']): readonly Difference[] => {
  const ended = server.ended();
  return [
    ...(ended === undefined
      ? []
      : [about(`the process ended: ${ended.signal ?? `exit ${ended.code ?? '?'}`}`)]),
    ...log.wrong.map((line) => about(`it wrote: ${line}`)),
    ...(memory !== null && memory.end - memory.warm > GROWTH
      ? [about(`memory grew by ${Math.round((memory.end - memory.warm) / 2 ** 20)} MB after the warm-up`)]
      : []),
  ];
};

const stopInOrder = async ({ server, found }: Running): Promise<void> => {
  if (server.ended() !== undefined) return;
  const { code, signal } = await server.stop(STOP_MS);
  if (code !== 0) found.push(about(`asked to stop, it ended with ${signal ?? code ?? '?'}`));
};

const measured = async (running: Running, options: FuzzOptions, file: string): Promise<FuzzReport> => {
  const { server, ledger, found, tell } = running;
  const watch = createMemoryWatch();
  const sampling = setInterval(() => {
    const bytes = server.rss();
    if (bytes !== null) watch.sample(bytes);
  }, SAMPLE_MS);
  const start = performance.now();
  const { only, count } = options;
  await sendAll(running, only ?? 0, only === null ? count : only + 1);
  const seconds = (performance.now() - start) / 1_000;
  clearInterval(sampling);
  const memory = watch.growth();
  tell('all sent; the worker goes on');
  const store = await openStore({ file, lock: 'beside' });
  try {
    if (!(await drained(store, server))) found.push(about('not all that was stored could be worked on'));
    // First, since only so many are printed.
    found.unshift(...faultsOf(running, memory));
    await stopInOrder(running);
    tell('comparing with the store');
    found.push(...(await ledger.compare(store)));
    const { answers, stored } = ledger;
    return { differences: found, seconds, answers, stored, states: await store.inbox.counts(), memory };
  } finally {
    await store.close();
  }
};

/** Sends broken and sound deliveries to a real server process, and compares what it did with what it has to do. */
export const runFuzz = async (options: FuzzOptions, tell: (line: string) => void): Promise<FuzzReport> => {
  const place = createPlace();
  const github = await startGitHub(2);
  const log = createLogWatch();
  const file = join(place.folder, 'fuzz.db');
  let server: Child | undefined;
  try {
    const [first, ...others] = await github.samples({ each: 6, size: 30_000 });
    if (first === undefined) throw new Error('there are no samples');
    server = await startChild({
      entry: '../server.js',
      heap: HEAP,
      env: environmentOf(place, github.url, file),
      cwd: place.folder,
      alive: '/healthz',
      onLine: log.line,
    });
    const making: Making = {
      seed: options.seed,
      secrets: { current: SECRET, previous: PREVIOUS_SECRET },
      path: WEBHOOK_PATH,
      samples: [first, ...others],
    };
    return await measured(
      { making, server, ledger: createFuzzLedger(), log, found: [], tell },
      options,
      file,
    );
  } finally {
    server?.kill();
    await github.stop();
    place.remove();
  }
};
