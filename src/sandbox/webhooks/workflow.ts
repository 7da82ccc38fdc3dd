import { workflowJobJson, workflowJson, workflowRunJson } from '../shapes/workflow.js';
import { NO_SHA } from '../shas.js';
import type { WorkflowRun } from '../state.js';
import {
  ensureCommit,
  type Handler,
  type Happening,
  keepOverlay,
  keyNumber,
  keySha,
  keyText,
  lastingOverlay,
  nowOf,
} from './happening.js';

const runOf = (happening: Happening): WorkflowRun => {
  const { state, by } = happening;
  const id = keyNumber(happening, 'run');
  const known = state.runs.get(id);
  if (known !== undefined) return known;
  const sha = keySha(happening, 'sha') ?? state.branches.get(state.defaultBranch) ?? NO_SHA;
  ensureCommit(state, sha, by);
  const run: WorkflowRun = {
    id,
    path: keyText(happening, 'path') ?? '.github/workflows/ci.yml',
    sha,
    by,
    status: 'requested',
    conclusion: null,
    createdAt: nowOf(happening),
    updatedAt: nowOf(happening),
    steps: [],
    job: 'queued',
    overlay: {},
  };
  state.runs.set(id, run);
  return run;
};

const endSteps = (run: WorkflowRun, conclusion: string, at: number): void => {
  for (const step of run.steps) {
    if (step.status !== 'completed')
      Object.assign(step, { status: 'completed', conclusion, completedAt: at });
  }
};

export const workflowRun: Handler = (happening) => {
  const { state, action } = happening;
  const run = runOf(happening);
  const at = nowOf(happening);
  if (action === 'completed') {
    run.status = 'completed';
    run.conclusion = keyText(happening, 'conclusion') ?? 'success';
    run.job = 'completed';
    endSteps(run, run.conclusion, at);
  } else {
    run.status = action === 'in_progress' ? 'in_progress' : 'requested';
  }
  run.updatedAt = at;
  keepOverlay(run, lastingOverlay(happening, 'workflow_run', ['status', 'conclusion', 'updated_at']));
  return { workflow: workflowJson(state, run), workflow_run: workflowRunJson(state, run) };
};

const JOB_STATES = ['queued', 'waiting', 'in_progress', 'completed'] as const;

/** A job of a run. A `step` that starts ends the one before it. */
export const workflowJob: Handler = (happening) => {
  const { state, action } = happening;
  const run = runOf(happening);
  const at = nowOf(happening);
  const step = keyText(happening, 'step');
  const conclusion = action === 'completed' ? (keyText(happening, 'conclusion') ?? 'success') : null;
  run.job = JOB_STATES.find((known) => known === action) ?? 'queued';
  if (run.status !== 'completed' && action === 'in_progress') run.status = 'in_progress';
  if (step !== undefined && run.steps.at(-1)?.name !== step) {
    endSteps(run, 'success', at);
    run.steps.push({ name: step, status: 'in_progress', conclusion: null, startedAt: at, completedAt: null });
  }
  if (conclusion !== null) endSteps(run, conclusion, at);
  run.updatedAt = at;
  const branch = workflowRunJson(state, run)['head_branch'];
  return { workflow_job: workflowJobJson(state, run, branch, conclusion) };
};
