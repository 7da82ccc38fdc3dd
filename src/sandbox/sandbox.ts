import type { CaseEvent, World } from './case.js';
import type { Json } from './records.js';

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

/** A ruleset as it is created over REST. */
export interface RulesetBody {
  readonly name: string;
  readonly target: string;
  readonly enforcement: string;
  readonly conditions: Json;
  readonly rules: readonly unknown[];
  readonly bypass_actors: readonly unknown[];
}

export interface SandboxOptions {
  readonly world: World;
  /** The policy file on the default branch, verbatim; null: none. */
  readonly policy: string | null;
  readonly clock: Clock;
  readonly webhookSecret: string;
  /** Ours; 777 unless said otherwise. What our own App writes brings no webhook. */
  readonly appId?: number;
  /** The case's events: a PR that one of them opens is not there before. */
  readonly events?: readonly CaseEvent[];
  /** What the policy wants of a ruleset of ours, for worlds that leave its rules out; null: nothing is known. */
  readonly desiredRuleset?: (name: string) => RulesetBody | null;
}

/**
 * A GitHub in memory. `fetch` is its REST face (and the three GraphQL mutations used), to be given to Octokit;
 * `deliver` changes the world as the event says and returns the signed deliveries GitHub would send, one for each
 * repetition (`times`, `repeat_for`, `alternate`). Events' `at` is handled by the caller, through the clock.
 */
export interface Sandbox {
  readonly fetch: typeof globalThis.fetch;
  deliver(event: Extract<CaseEvent, { kind: 'deliver' }>, repetition: number): Delivery;
  /** As `deliver`, where one event sends several deliveries or none: a push of several refs. */
  deliverAll(event: Extract<CaseEvent, { kind: 'deliver' }>, repetition: number): readonly Delivery[];
  /** Every text the App wrote so far. */
  readonly written: readonly Written[];
  /** Every request so far: `GET /repos/acme/widgets/pulls/1`, with the status it was answered. */
  readonly requests: readonly { readonly request: string; readonly status: number; readonly body: unknown }[];
  /** Requests to endpoints the sandbox does not have: answered 404, and a test's business. */
  readonly unknownEndpoints: readonly string[];
  /** 40 hex digits for a short sha of the case, and back. */
  sha(short: string): string;
  short(sha: string): string;
}
