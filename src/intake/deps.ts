import type { Repository } from '../acts/act.js';
import type { JudgedAct } from '../decide/effects.js';
import type { Facts, FileEntry, Read } from '../github/facts.js';
import type { Ours } from '../github/ours.js';
import type { Performed } from '../github/port.js';
import type { Effect } from '../decide/effects.js';
import type { Level, Mode, Policy } from '../policy/policy.js';
import type { Ledger } from '../store/ledger.js';

/** What work on one repository's deliveries is done with. Everything that reads or writes comes in here. */
export interface Desk {
  readonly repository: Repository;
  readonly installation: number;
  readonly facts: Facts;
  /** Our own issues and comments in the repository. */
  readonly ours: Ours;
  readonly ledger: Ledger;
  /** The `.github` folder of the owner's `.github` repository. That there is none is remembered for a minute. */
  readonly ownerFolder: () => Promise<Read<readonly FileEntry[]>>;
  /** Does effects, under the policy that asked for them. */
  readonly perform: (
    effects: readonly Effect[],
    under: Policy,
    deliveryId: string,
  ) => Promise<readonly Performed[]>;
  /** ISO 8601, UTC. */
  readonly now: () => string;
  /** For people who read the log: something could not be looked at. */
  readonly warn: (what: string) => void;
  readonly self: { readonly appId: number; readonly botId: number | null; readonly botLogin: string };
  /** The operator's own default level, where one is set. */
  readonly operator: Level | null;
}

/** What came of one delivery. */
export interface Handled {
  readonly performed: readonly Performed[];
  readonly acts: readonly JudgedAct[];
  readonly mode: Mode | null;
}

export const NOTHING: Handled = { performed: [], acts: [], mode: null };
