import type { ActRow, Ledger, Waiting } from './ledger.js';
import type { Inbox } from './inbox.js';

/** A repository as it was last seen, by its id: names change. */
export interface KnownRepository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly installation: number;
  /** ISO 8601, UTC. */
  readonly seenAt: string;
}

/** An act as it is exported: the ledger's row and where it was done. */
export interface RecordedAct extends ActRow {
  readonly repository: { readonly id: number; readonly owner: string | null; readonly name: string | null };
}

export interface ActsQuery {
  /** ISO 8601, UTC; inclusive. */
  readonly since?: string;
  readonly until?: string;
  readonly repository?: number;
}

/** Everything before these instants (ISO 8601, UTC) goes. What is not done or dead stays, however old. */
export interface Keep {
  readonly bodiesSince: string;
  /** Rows of deliveries without a body still tell that a GUID was seen. */
  readonly deliveriesSince: string;
  /** Acts, pushes, checks and notes of effects. */
  readonly actsSince: string;
}

export interface Pruned {
  readonly bodies: number;
  readonly deliveries: number;
  readonly acts: number;
}

/** All that the App remembers. Every write that resolves is on the disk. Rejects with StoreError. */
export interface Store {
  readonly inbox: Inbox;
  repository(id: number): Ledger;
  /** What waited and is due at `now`, of all repositories, oldest first. */
  due(now: string): Promise<readonly { readonly repository: number; readonly waiting: Waiting }[]>;
  repositories(): Promise<readonly KnownRepository[]>;
  saveRepository(known: KnownRepository): Promise<void>;
  /** A place somebody got to, as JSON text. Keys are `sweep:…`, `alive`, `told-to-wait:…`. */
  cursor(key: string): Promise<string | undefined>;
  cursors(prefix: string): Promise<readonly { readonly key: string; readonly value: string }[]>;
  saveCursor(key: string, value: string): Promise<void>;
  /** In the order they were done; read page by page, so that a year of them needs no memory. */
  acts(query: ActsQuery): AsyncIterable<RecordedAct>;
  prune(keep: Keep): Promise<Pruned>;
  /** Nothing else is taken; what was asked for before is finished. */
  close(): Promise<void>;
}

/** The store could not be opened or written: what was done, to which file, and what a person can do. */
export class StoreError extends Error {
  constructor(
    message: string,
    readonly kind: 'locked' | 'newer' | 'unreadable' | 'full' | 'closed' | 'failed',
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StoreError';
  }
}
