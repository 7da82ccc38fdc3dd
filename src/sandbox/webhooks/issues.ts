import type { SandboxAccount } from '../accounts.js';
import { Unplayable } from '../case-error.js';
import { asRecord, type Json, numberOf } from '../records.js';
import { appJson, userJson } from '../shapes/account.js';
import { commentJson, issueJson, pullAsIssueJson } from '../shapes/issue.js';
import { labelJson } from '../shapes/label.js';
import { type Comment, idIn, type Issue, type State } from '../state.js';
import { note } from '../timeline.js';
import {
  type Handler,
  type Happening,
  keepOverlay,
  keyNumber,
  keyText,
  lastingOverlay,
  nowOf,
} from './happening.js';

/** An issue of the case; one it never described is made. */
export const issueOf = (state: State, number: number, by: SandboxAccount): Issue => {
  const known = state.issues.get(number);
  if (known !== undefined) return known;
  const at = state.clock.now();
  const issue: Issue = {
    number,
    id: idIn(state, 600_000 + number),
    author: by,
    state: 'open',
    reason: null,
    title: `Issue ${number}`,
    body: '',
    labels: [],
    assignees: [],
    locked: false,
    createdAt: at,
    updatedAt: at,
    closedAt: null,
    closedBy: null,
    overlay: {},
  };
  state.issues.set(number, issue);
  return issue;
};

/** The merge whose closing keyword closes the issue, where the same hand merged just before. */
const closingMerge = (state: State, issue: number, by: SandboxAccount): string | undefined => {
  const keyword = new RegExp(`\\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\\s+#${issue}\\b`, 'i');
  const pull = [...state.pulls].find(
    (candidate) =>
      candidate.merged?.by === by &&
      state.clock.now() - candidate.merged.at <= 90_000 &&
      keyword.test(candidate.body),
  );
  return pull?.merged?.sha;
};

/** The App an act went through: the one named, or the bot's own. */
const appOf = (happening: Happening): number | null =>
  numberOf(happening.keys['via_app']) ?? happening.by.app?.id ?? null;

const act = (happening: Happening, issue: Issue): Json => {
  const { state, action, by } = happening;
  const at = nowOf(happening);
  const app = appOf(happening);
  const via = app === null ? {} : { app };
  const label = keyText(happening, 'label') ?? 'bug';
  switch (action) {
    case 'opened':
      return {};
    case 'closed': {
      const reason = keyText(happening, 'reason') ?? 'completed';
      Object.assign(issue, { state: 'closed', reason, closedAt: at, closedBy: by });
      const commit = closingMerge(state, issue.number, by);
      note(state, issue.number, 'closed', by, {
        ...via,
        ...(commit === undefined ? {} : { commit }),
        more: { state_reason: reason },
      });
      return {};
    }
    case 'reopened':
      Object.assign(issue, { state: 'open', reason: 'reopened', closedAt: null, closedBy: null });
      note(state, issue.number, 'reopened', by, via);
      return {};
    case 'edited': {
      const changes: Record<string, unknown> = {};
      const title = keyText(happening, 'title');
      const body = keyText(happening, 'body');
      if (title !== undefined) changes['title'] = { from: issue.title };
      if (body !== undefined) changes['body'] = { from: issue.body };
      issue.title = title ?? issue.title;
      issue.body = body ?? issue.body;
      return { changes };
    }
    case 'labeled':
      if (!issue.labels.includes(label)) issue.labels.push(label);
      note(state, issue.number, 'labeled', by, { ...via, more: { label: { name: label, color: 'ededed' } } });
      return { label: labelJson(state, label) };
    case 'unlabeled':
      issue.labels = issue.labels.filter((known) => known !== label);
      return { label: labelJson(state, label) };
    case 'assigned':
    case 'unassigned':
      return { assignee: userJson(by) };
    case 'locked':
    case 'unlocked':
      issue.locked = action === 'locked';
      return {};
    default:
      throw new Unplayable(
        `issues.${action} is no action of the sandbox`,
        'docs/simulate.md says what it plays',
      );
  }
};

export const issues: Handler = (happening) => {
  const { state, by } = happening;
  const issue = issueOf(state, keyNumber(happening, 'issue'), by);
  const title = keyText(happening, 'title');
  const body = keyText(happening, 'body');
  if (happening.action === 'opened')
    Object.assign(issue, { title: title ?? issue.title, body: body ?? issue.body });
  const more = act(happening, issue);
  issue.updatedAt = nowOf(happening);
  keepOverlay(
    issue,
    lastingOverlay(happening, 'issue', ['state', 'state_reason', 'closed_at', 'updated_at']),
  );
  const via = numberOf(happening.keys['via_app']);
  const app =
    via === undefined
      ? {}
      : { performed_via_github_app: appJson(state.accounts.ofApp(via).app ?? { id: via, slug: '' }) };
  return { issue: { ...issueJson(state, issue), ...app }, ...more };
};

const commentOf = (
  happening: Happening,
  on: number,
): { readonly comment: Comment; readonly changes: Json } => {
  const { state, action, by, keys } = happening;
  const body = keyText(happening, 'body') ?? '';
  const wanted = numberOf(keys['comment']);
  const known = state.comments
    .of(on)
    .findLast((comment) => (wanted === undefined ? comment.by === by : comment.id === wanted));
  if (action !== 'created' && known !== undefined) {
    const from = known.body;
    if (action === 'edited') {
      known.body = body;
      known.updatedAt = nowOf(happening);
      return { comment: known, changes: { changes: { body: { from } } } };
    }
    state.comments.remove(known);
    return { comment: known, changes: {} };
  }
  const comment: Comment = {
    id: numberOf(asRecord(happening.overlay['comment'])['id']) ?? wanted ?? state.nextId('comment'),
    on,
    by,
    app: appOf(happening),
    body,
    createdAt: nowOf(happening),
    updatedAt: nowOf(happening),
    overlay: {},
  };
  state.comments.add(comment);
  return { comment, changes: action === 'edited' ? { changes: {} } : {} };
};

export const issueComment: Handler = (happening) => {
  const { state, by } = happening;
  const on = keyNumber(happening, 'on');
  const pull = state.pulls.get(on);
  const issue = pull === undefined ? issueOf(state, on, by) : undefined;
  const { comment, changes } = commentOf(happening, on);
  const laid = lastingOverlay(happening, 'comment', ['updated_at']);
  if (typeof laid['body'] === 'string') comment.body = laid['body'];
  keepOverlay(comment, laid);
  if (issue !== undefined) issue.updatedAt = nowOf(happening);
  if (pull !== undefined) pull.updatedAt = nowOf(happening);
  const thread =
    pull === undefined ? (issue === undefined ? {} : issueJson(state, issue)) : pullAsIssueJson(state, pull);
  return { issue: thread, comment: commentJson(state, comment), ...changes };
};
