import type { Database } from '../database.js';
import type { Ledger } from '../ledger.js';
import { createActs } from './acts.js';
import { createEffects } from './effects.js';
import { createEscalations } from './escalations.js';
import { createPolicies } from './policies.js';
import { createPulls } from './pulls.js';
import { createPushes } from './pushes.js';
import { createSavings } from './savings.js';
import { createSuspensions } from './suspensions.js';
import { createTexts } from './texts.js';
import { createWaiting } from './waiting.js';
import { createWaivers } from './waivers.js';

/** Which repository's rows, in which database, by which clock (milliseconds since 1970). */
export interface Scope {
  readonly database: Database;
  readonly repository: number;
  readonly now: () => number;
}

/** Rows come out as they were saved, as fresh plain data; in the order they were first saved unless said otherwise. */
export const createLedger = (scope: Scope): Ledger => ({
  ...createSavings(scope),
  ...createActs(scope),
  ...createPushes(scope),
  ...createPulls(scope),
  ...createSuspensions(scope),
  ...createTexts(scope),
  ...createEscalations(scope),
  ...createEffects(scope),
  ...createWaivers(scope),
  ...createPolicies(scope),
  ...createWaiting(scope),
});
