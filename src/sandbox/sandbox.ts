import type { CaseEvent, World } from './case.js';

/** A clock the case sets. `now` is milliseconds since 1970, UTC. */
export interface Clock {
  now(): number;
}

/** One webhook, as GitHub sends it: the raw body and its headers, signed with the App's secret. */
export interface Delivery {
  readonly guid: string;
  readonly name: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A text that the App wrote: a check's output, a comment, an issue, a PR. */
export interface Written {
  readonly request: string;
  readonly field: string;
  readonly text: string;
}

export interface SandboxOptions {
  readonly world: World;
  /** The policy file on the default branch, verbatim; null: none. */
  readonly policy: string | null;
  readonly clock: Clock;
  readonly webhookSecret: string;
  /** Answers with what a webhook of ours would bring are never delivered. */
  readonly appId?: number;
}

/**
 * A GitHub in memory. `fetch` is its REST face (and the three GraphQL mutations used), to be given to Octokit;
 * `deliver` changes the world as the event says and returns the signed deliveries GitHub would send, one for each
 * repetition (`times`, `repeat_for`, `alternate`). Events' `at` is handled by the caller, through the clock.
 */
export interface Sandbox {
  readonly fetch: typeof globalThis.fetch;
  deliver(event: Extract<CaseEvent, { kind: 'deliver' }>, repetition: number): Delivery;
  /** Every text the App wrote so far. */
  readonly written: readonly Written[];
  /** Every request so far: `GET /repos/acme/widgets/pulls/1`, with the status it was answered. */
  readonly requests: readonly { readonly request: string; readonly status: number; readonly body: unknown }[];
  /** 40 hex digits for a short sha of the case, and back. */
  sha(short: string): string;
  short(sha: string): string;
}
