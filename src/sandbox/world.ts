import type { Accounts } from './accounts.js';
import type { CaseEvent, World } from './case.js';
import type { Change } from './changes.js';
import { createGraph } from './graph.js';
import { noteActivity, putCommit } from './history.js';
import { createPulls } from './pulls.js';
import { asRecord, type Json, layOver } from './records.js';
import { createRows } from './rows.js';
import { bypassOf, plainRuleset } from './rulesets.js';
import type { Clock, RulesetBody } from './sandbox.js';
import { createShas, NO_SHA } from './shas.js';
import { idIn, type RepositoryIdentity, type State } from './state.js';
import { AGE, HOUR, layBranch, layPull } from './world-pulls.js';
import { rowsOfWorld } from './world-rows.js';

export const POLICY_PATH = '.github/agent-policy.yml';

/** What the App opens is numbered from here on, above what cases number themselves. */
const FIRST_OWN_NUMBER = 10_001;

const DEFAULTS: World = {
  branches: { main: { sha: 'm0' } },
  rulesets: {
    'agent-policy/gates': { id: 55, enforcement: 'active', ours: true },
    'agent-policy/actors': { id: 56, enforcement: 'active', ours: true },
  },
};

export interface WorldOptions {
  readonly world: World;
  readonly policy: string | null;
  readonly clock: Clock;
  readonly appId: number;
  readonly accounts: Accounts;
  readonly repo: RepositoryIdentity;
  readonly lag: number;
  readonly nextId: (kind: string) => number;
  readonly events: readonly CaseEvent[];
  readonly desiredRuleset?: (name: string) => RulesetBody | null;
}

/** The PRs a case opens itself: they are not there before. */
const openedBy = (events: readonly CaseEvent[]): ReadonlySet<number> => {
  const numbers = new Set<number>();
  for (const event of events) {
    if (event.kind !== 'deliver' || event.title !== 'pull_request.opened') continue;
    const { pull, repeat_for } = event.keys;
    for (const number of [pull, ...(Array.isArray(repeat_for) ? repeat_for : [])]) {
      if (typeof number === 'number') numbers.add(number);
    }
  }
  return numbers;
};

const entriesOf = <T>(map: Readonly<Record<string, T | null>> | null | undefined): [string, T][] =>
  Object.entries(map ?? {}).filter((entry): entry is [string, T] => entry[1] !== null);

const emptyState = (options: WorldOptions, world: World): State => {
  const shas = createShas();
  const state: State = {
    clock: options.clock,
    shas,
    accounts: options.accounts,
    graph: createGraph(shas.short),
    appId: options.appId,
    repo: options.repo,
    lag: options.lag,
    listedFrom: new WeakMap(),
    private: world.private === true,
    plan: world.plan ?? 'team',
    orgPolicy: world.org_policy ?? null,
    pushedAt: 0,
    defaultBranch: 'main',
    repository: {},
    branches: new Map(),
    deleted: new Map(),
    tags: new Map(),
    pulls: createPulls(),
    issues: new Map(),
    comments: createRows((comment) => comment.on),
    timeline: createRows((row) => row.on),
    checks: createRows((run) => run.sha),
    statuses: createRows((row) => row.sha),
    releases: [],
    runs: new Map(),
    rulesets: [],
    ruleSuites: [],
    protections: [],
    activity: createRows((row) => row.ref),
    foreseen: [],
    edition: 0,
    reactions: [],
    trees: new Map(),
    nextId: options.nextId,
    nextNumber: () => {
      let last = FIRST_OWN_NUMBER - 1;
      for (const { number } of state.pulls) last = Math.max(last, number);
      for (const number of state.issues.keys()) last = Math.max(last, number);
      return last + 1;
    },
  };
  return state;
};

/** `m0` and the commit under it, so that a trunk rewritten from `m0` on still has its files and its history. */
const layTrunk = (state: State, policy: string | null, at: number): void => {
  const owner = state.accounts.named('otto');
  const first = state.shas.full('m0~1');
  const tip = state.shas.full('m0');
  const files: Change[] = [
    { path: 'README.md', status: 'added', content: '# widgets\n' },
    { path: 'src/index.ts', status: 'added', content: 'export {};\n' },
    { path: '.github/workflows/ci.yml', status: 'added', content: 'on: push\njobs: {}\n' },
    ...(policy === null ? [] : [{ path: POLICY_PATH, status: 'added' as const, content: policy }]),
  ];
  const readme: Change = { path: 'README.md', status: 'modified', content: '# Widgets\n' };
  putCommit(state, first, [], owner, { message: 'Start', changes: files, at });
  putCommit(state, tip, [first], owner, { message: 'Say what it is', changes: [readme], at: at + HOUR });
  state.branches.set(state.defaultBranch, tip);
  const ref = `refs/heads/${state.defaultBranch}`;
  const row = { ref, actor: owner, origin: 'branches' as const };
  noteActivity(state, { ...row, type: 'branch_creation', before: NO_SHA, after: first, at });
  noteActivity(state, { ...row, type: 'push', before: first, after: tip, at: at + HOUR });
};

/** The world of a case, laid over the default world, as a repository that can be read and changed. */
export const createState = (options: WorldOptions): State => {
  const world: World = asRecord(layOver(DEFAULTS, options.world));
  const state = emptyState(options, world);
  const start = options.clock.now();
  layTrunk(state, options.policy, start - AGE.root);
  const root = state.shas.full('m0');
  const opened = openedBy(options.events);
  rowsOfWorld(state, world, start);

  for (const [name, branch] of entriesOf(world.branches)) {
    const pull = entriesOf(world.pulls).find(
      ([, candidate]) => candidate.head === name && !candidate.fork,
    )?.[1];
    const sha = branch.sha ?? pull?.sha;
    const tip = sha === undefined ? root : state.shas.full(sha);
    if (tip !== root || name !== state.defaultBranch) {
      const base = pull === undefined ? root : (state.branches.get(pull.base ?? state.defaultBranch) ?? root);
      layBranch(
        state,
        name,
        base,
        tip,
        branch.by ?? [pull?.author ?? 'otto'],
        pull?.commits ?? [],
        start - AGE.branches,
      );
    }
    if (branch.protected === true) protect(state, name, start - AGE.root);
  }
  for (const [number, pull] of entriesOf(world.pulls).sort((a, b) => Number(a[0]) - Number(b[0]))) {
    layPull(state, Number(number), pull, opened.has(Number(number)), world, start);
  }
  for (const [number, issue] of entriesOf(world.issues)) {
    const closed = issue.state === 'closed';
    state.issues.set(Number(number), {
      number: Number(number),
      id: idIn(state, 600_000 + Number(number)),
      author: state.accounts.named(issue.author ?? 'otto'),
      state: issue.state ?? 'open',
      reason: closed ? 'completed' : null,
      title: issue.title ?? `Issue ${number}`,
      body: issue.body ?? '',
      labels: [...(issue.labels ?? [])],
      assignees: [],
      locked: false,
      createdAt: start - AGE.pulls,
      updatedAt: start - AGE.pulls,
      closedAt: closed ? start - AGE.pulls : null,
      closedBy: null,
      overlay: {},
    });
  }
  for (const [name, ruleset] of entriesOf(world.rulesets)) {
    const body = ruleset.ours
      ? (options.desiredRuleset?.(name) ?? plainRuleset(name, options.appId))
      : undefined;
    state.rulesets.push({
      id: ruleset.id ?? state.nextId('ruleset'),
      name,
      target: body?.target ?? 'branch',
      enforcement: ruleset.enforcement ?? body?.enforcement ?? 'active',
      rules: ruleset.rules ?? body?.rules ?? [{ type: 'deletion' }],
      bypass: ruleset.bypass === undefined ? (body?.bypass_actors ?? []) : bypassOf(state, ruleset.bypass),
      conditions: body?.conditions ?? { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
      createdAt: start - AGE.branches,
      updatedAt: start - AGE.branches,
      overlay: {},
    });
  }
  return state;
};

/** Puts classic branch protection on a branch. */
export const protect = (state: State, pattern: string, at: number, overlay: Json = {}): void => {
  state.protections.push({ id: state.nextId('protection'), pattern, createdAt: at, updatedAt: at, overlay });
};
