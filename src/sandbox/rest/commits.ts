import type { CommitNode } from '../graph.js';
import { isListed } from '../lag.js';
import type { Json } from '../records.js';
import { userJson } from '../shapes/account.js';
import { checkRunJson, statusJson } from '../shapes/check.js';
import { commitJson, fileJson, fullCommitJson } from '../shapes/commit.js';
import { pullSimpleJson } from '../shapes/pull.js';
import { fullRepositoryJson } from '../shapes/repository.js';
import type { CheckRun, Pull, State } from '../state.js';
import { type Answer, type Call, failed, notFound, ok, page, type Routes } from './answer.js';
import { commitAt, pullsThere, resolve } from './resolve.js';

const noCommit = (ref: string): Answer => failed(422, `No commit found for SHA: ${ref}`);

/** Commits that a ref reaches, newest first; with `path`, those that touched it or something under it. */
const history = (state: State, head: string, path: string | null): readonly CommitNode[] => {
  const ordered = [...state.graph.history(head)].reverse();
  if (path === null) return ordered;
  const inside = (name: string | undefined): boolean =>
    name !== undefined && (name === path || name.startsWith(`${path}/`));
  // GitHub simplifies history: a merge that only carries over what one of its parents did is left out.
  return ordered.filter(
    (commit) =>
      commit.changes.some((change) => inside(change.path) || inside(change.was)) &&
      !(commit.parents.length > 1 && carriesOver(state, commit, path)),
  );
};

const carriesOver = (state: State, merge: CommitNode, path: string): boolean => {
  const text = state.graph.files(merge.sha).get(path)?.content;
  return merge.parents.slice(1).some((parent) => state.graph.files(parent).get(path)?.content === text);
};

/** PRs GitHub associates with a commit: merged ones that brought it, then open ones that hold it. */
const pullsOf = (state: State, sha: string): readonly Json[] => {
  const after = state.graph.descendants(sha);
  const holds = (pull: Pull): boolean => after.has(pull.headSha) && !after.has(pull.baseSha);
  const landed = pullsThere(state).filter(
    (pull) => pull.merged !== null && (pull.merged.sha === sha || holds(pull)),
  );
  const onTrunk = after.has(state.branches.get(state.defaultBranch) ?? '');
  const open = onTrunk ? [] : pullsThere(state).filter((pull) => pull.state === 'open' && holds(pull));
  return [...landed, ...open].map((pull) => pullSimpleJson(state, pull));
};

const compare = (call: Call): Answer => {
  const { state } = call;
  const [from = '', to = ''] = (call.params['basehead'] ?? '').split('...');
  const base = commitAt(state, from);
  const head = commitAt(state, to);
  if (base === undefined || head === undefined) return notFound();
  const fork = state.graph.get(state.graph.mergeBase(base.sha, head.sha) ?? '');
  if (fork === undefined) return notFound(`No common ancestor between ${from} and ${to}.`);
  const ahead = state.graph.between(base.sha, head.sha);
  const behind = state.graph.between(head.sha, base.sha);
  const files = state.graph.files(head.sha);
  const status =
    ahead.length === 0
      ? behind.length === 0
        ? 'identical'
        : 'behind'
      : behind.length === 0
        ? 'ahead'
        : 'diverged';
  const { login } = state.repo.owner;
  const html = `${state.repo.html}/compare/${from}...${to}`;
  return page(call, ahead, (shown) => ({
    url: `${state.repo.api}/compare/${from}...${to}`,
    html_url: html,
    permalink_url: `${state.repo.html}/compare/${login}:${base.sha.slice(0, 7)}...${login}:${head.sha.slice(0, 7)}`,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    base_commit: commitJson(state, base),
    merge_base_commit: commitJson(state, fork),
    status,
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: shown.map((commit) => commitJson(state, commit)),
    files: state.graph.changes(fork.sha, head.sha).map((change) => fileJson(state, change, files, head.sha)),
  }));
};

/** The newest run of each name in each App's suite, as `filter=latest` means it. */
const latestOf = (runs: readonly CheckRun[]): readonly CheckRun[] => [
  ...new Map(runs.map((run) => [`${run.app} ${run.name}`, run])).values(),
];

const checkRuns = (call: Call): Answer => {
  const { state, query, params } = call;
  const sha = resolve(state, params['ref'] ?? '');
  if (sha === undefined) return noCommit(params['ref'] ?? '');
  const name = query.get('check_name');
  const app = query.get('app_id');
  const status = query.get('status');
  const ofSha = state.checks.of(sha).filter((run) => isListed(state, run));
  const runs = (query.get('filter') === 'all' ? ofSha : latestOf(ofSha)).filter(
    (run) =>
      (name === null || run.name === name) &&
      (app === null || String(run.app) === app) &&
      (status === null || run.status === status),
  );
  const newestFirst = [...runs].sort((a, b) => b.id - a.id);
  return page(call, newestFirst, (shown) => ({
    total_count: runs.length,
    check_runs: shown.map((run) => checkRunJson(state, run)),
  }));
};

const combinedStatus = (call: Call): Answer => {
  const { state, params } = call;
  const sha = resolve(state, params['ref'] ?? '');
  if (sha === undefined) return notFound();
  const statuses = [...new Map(state.statuses.of(sha).map((row) => [row.context, row])).values()];
  const worst = statuses.some((row) => row.state === 'failure' || row.state === 'error')
    ? 'failure'
    : statuses.length === 0 || statuses.some((row) => row.state === 'pending')
      ? 'pending'
      : 'success';
  return ok({
    state: worst,
    statuses: statuses.map((row) => statusJson(state, row)),
    sha,
    total_count: statuses.length,
    repository: fullRepositoryJson(state),
    commit_url: `${state.repo.api}/commits/${sha}`,
    url: `${state.repo.api}/commits/${sha}/status`,
  });
};

export const commits: Routes = {
  'GET /repos/{owner}/{repo}/commits': (call) => {
    const { state, query } = call;
    const head = resolve(state, query.get('sha') ?? state.defaultBranch);
    if (head === undefined) return notFound();
    const author = query.get('author')?.toLowerCase();
    const found = history(state, head, query.get('path')).filter(
      (commit) => author === undefined || commit.author?.login.toLowerCase() === author,
    );
    return page(
      call,
      found.map((commit) => commitJson(state, commit)),
    );
  },
  'GET /repos/{owner}/{repo}/commits/{ref}': ({ state, params }) => {
    const commit = commitAt(state, params['ref'] ?? '');
    return commit === undefined ? noCommit(params['ref'] ?? '') : ok(fullCommitJson(state, commit));
  },
  'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls': (call) => {
    const sha = resolve(call.state, call.params['commit_sha'] ?? '');
    return sha === undefined
      ? noCommit(call.params['commit_sha'] ?? '')
      : page(call, pullsOf(call.state, sha));
  },
  'GET /repos/{owner}/{repo}/commits/{ref}/check-runs': checkRuns,
  'GET /repos/{owner}/{repo}/commits/{ref}/status': combinedStatus,
  'GET /repos/{owner}/{repo}/commits/{ref}/statuses': (call) => {
    const sha = resolve(call.state, call.params['ref'] ?? '');
    const rows = [...call.state.statuses.of(sha ?? '')].reverse();
    return page(
      call,
      rows.map((row) => ({ ...statusJson(call.state, row), creator: userJson(row.by) })),
    );
  },
  'GET /repos/{owner}/{repo}/compare/{basehead}': compare,
};
