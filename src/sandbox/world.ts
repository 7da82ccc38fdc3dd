import { createAccounts, type SandboxAccount } from './accounts.js';
import type { CaseEvent, CommitWorld, FileWorld, PullWorld, World } from './case.js';
import { type Change, createGraph } from './graph.js';
import { layCommits, noteActivity, putCommit } from './history.js';
import { mergePull } from './merge.js';
import { asRecord, type Json, layOver, textOf } from './records.js';
import { bypassOf, plainRuleset } from './rulesets.js';
import type { Clock, RulesetBody } from './sandbox.js';
import { createShas, NO_SHA } from './shas.js';
import { NAME, OWNER, type Pull, type State } from './state.js';
import { rowsOfWorld } from './world-rows.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
export const POLICY_PATH = '.github/agent-policy.yml';

/** How long before the first instant of a case things stood already. */
const AGE = { root: 29 * DAY, branches: 2 * DAY, pulls: DAY } as const;

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
  const ids = new Map<string, number>();
  const state: State = {
    clock: options.clock,
    shas,
    accounts: createAccounts(options.appId),
    graph: createGraph(shas.short),
    appId: options.appId,
    private: world.private === true,
    plan: world.plan ?? 'team',
    orgPolicy: world.org_policy ?? null,
    defaultBranch: 'main',
    repository: {},
    branches: new Map(),
    deleted: new Map(),
    tags: new Map(),
    pulls: new Map(),
    issues: new Map(),
    comments: [],
    timeline: [],
    checks: [],
    statuses: [],
    releases: [],
    runs: new Map(),
    rulesets: [],
    ruleSuites: [],
    protections: [],
    activity: [],
    reactions: [],
    trees: new Map(),
    nextId: (kind) => {
      const id = (ids.get(kind) ?? 1_000) + 1;
      ids.set(kind, id);
      return id;
    },
    nextNumber: () => 1 + Math.max(10_000, ...state.pulls.keys(), ...state.issues.keys()),
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

/** Lays a branch whose tip was pushed by the last of `by`, on top of one commit by each of those before. */
const layBranch = (
  state: State,
  name: string,
  from: string,
  tip: string,
  by: readonly string[],
  commits: readonly CommitWorld[],
  at: number,
): void => {
  const early = by
    .slice(0, -1)
    .map((who, index): CommitWorld => ({ sha: `${name}~${by.length - 1 - index}`, author: who }));
  const last = by.at(-1) ?? 'otto';
  layCommits(state, from, [...early, ...commits], tip, last, at);
  const exists = state.branches.has(name);
  state.branches.set(name, tip);
  let before = exists ? from : NO_SHA;
  for (const [index, who] of by.entries()) {
    const spec = early[index];
    const after = spec === undefined ? tip : state.shas.full(spec.sha);
    noteActivity(state, {
      type: before === NO_SHA ? 'branch_creation' : 'push',
      ref: `refs/heads/${name}`,
      before,
      after,
      actor: state.accounts.named(who),
      at: at + index * 60_000,
      origin: 'branches',
    });
    before = after;
  }
};

const changeOf = (state: State, base: string, file: string | FileWorld): Change => {
  const given: FileWorld = typeof file === 'string' ? { path: file } : file;
  const known = state.graph.files(base).has(given.path);
  return {
    path: given.path,
    status: given.status ?? (given.was !== undefined ? 'renamed' : known ? 'modified' : 'added'),
    ...(given.was === undefined ? {} : { was: given.was }),
    ...(given.mode === undefined ? {} : { mode: given.mode }),
    ...(given.content === undefined ? {} : { content: given.content }),
  };
};

/** A PR of the world, its head branch and its commits; without `files` it changes one file of its own. */
const layPull = (
  state: State,
  number: number,
  given: PullWorld,
  opened: boolean,
  world: World,
  start: number,
): void => {
  const author = state.accounts.named(given.author ?? 'otto');
  const base = given.base ?? state.defaultBranch;
  const head = given.head ?? `pull-${number}`;
  const baseSha = state.branches.get(base) ?? state.branches.get(state.defaultBranch) ?? NO_SHA;
  if (!state.branches.has(base)) state.branches.set(base, baseSha);
  const fork =
    given.fork === true ? `${author.login}/${NAME}` : typeof given.fork === 'string' ? given.fork : null;
  const listed = world.branches?.[head];
  const headSha = state.shas.full(given.sha ?? textOf(listed?.sha) ?? `pull-${number}`);
  const by = listed?.by ?? [given.author ?? 'otto'];
  const at = start - AGE.pulls;
  if (fork === null && state.branches.get(head) === undefined) {
    layBranch(state, head, baseSha, headSha, by, given.commits ?? [], at);
  } else {
    layCommits(state, baseSha, given.commits ?? [], headSha, author, at);
  }
  const own = state.graph.between(baseSha, headSha);
  const listsFiles = own.some((commit) => commit.changes.length > 0);
  const files =
    given.files ?? (listsFiles ? [] : [{ path: `src/pull-${number}.ts`, status: 'added' as const }]);
  const tip = state.graph.get(headSha);
  if (tip !== undefined) tip.changes.push(...files.map((file) => changeOf(state, baseSha, file)));

  const pull: Pull = {
    number,
    id: 700_000 + number,
    exists: !opened,
    author,
    base,
    baseSha,
    head,
    headSha,
    previousSha: null,
    state: given.state ?? 'open',
    draft: false,
    merged: null,
    title: given.title ?? `Change ${number}`,
    body: given.body ?? '',
    labels: [...(given.labels ?? [])],
    reviews: (given.reviews ?? []).map((review) => ({
      id: state.nextId('review'),
      by: state.accounts.named(review.by),
      state: review.state,
      sha: state.shas.full(review.sha),
      at: at + 3_600_000,
      body: '',
      overlay: {},
    })),
    fork,
    autoMerge: given.auto_merge ? { by: state.accounts.named(given.auto_merge), at } : null,
    queued: false,
    requested: [],
    locked: false,
    createdAt: at,
    updatedAt: at,
    closedAt: given.state === 'closed' ? at : null,
    overlay: {},
  };
  state.pulls.set(number, pull);
  if (given.merged !== undefined) landInWorld(state, pull, given.merged, start);
};

/** A PR that was merged before the case starts: when and by whom, the activity list knows if it has the row. */
const landInWorld = (state: State, pull: Pull, merged: string, start: number): void => {
  const sha = state.shas.full(merged);
  const row = state.activity.find((known) => known.origin === 'world' && known.after === sha);
  const by: SandboxAccount = row?.actor ?? state.accounts.named('otto');
  mergePull(state, pull, sha, by, row?.at ?? start - AGE.pulls / 2);
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
      id: 600_000 + Number(number),
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

/** owner/name of the repository that holds the owner's own policy. */
export const ORG_REPOSITORY = `${OWNER}/.github`;
