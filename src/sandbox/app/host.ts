import type { Accounts } from '../accounts.js';
import type { RequestRow } from '../sandbox.js';
import type { Fault } from '../faults/draw.js';
import type { Budgets } from '../faults/budgets.js';
import type { Patience } from '../faults/told-to-wait.js';
import type { Clock, Written } from '../sandbox.js';
import type { Answer } from '../rest/answer.js';
import type { State } from '../state.js';
import type { AppKey } from './admit.js';
import type { Caller } from './caller.js';
import type { DeliveryLog } from './deliveries.js';
import type { Tokens } from './tokens.js';

/** What a case lets GitHub answer; `done`: after doing what was asked. */
export interface Refusal {
  readonly answer: Answer;
  readonly done: boolean;
}

/** One repository with what was asked and written there. */
export interface Site {
  readonly state: State;
  /** What GitHub refuses because the case says so (`world.fail`). */
  readonly refuse: (request: string) => Refusal | undefined;
  readonly written: Written[];
  readonly requests: RequestRow[];
  readonly unknownEndpoints: string[];
}

/** GitHub above its repositories: one App, its installations, tokens and deliveries. */
export interface Host {
  readonly clock: Clock;
  readonly appId: number;
  readonly accounts: Accounts;
  readonly sites: readonly Site[];
  /** Who may ask is looked at with the App's key; null: nobody is turned away. */
  readonly key: AppKey | null;
  readonly tokens: Tokens;
  readonly deliveries: DeliveryLog;
  /** Where GitHub sends the App's webhooks. */
  readonly hookUrl: string;
  readonly requests: RequestRow[];
  readonly draw: (request: string) => Fault | null;
  readonly patience: Patience;
  readonly budgets: Budgets;
  /** How long a request hangs at most, in milliseconds. */
  readonly hang: number;
  /** How many requests each log keeps. */
  readonly keep: number;
  /** Ids nobody has yet, from 1,001 on for each kind. */
  nextId(kind: string): number;
}

/** The repositories a token reaches; all there are for somebody nobody looked at. */
export const reachedBy = (host: Host, caller: Caller): readonly Site[] => {
  if (caller.kind !== 'installation') return host.sites;
  const { installation, repositories } = caller.grant;
  return host.sites.filter(
    ({ state: { repo } }) =>
      repo.installation === installation && (repositories === null || repositories.includes(repo.id)),
  );
};

/** `owner/name` → its site, whatever the letters' case. */
export const siteOf = (host: Host, owner: string, name: string): Site | undefined => {
  const wanted = `${owner}/${name}`.toLowerCase();
  return host.sites.find(({ state }) => state.repo.fullName.toLowerCase() === wanted);
};
