import type { Repository } from '../acts/act.js';
import type { Escalate } from '../policy/policy.js';
import type { Ledger } from '../store/ledger.js';
import type { Place } from '../words/views.js';
import type { Client } from './client.js';

/** What every performer needs. */
export interface PerformContext {
  readonly client: Client;
  readonly repository: Repository;
  readonly ledger: Ledger;
  readonly clock: { now(): number };
  readonly sleep: (ms: number) => Promise<void>;
  readonly app: { readonly id: number; readonly slug: string; readonly botLogin: string };
  readonly place: Place;
  readonly escalate: Escalate;
  readonly dryRun: boolean;
  /** GUID of the delivery that leads to it; null: a sweep. */
  readonly delivery: string | null;
  /** The first one seals, all of them are accepted. */
  readonly markerSecrets: readonly [string, ...string[]];
}

/**
 * What became of one effect. `done`: with its line. `gave-up`: GitHub will not do it whoever asks again (a conflict, a
 * commit that is gone); that is noted and no failure of the batch.
 */
export type Outcome =
  | { readonly kind: 'done'; readonly line: string; readonly hint?: string }
  | { readonly kind: 'unchanged'; readonly hint?: string }
  | { readonly kind: 'gave-up'; readonly hint: string };

export const unchanged: Outcome = { kind: 'unchanged' };

export const isoNow = (context: Pick<PerformContext, 'clock'>): string =>
  new Date(context.clock.now()).toISOString();

/** Owner and name as every route of the repository asks for them. */
export const at = ({ repository }: Pick<PerformContext, 'repository'>) => ({
  owner: repository.owner,
  repo: repository.name,
});

/** Logins are compared without case, as GitHub does. */
export const isOurs = (context: { readonly app: { readonly botLogin: string } }, login: string): boolean =>
  login.toLowerCase() === context.app.botLogin.toLowerCase();
