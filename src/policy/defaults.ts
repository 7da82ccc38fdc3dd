import type { Level, Limits, OnEvidence, Policy, Runs } from './policy.js';

type Value<K extends keyof Policy> = Policy[K] extends { readonly value: infer V } ? V : never;

const HOUR = 3_600_000;

/** What holds where no layer says anything. */
export const BUILT_IN = {
  mode: 'enforce',
  merge: 'pr',
  onEvidence: 'note',
  trunk: [],
  approvals: 1,
  approvers: null,
  gated: false,
  protectedPaths: ['.github/**', '**/CODEOWNERS', '**/AGENTS.md', '**/CLAUDE.md'],
  automation: ['dependabot', 'renovate'],
  unknownBots: 'none',
  limits: { openPulls: 10, pullsPerHour: 10, mergesPerDay: 10 },
  runs: {
    workflows: [],
    quiet: 0.75 * HOUR,
    max: 6 * HOUR,
    steps: 500,
    onStuck: 'report',
    ladder: true,
  },
  enforceWith: 'rulesets',
  report: 'weekly',
  advise: 'off',
} as const satisfies {
  mode: Value<'mode'>;
  merge: Level;
  onEvidence: OnEvidence;
  trunk: Value<'trunk'>;
  approvals: number;
  approvers: Value<'approvers'>;
  gated: boolean;
  protectedPaths: Value<'protectedPaths'>;
  automation: Value<'automation'>;
  unknownBots: Level;
  limits: { [K in keyof Limits]: number };
  runs: Runs;
  enforceWith: Policy['enforceWith'];
  report: Policy['report'];
  advise: Policy['advise'];
};

/** What a preset fills in: the keys that differ between kinds of repositories (docs/decisions/012-presets.md). */
export interface Preset {
  readonly merge: Level;
  readonly 'on-evidence': OnEvidence;
  readonly approvals: number;
  readonly 'unknown-bots': Level;
  readonly limits: { readonly [K in keyof Limits]: number };
}

/** Each one at least as strict as the one before it, in every key. */
export const PRESETS: Readonly<Record<'solo' | 'team' | 'open-source', Preset>> = {
  solo: {
    merge: 'pr',
    'on-evidence': 'note',
    approvals: 1,
    'unknown-bots': 'pr',
    limits: { openPulls: 20, pullsPerHour: 20, mergesPerDay: 20 },
  },
  team: {
    merge: 'pr',
    'on-evidence': 'note',
    approvals: 1,
    'unknown-bots': 'none',
    limits: { openPulls: 10, pullsPerHour: 10, mergesPerDay: 10 },
  },
  'open-source': {
    merge: 'pr',
    'on-evidence': 'gate',
    approvals: 1,
    'unknown-bots': 'none',
    limits: { openPulls: 5, pullsPerHour: 5, mergesPerDay: 5 },
  },
};
