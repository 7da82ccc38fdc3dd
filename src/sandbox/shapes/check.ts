import { type Json, layOverRecord } from '../records.js';
import { type CheckRun, iso, type State, type StatusRow } from '../state.js';
import { appJson, userJson } from './account.js';
import { commitJson, simpleCommitJson } from './commit.js';
import { repositoryJson } from './repository.js';
import { nodeId } from './urls.js';

const appOf = (state: State, id: number): Json =>
  appJson(state.accounts.ofApp(id).app ?? { id, slug: `app-${id}` });

/** One suite for each App and head. */
export const suiteId = (app: number, sha: string): number =>
  app * 1_000_000 + (Number.parseInt(sha.slice(0, 5), 16) % 1_000_000);

const branchOf = (state: State, sha: string): string | null =>
  state.pulls.ofHead(sha)[0]?.head ?? [...state.branches].find(([, tip]) => tip === sha)?.[0] ?? null;

/** The open PRs of a head, as checks and runs name them; none for a fork's. */
export const pullsOfHead = (state: State, sha: string): readonly Json[] =>
  state.pulls
    .ofHead(sha)
    .filter((pull) => pull.exists && pull.state === 'open' && pull.fork === null)
    .map((pull) => {
      const repo = { id: state.repo.id, url: state.repo.api, name: state.repo.name };
      return {
        id: pull.id,
        number: pull.number,
        url: `${state.repo.api}/pulls/${pull.number}`,
        head: { ref: pull.head, sha: pull.headSha, repo },
        base: { ref: pull.base, sha: pull.baseSha, repo },
      };
    });

/** A check run as REST answers it. */
export const checkRunJson = (state: State, run: CheckRun): Json =>
  layOverRecord(
    {
      id: run.id,
      name: run.name,
      node_id: nodeId('CR', run.id),
      head_sha: run.sha,
      external_id: run.externalId,
      url: `${state.repo.api}/check-runs/${run.id}`,
      html_url: `${state.repo.html}/runs/${run.id}`,
      details_url: run.detailsUrl ?? `${state.repo.html}/runs/${run.id}`,
      status: run.status,
      conclusion: run.conclusion,
      started_at: iso(run.startedAt),
      completed_at: run.completedAt === null ? null : iso(run.completedAt),
      output: {
        title: run.title,
        summary: run.summary,
        text: run.text,
        annotations_count: run.annotations.length,
        annotations_url: `${state.repo.api}/check-runs/${run.id}/annotations`,
      },
      check_suite: { id: suiteId(run.app, run.sha) },
      app: appOf(state, run.app),
      pull_requests: pullsOfHead(state, run.sha),
    },
    run.overlay,
  );

/** A check suite as `check_suite` events carry it. */
export const suiteJson = (
  state: State,
  app: number,
  sha: string,
  status: string,
  conclusion: string | null,
): Json => {
  const id = suiteId(app, sha);
  const url = `${state.repo.api}/check-suites/${id}`;
  const commit = state.graph.get(sha);
  const runs = state.checks.of(sha).filter((run) => run.app === app);
  return {
    id,
    node_id: nodeId('CS', id),
    head_branch: branchOf(state, sha),
    head_sha: sha,
    status,
    conclusion,
    url,
    before: commit?.parents[0] ?? null,
    after: sha,
    pull_requests: pullsOfHead(state, sha),
    app: appOf(state, app),
    created_at: iso(state.clock.now()),
    updated_at: iso(state.clock.now()),
    rerequestable: true,
    runs_rerequestable: true,
    latest_check_runs_count: runs.length,
    check_runs_url: `${url}/check-runs`,
    head_commit: commit === undefined ? null : simpleCommitJson(commit),
  };
};

/** A check run as `check_run` events carry it: with its suite. */
export const checkRunEventJson = (state: State, run: CheckRun): Json => {
  const rest = checkRunJson(state, run);
  const suite = suiteJson(state, run.app, run.sha, run.status, run.conclusion);
  const keys = ['id', 'node_id', 'head_branch', 'head_sha', 'status', 'conclusion', 'url', 'before', 'after'];
  const more = ['pull_requests', 'app', 'created_at', 'updated_at'];
  return {
    ...rest,
    check_suite: Object.fromEntries([...keys, ...more].map((key) => [key, suite[key]])),
  };
};

/** A commit status, as lists and combined answers carry it. */
export const statusJson = (state: State, status: StatusRow): Json => ({
  url: `${state.repo.api}/statuses/${status.sha}`,
  avatar_url: `https://avatars.githubusercontent.com/u/${status.by.id}?v=4`,
  id: status.id,
  node_id: nodeId('SC', status.id),
  state: status.state,
  description: null,
  target_url: null,
  context: status.context,
  created_at: iso(status.at),
  updated_at: iso(status.at),
});

/** The `status` event: its keys stand at the top of the payload. */
export const statusEventJson = (state: State, status: StatusRow): Json => {
  const commit = state.graph.get(status.sha);
  return {
    id: status.id,
    sha: status.sha,
    name: state.repo.fullName,
    avatar_url: `https://avatars.githubusercontent.com/u/${status.by.id}?v=4`,
    target_url: null,
    context: status.context,
    description: null,
    state: status.state,
    commit: commit === undefined ? {} : commitJson(state, commit),
    branches: [...state.branches]
      .filter(([, tip]) => tip === status.sha)
      .map(([name, sha]) => ({
        name,
        commit: { sha, url: `${state.repo.api}/commits/${sha}` },
        protected: false,
      })),
    created_at: iso(status.at),
    updated_at: iso(status.at),
    repository: repositoryJson(state),
    sender: userJson(status.by),
  };
};
