import { type Delivery, envelopeOf } from '../acts/payload.js';
import { LANES, rankOf } from '../github/lane.js';
import type { Inbox, Queued } from '../store/inbox.js';
import { createCrowd } from './crowd.js';
import { type Failure, failureOfWork, nextTry, storeWait } from './failure-of-work.js';
import { createPayloads } from './payloads.js';
import { createQueue, type Which } from './queue.js';
import type { Turn } from './turn.js';

export interface WorkerDeps {
  readonly inbox: Inbox;
  /** Rejects when the delivery is to be tried again, or cannot be worked on. */
  readonly work: (delivery: Delivery, turn: Turn) => Promise<void>;
  /** True: nothing is begun. */
  readonly paused: () => boolean;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** As of CrowdDeps. */
  readonly busy: () => number;
  readonly log: {
    readonly done: (delivery: Queued) => void;
    /** `error`: what was thrown, for a log that hides what it must. */
    readonly failed: (delivery: Queued, failure: Failure, next: 'retry' | 'dead', error: unknown) => void;
    readonly store: (error: unknown) => void;
  };
}

export interface Worker {
  /** Takes up what is in the inbox and not here: what an earlier process left, what the command line queued again. */
  load(): Promise<void>;
  offer(item: Queued): void;
  /** Begins what may begin now. */
  pump(): void;
  /** Resolves once nothing is under way and nothing else may begin now. */
  idle(): Promise<void>;
  /** Begins nothing more and waits for what is under way. The GUIDs of what was not finished: it stays queued. */
  stop(patience: Promise<unknown>): Promise<readonly string[]>;
  status(): {
    readonly running: number;
    readonly queued: number;
    readonly held: number;
    readonly since: number | null;
  };
}

/** Deliveries worked on at once. They wait for GitHub nearly all the time. */
const SLOTS = 16;
/** Of these, kept free for what is urgent: people's checks, merge groups, and what may suspend. */
const URGENT = 4;
/** Of those, kept free for people's checks and merge groups: in an organization's bots what may suspend can go on for hours. */
const PEOPLES = 2;
/** What is less urgent waits while it is crowded. */
const PEOPLE = rankOf('people');
const PAGE = 1_000;

type Outcome =
  | { readonly kind: 'done' }
  /** Nothing was begun: it is large, and another large one is under way. */
  | { readonly kind: 'later' }
  | { readonly kind: 'elsewhere'; readonly repository: number }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly error: unknown };

const refused = (why: string): Outcome => ({
  kind: 'failed',
  failure: { kind: 'unreadable', why, retryAfter: null },
  error: null,
});

/** Works on the deliveries of an inbox until it is stopped. Nothing it does ends the process. */
export function createWorker(deps: WorkerDeps): Worker {
  const { inbox, log, now } = deps;
  const queue = createQueue();
  const crowd = createCrowd(deps);
  const payloads = createPayloads(inbox);
  const running = new Map<number, { readonly item: Queued; readonly since: number }>();
  /** How often in a row the store failed a delivery. */
  const storeFailed = new Map<number, number>();
  let stopping = false;
  let waiters: (() => void)[] = [];

  const workOn = async (item: Queued): Promise<Outcome> => {
    const read = await payloads.begin(item.id);
    if (read.kind === 'later') return read;
    const { stored } = read;
    if (stored === null || stored.state === 'done' || stored.state === 'dead') return { kind: 'done' };
    if (read.kind === 'none') return refused(read.why);
    const { payload } = read;
    // However long it waited here, it is judged as of when it came.
    const happenedAt = stored.happenedAt ?? stored.receivedAt;
    const delivery: Delivery = {
      id: item.guid,
      name: item.name,
      payload,
      happenedAt,
    };
    const repository = envelopeOf(delivery).repository?.id ?? null;
    // The hint was wrong or missing: it waits for its turn in the repository it is about.
    if (repository !== null && repository !== item.hint.repository) return { kind: 'elsewhere', repository };
    try {
      const lane = LANES[item.hint.lane] ?? 'words';
      await deps.work(delivery, { lane, checkComesLater: queue.asksLater(item) });
      return { kind: 'done' };
    } catch (error) {
      return { kind: 'failed', failure: failureOfWork(error), error };
    }
  };

  const settle = async (item: Queued, outcome: Outcome): Promise<void> => {
    const at = new Date(now()).toISOString();
    switch (outcome.kind) {
      case 'done':
        await inbox.done(item.id, at);
        storeFailed.delete(item.id);
        log.done(item);
        return;
      case 'later':
        queue.add(item);
        return;
      case 'elsewhere':
        queue.add({ ...item, hint: { ...item.hint, repository: outcome.repository } });
        return;
      case 'failed': {
        const { failure, error } = outcome;
        const inARow = storeFailed.get(item.id) ?? 0;
        const next = nextTry(failure, item.attempts, deps.random(), inARow);
        const { attempts } = next;
        if (next.kind === 'bury') {
          await inbox.bury(item.id, { attempts, at, error: failure.why });
          storeFailed.delete(item.id);
          log.failed(item, failure, 'dead', error);
          return;
        }
        const due = new Date(now() + next.wait).toISOString();
        await inbox.retry(item.id, { attempts, due, error: failure.why });
        if (failure.about === 'store') storeFailed.set(item.id, inARow + 1);
        else storeFailed.delete(item.id);
        queue.add({ ...item, attempts, due });
        log.failed(item, failure, 'retry', error);
      }
    }
  };

  const run = async (item: Queued): Promise<void> => {
    running.set(item.id, { item, since: now() });
    try {
      await settle(item, await workOn(item));
    } catch (error) {
      // The store did not take what became of it: it is as if it had not been worked on.
      log.store(error);
      if (stopping) return;
      const inARow = storeFailed.get(item.id) ?? 0;
      storeFailed.set(item.id, inARow + 1);
      queue.add({ ...item, due: new Date(now() + storeWait(inARow, deps.random())).toISOString() });
    } finally {
      payloads.end(item.id);
      running.delete(item.id);
      queue.free(item);
    }
  };

  const mayGo = (): Which => {
    const free = SLOTS - running.size;
    if (free <= PEOPLES) return 'people';
    return free > URGENT && crowd.mayBegin() ? 'all' : 'urgent';
  };

  const pump = (): void => {
    while (!stopping && !deps.paused() && running.size < SLOTS) {
      const item = queue.take(now(), mayGo(), ({ id }) => payloads.mayBegin(id));
      if (item === null) break;
      if (item.hint.lane > PEOPLE) crowd.began();
      void run(item).then(pump);
    }
    if (running.size > 0) return;
    const resolved = waiters;
    waiters = [];
    for (const resolve of resolved) resolve();
  };

  return {
    async load() {
      let after = 0;
      for (;;) {
        // One that fails meanwhile stands in the page as it was before.
        const atWork = new Set(running.keys());
        const page = await inbox.pending(after, PAGE);
        for (const item of page)
          if (!atWork.has(item.id) && !running.has(item.id) && !queue.has(item)) queue.add(item);
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) break;
        after = last.id;
      }
      pump();
    },
    offer(item) {
      crowd.note();
      if (!running.has(item.id)) queue.add(item);
      pump();
    },
    pump,
    idle() {
      return new Promise((resolve) => {
        waiters.push(resolve);
        pump();
      });
    },
    async stop(patience) {
      stopping = true;
      const finished = new Promise<void>((resolve) => waiters.push(resolve));
      pump();
      await Promise.race([finished, patience]);
      return [...running.values()].map(({ item }) => item.guid);
    },
    status() {
      const since = [...running.values()].map((one) => one.since);
      return {
        running: running.size,
        queued: queue.size,
        held: queue.held,
        since: since.length === 0 ? null : Math.min(...since),
      };
    },
  };
}
