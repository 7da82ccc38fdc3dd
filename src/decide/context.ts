import type { Repository } from '../acts/act.js';
import type { Roster } from '../agents/roster.js';
import type { Policy } from '../policy/policy.js';
import type { SuspensionView } from './reasons.js';

/** What every decision is made under: the policy in force, who is who, who is suspended, and the time. */
export interface Context {
  readonly policy: Policy;
  readonly roster: Roster;
  readonly repository: Repository;
  readonly suspensions: readonly SuspensionView[];
  /** ISO 8601, UTC. */
  readonly now: string;
}
