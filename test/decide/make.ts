import type { Account, Repository } from '../../src/acts/act.js';
import type { AttributedAgent } from '../../src/agents/identity.js';
import { makeRoster } from '../../src/agents/roster.js';
import type { Context } from '../../src/decide/context.js';
import type { Doer } from '../../src/decide/doer.js';
import type { CommitFact, FileFact, Permission, PullFact, ReviewFact } from '../../src/decide/facts.js';
import type { PullFacts } from '../../src/decide/judge-pull.js';
import type { LimitFacts } from '../../src/decide/limits.js';
import type { SuspensionView } from '../../src/decide/reasons.js';
import { loadPolicyFile } from '../../src/policy/load.js';
import { resolvePolicy } from '../../src/policy/resolve.js';

export const user = (id: number, login: string): Account => ({ id, login, type: 'User' });
export const bot = (id: number, login: string): Account => ({ id, login, type: 'Bot' });

export const OTTO = user(12, 'otto');
export const MARA = user(11, 'mara');
export const RAE = user(13, 'rae');
export const TIA = user(15, 'tia');
export const IVO = user(14, 'ivo');
export const ALPHA = bot(9001, 'alpha-agent[bot]');
export const BETA = bot(9002, 'beta-agent[bot]');
/** An agent with the account of a user. */
export const ROBOT = user(9003, 'acme-robot');
/** Alpha's second account: of its control group. */
export const ALPHA_TWO = user(9011, 'alpha-two');
/** A bot nobody listed. */
export const MYSTERY = bot(9700, 'mystery[bot]');
export const DEPENDABOT = bot(49699333, 'dependabot[bot]');
export const APP = bot(7770, 'agent-policy[bot]');

export const NOW = '2026-11-30T09:00:00Z';
/** `minutes` after the time at which everything is judged. */
export const after = (minutes: number): string => new Date(Date.parse(NOW) + minutes * 60_000).toISOString();

export const AGENTS = `agents:
  alpha: { apps: [1001], accounts: [9001, 9011] }
  beta: { apps: [1002], accounts: [9002] }
  robot: { accounts: [9003] }
`;

/** A policy file with the usual three agents; `rest` is the text after them. */
export const policyText = (rest = '', level = 'pr'): string =>
  `version: 1\nmerge: ${level}\n${AGENTS}${rest}`;

export const REPOSITORY: Repository = {
  id: 1,
  owner: 'acme',
  ownerType: 'Organization',
  name: 'widgets',
  defaultBranch: 'main',
  private: false,
};

/** The context that the text of a policy file makes. A file that does not load is a fault of the test. */
export function contextOf(text = policyText(), suspensions: readonly SuspensionView[] = []): Context {
  const loaded = loadPolicyFile(text, '.github/agent-policy.yml');
  if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.problems));
  const policy = resolvePolicy({ repo: loaded.file, org: null, operator: null, repositoryName: 'widgets' });
  const roster = makeRoster(policy, { appId: 777, botId: APP.id, botLogin: APP.login });
  return { policy, roster, repository: REPOSITORY, suspensions, now: NOW };
}

/** The usual policy at a level, with more keys after it. */
export const at = (level: 'none' | 'pr' | 'merge', rest = ''): Context => contextOf(policyText(rest, level));

export const agent = (name: string, account: Account): Doer => ({ kind: 'agent', agent: name, account });
export const ALPHA_DOES = agent('alpha', ALPHA);
export const MYSTERY_DOES: Doer = { kind: 'unknown-bot', agent: MYSTERY.login, account: MYSTERY };

export const suspended = (name: string): SuspensionView => ({
  agent: name,
  since: after(-60),
  cause: 'merge-level',
  issue: 5,
  by: null,
});

export interface PullGiven extends Partial<Omit<PullFact, 'head' | 'base'>> {
  readonly sha?: string;
  readonly ref?: string;
  readonly base?: string;
}

/** PR 283 by alpha, open, from `staging` at `h1` to `main`. */
export function pullOf({ sha = 'h1', ref = 'staging', base = 'main', ...given }: PullGiven = {}): PullFact {
  return {
    number: 283,
    nodeId: `PR_${given.number ?? 283}`,
    state: 'open',
    draft: false,
    merged: false,
    mergeCommitSha: null,
    mergedBy: null,
    mergedAt: null,
    author: ALPHA,
    title: 'A change',
    body: '',
    labels: [],
    head: { ref, sha, repo: { id: 1, fullName: 'acme/widgets' } },
    base: { ref: base, sha: 'm0' },
    sameRepository: true,
    autoMerge: null,
    createdAt: after(-5),
    updatedAt: after(-5),
    ...given,
  };
}

let reviews = 0;

/** A review of `h1`; one made later in a test was given later. */
export function review(by: Account, state: ReviewFact['state'], given: Partial<ReviewFact> = {}): ReviewFact {
  reviews += 1;
  const id = given.id ?? reviews;
  return { id, by, state, sha: 'h1', at: after(-4 + reviews / 1_000), ...given };
}

export const approved = (by: Account, given: Partial<ReviewFact> = {}): ReviewFact =>
  review(by, 'approved', given);

export function commit(sha: string, by: Account | null, given: Partial<CommitFact> = {}): CommitFact {
  const name = by?.login ?? 'somebody';
  const email = `${name}@example.com`;
  return {
    sha,
    message: `Work ${sha}`,
    author: { name, email, date: after(-6), account: by },
    committer: { name, email, account: by },
    verified: false,
    ...given,
  };
}

export const file = (path: string, given: Partial<FileFact> = {}): FileFact => ({
  path,
  status: 'modified',
  blob: `blob of ${path}`,
  ...given,
});

export const PERMISSIONS: ReadonlyMap<string, Permission> = new Map([
  ['otto', 'admin'],
  ['mara', 'maintain'],
  ['rae', 'write'],
  ['tia', 'triage'],
  ['ivo', 'read'],
  ['acme-robot', 'write'],
  ['alpha-two', 'write'],
]);

export const NO_LIMITS: LimitFacts = {
  openPulls: [],
  openedLately: new Map(),
  mergedLately: new Map(),
  trees: new Map(),
};

/** What PR 283 of alpha is judged by: one plain file, no reviews, nobody else's hand in it. */
export function factsOf(given: Partial<PullFacts> = {}): PullFacts {
  return {
    pull: pullOf(),
    commits: [],
    pushers: [],
    remembered: [],
    reviews: [],
    permissions: PERMISSIONS,
    teams: new Map(),
    baseChangedAt: null,
    staleReviews: new Set<number>(),
    dismissedBy: new Map(),
    files: { kind: 'complete', files: [file('src/app.ts')] },
    limits: NO_LIMITS,
    policyFile: null,
    toTrunk: true,
    ...given,
  };
}

/** Files of a complete list, by their paths. */
export const files = (...paths: readonly string[]): PullFacts['files'] => ({
  kind: 'complete',
  files: paths.map((path) => file(path)),
});

/** What was once seen in text of an agent that the policy names. */
export const seen = (name: string, tier: AttributedAgent['tier'] = 'indicative'): AttributedAgent => ({
  agent: name,
  tier,
  evidence: [
    {
      class: tier === 'weak' ? 'branch' : 'trailer',
      tier,
      agent: name,
      field: 'commits[].commit.message',
      value: `Co-authored-by: ${name}`,
    },
  ],
});

/** A policy file that does not load. */
export const INVALID = {
  path: '.github/agent-policy.yml',
  problems: [{ line: 1, column: 1, path: 'merge', message: 'no' }],
};
