import { type Json, layOverRecord } from '../records.js';
import { idIn, iso, type State, type WorkflowRun } from '../state.js';
import { userJson } from './account.js';
import { pullsOfHead, suiteId } from './check.js';
import { simpleCommitJson } from './commit.js';
import { ACTIONS_APP } from '../accounts.js';
import { repositoryJson } from './repository.js';
import { nodeId } from './urls.js';

/** The name a workflow shows: its file's, without folder and ending. */
export const workflowName = (path: string): string => path.replace(/^.*\//, '').replace(/\.ya?ml$/, '');

export const workflowJson = (state: State, run: WorkflowRun): Json => {
  const id = 4_000_000 + run.path.length;
  return {
    id,
    node_id: nodeId('W', id),
    name: workflowName(run.path),
    path: run.path,
    state: 'active',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    url: `${state.repo.api}/actions/workflows/${id}`,
    html_url: `${state.repo.html}/blob/main/${run.path}`,
    badge_url: `${state.repo.html}/workflows/${workflowName(run.path)}/badge.svg`,
  };
};

export const workflowRunJson = (state: State, run: WorkflowRun): Json => {
  const url = `${state.repo.api}/actions/runs/${run.id}`;
  const workflow = workflowJson(state, run);
  const suite = suiteId(ACTIONS_APP, run.sha);
  const commit = state.graph.get(run.sha);
  const branch =
    state.pulls.ofHead(run.sha)[0]?.head ??
    [...state.branches].find(([, tip]) => tip === run.sha)?.[0] ??
    state.defaultBranch;
  return layOverRecord(
    {
      id: run.id,
      name: workflowName(run.path),
      node_id: nodeId('WFR', run.id),
      head_branch: branch,
      head_sha: run.sha,
      path: run.path,
      display_title: commit?.message.split('\n')[0] ?? '',
      run_number: 1,
      run_attempt: 1,
      event: 'push',
      status: run.status,
      conclusion: run.conclusion,
      workflow_id: workflow['id'],
      check_suite_id: suite,
      check_suite_node_id: nodeId('CS', suite),
      url,
      html_url: `${state.repo.html}/actions/runs/${run.id}`,
      pull_requests: pullsOfHead(state, run.sha),
      created_at: iso(run.createdAt),
      updated_at: iso(run.updatedAt),
      run_started_at: iso(run.createdAt),
      actor: userJson(run.by),
      triggering_actor: userJson(run.by),
      referenced_workflows: [],
      previous_attempt_url: null,
      jobs_url: `${url}/jobs`,
      logs_url: `${url}/logs`,
      check_suite_url: `${state.repo.api}/check-suites/${suite}`,
      artifacts_url: `${url}/artifacts`,
      cancel_url: `${url}/cancel`,
      rerun_url: `${url}/rerun`,
      workflow_url: workflow['url'],
      head_commit: commit === undefined ? null : simpleCommitJson(commit),
      repository: repositoryJson(state),
      head_repository: repositoryJson(state),
    },
    run.overlay,
  );
};

export const workflowJobJson = (
  state: State,
  run: WorkflowRun,
  branch: unknown,
  conclusion: string | null,
): Json => {
  const id = idIn(state, 60_000_000 + run.id);
  return {
    id,
    run_id: run.id,
    workflow_name: workflowName(run.path),
    head_branch: branch,
    run_url: `${state.repo.api}/actions/runs/${run.id}`,
    run_attempt: 1,
    node_id: nodeId('CR', id),
    head_sha: run.sha,
    url: `${state.repo.api}/actions/jobs/${id}`,
    html_url: `${state.repo.html}/actions/runs/${run.id}/job/${id}`,
    status: run.job,
    conclusion,
    created_at: iso(run.createdAt),
    started_at: iso(run.createdAt),
    completed_at: run.job === 'completed' ? iso(run.updatedAt) : null,
    name: workflowName(run.path),
    steps: run.steps.map((step, index) => ({
      name: step.name,
      status: step.status,
      conclusion: step.conclusion,
      number: index + 1,
      started_at: iso(step.startedAt),
      completed_at: step.completedAt === null ? null : iso(step.completedAt),
    })),
    check_run_url: `${state.repo.api}/check-runs/${id}`,
    labels: ['ubuntu-latest'],
    runner_id: run.job === 'queued' ? null : 1,
    runner_name: run.job === 'queued' ? null : 'GitHub Actions 1',
    runner_group_id: run.job === 'queued' ? null : 0,
    runner_group_name: run.job === 'queued' ? null : 'GitHub Actions',
  };
};
