import type { RunInProgress, SweepReader } from '../../github/read-sweep.js';
import type { Policy } from '../../policy/policy.js';
import type { Found } from './synthetic.js';

export interface RunsDeps {
  readonly repository: number;
  readonly github: Pick<SweepReader, 'runsInProgress'>;
  readonly policy: Policy;
  readonly triggered: (name: string, action: string | null) => boolean;
  readonly accept: (found: Found) => Promise<void>;
}

/** Runs of the policy's own workflows that are in progress. Nothing is asked while no rule is triggered by a run. */
export async function sweepRuns({ repository, github, policy, triggered, accept }: RunsDeps): Promise<void> {
  const { workflows } = policy.runs;
  if (workflows.length === 0 || !triggered('workflow_run', 'in_progress')) return;
  for (const run of await github.runsInProgress()) {
    if (workflows.includes(fileOf(run))) await accept(foundOf(run, repository));
  }
}

/** GitHub may name the ref a workflow came from behind it: `.github/workflows/agent.yml@main`. */
const fileOf = ({ path }: RunInProgress): string => path.split('@')[0] ?? path;

const foundOf = (run: RunInProgress, repository: number): Found => ({
  guid: `runs:${repository}:${run.id}:${run.attempt}`,
  name: 'workflow_run',
  payload: {
    action: 'in_progress',
    workflow_run: {
      id: run.id,
      run_attempt: run.attempt,
      name: run.name,
      path: fileOf(run),
      head_branch: run.branch,
      head_sha: run.sha,
      event: run.event,
      status: 'in_progress',
      run_started_at: run.startedAt,
      triggering_actor: run.actor,
    },
    ...(run.actor === null ? {} : { sender: run.actor }),
  },
  happenedAt: run.startedAt,
  lane: 'sweep',
  subject: `run:${run.id}`,
});
