import { releaseJson } from '../shapes/release.js';
import { workflowJobJson, workflowRunJson } from '../shapes/workflow.js';
import type { WorkflowRun } from '../state.js';
import { type Answer, type Call, failed, notFound, ok, page, type Routes } from './answer.js';

const withRun = (answer: (call: Call, run: WorkflowRun) => Answer) => (call: Call) => {
  const run = call.state.runs.get(Number(call.params['run_id']));
  return run === undefined ? notFound() : answer(call, run);
};

/** 202: GitHub takes its time to end a run; the case's next event says that it ended. */
const cancel = withRun((_, run) =>
  run.status === 'completed'
    ? failed(409, 'Cannot cancel a workflow run that is completed.')
    : { status: 202, body: {} },
);

/** Workflow runs and releases. */
export const actions: Routes = {
  'GET /repos/{owner}/{repo}/actions/runs': (call) => {
    const { state, query } = call;
    const branch = query.get('branch');
    const sha = query.get('head_sha');
    const event = query.get('event');
    const status = query.get('status');
    const runs = [...state.runs.values()]
      .sort((a, b) => b.createdAt - a.createdAt || b.id - a.id)
      .map((run) => workflowRunJson(state, run))
      .filter(
        (run) =>
          (branch === null || run['head_branch'] === branch) &&
          (sha === null || run['head_sha'] === sha) &&
          (event === null || run['event'] === event) &&
          // One parameter asks for either: https://docs.github.com/rest/actions/workflow-runs
          (status === null || run['status'] === status || run['conclusion'] === status),
      );
    return page(call, runs, (shown) => ({ total_count: runs.length, workflow_runs: shown }));
  },
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}': withRun(({ state }, run) =>
    ok(workflowRunJson(state, run)),
  ),
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs': withRun((call, run) => {
    const branch = workflowRunJson(call.state, run)['head_branch'];
    return page(
      call,
      [workflowJobJson(call.state, run, branch, run.job === 'completed' ? run.conclusion : null)],
      (jobs) => ({
        total_count: 1,
        jobs,
      }),
    );
  }),
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel': cancel,
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/force-cancel': cancel,
  'GET /repos/{owner}/{repo}/releases': (call) =>
    page(
      call,
      [...call.state.releases].reverse().map((release) => releaseJson(call.state, release)),
    ),
  'GET /repos/{owner}/{repo}/releases/{release_id}': ({ state, params }) => {
    const release = state.releases.find((one) => one.id === Number(params['release_id']));
    return release === undefined ? notFound() : ok(releaseJson(state, release));
  },
  'GET /repos/{owner}/{repo}/releases/tags/{tag}': ({ state, params }) => {
    const release = state.releases.find((one) => one.tag === params['tag'] && !one.draft);
    return release === undefined ? notFound() : ok(releaseJson(state, release));
  },
};
