import { ACTIONS_APP, type SandboxAccount } from '../accounts.js';
import { Unplayable } from '../case-error.js';
import { asRecord, type Json, layOverRecord, numberOf, textOf } from '../records.js';
import { organizationJson, userJson } from '../shapes/account.js';
import { repositoryJson } from '../shapes/repository.js';
import type { State } from '../state.js';
import { checkRun, checkSuite, status } from './check.js';
import { type Handler, writtenOut } from './happening.js';
import { issueComment, issues } from './issues.js';
import { mergeGroup } from './merge-group.js';
import { branchProtectionRule, repositoryRuleset } from './protection.js';
import { pullRequest } from './pull-request.js';
import { push } from './push.js';
import { create, remove } from './refs.js';
import { release } from './release.js';
import { pullRequestReview } from './review.js';
import { workflowJob, workflowRun } from './workflow.js';

const HANDLERS: Readonly<Record<string, Handler>> = {
  pull_request: pullRequest,
  push,
  create,
  delete: remove,
  release,
  issues,
  issue_comment: issueComment,
  pull_request_review: pullRequestReview,
  check_run: checkRun,
  check_suite: checkSuite,
  workflow_run: workflowRun,
  workflow_job: workflowJob,
  status,
  merge_group: mergeGroup,
  repository_ruleset: repositoryRuleset,
  branch_protection_rule: branchProtectionRule,
};

/** The installation, as webhooks name it. */
const installationRef = (id: number): Json => ({
  id,
  node_id: Buffer.from(`023:IntegrationInstallation${id}`).toString('base64'),
});

/** Who did it, where a case does not say. */
const actorOf = (state: State, name: string, keys: Json): SandboxAccount => {
  const by = textOf(keys['by']);
  if (by !== undefined) return state.accounts.named(by);
  const app = numberOf(keys['app']);
  if (app !== undefined) return state.accounts.ofApp(app);
  if (name === 'merge_group') return state.accounts.named('github-merge-queue[bot]');
  const pull = state.pulls.get(numberOf(keys['pull']) ?? 0);
  if (pull !== undefined) return pull.author;
  const automatic = ['check_run', 'check_suite', 'workflow_run', 'workflow_job', 'status'].includes(name);
  return automatic ? state.accounts.ofApp(ACTIONS_APP) : state.accounts.named('otto');
};

/** Plays one delivery of an event: changes the world and gives the whole payloads GitHub would send, mostly one. */
export const play = (state: State, name: string, action: string | null, keys: Json): readonly Json[] => {
  const handler = HANDLERS[name];
  if (handler === undefined)
    throw new Unplayable(`the sandbox plays no ${name}`, 'docs/simulate.md says what it plays');
  const by = actorOf(state, name, keys);
  const overlay = asRecord(writtenOut(state, asRecord(keys['payload'])));
  state.edition += 1;
  const own = handler({ state, action: action ?? '', keys, by, overlay });
  state.edition += 1;
  state.repository = layOverRecord(state.repository, overlay['repository']);
  state.defaultBranch = textOf(state.repository['default_branch']) ?? state.defaultBranch;
  return (Array.isArray(own) ? (own as readonly Json[]) : [own as Json]).map((payload) =>
    layOverRecord(
      {
        // GitHub's order of keys: the action, what the event is about, and then where and by whom.
        ...(action === null ? {} : { action }),
        ...payload,
        repository: repositoryJson(state),
        organization: organizationJson(state),
        sender: userJson(by),
        installation: installationRef(state.repo.installation),
        ...payload,
      },
      overlay,
    ),
  );
};
