import { moveBranch, noteActivity, putCommit } from '../history.js';
import type { Change } from '../changes.js';
import { newPull } from '../new-pull.js';
import { NO_SHA } from '../shas.js';
import type { Pull, State } from '../state.js';

/** Opens a PR as our App: no webhook tells it, the world has it. */
export const openPull = (
  state: State,
  given: {
    readonly head: string;
    readonly base: string;
    readonly title: string;
    readonly body: string;
    readonly draft: boolean;
  },
): Pull => {
  const baseSha = state.branches.get(given.base) ?? NO_SHA;
  const number = state.nextNumber();
  const pull = newPull(state, {
    number,
    author: state.accounts.ourApp,
    base: given.base,
    baseSha,
    head: given.head,
    headSha: state.branches.get(given.head) ?? baseSha,
    createdAt: state.clock.now(),
    title: given.title,
    body: given.body,
    draft: given.draft,
  });
  state.pulls.add(pull);
  return pull;
};

const undone = (change: Change, before: ReadonlyMap<string, { readonly content: string }>): Change => {
  const old = before.get(change.was ?? change.path)?.content;
  const content = old === undefined ? {} : { content: old };
  if (change.status === 'added') return { path: change.path, status: 'removed' };
  if (change.status === 'renamed' && change.was !== undefined) {
    return { path: change.was, was: change.path, status: 'renamed', ...content };
  }
  return { path: change.path, status: change.status === 'removed' ? 'added' : 'modified', ...content };
};

/** What `revertPullRequest` makes: a branch with one commit that takes the merge back, and a PR of it. */
export const openRevert = (
  state: State,
  merged: Pull,
  given: { readonly title?: string; readonly body?: string; readonly draft: boolean },
): Pull => {
  const app = state.accounts.ourApp;
  const tip = state.branches.get(merged.base) ?? merged.baseSha;
  const head = `revert-${merged.number}-${merged.head}`;
  const sha = state.shas.full(head);
  const before = state.graph.files(merged.baseSha);
  const changes = state.graph.get(merged.merged?.sha ?? '')?.changes ?? [];
  putCommit(state, sha, [tip], app, {
    message: `Revert "${merged.title}"`,
    changes: changes.map((change) => undone(change, before)),
  });
  moveBranch(state, head, sha);
  noteActivity(state, {
    type: 'branch_creation',
    ref: `refs/heads/${head}`,
    before: NO_SHA,
    after: sha,
    actor: app,
  });
  return openPull(state, {
    head,
    base: merged.base,
    title: given.title ?? `Revert "${merged.title}"`,
    body: given.body ?? `Reverts ${state.repo.fullName}#${merged.number}`,
    draft: given.draft,
  });
};
