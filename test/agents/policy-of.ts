import type { Account } from '../../src/acts/act.js';
import type { Level, OnEvidence, Policy, Shared, Sourced } from '../../src/policy/policy.js';

export interface AgentGiven {
  readonly apps?: readonly (number | string)[];
  readonly accounts?: readonly (number | string)[];
  readonly shared?: Shared;
  readonly level?: Level;
  readonly onEvidence?: OnEvidence;
}

const ORIGIN = { layer: 'built-in' } as const;

function sourced<T>(value: T): Sourced<T> {
  return { value, origin: ORIGIN, overrode: [] };
}

/** A policy with these agents and this automation; everything else as built in. */
export function policyOf(
  agents: Readonly<Record<string, AgentGiven>> = {},
  automation: readonly string[] = ['dependabot', 'renovate'],
): Policy {
  return {
    mode: sourced('enforce'),
    level: sourced('pr'),
    onEvidence: sourced('note'),
    agents: new Map(
      Object.entries(agents).map(([name, given]) => [
        name,
        {
          name,
          apps: given.apps ?? [],
          accounts: given.accounts ?? [],
          deployKeys: [],
          shared: given.shared ?? 'no',
          level: sourced(given.level ?? 'pr'),
          onEvidence: sourced(given.onEvidence ?? 'note'),
          origin: ORIGIN,
        },
      ]),
    ),
    trunk: sourced([]),
    acts: [],
    approvals: sourced(1),
    approvers: sourced(null),
    peopleGated: sourced(false),
    protectedPaths: sourced([]),
    automation: sourced(automation),
    unknownBots: sourced('none'),
    limits: { openPulls: sourced(10), pullsPerHour: sourced(10), mergesPerDay: sourced(10) },
    runs: { workflows: [], quiet: 2_700_000, max: 21_600_000, steps: 500, onStuck: 'report', ladder: true },
    enforceWith: 'rulesets',
    remedies: {
      restoreRuleset: true,
      disarmAutoMerge: true,
      backupRefs: true,
      revertPull: 'propose',
      reopenIssue: true,
      suspend: true,
    },
    escalate: { labels: [], assignees: [], mention: null, repository: null },
    report: 'weekly',
    advise: 'off',
  };
}

export const SELF = { appId: 777, botId: 7770, botLogin: 'agent-policy[bot]' } as const;

export const user = (id: number, login: string): Account => ({ id, login, type: 'User' });
export const bot = (id: number, login: string): Account => ({ id, login, type: 'Bot' });

export const RAE = user(13, 'rae');
export const COPILOT = bot(198982749, 'Copilot');
export const CLAUDE_APP = bot(209825114, 'claude[bot]');
export const CURSOR_USER = user(199161495, 'cursoragent');
export const DEPENDABOT = bot(49699333, 'dependabot[bot]');
export const ACTIONS = bot(41898282, 'github-actions[bot]');
export const QUEUE = bot(118344674, 'github-merge-queue[bot]');
export const WEB_FLOW = user(19864447, 'web-flow');
