import type { KeyObject } from 'node:crypto';
import type { DeliveryRecord, Outcome } from './app/deliveries.js';
import type { CaseEvent, World } from './case.js';
import type { FaultKind, FaultOptions } from './faults/draw.js';
import type { Impatience } from './faults/told-to-wait.js';
import type { Json } from './records.js';
import type { State } from './state.js';

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

/** One request with what was answered: `GET /repos/acme/widgets/pulls/1`. */
export interface RequestRow {
  readonly request: string;
  /** 0: no answer was given. */
  readonly status: number;
  readonly body: unknown;
  /** Whose limits it counts against: `app:777`, `installation:424242`, `nobody`. */
  readonly identity: string;
  /** Why it failed though it was good: a fault, or that its sender had been told to wait. */
  readonly fault: FaultKind | 'told-to-wait' | null;
}

export interface GitHubOptions {
  readonly clock: Clock;
  readonly webhookSecret: string;
  /** Ours; 777 unless said otherwise. What our own App writes brings no webhook. */
  readonly appId?: number;
  /**
   * `open`, as long as nothing is said: every request is answered, whoever sends it. With the App's public key (PEM or
   * a key) GitHub's rules hold: JWTs and installation tokens, their repositories and permissions, by the sandbox's clock.
   */
  readonly auth?: 'open' | { readonly publicKey: string | KeyObject };
  /** Where GitHub sends the webhooks, as it says itself; it sends nothing: see `serve.ts`. */
  readonly hookUrl?: string;
  /** What fails at random; nothing unless said. What a case itself makes fail is `world.fail`. */
  readonly faults?: FaultOptions;
  /**
   * Requests an hour for each identity, after which there are 403s until the hour is over. Unless said otherwise nobody
   * is ever over it, though the answers speak of 5,000.
   */
  readonly rateLimit?: number;
  /**
   * Read-after-write lag in milliseconds of the sandbox's clock: comments, issues, check runs and reviews that the App
   * makes are in no list before. 0 unless said otherwise.
   */
  readonly lag?: number;
  /** How many requests are kept in the log; all unless said otherwise. The oldest go first. */
  readonly keep?: number;
}

export interface RepositoryOptions {
  /** `acme/widgets` with id 1, unless said otherwise. The owner is an organization; an id is at most a million. */
  readonly repository?: { readonly id: number; readonly owner: string; readonly name: string };
  /** Id of the installation that reaches it; one for each owner, unless said otherwise. */
  readonly installation?: number;
  readonly world: World;
  /** The policy file on the default branch, verbatim; null: none. */
  readonly policy: string | null;
  /** The case's events: a PR that one of them opens is not there before. */
  readonly events?: readonly CaseEvent[];
  /** What the policy wants of a ruleset of ours, for worlds that leave its rules out; null: nothing is known. */
  readonly desiredRuleset?: (name: string) => RulesetBody | null;
}

export type SandboxOptions = GitHubOptions & RepositoryOptions;

/** An event that GitHub tells by a webhook. */
export type Deliver = Extract<CaseEvent, { kind: 'deliver' }>;

/** What was sent to the App and how it went. */
export interface Deliveries {
  /** GitHub's log: every attempt whose outcome was told, oldest first, three days back. */
  readonly deliveries: readonly DeliveryRecord[];
  /**
   * Tells how an attempt ended, the oldest one of that GUID first. Whoever hands deliveries to the App tells it; one
   * that is never told of stands in no log.
   */
  outcome(guid: string, outcome: Outcome): void;
  /** Requests that came while their sender was told to wait; there should be none. */
  readonly impatient: readonly Impatience[];
  /** Redeliveries asked for over REST that nobody took yet: to be handed to the App like any delivery. */
  takeRedeliveries(): readonly Delivery[];
  /** Hands redeliveries on as they are asked for, instead of keeping them; gives what ends that. */
  onRedelivery(take: (delivery: Delivery) => void): () => void;
}

/**
 * A GitHub in memory. `fetch` is its REST face (and the three GraphQL mutations used), to be given to Octokit;
 * `deliver` changes the world as the event says and returns the signed deliveries GitHub would send, one for each
 * repetition (`times`, `repeat_for`, `alternate`). Events' `at` is handled by the caller, through the clock.
 */
export interface Sandbox extends Deliveries {
  readonly fetch: typeof globalThis.fetch;
  deliver(event: Deliver, repetition: number): Delivery;
  /** As `deliver`, where one event sends several deliveries or none: a push of several refs, an event with `drop`. */
  deliverAll(event: Deliver, repetition: number): readonly Delivery[];
  /** The event happens and its webhook never comes: GitHub's log of deliveries does not know it either. */
  happen(event: Deliver, repetition: number): void;
  /** Every text the App wrote so far. */
  readonly written: readonly Written[];
  /** Every request so far that was about this repository, or about none. */
  readonly requests: readonly RequestRow[];
  /** Requests to endpoints the sandbox does not have: answered 404, and a test's business. */
  readonly unknownEndpoints: readonly string[];
  /** The repository as it is now, for whoever looks at it from outside. */
  readonly state: State;
  /** 40 hex digits for a short sha of the case, and back. */
  sha(short: string): string;
  short(sha: string): string;
}
