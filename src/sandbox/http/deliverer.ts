import type { Outcome } from '../app/deliveries.js';
import { chance } from '../chance.js';
import type { Deliveries, Delivery } from '../sandbox.js';
import { createPost } from './post.js';

export interface DelivererOptions {
  /** The App's webhook address; asked for anew for each delivery where it is a function. */
  readonly url: string | (() => string);
  /** Attempts at once; 8 unless said otherwise. */
  readonly concurrency?: number;
  /** How long the App has to answer, in milliseconds; GitHub's ten seconds unless said otherwise. */
  readonly limit?: number;
  /** As they were sent, unless said otherwise; else the next is drawn from the `within` oldest, by the seed. */
  readonly order?: 'as sent' | { readonly seed: number; readonly within: number };
}

/** Sends deliveries to the App as GitHub does: signed as they are, once, and what comes of it goes into the log. */
export interface Deliverer {
  /**
   * Puts deliveries in the queue; settles when each has its outcome, in the order they were given. `null`: given up,
   * because the deliverer was closed.
   */
  send(deliveries: readonly Delivery[]): Promise<readonly (Outcome | null)[]>;
  /** Settles when nothing waits and nothing is under way, redeliveries included. */
  idle(): Promise<void>;
  /** Takes nothing more, gives up what waits or is under way, and closes the connections. */
  close(): void;
}

const CONCURRENCY = 8;
/** https://docs.github.com/webhooks/using-webhooks/best-practices-for-using-webhooks#respond-within-10-seconds */
const LIMIT_MS = 10_000;

interface Waiting {
  readonly delivery: Delivery;
  readonly done: (outcome: Outcome | null) => void;
}

export const createDeliverer = (
  log: Pick<Deliveries, 'outcome' | 'onRedelivery'>,
  options: DelivererOptions,
): Deliverer => {
  const { url, concurrency = CONCURRENCY, limit = LIMIT_MS, order = 'as sent' } = options;
  const { post, close } = createPost(concurrency, limit);
  const queue: Waiting[] = [];
  const whenIdle: (() => void)[] = [];
  let underWay = 0;
  let drawn = 0;
  let closed = false;

  const next = (): Waiting | undefined => {
    if (order === 'as sent' || queue.length < 2) return queue.shift();
    drawn += 1;
    const index = Math.floor(chance(order.seed, `order ${drawn}`) * Math.min(order.within, queue.length));
    return queue.splice(index, 1)[0];
  };

  const work = async (): Promise<void> => {
    for (let one = next(); one !== undefined; one = next()) {
      const { delivery, done } = one;
      const outcome = await post(typeof url === 'string' ? url : url(), delivery);
      if (!closed) log.outcome(delivery.guid, outcome);
      done(closed ? null : outcome);
    }
  };

  const start = (): void => {
    for (let free = concurrency - underWay; free > 0 && queue.length > 0; free -= 1) {
      underWay += 1;
      void work().finally(() => {
        underWay -= 1;
        if (underWay === 0 && queue.length === 0) for (const idle of whenIdle.splice(0)) idle();
      });
    }
  };

  const send: Deliverer['send'] = (deliveries) => {
    if (closed) throw new Error('This deliverer is closed.');
    const outcomes = deliveries.map(
      (delivery) => new Promise<Outcome | null>((done) => queue.push({ delivery, done })),
    );
    start();
    return Promise.all(outcomes);
  };

  const stop = log.onRedelivery((delivery) => void send([delivery]));

  return {
    send,
    idle: () =>
      underWay === 0 && queue.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => whenIdle.push(resolve)),
    close: () => {
      closed = true;
      stop();
      for (const { done } of queue.splice(0)) done(null);
      close();
    },
  };
};
