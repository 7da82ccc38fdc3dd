import type { Generated } from 'kysely';
import type { EffectNote } from './ledger.js';
import type { DeliveryState } from './inbox.js';

/*
 * What is asked for stands in a column of its own; `data` is the whole row as JSON, so that it comes out as it was
 * saved, and is never searched. (The driver reads text only up to a NUL, which JSON never holds: a column that anybody's
 * text may stand in is compared, and not read.) Instants are milliseconds since 1970, UTC. `id` grows with each new row.
 */

export interface DeliveriesTable {
  id: Generated<number>;
  guid: string;
  name: string;
  state: DeliveryState;
  repository: number | null;
  lane: number;
  subject: string | null;
  action: string | null;
  /** Failures so far. */
  attempts: number;
  /** How often it came in and was taken; 0 while it is only expected. */
  arrivals: number;
  due: number | null;
  error: string | null;
  happened_at: number | null;
  received_at: number;
  ended_at: number | null;
  /** 1: its body is there. */
  kept: 0 | 1;
}

/** Bodies stand apart, so that a delivery's state changes without its body being written again. */
export interface BodiesTable {
  delivery: number;
  /** Compressed: see src/store/body.ts. */
  body: Uint8Array;
}

export interface ActsTable {
  id: Generated<number>;
  repository: number;
  key: string;
  kind: string;
  agent: string | null;
  ref: string | null;
  at: number;
  data: string;
}

export interface PushesTable {
  id: Generated<number>;
  repository: number;
  ref: string;
  before: string;
  after: string;
  by: number;
  tree: string | null;
  at: number;
  data: string;
}

export interface PullsTable {
  repository: number;
  number: number;
  data: string;
}

/** Which agents a PR is theirs, by the evidence as it was first seen. */
export interface AttributionsTable {
  repository: number;
  pull: number;
  data: string;
}

export interface SuspensionsTable {
  id: Generated<number>;
  repository: number;
  agent: string;
  data: string;
}

export interface WaiversTable {
  id: Generated<number>;
  repository: number;
  pull: number;
  head: string;
  base: string;
  reason: string;
  data: string;
}

export interface ChecksTable {
  id: Generated<number>;
  repository: number;
  sha: string;
  /** When it was saved. */
  at: number;
  data: string;
}

export interface CommentsTable {
  repository: number;
  number: number;
  data: string;
}

export interface EscalationsTable {
  id: Generated<number>;
  repository: number;
  rule: string;
  agent: string;
  subject: string;
  issue: number | null;
  data: string;
}

export interface EffectsTable {
  id: Generated<number>;
  repository: number;
  key: string;
  /** Null: only known to be done. */
  state: EffectNote['state'] | null;
  /** The note as it was saved; null as `state` is. */
  data: string | null;
  /** 1: it was done. */
  done: 0 | 1;
  /** When it was last written of. */
  at: number;
}

export interface PoliciesTable {
  id: Generated<number>;
  repository: number;
  scope: 'repo' | 'org';
  path: string;
  blob: string;
  since: number;
  data: string;
}

export interface WaitingTable {
  id: Generated<number>;
  repository: number;
  name: string;
  due: number;
  data: string;
}

export interface RepositoriesTable {
  id: number;
  owner: string;
  name: string;
  installation: number;
  seen_at: number;
}

export interface CursorsTable {
  key: string;
  value: string;
}

export interface SchemaVersionTable {
  version: number;
  name: string;
  at: number;
}

export interface Tables {
  deliveries: DeliveriesTable;
  bodies: BodiesTable;
  acts: ActsTable;
  pushes: PushesTable;
  pulls: PullsTable;
  attributions: AttributionsTable;
  suspensions: SuspensionsTable;
  waivers: WaiversTable;
  checks: ChecksTable;
  comments: CommentsTable;
  escalations: EscalationsTable;
  effects: EffectsTable;
  policies: PoliciesTable;
  waiting: WaitingTable;
  repositories: RepositoriesTable;
  cursors: CursorsTable;
  schema_version: SchemaVersionTable;
}
