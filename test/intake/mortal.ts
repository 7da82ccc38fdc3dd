import { setImmediate } from 'node:timers/promises';
import { Octokit } from '@octokit/core';
import type { Delivery } from '../../src/acts/payload.js';
import { failureOfWork } from '../../src/intake/failure-of-work.js';
import { createIntake } from '../../src/intake/receive.js';
import type { Turn } from '../../src/intake/turn.js';
import type { Case } from '../../src/sandbox/case.js';
import { createSandbox } from '../../src/sandbox/create.js';
import { deliveryTime, timeAfter } from '../../src/sandbox/event-time.js';
import { CASE_START_MS } from '../../src/sandbox/instant.js';
import { parseCase } from '../../src/sandbox/parse-case.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import type { Ledger } from '../../src/store/ledger.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { clientFor } from './client-for.js';
import { INSTALLED } from './installed.js';

/**
 * Where a process dies: before it sends a request, after GitHub has done one whose answer it does not get, or before
 * it writes something down. Counted from 0 over the whole story.
 */
export interface Death {
  readonly point: 'before' | 'after' | 'write';
  readonly at: number;
}

/** What a process leaves behind when it dies goes on for ever, and does nothing any more. */
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** One process after another, of which one may die once. Counts what they do. */
const createFate = (death: Death | null) => {
  const done = { requests: [] as string[], writes: 0 };
  const begin = () => {
    let announce: (died: 'died') => void = () => undefined;
    const died = new Promise<'died'>((resolve) => (announce = resolve));
    const life = {
      ended: false,
      died,
      end: <T>(): Promise<T> => {
        life.ended = true;
        announce('died');
        return never<T>();
      },
    };
    return life;
  };
  return {
    done,
    begin,
    strikes: (point: Death['point'], at: number): boolean => death?.point === point && death.at === at,
  };
};
type Fate = ReturnType<typeof createFate>;
type Life = ReturnType<Fate['begin']>;

const WRITES = /^(save|suspend$|resume$|note|wait$|unwait$)/;

/** The ledger as one process sees it: when it dies before a write, what it wrote earlier stands, and nothing follows. */
const ledgerOf = (ledger: Ledger, fate: Fate, life: Life): Ledger => {
  const written = <T>(write: () => Promise<T>): Promise<T> => {
    const number = fate.done.writes;
    fate.done.writes += 1;
    return fate.strikes('write', number) ? life.end() : write();
  };
  return new Proxy(ledger, {
    get(target, name: keyof Ledger & string) {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) => {
        const call = () => method.apply(target, args);
        if (life.ended) return never();
        return WRITES.test(name) ? written(call) : call();
      };
    },
  });
};

interface World {
  readonly sandbox: Sandbox;
  readonly store: Store;
  readonly clock: { now: number };
  readonly fate: Fate;
  readonly life: Life;
  readonly warned: string[];
  readonly through: Story['through'];
}

const processOn = ({ sandbox, store, clock, fate, life, warned, through }: World) => {
  const answer = through?.(sandbox.fetch, () => clock.now) ?? sandbox.fetch;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (life.ended) return never();
    const number = fate.done.requests.length;
    fate.done.requests.push(init?.method ?? 'GET');
    if (fate.strikes('before', number)) return life.end();
    const response = await answer(input, init);
    if (fate.strikes('after', number)) return life.end();
    return life.ended ? never() : response;
  };
  const now = () => clock.now;
  const sleep = async (ms: number): Promise<void> => void (clock.now += ms);
  const ledger = ledgerOf(store.repository(1), fate, life);
  return createIntake({
    store: { repository: () => ledger, saveRepository: async () => undefined },
    client: clientFor(async () => new Octokit({ request: { fetch } }), {
      now,
      sleep,
      load: (key) => store.cursor(key),
      save: (key, until) => store.saveCursor(key, until),
    }),
    now,
    sleep,
    ...INSTALLED,
    warn: (what) => warned.push(what),
  });
};

export interface Story {
  readonly yaml: string;
  readonly lag?: number;
  /** Milliseconds between a death and the next process. */
  readonly downtime?: number;
  readonly death?: Death;
  /** Each delivery is given once more by another process: the one that did it died before it could say so. */
  readonly again?: true;
  /** The database is lost after so many events. */
  readonly forgetAfter?: number;
  /** Wraps the sandbox's `fetch`; `now` is the clock of the story. */
  readonly through?: (fetch: typeof globalThis.fetch, now: () => number) => typeof globalThis.fetch;
}

/** What a story came to. */
export interface Lived {
  readonly sandbox: Sandbox;
  readonly ledger: Ledger;
  /** The method of each request that was sent, or was to be. */
  readonly requests: readonly string[];
  readonly writes: number;
  readonly deaths: number;
  readonly putOffs: number;
  readonly warned: readonly string[];
  /** Closes the store. */
  readonly end: () => Promise<void>;
}

export const caseOf = (yaml: string): Case => {
  const [one] = parseCase(yaml, 'mortal');
  if (one === undefined) throw new Error('no case');
  return one;
};

const TURN: Turn = { lane: 'hold', checkComesLater: false };
const TRIES = 6;

/**
 * Lives through a story: each delivery is given until it is worked on, as the inbox does, by a process that may die in
 * the middle and is followed by another one, which knows only the store.
 */
export const live = async (story: Story): Promise<Lived> => {
  const { yaml, lag = 0, downtime = 5_000, death, again, forgetAfter, through } = story;
  const told = caseOf(yaml);
  const clock = { now: CASE_START_MS };
  const sandbox = createSandbox({
    world: told.world,
    policy: told.policy,
    clock: { now: () => clock.now },
    webhookSecret: 'secret',
    events: told.events,
    lag,
  });
  let store = await openStore({ file: ':memory:' });
  const warned: string[] = [];
  const fate = createFate(death ?? null);
  let deaths = 0;
  let putOffs = 0;
  let life = fate.begin();
  const begin = () => processOn({ sandbox, store, clock, fate, life, warned, through });
  let intake = begin();

  const next = (): void => {
    life = fate.begin();
    intake = begin();
  };

  const untilDone = async (work: () => Promise<void>): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const outcome = await Promise.race([
        life.died,
        work().then(
          () => 'done' as const,
          (error: unknown) =>
            failureOfWork(error).kind === 'unexpected' ? Promise.reject(error) : failureOfWork(error),
        ),
      ]);
      if (outcome === 'done') return;
      if (outcome === 'died') {
        deaths += 1;
        // What the dead process had begun in this turn comes to nothing.
        await setImmediate();
        next();
      }
      if (outcome !== 'died') putOffs += 1;
      clock.now += outcome === 'died' ? downtime : (outcome.retryAfter ?? downtime);
    }
    throw new Error('it is never done');
  };

  for (const [index, event] of told.events.entries()) {
    if (index === forgetAfter) {
      await store.close();
      store = await openStore({ file: ':memory:' });
      next();
    }
    if (event.kind === 'deliver') {
      clock.now = Math.max(clock.now, deliveryTime(event, 0, clock.now));
      for (const { guid, name, body } of sandbox.deliverAll(event, 0)) {
        const delivery: Delivery = { id: guid, name, payload: JSON.parse(body) as unknown };
        await untilDone(() => intake.receive(delivery, TURN));
        if (again === undefined) continue;
        next();
        clock.now += downtime;
        await untilDone(() => intake.receive(delivery, TURN));
      }
    } else if (event.kind === 'tick') {
      clock.now = timeAfter(event, clock.now);
      for (const { waiting } of await store.due(new Date(clock.now).toISOString()))
        await untilDone(() => intake.resume(waiting));
    } else throw new Error(`a story holds no ${event.kind}`);
  }
  // Until all that was made is in GitHub's lists.
  clock.now += lag;
  return {
    sandbox,
    ledger: store.repository(1),
    ...fate.done,
    deaths,
    putOffs,
    warned,
    end: () => store.close(),
  };
};
