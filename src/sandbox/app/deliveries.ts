import type { Clock, Delivery } from '../sandbox.js';

/** How one attempt to deliver ended, as GitHub's log of deliveries words it. */
export interface Outcome {
  /** `OK`, `Invalid HTTP Response: 503`, `timed out`, `failed to connect`. */
  readonly status: string;
  /** 0 where no answer came. */
  readonly statusCode: number;
  /** Seconds it took; 0 unless said otherwise. */
  readonly duration?: number;
  readonly response?: { readonly headers: Readonly<Record<string, string>>; readonly payload: string };
}

/** One attempt with its outcome: a row of GitHub's log of deliveries. */
export interface DeliveryRecord {
  readonly id: number;
  readonly guid: string;
  readonly name: string;
  readonly action: string | null;
  /** Milliseconds since 1970. */
  readonly deliveredAt: number;
  readonly redelivery: boolean;
  readonly installation: number;
  readonly repository: number;
  readonly delivery: Delivery;
  readonly outcome: Outcome;
}

/** What a delivery is about. */
export interface About {
  readonly action: string | null;
  readonly installation: number;
  readonly repository: number;
}

/**
 * Every webhook of the App, each attempt a row. An attempt is in the log once its outcome is told, not before:
 * `sent` starts one, which gives it its id, `outcome` ends the oldest of that GUID that has not ended. So a slow one
 * appears below those that were sent after it.
 */
export interface DeliveryLog {
  sent(delivery: Delivery, about: About): void;
  /** @throws {Error} where no attempt with that GUID is under way */
  outcome(guid: string, outcome: Outcome): void;
  /** Sends a delivery of the log again, with its GUID; false: the log has none with that id. */
  again(id: number): boolean;
  /** By id, the oldest first; what is older than three days is gone, as on GitHub. */
  rows(): readonly DeliveryRecord[];
  /** Redeliveries nobody took yet, oldest first; they count as taken afterwards. */
  takeRedeliveries(): readonly Delivery[];
  /** Hands every redelivery that is asked for from now on to `take`, at once; gives what ends that. */
  onRedelivery(take: (delivery: Delivery) => void): () => void;
}

/** https://docs.github.com/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks */
const KEPT_MS = 3 * 86_400_000;

interface Attempt {
  readonly id: number;
  readonly delivery: Delivery;
  readonly about: About;
  readonly redelivery: boolean;
}

export const createDeliveryLog = (clock: Clock, nextId: () => number): DeliveryLog => {
  const rows: DeliveryRecord[] = [];
  const byId = new Map<number, DeliveryRecord>();
  const underWay = new Map<string, Attempt[]>();
  const untaken: Delivery[] = [];
  const takers = new Set<(delivery: Delivery) => void>();

  const start = (begun: Omit<Attempt, 'id'>): void => {
    const attempt = { id: nextId(), ...begun };
    const { guid } = attempt.delivery;
    const others = underWay.get(guid);
    if (others === undefined) underWay.set(guid, [attempt]);
    else others.push(attempt);
  };

  const prune = (): void => {
    const oldest = clock.now() - KEPT_MS;
    const kept = rows.findIndex((row) => row.deliveredAt >= oldest);
    for (const row of rows.splice(0, kept === -1 ? rows.length : kept)) byId.delete(row.id);
  };

  return {
    sent: (delivery, about) => start({ delivery, about, redelivery: false }),
    outcome: (guid, outcome) => {
      const attempts = underWay.get(guid);
      const attempt = attempts?.shift();
      if (attempt === undefined) throw new Error(`No attempt to deliver ${guid} is under way.`);
      if (attempts?.length === 0) underWay.delete(guid);
      const { id, delivery, about, redelivery } = attempt;
      const deliveredAt = clock.now();
      const row = {
        id,
        guid,
        name: delivery.name,
        deliveredAt,
        redelivery,
        delivery,
        outcome,
        ...about,
      };
      const below = rows.findLastIndex((other) => other.id < id);
      rows.splice(below + 1, 0, row);
      byId.set(row.id, row);
    },
    again: (id) => {
      prune();
      const row = byId.get(id);
      if (row === undefined) return false;
      const { action, installation, repository, delivery } = row;
      start({ delivery, about: { action, installation, repository }, redelivery: true });
      if (takers.size === 0) untaken.push(delivery);
      for (const take of takers) take(delivery);
      return true;
    },
    rows: () => {
      prune();
      return rows;
    },
    takeRedeliveries: () => untaken.splice(0),
    onRedelivery: (take) => {
      takers.add(take);
      return () => {
        takers.delete(take);
      };
    },
  };
};
