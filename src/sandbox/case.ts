/** The world of a case (docs/simulate.md): what is laid over the default world. Names stand for accounts, `h1` for a 40-digit sha. */
export interface World {
  readonly pulls?: Readonly<Record<string, PullWorld | null>>;
  readonly branches?: Readonly<Record<string, { sha?: string; by?: string[]; protected?: boolean } | null>>;
  readonly issues?: Readonly<
    Record<
      string,
      { author?: string; state?: 'open' | 'closed'; labels?: string[]; title?: string; body?: string } | null
    >
  >;
  readonly rulesets?: Readonly<Record<string, RulesetWorld | null>> | null;
  readonly checks?: Readonly<Record<string, readonly { name: string; conclusion: string; app: number }[]>>;
  readonly rule_suites?: readonly Record<string, unknown>[];
  readonly activity?: readonly Record<string, unknown>[];
  readonly runs?: readonly Record<string, unknown>[];
  readonly tags?: readonly Record<string, unknown>[];
  readonly fail?: readonly { request: string; status: number; times: number; done?: boolean }[];
  readonly plan?: 'free' | 'team' | 'enterprise';
  readonly private?: boolean;
  readonly org_policy?: string | null;
}

export interface PullWorld {
  readonly author?: string;
  readonly base?: string;
  readonly head?: string;
  readonly sha?: string;
  readonly state?: 'open' | 'closed';
  readonly merged?: string;
  readonly body?: string;
  readonly title?: string;
  readonly labels?: readonly string[];
  readonly files?: readonly (string | FileWorld)[];
  readonly reviews?: readonly {
    by: string;
    state: 'approved' | 'changes_requested' | 'dismissed';
    sha: string;
  }[];
  readonly fork?: boolean | string;
  readonly auto_merge?: string | null;
  readonly commits?: readonly CommitWorld[];
}

export interface FileWorld {
  readonly path: string;
  readonly was?: string;
  readonly status?: 'added' | 'removed' | 'modified' | 'renamed';
  readonly mode?: string;
  readonly content?: string;
}

export interface CommitWorld {
  readonly sha: string;
  readonly author?: string;
  readonly message?: string;
  readonly added?: readonly string[];
  readonly modified?: readonly string[];
  readonly removed?: readonly string[];
}

export interface RulesetWorld {
  readonly id?: number;
  readonly enforcement?: 'active' | 'disabled' | 'evaluate';
  readonly rules?: readonly Record<string, unknown>[];
  readonly bypass?: readonly unknown[];
  readonly ours?: boolean;
}

/** Where something stands in a case file. Line and column count from 1. */
export interface CasePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * One entry of `events:` after parsing. `name` is GitHub's (`pull_request`), `action` what stands after the dot.
 * `position` is left out where the event comes from no file.
 */
export type CaseEvent =
  | {
      readonly kind: 'deliver';
      readonly title: string;
      readonly name: string;
      readonly action: string | null;
      readonly keys: Readonly<Record<string, unknown>>;
      readonly position?: CasePosition;
    }
  | {
      readonly kind: 'redeliver';
      readonly title: string;
      readonly event: number;
      readonly position?: CasePosition;
    }
  | { readonly kind: 'tick'; readonly title: string; readonly ms: number; readonly position?: CasePosition }
  | { readonly kind: 'restart'; readonly title: string; readonly position?: CasePosition };

/** One case or one of its variants, ready to run. */
export interface Case {
  readonly id: string;
  readonly variant: string | null;
  readonly title: string;
  /** null: no policy file. */
  readonly policy: string | null;
  readonly world: World;
  readonly events: readonly CaseEvent[];
  /** Event number (from 1) → lines that must follow it. */
  readonly expect: Readonly<Record<number, readonly string[]>>;
  readonly textNever: readonly string[];
}
