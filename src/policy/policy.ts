import type { ActKind } from '../acts/act.js';

export type Level = 'none' | 'pr' | 'merge';
export type ActValue = 'allow' | 'own' | 'deny';
export type Mode = 'off' | 'observe' | 'enforce';
export type OnEvidence = 'note' | 'gate';
/** `marked`: the login is judged as the agent only on PRs and branches that carry the agent's marks. */
export type Shared = 'no' | 'marked' | 'yes';

/** Where a value came from. `line` and `column` count from 1 and are there when a file said it. */
export interface Origin {
  readonly layer: 'repo' | 'org' | 'operator' | 'preset' | 'built-in';
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A value, where it came from, and what it overrode (nearest first). */
export interface Sourced<T> {
  readonly value: T;
  readonly origin: Origin;
  readonly overrode: readonly { readonly value: T; readonly origin: Origin }[];
}

/** One entry of `agents:`, as written. A name of the catalogue brings the catalogue's accounts along. */
export interface AgentPolicy {
  readonly name: string;
  /** App ids, or slugs that were resolved to ids where the file was loaded. */
  readonly apps: readonly (number | string)[];
  /** Numeric account ids, or exact logins (compared without case). */
  readonly accounts: readonly (number | string)[];
  readonly deployKeys: readonly number[];
  readonly shared: Shared;
  readonly level: Sourced<Level>;
  readonly onEvidence: Sourced<OnEvidence>;
  readonly origin: Origin;
}

/** null: no limit. */
export interface Limits {
  readonly openPulls: Sourced<number | null>;
  readonly pullsPerHour: Sourced<number | null>;
  readonly mergesPerDay: Sourced<number | null>;
}

export interface Remedies {
  readonly restoreRuleset: boolean;
  readonly disarmAutoMerge: boolean;
  readonly backupRefs: boolean;
  readonly revertPull: 'propose' | 'off';
  readonly reopenIssue: boolean;
  readonly suspend: boolean;
}

export interface Escalate {
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  readonly mention: string | null;
  /** `owner/name` of another repository that takes the issues; null: the repository itself. */
  readonly repository: string | null;
}

export interface Runs {
  readonly workflows: readonly string[];
  /** milliseconds */
  readonly quiet: number;
  /** milliseconds */
  readonly max: number;
  readonly steps: number;
  readonly onStuck: 'report' | 'cancel';
  readonly ladder: boolean;
}

/** The policy in force for one repository: all layers resolved. Made by `resolvePolicy`; read through its functions. */
export interface Policy {
  readonly mode: Sourced<Mode>;
  readonly level: Sourced<Level>;
  readonly onEvidence: Sourced<OnEvidence>;
  readonly agents: ReadonlyMap<string, AgentPolicy>;
  /** Branch names or globs; empty: the default branch. */
  readonly trunk: Sourced<readonly string[]>;
  /**
   * What `acts:` says, nearest layer first, for the whole file (`agent` absent) or one agent.
   * Only what a file says stands here; what is left out follows from the level.
   */
  readonly acts: readonly {
    readonly kind: ActKind;
    readonly agent?: string;
    readonly value: Sourced<ActValue>;
  }[];
  readonly approvals: Sourced<number>;
  /** Logins and `@org/team`; null: anyone with write who is not an agent. */
  readonly approvers: Sourced<readonly string[] | null>;
  readonly peopleGated: Sourced<boolean>;
  readonly protectedPaths: Sourced<readonly string[]>;
  /** Catalogue names or exact bot logins that are left alone. */
  readonly automation: Sourced<readonly string[]>;
  readonly unknownBots: Sourced<Level>;
  readonly limits: Limits;
  readonly runs: Runs;
  readonly enforceWith: 'rulesets' | 'branch-protection' | 'nothing';
  readonly remedies: Remedies;
  readonly escalate: Escalate;
  readonly report: 'weekly' | 'off';
  readonly advise: 'off' | 'agents-md';
}

/** One thing wrong with a policy file. `line` and `column` count from 1; `path` is dotted (`agents.coder.merge`). */
export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
  /** What the writer probably meant, where there is a near word. */
  readonly suggestion?: string;
  /** Problems that this entry tells of, where it stands for more than itself: the end of a list cut short. */
  readonly standsFor?: number;
}
