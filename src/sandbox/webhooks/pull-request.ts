import type { SandboxAccount } from '../accounts.js';
import { Unplayable } from '../case-error.js';
import { layCommits, moveBranch, noteActivity } from '../history.js';
import { mergePull } from '../merge.js';
import { newPull } from '../new-pull.js';
import { asRecord, type Json, textOf } from '../records.js';
import { userJson } from '../shapes/account.js';
import { labelJson } from '../shapes/label.js';
import { pullJson } from '../shapes/pull.js';
import { NO_SHA } from '../shas.js';
import type { Pull, State } from '../state.js';
import { note } from '../timeline.js';
import {
  type Handler,
  type Happening,
  keepOverlay,
  keyNumber,
  keySha,
  keyText,
  lastingOverlay,
  nowOf,
} from './happening.js';

/** Keys that tell the moment of a delivery: a stale one laid over says nothing of the PR as it is. */
const PASSING = [
  'state',
  'merged',
  'merged_at',
  'merged_by',
  'merge_commit_sha',
  'mergeable',
  'mergeable_state',
  'updated_at',
  'closed_at',
];

/** A PR of the case; one it never described is made, by whoever acts on it first. */
export const pullOf = (state: State, number: number, by: SandboxAccount): Pull => {
  const known = state.pulls.get(number);
  if (known !== undefined) return known;
  const base = state.defaultBranch;
  const head = `pull-${number}`;
  const baseSha = state.branches.get(base) ?? NO_SHA;
  const headSha = state.shas.full(head);
  layCommits(state, baseSha, [{ sha: headSha, added: [`src/${head}.ts`] }], headSha, by);
  state.branches.set(head, headSha);
  const pull = newPull(state, {
    number,
    author: by,
    base,
    baseSha,
    head,
    headSha,
    createdAt: state.clock.now(),
  });
  state.pulls.add(pull);
  noteActivity(state, {
    type: 'branch_creation',
    ref: `refs/heads/${head}`,
    before: NO_SHA,
    after: headSha,
    actor: by,
  });
  return pull;
};

/** Lays an event's `payload.pull_request` onto the PR itself: REST answers it too. */
export const layOntoPull = (happening: Happening, pull: Pull): void => {
  const laid = lastingOverlay(happening, 'pull_request', PASSING);
  const base = textOf(asRecord(laid['base'])['ref']);
  if (base !== undefined) pull.base = base;
  if (typeof laid['title'] === 'string') pull.title = laid['title'];
  if (typeof laid['body'] === 'string') pull.body = laid['body'];
  if (typeof laid['draft'] === 'boolean') pull.draft = laid['draft'];
  keepOverlay(pull, laid);
};

const moveHead = (happening: Happening, pull: Pull): Json => {
  const { state, by } = happening;
  const sha = keySha(happening, 'sha') ?? pull.headSha;
  const before = pull.headSha;
  if (sha !== before) {
    layCommits(state, before, [], sha, by);
    if (pull.fork === null) {
      moveBranch(state, pull.head, sha);
      noteActivity(state, { type: 'push', ref: `refs/heads/${pull.head}`, before, after: sha, actor: by });
    }
    if (pull.headSha !== sha) state.pulls.moveHead(pull, sha);
    pull.previousSha = before;
  }
  return { before: pull.previousSha ?? state.graph.get(sha)?.parents[0] ?? NO_SHA, after: sha };
};

const close = (happening: Happening, pull: Pull): Json => {
  const { state, by } = happening;
  const at = nowOf(happening);
  const merged = keySha(happening, 'merged');
  pull.exists = true;
  if (merged === undefined) {
    Object.assign(pull, { state: 'closed', closedAt: at, autoMerge: null, queued: false });
  } else if (pull.merged?.sha !== merged) {
    mergePull(state, pull, merged, by, at);
    note(state, pull.number, 'merged', by, { commit: merged });
  }
  note(state, pull.number, 'closed', by);
  return {};
};

const edit = (happening: Happening, pull: Pull): Json => {
  const { state } = happening;
  const changes: Record<string, unknown> = {};
  const title = keyText(happening, 'title');
  const body = keyText(happening, 'body');
  const base = keyText(happening, 'base');
  if (title !== undefined) {
    changes['title'] = { from: pull.title };
    pull.title = title;
  }
  if (body !== undefined) {
    changes['body'] = { from: pull.body };
    pull.body = body;
  }
  if (base !== undefined) {
    changes['base'] = { ref: { from: pull.base }, sha: { from: pull.baseSha } };
    pull.base = base;
    pull.baseSha = state.branches.get(base) ?? pull.baseSha;
  }
  return { changes };
};

/** What each action does to the PR, and the keys it adds to the payload. */
const act = (happening: Happening, pull: Pull): Json => {
  const { state, action, by } = happening;
  const at = nowOf(happening);
  const label = keyText(happening, 'label') ?? 'bug';
  const reviewer = state.accounts.named(keyText(happening, 'reviewer') ?? 'mara');
  const reason = keyText(happening, 'reason');
  switch (action) {
    case 'opened':
      Object.assign(pull, { exists: true, state: 'open', createdAt: at, closedAt: null });
      pull.baseSha = state.branches.get(pull.base) ?? pull.baseSha;
      state.pulls.moveHead(pull, keySha(happening, 'sha') ?? pull.headSha);
      return {};
    case 'reopened':
      Object.assign(pull, { exists: true, state: 'open', closedAt: null });
      note(state, pull.number, 'reopened', by);
      return {};
    case 'closed':
      return close(happening, pull);
    case 'synchronize':
      return moveHead(happening, pull);
    case 'edited':
      return edit(happening, pull);
    case 'auto_merge_enabled':
      pull.autoMerge = { by, at };
      note(state, pull.number, 'auto_merge_enabled', by);
      return reason === undefined ? {} : { reason };
    case 'auto_merge_disabled':
      pull.autoMerge = null;
      return { reason: reason ?? 'Auto-merge was disabled by a user' };
    case 'enqueued':
      pull.queued = true;
      note(state, pull.number, 'added_to_merge_queue', by);
      return {};
    case 'dequeued':
      pull.queued = false;
      note(state, pull.number, 'removed_from_merge_queue', by);
      return { reason: reason ?? 'MANUAL' };
    case 'converted_to_draft':
      pull.draft = true;
      return {};
    case 'ready_for_review':
      pull.draft = false;
      return {};
    case 'labeled':
      if (!pull.labels.includes(label)) pull.labels.push(label);
      return { label: labelJson(state, label) };
    case 'unlabeled':
      pull.labels = pull.labels.filter((known) => known !== label);
      return { label: labelJson(state, label) };
    case 'review_requested':
      if (!pull.requested.includes(reviewer)) pull.requested.push(reviewer);
      return { requested_reviewer: userJson(reviewer) };
    case 'review_request_removed':
      pull.requested = pull.requested.filter((known) => known !== reviewer);
      return { requested_reviewer: userJson(reviewer) };
    case 'assigned':
    case 'unassigned':
      return { assignee: userJson(reviewer) };
    case 'locked':
    case 'unlocked':
      pull.locked = action === 'locked';
      return {};
    default:
      throw new Unplayable(
        `pull_request.${action} is no action of the sandbox`,
        'docs/simulate.md says what it plays',
      );
  }
};

export const pullRequest: Handler = (happening) => {
  const pull = pullOf(happening.state, keyNumber(happening, 'pull'), happening.by);
  const more = act(happening, pull);
  pull.updatedAt = nowOf(happening);
  layOntoPull(happening, pull);
  return { number: pull.number, pull_request: pullJson(happening.state, pull), ...more };
};
