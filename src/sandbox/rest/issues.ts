import { isListed, unlistedYet } from '../lag.js';
import { asRecord, type Json, listOf, textOf } from '../records.js';
import { appJson, userJson } from '../shapes/account.js';
import { commentJson, issueJson, pullAsIssueJson } from '../shapes/issue.js';
import { labelJson } from '../shapes/label.js';
import { nodeId } from '../shapes/urls.js';
import { idIn, type Issue, iso, type State, type TimelineEvent } from '../state.js';
import { note } from '../timeline.js';
import { type Answer, type Call, created, invalid, notFound, ok, page, type Routes } from './answer.js';
import { pullAt } from './resolve.js';
import { listedIssues } from './list-issues.js';
import { issueNumberOf, threadJson, tooLong } from './thread.js';

const LONGEST_TITLE = 256;

const assign = (state: State, issue: Issue, logins: readonly unknown[]): Answer | undefined => {
  const accounts = logins.map((login) => state.accounts.byLogin(String(login)));
  const unknown = logins[accounts.findIndex((account) => account === undefined || account.role === 'none')];
  if (unknown !== undefined)
    return invalid('Issue', 'assignees', `${String(unknown)} cannot be assigned`, 'invalid');
  issue.assignees = accounts.filter((account) => account !== undefined);
  return undefined;
};

const open = (call: Call): Answer => {
  const { state, body } = call;
  const title = textOf(body['title']);
  if (title === undefined || title === '')
    return invalid('Issue', 'title', 'title is missing', 'missing_field');
  if (title.length > LONGEST_TITLE)
    return invalid('Issue', 'title', `title is too long (maximum is ${LONGEST_TITLE} characters)`);
  const long = tooLong('Issue', body['body']);
  if (long !== undefined) return long;
  const number = state.nextNumber();
  const at = state.clock.now();
  const issue: Issue = {
    number,
    id: idIn(state, 600_000 + number),
    author: state.accounts.ourApp,
    state: 'open',
    reason: null,
    title,
    body: textOf(body['body']) ?? '',
    labels: listOf(body['labels']).map((label) => textOf(label) ?? textOf(asRecord(label)['name']) ?? ''),
    assignees: [],
    locked: false,
    createdAt: at,
    updatedAt: at,
    closedAt: null,
    closedBy: null,
    overlay: {},
  };
  const refused = assign(state, issue, listOf(body['assignees']));
  if (refused !== undefined) return refused;
  state.issues.set(number, unlistedYet(state, issue));
  call.wrote('title', title);
  call.wrote('body', body['body']);
  return created({ ...issueJson(state, issue), closed_by: null });
};

const change = (call: Call): Answer => {
  const { state, body } = call;
  const issue = state.issues.get(issueNumberOf(call));
  if (issue === undefined)
    return threadJson(state, issueNumberOf(call)) === undefined ? notFound() : changePull(call);
  const long = tooLong('Issue', body['body']);
  if (long !== undefined) return long;
  if (Array.isArray(body['assignees'])) {
    const refused = assign(state, issue, body['assignees']);
    if (refused !== undefined) return refused;
  }
  issue.title = textOf(body['title']) ?? issue.title;
  issue.body = textOf(body['body']) ?? issue.body;
  if (Array.isArray(body['labels'])) issue.labels = body['labels'].map((label) => String(label));
  const app = state.accounts.ourApp;
  if (body['state'] === 'open' && issue.state === 'closed') {
    Object.assign(issue, { state: 'open', reason: 'reopened', closedAt: null, closedBy: null });
    note(state, issue.number, 'reopened', app);
  } else if (body['state'] === 'closed' && issue.state === 'open') {
    const reason = body['state_reason'] ?? 'completed';
    Object.assign(issue, { state: 'closed', reason, closedAt: state.clock.now(), closedBy: app });
    note(state, issue.number, 'closed', app, { more: { state_reason: reason } });
  }
  issue.updatedAt = state.clock.now();
  call.wrote('title', body['title']);
  call.wrote('body', body['body']);
  return ok(issueJson(state, issue));
};

const changePull = (call: Call): Answer => {
  const pull = pullAt(call.state, call.params['issue_number']);
  if (pull === undefined) return notFound();
  if (Array.isArray(call.body['labels'])) pull.labels = call.body['labels'].map(String);
  call.wrote('body', call.body['body']);
  pull.body = textOf(call.body['body']) ?? pull.body;
  return ok(pullAsIssueJson(call.state, pull));
};

const timelineJson = (state: State, row: TimelineEvent): Json => ({
  id: row.id,
  node_id: nodeId('TE', row.id),
  url: `${state.repo.api}/issues/events/${row.id}`,
  actor: userJson(row.by),
  event: row.event,
  commit_id: row.commit,
  commit_url: row.commit === null ? null : `${state.repo.api}/commits/${row.commit}`,
  created_at: iso(row.at),
  performed_via_github_app:
    row.app === null ? null : appJson(state.accounts.ofApp(row.app).app ?? { id: row.app, slug: '' }),
  ...row.more,
});

const timeline = (call: Call): Answer => {
  const { state } = call;
  const number = issueNumberOf(call);
  if (threadJson(state, number) === undefined) return notFound();
  const rows = state.timeline.of(number).map((row) => timelineJson(state, row));
  const comments = state.comments
    .of(number)
    .filter((comment) => isListed(state, comment))
    .map((comment) => ({ event: 'commented', actor: userJson(comment.by), ...commentJson(state, comment) }));
  const all: Json[] = [...rows, ...comments];
  return page(
    call,
    all.sort((a, b) => Date.parse(String(a['created_at'])) - Date.parse(String(b['created_at']))),
  );
};

const addLabels = (call: Call): Answer => {
  const { state, body } = call;
  const thread = state.issues.get(issueNumberOf(call)) ?? pullAt(state, call.params['issue_number']);
  if (thread === undefined) return notFound();
  for (const label of listOf(body['labels']).map(String))
    if (!thread.labels.includes(label)) thread.labels.push(label);
  return ok(thread.labels.map((label) => labelJson(state, label)));
};

export const issues: Routes = {
  'GET /repos/{owner}/{repo}/issues': listedIssues,
  'POST /repos/{owner}/{repo}/issues': open,
  'GET /repos/{owner}/{repo}/issues/{issue_number}': (call) => {
    const thread = threadJson(call.state, issueNumberOf(call));
    const issue = call.state.issues.get(issueNumberOf(call));
    return thread === undefined
      ? notFound()
      : ok({ ...thread, closed_by: issue?.closedBy ? userJson(issue.closedBy) : null });
  },
  'PATCH /repos/{owner}/{repo}/issues/{issue_number}': change,
  'GET /repos/{owner}/{repo}/issues/{issue_number}/timeline': timeline,
  'GET /repos/{owner}/{repo}/issues/{issue_number}/events': (call) =>
    page(
      call,
      call.state.timeline.of(issueNumberOf(call)).map((row) => timelineJson(call.state, row)),
    ),
  'POST /repos/{owner}/{repo}/issues/{issue_number}/labels': addLabels,
  'DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}': (call) => {
    const thread =
      call.state.issues.get(issueNumberOf(call)) ?? pullAt(call.state, call.params['issue_number']);
    if (thread === undefined || !thread.labels.includes(call.params['name'] ?? ''))
      return notFound('Label does not exist');
    thread.labels = thread.labels.filter((label) => label !== call.params['name']);
    return ok(thread.labels.map((label) => labelJson(call.state, label)));
  },
  'GET /repos/{owner}/{repo}/labels': (call) => {
    const { state } = call;
    const names = new Set([...state.issues.values()].flatMap((issue) => issue.labels));
    return page(
      call,
      [...names].map((label) => labelJson(state, label)),
    );
  },
  'POST /repos/{owner}/{repo}/labels': ({ state, body }) =>
    created(labelJson(state, textOf(body['name']) ?? '')),
};
