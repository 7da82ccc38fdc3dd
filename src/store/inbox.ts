/**
 * Where a delivery stands. `expected`: a sweep asked GitHub to send it again, and it has not come. `queued`: to be
 * worked on. `waiting`: it failed and is tried again when it is due. `dead`: it failed too often, and a person decides.
 */
export type DeliveryState = 'expected' | 'queued' | 'waiting' | 'done' | 'dead';

/**
 * What scheduling wants to know of a delivery before it is parsed. A hint may be wrong or missing: it decides only
 * whose turn it is, never what is judged.
 */
export interface Hint {
  /** Numeric id; null: not seen. */
  readonly repository: number | null;
  readonly action: string | null;
  /** Position among the lanes (src/github/lane.ts), 0 the most urgent. */
  readonly lane: number;
  /** What its writes are about, so that a burst about one thing is written once: `pull:12`. */
  readonly subject: string | null;
}

/** A delivery as it comes in. Times are ISO 8601, UTC. */
export interface Arrival {
  /** `X-GitHub-Delivery`, the same on redelivery; a sweep's own begin with its name and a colon. */
  readonly guid: string;
  readonly name: string;
  /** The raw JSON, as it was signed. */
  readonly body: Uint8Array;
  readonly receivedAt: string;
  /** When the thing happened, where a sweep knows; null: just now. */
  readonly happenedAt: string | null;
  readonly hint: Hint;
}

/**
 * `new`: stored. `again`: it had failed and is queued once more, since somebody sent it again. `known`: it is here
 * already, done or still to be done, and nothing changed.
 */
export interface Accepted {
  readonly kind: 'new' | 'again' | 'known';
  readonly id: number;
}

/** A delivery that is not done, without its body. */
export interface Queued {
  /** Grows with each arrival. */
  readonly id: number;
  readonly guid: string;
  readonly name: string;
  readonly receivedAt: string;
  readonly hint: Hint;
  /** Failures so far. */
  readonly attempts: number;
  /** Not before this; null: at once. */
  readonly due: string | null;
}

/** A delivery as `deliveries show` tells it. `body` is null once its retention is over. */
export interface StoredDelivery extends Queued {
  readonly state: DeliveryState;
  readonly happenedAt: string | null;
  readonly endedAt: string | null;
  /** Why it failed last; our own words, never the payload's. */
  readonly error: string | null;
  readonly body: Uint8Array | null;
}

/** Why a delivery is not tried again. */
export interface Burial {
  readonly attempts: number;
  readonly at: string;
  /** Our own words, never the payload's. */
  readonly error: string;
}

export interface DeliveryQuery {
  readonly state?: DeliveryState;
  readonly repository?: number;
  readonly limit: number;
}

/** The deliveries of all repositories. What resolves is on the disk: it survives a power cut. */
export interface Inbox {
  /** The body is given away: its bytes may be gone once this returns. */
  accept(arrival: Arrival): Promise<Accepted>;
  /** Keeps what nobody is to work on until a person replays it: at no time is it queued. The body is given away. */
  acceptDead(arrival: Arrival, burial: Burial): Promise<void>;
  /** Remembers that GitHub was asked to send a delivery again, and when it first happened. Nothing where it is known. */
  expect(guid: string, happenedAt: string): Promise<void>;
  /** Which of these GUIDs are here, in any state but `expected`. */
  known(guids: readonly string[]): Promise<ReadonlySet<string>>;
  /** `queued` and `waiting`, by id, from the first above `after`. */
  pending(after: number, limit: number): Promise<readonly Queued[]>;
  read(id: number): Promise<StoredDelivery | undefined>;
  /** By GUID or by id in decimal digits. */
  find(name: string): Promise<StoredDelivery | undefined>;
  list(query: DeliveryQuery): Promise<readonly Omit<StoredDelivery, 'body'>[]>;
  done(id: number, at: string): Promise<void>;
  retry(
    id: number,
    failure: { readonly attempts: number; readonly due: string; readonly error: string },
  ): Promise<void>;
  bury(id: number, burial: Burial): Promise<void>;
  /** Queues a delivery once more, whatever became of it. False: it is not here, or its body is gone. */
  replay(id: number): Promise<boolean>;
  /** When the oldest delivery that is neither done nor dead was received. */
  oldestUndone(): Promise<string | null>;
  /** Whether a delivery of this repository, received before then, is neither done nor dead. */
  undoneBefore(repository: number, receivedAt: string): Promise<boolean>;
  /** How many are dead: quick, however many were done. */
  dead(): Promise<number>;
  /** Looks at every row. */
  counts(): Promise<Readonly<Record<DeliveryState, number>>>;
}
