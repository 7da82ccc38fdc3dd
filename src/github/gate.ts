import { RequestFailure } from './failure.js';
import { type Lane, rankOf } from './lane.js';
import { leftUntil } from './left-until.js';
import {
  HOUR,
  type Limits,
  LONGEST_WAIT,
  MINUTE,
  POINTS,
  PUBLISHED,
  shareOf,
  type Weight,
} from './limits.js';
import { type Bucket, type Budget, messageIn, toldBy } from './rate-limit.js';
import { createToldToWait, type ToldToWaitDeps } from './told-to-wait.js';
import { createWindow } from './window.js';

/** One request that wants to go out. */
export interface Ticket {
  readonly lane: Lane;
  readonly weight: Weight;
  readonly bucket: Bucket;
  /** Method and path, no query: for the failure that says it was not sent. */
  readonly request: string;
}

export interface GateDeps extends ToldToWaitDeps {
  readonly sleep: (ms: number) => Promise<void>;
  readonly limits?: Limits;
}

/** The way out to GitHub for one identity: an installation, or the App itself. */
export interface Gate {
  /**
   * Sends as soon as it may. Rejects with a RequestFailure (`rate-limit`, with the time left) and sends nothing where
   * that is more than two seconds away. An answer that asks to wait and does not say how long comes back with
   * `retry-after` filled in.
   */
  pass(ticket: Ticket, send: () => Promise<Response>): Promise<Response>;
  /** What is left of the hour's budget of REST requests, as the last answers told it; null: unknown. */
  remaining(): number | null;
}

/** Milliseconds a request waits here at most; what takes longer is better put back in its queue. */
export const PATIENCE = 2_000;

interface Waiter {
  readonly ticket: Ticket;
  /** Milliseconds it has waited by the gate's own sleeps: a clock that stands still must not hold it for ever. */
  waited: number;
  readonly send: () => void;
  readonly fail: (failure: RequestFailure) => void;
}

/** `room`: until an answer comes. `wait`: for so long. `forAll`: nobody further back may go either. */
type Obstacle =
  | { readonly kind: 'room' }
  | {
      readonly kind: 'wait';
      readonly ms: number;
      readonly why: keyof typeof HINTS;
      readonly forAll: boolean;
    };

const HINTS = {
  told: 'not sent, since GitHub asks to wait',
  pace: 'not sent yet, to stay below the limits GitHub publishes',
} as const;

/** Time comes from `deps`, and only what GitHub told to wait outlives the process. */
export const createGate = (identity: string, deps: GateDeps): Gate => {
  const { now, limits = PUBLISHED } = deps;
  const told = createToldToWait(identity, deps);
  const budgets = new Map<Bucket, { readonly budget: Budget; readonly resetAt: number }>();
  const points = createWindow(MINUTE, 60);
  const minute = createWindow(MINUTE, 60);
  const hour = createWindow(HOUR, 60);
  const queue: Waiter[] = [];
  let underWay = 0;
  /** Limits without a time, one after another; each waits twice as long. */
  let strikes = 0;
  /** Counts the times it was shut: answers to requests sent before that tell nothing new. */
  let shutting = 0;
  let wakeAt = Number.POSITIVE_INFINITY;

  const budgetObstacle = ({ lane, bucket }: Ticket, time: number): Obstacle | null => {
    const known = budgets.get(bucket);
    const left = leftUntil(known?.resetAt ?? 0, time, LONGEST_WAIT);
    if (known === undefined || left === 0) return null;
    const { remaining, limit } = known.budget;
    // What is under way is not in what the answers have told.
    if (remaining - underWay > limit - shareOf(lane, limit)) return null;
    if (underWay > 0) return { kind: 'room' };
    return { kind: 'wait', ms: left, why: 'pace', forAll: false };
  };

  const contentWait = (time: number): number =>
    Math.max(minute.waitFor(time, 1, limits.contentAMinute), hour.waitFor(time, 1, limits.contentAnHour));

  /** What stands in the way of a request; null: nothing. */
  const obstacleOf = (ticket: Ticket, time: number): Obstacle | null => {
    const { lane, weight, bucket } = ticket;
    const left = told.left(bucket);
    if (left > 0) return { kind: 'wait', ms: left, why: 'told', forAll: false };
    if (underWay >= shareOf(lane, limits.atOnce)) return { kind: 'room' };
    const spent = budgetObstacle(ticket, time);
    if (spent !== null) return spent;
    const pace = points.waitFor(time, POINTS[weight], shareOf(lane, limits.points));
    if (pace > 0) return { kind: 'wait', ms: pace, why: 'pace', forAll: true };
    const content = weight === 'content' ? contentWait(time) : 0;
    return content > 0 ? { kind: 'wait', ms: content, why: 'pace', forAll: false } : null;
  };

  const leave = (waiter: Waiter): void => {
    queue.splice(queue.indexOf(waiter), 1);
  };

  const send = (waiter: Waiter, time: number): void => {
    leave(waiter);
    underWay += 1;
    points.add(time, POINTS[waiter.ticket.weight]);
    if (waiter.ticket.weight === 'content') for (const window of [minute, hour]) window.add(time, 1);
    waiter.send();
  };

  /** Sends what may go, in the order of lanes and then of age; gives up on what would wait too long. */
  const pump = (): void => {
    let soonest = Number.POSITIVE_INFINITY;
    for (const waiter of [...queue]) {
      const { ticket } = waiter;
      const time = now();
      const obstacle = obstacleOf(ticket, time);
      if (obstacle === null) {
        send(waiter, time);
        continue;
      }
      // Room and points are what all of them need: whoever stands behind does not overtake.
      if (obstacle.kind === 'room') break;
      const { ms, why, forAll } = obstacle;
      if (waiter.waited + ms > PATIENCE) {
        leave(waiter);
        waiter.fail(new RequestFailure(ticket.request, 0, HINTS[why], 'rate-limit', null, Math.ceil(ms)));
        continue;
      }
      soonest = Math.min(soonest, ms);
      if (forAll) break;
    }
    wakeIn(soonest);
  };

  const wakeIn = (ms: number): void => {
    const at = now() + ms;
    if (ms === Number.POSITIVE_INFINITY || at >= wakeAt) return;
    wakeAt = at;
    const asleep = [...queue];
    void deps.sleep(ms).then(() => {
      wakeAt = Number.POSITIVE_INFINITY;
      for (const waiter of asleep) waiter.waited += ms;
      pump();
    });
  };

  const enqueue = (waiter: Waiter): void => {
    const rank = rankOf(waiter.ticket.lane);
    const behind = queue.findIndex(({ ticket }) => rankOf(ticket.lane) > rank);
    queue.splice(behind === -1 ? queue.length : behind, 0, waiter);
  };

  const noteBudget = (budget: Budget, time: number): void => {
    const known = budgets.get(budget.bucket);
    const resetAt = time + budget.resetIn;
    // Answers come in any order: within one hour the smallest number is the newest. Times are rounded to seconds.
    const sameHour =
      known !== undefined &&
      leftUntil(known.resetAt, time, LONGEST_WAIT) > 0 &&
      Math.abs(known.resetAt - resetAt) < MINUTE;
    if (sameHour && known.budget.remaining <= budget.remaining) return;
    budgets.set(budget.bucket, { budget, resetAt });
  };

  /** How long everything is shut; without a time a minute, and twice as long each time it is told again. */
  const holdFor = (hold: number | 'unsaid', sentIn: number): number => {
    const news = sentIn === shutting;
    if (news) shutting += 1;
    if (hold !== 'unsaid') return hold;
    if (news) strikes += 1;
    return Math.min(MINUTE * 2 ** Math.max(0, strikes - 1), HOUR);
  };

  /** Takes from an answer what it tells. `sentIn`: how often the gate had been shut when it was sent. */
  const heed = async (response: Response, ticket: Ticket, sentIn: number): Promise<Response> => {
    const { answer, hold, budget } = await read(response, ticket, now);
    const time = now();
    const kept: Promise<void>[] = [];
    if (budget !== null) noteBudget(budget, time);
    if (budget?.remaining === 0) kept.push(told.until(budget.bucket, time + budget.resetIn));
    if (hold === null && answer.status < 400 && sentIn === shutting) strikes = 0;
    const ms = hold === null ? null : holdFor(hold, sentIn);
    if (ms !== null) kept.push(told.until('all', time + ms));
    await Promise.all(kept);
    if (ms === null || hold !== 'unsaid') return answer;
    const headers = new Headers(answer.headers);
    headers.set('retry-after', String(Math.ceil(ms / 1_000)));
    return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
  };

  return {
    async pass(ticket, sendIt) {
      await told.loaded();
      return new Promise((resolve, reject) => {
        const run = async (): Promise<Response> => {
          const sentIn = shutting;
          try {
            return await heed(await sendIt(), ticket, sentIn);
          } finally {
            underWay -= 1;
            pump();
          }
        };
        // Sent in the very turn in which nothing stood in the way: an answer read meanwhile may say wait.
        enqueue({ ticket, waited: 0, send: () => resolve(run()), fail: reject });
        pump();
      });
    },

    remaining() {
      const known = budgets.get('core');
      return known !== undefined && leftUntil(known.resetAt, now(), LONGEST_WAIT) > 0
        ? known.budget.remaining
        : null;
    },
  };
};

/** An answer and what it tells. Only its sentence tells a secondary limit from a permission that is missing. */
const read = async (response: Response, { bucket }: Ticket, now: () => number) => {
  const { status, statusText, headers } = response;
  const tell = (message: string) => toldBy(status, (name) => headers.get(name), message, bucket, now());
  const bare = tell('');
  if (bare.hold !== null || (status !== 403 && bucket !== 'graphql')) return { answer: response, ...bare };
  const text = await response.text();
  const answer = new Response(text === '' ? null : text, { status, statusText, headers });
  return { answer, ...tell(messageIn(parsed(text))) };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The gates of one process, one an identity: `installation:42`, `app:777`. */
export interface Gates {
  of(identity: string): Gate;
}

export const createGates = (deps: GateDeps): Gates => {
  const gates = new Map<string, Gate>();
  return {
    of(identity) {
      const gate = gates.get(identity) ?? createGate(identity, deps);
      gates.set(identity, gate);
      return gate;
    },
  };
};
