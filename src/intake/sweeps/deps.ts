import type { Repository } from '../../acts/act.js';
import type { Client } from '../../github/client.js';
import type { Accepted, Arrival } from '../../store/inbox.js';
import type { Store } from '../../store/store.js';
import type { Desk } from '../deps.js';

/** What sweeps are made of. Time, GitHub and memory all come in here. */
export interface SweepsDeps {
  readonly store: Pick<Store, 'inbox' | 'repository' | 'cursor' | 'saveCursor'>;
  /** GitHub in the lane of sweeps, as an installation sees it; null: as the App itself does. */
  readonly client: (installation: number | null) => Promise<Client>;
  /** Requests that `installation:42` or `app:777` has left this hour; null: unknown. */
  readonly remaining: (identity: string) => number | null;
  readonly accept: (arrival: Arrival) => Promise<Accepted>;
  /** Whether any rule is triggered by an event. */
  readonly triggered: (name: string, action: string | null) => boolean;
  readonly deskFor: (repository: Repository, installation: number) => Promise<Desk>;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  readonly appId: number;
  readonly warn: (what: string) => void;
  /** When an earlier process was last seen, where that was long ago; ISO 8601, UTC. */
  readonly downSince: string | null;
}

export interface SweepReport {
  readonly sweep: 'deliveries' | 'repositories';
  /** When it last came to its end; ISO 8601, UTC; null: never. */
  readonly at: string | null;
  /** Deliveries that GitHub was asked for and that have not come; a pass that is under way. */
  readonly left: number;
}
