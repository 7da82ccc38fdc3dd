import type { Delivery } from '../acts/payload.js';
import type { Accepted, Arrival } from '../store/inbox.js';
import type { Waiting } from '../store/ledger.js';
import { type Store, StoreError } from '../store/store.js';
import { hintOf, isRead } from './hints.js';
import type { Intake } from './receive.js';
import type { SweepReport, Sweeps } from './sweeps/sweeps.js';
import type { Turn } from './turn.js';
import { createWaited } from './waited.js';
import { createWorker, type Worker, type WorkerDeps } from './worker.js';

/** A verified webhook, as it came. */
export interface Incoming {
  readonly guid: string;
  readonly name: string;
  readonly body: Uint8Array;
}

export interface ServiceDeps {
  readonly store: Store;
  readonly intake: Pick<Intake, 'receive' | 'resume'>;
  /** `downSince`: when an earlier process was last seen, where that was long ago; ISO 8601, UTC. */
  readonly sweeps: (accept: (arrival: Arrival) => Promise<Accepted>, downSince: string | null) => Sweeps;
  readonly killSwitch: () => boolean;
  readonly now: () => number;
  readonly random: () => number;
  /** As of CrowdDeps; never busy where it is left out. */
  readonly busy?: (() => number) | undefined;
  /** Milliseconds that bodies and acts are kept. */
  readonly keep: { readonly bodies: number; readonly acts: number };
  readonly log: WorkerDeps['log'] & {
    readonly waits: (waiting: Waiting, why: string, error: unknown) => void;
    readonly pruned: (counts: {
      readonly bodies: number;
      readonly deliveries: number;
      readonly acts: number;
    }) => void;
    readonly sweep: (error: unknown) => void;
  };
}

/** What a health check tells. Times are ISO 8601, UTC. */
export interface Readiness {
  readonly ready: boolean;
  readonly store: 'ok' | 'failing';
  readonly killSwitch: boolean;
  /** `since`: when the oldest that is under way was begun; ISO 8601, UTC. */
  readonly worker: Omit<ReturnType<Worker['status']>, 'since'> & { readonly since: string | null };
  readonly oldestUndone: string | null;
  readonly dead: number;
  readonly sweeps: readonly SweepReport[];
}

export interface Service {
  /** Takes up what an earlier process left. */
  start(): Promise<void>;
  /** `unread`: no rule listens to this event, and nothing was stored. Rejects with StoreError: then it is not taken. */
  accept(incoming: Incoming): Promise<Accepted['kind'] | 'unread'>;
  /** Does what is due by the clock. Never runs a part of itself twice at once. Rejects when something that waited could not be worked on. */
  tick(): Promise<void>;
  /** Resolves once nothing is under way and nothing may begin before the clock moves. */
  idle(): Promise<void>;
  readiness(): Promise<Readiness>;
  /** Begins nothing more, gives what is under way `patience` milliseconds, and closes the store. The GUIDs of what stays queued. */
  stop(patience: number): Promise<readonly string[]>;
}

/** Milliseconds between two notes that the process lives. */
const ALIVE_MS = 30_000;
/** A process that was not seen for this long was down. */
const DOWN_MS = 120_000;
const PRUNE_MS = 60 * 60_000;
/** The command line may have queued a dead letter again: noticed within this. */
const LOAD_MS = 5_000;
/** GUIDs are remembered at least this long: GitHub redelivers for three days, an Enterprise Server for seven. */
const GUIDS_MS = 30 * 24 * 60 * 60_000;
/** A delivery that takes longer than this is stuck. */
const STUCK_MS = 15 * 60_000;
/** Above this many in memory, what others queue is left in the store until there is room. */
const ROOM = 1_000;

/** Runs one thing at a time: who asks while it runs gets the run there is. */
const singly = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | undefined;
  return () => (running ??= work().finally(() => (running = undefined)));
};

/** Store, worker, what waits and sweeps, as one thing that is started, ticks, and is stopped. */
export function createService(deps: ServiceDeps): Service {
  const { store, intake, log, now } = deps;
  const { inbox } = store;
  const iso = (ago = 0): string => new Date(now() - ago).toISOString();
  const worker = createWorker({
    inbox,
    work: (delivery: Delivery, turn: Turn) => intake.receive(delivery, turn),
    paused: deps.killSwitch,
    now,
    random: deps.random,
    busy: deps.busy ?? (() => 0),
    log,
  });
  let stopping = false;
  let sweeps: Sweeps | undefined;

  const put = async (arrival: Arrival): Promise<Accepted> => {
    const accepted = await inbox.accept(arrival);
    if (accepted.kind !== 'known') {
      const { guid, name, receivedAt, hint } = arrival;
      worker.offer({ id: accepted.id, guid, name, receivedAt, hint, attempts: 0, due: null });
    }
    return accepted;
  };

  const every = (ms: number, work: () => Promise<void>): (() => Promise<void>) => {
    let next = Number.NEGATIVE_INFINITY;
    return singly(async () => {
      // A clock that was set back must not stop everything until it has caught up.
      if (now() < next && next - now() <= ms) return;
      next = now() + ms;
      await work();
    });
  };

  /** The last thing that was to be written was not: a store that is full still reads. */
  let failing = false;
  const written = async <T>(write: Promise<T>): Promise<T> => {
    try {
      const answer = await write;
      failing = false;
      return answer;
    } catch (error) {
      failing = true;
      throw error;
    }
  };
  const saveAlive = (): Promise<void> => store.saveCursor('alive', JSON.stringify(iso()));
  const noteAlive = every(ALIVE_MS, () => written(saveAlive()));
  const loadOthers = every(LOAD_MS, async () => {
    if (worker.status().queued < ROOM) await worker.load();
  });
  const prune = every(PRUNE_MS, async () => {
    const guids = Math.max(GUIDS_MS, deps.keep.bodies);
    log.pruned(
      await store.prune({
        bodiesSince: iso(deps.keep.bodies),
        deliveriesSince: iso(guids),
        actsSince: iso(deps.keep.acts),
      }),
    );
  });

  const waited = createWaited({
    store,
    intake,
    now,
    random: deps.random,
    stopping: () => stopping,
    told: log.waits,
  });
  const sweep = singly(async () => {
    try {
      await sweeps?.tick();
    } catch (error) {
      log.sweep(error);
    }
  });

  const readiness = async (): Promise<Readiness> => {
    const status = worker.status();
    const stuck = status.since !== null && now() - status.since > STUCK_MS;
    const since = status.since === null ? null : new Date(status.since).toISOString();
    const killSwitch = deps.killSwitch();
    try {
      const [oldestUndone, dead, last] = await Promise.all([
        inbox.oldestUndone(),
        inbox.dead(),
        sweeps?.last() ?? [],
      ]);
      const ready = !stopping && !stuck && !failing && sweeps !== undefined;
      const told = { killSwitch, worker: { ...status, since }, oldestUndone, dead, sweeps: last };
      return { ready, store: failing ? 'failing' : 'ok', ...told };
    } catch {
      // The store says nothing: that is what this is asked for.
      const unknown = { oldestUndone: null, dead: 0, sweeps: [] };
      return { ready: false, store: 'failing', killSwitch, worker: { ...status, since }, ...unknown };
    }
  };
  let asking: Promise<Readiness> | undefined;

  const lastAlive = async (): Promise<string | null> => {
    const text = await store.cursor('alive');
    const value: unknown = text === undefined ? null : JSON.parse(text);
    return typeof value === 'string' ? value : null;
  };

  return {
    async start() {
      const alive = await lastAlive();
      // One that is still to come was noted by a clock that was ahead: it does not tell that nobody was away.
      const down = alive !== null && Math.abs(now() - Date.parse(alive)) >= DOWN_MS;
      sweeps = deps.sweeps(put, down ? alive : null);
      try {
        await noteAlive();
      } catch (error) {
        // A full disk still reads: what can be done is done, and the health check says that nothing is taken.
        if (!(error instanceof StoreError)) throw error;
        log.store(error);
      }
      await worker.load();
    },
    async accept({ guid, name, body }) {
      if (!isRead(name)) return 'unread';
      const arrival = { guid, name, body, receivedAt: iso(), happenedAt: null, hint: hintOf(name, body) };
      return (await written(put(arrival))).kind;
    },
    async tick() {
      if (stopping) return;
      worker.pump();
      if (deps.killSwitch()) {
        await noteAlive();
        return;
      }
      await Promise.all([noteAlive(), loadOthers(), prune(), sweep(), waited.resumeDue()]);
    },
    idle: () => worker.idle(),
    // Whoever asks meanwhile gets the same answer: a flood of questions must not keep deliveries from the store.
    readiness: () => (asking ??= readiness().finally(() => (asking = undefined))),
    async stop(patience) {
      stopping = true;
      // From here on nothing is taken; and a stop that is cut off must not look like a process that was long gone.
      const noted = saveAlive().catch((error: unknown) => log.store(error));
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, patience)));
      const [unfinished] = await Promise.all([
        worker.stop(late),
        Promise.race([sweeps?.stop(), late]),
        Promise.race([waited.settled(), late]),
      ]);
      clearTimeout(timer);
      await noted;
      await store.close();
      return unfinished;
    },
  };
}
