import { type Json, layOverRecord } from '../records.js';
import { type Comment, idIn, type Issue, iso, type Pull, type State } from '../state.js';
import { appJson, associationOf, userJson, userOrNull } from './account.js';
import { labelJson } from './label.js';
import { pullSimpleJson } from './pull.js';
import { nodeId } from './urls.js';

/** Reactions, as issues and comments sum them up. */
export const reactionsJson = (url: string, contents: readonly string[]): Json => {
  const count = (content: string): number => contents.filter((one) => one === content).length;
  return {
    url: `${url}/reactions`,
    total_count: contents.length,
    '+1': count('+1'),
    '-1': count('-1'),
    laugh: count('laugh'),
    hooray: count('hooray'),
    confused: count('confused'),
    heart: count('heart'),
    rocket: count('rocket'),
    eyes: count('eyes'),
  };
};

const links = (state: State, number: number): Json => {
  const url = `${state.repo.api}/issues/${number}`;
  return {
    url,
    repository_url: state.repo.api,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    reactions: reactionsJson(url, []),
  };
};

export const issueJson = (state: State, issue: Issue): Json =>
  layOverRecord(
    {
      ...links(state, issue.number),
      html_url: `${state.repo.html}/issues/${issue.number}`,
      id: issue.id,
      node_id: nodeId('I', issue.number),
      number: issue.number,
      title: issue.title,
      user: userJson(issue.author),
      labels: issue.labels.map((label) => labelJson(state, label)),
      state: issue.state,
      state_reason: issue.reason,
      locked: issue.locked,
      assignee: userOrNull(issue.assignees[0] ?? null),
      assignees: issue.assignees.map(userJson),
      milestone: null,
      comments: state.comments.of(issue.number).length,
      created_at: iso(issue.createdAt),
      updated_at: iso(issue.updatedAt),
      closed_at: issue.closedAt === null ? null : iso(issue.closedAt),
      author_association: associationOf(issue.author.role),
      active_lock_reason: null,
      body: issue.body === '' ? null : issue.body,
      performed_via_github_app: issue.author.app === null ? null : appJson(issue.author.app),
    },
    issue.overlay,
  );

/** A PR in the shape of an issue, as comments on it and `GET /issues` carry it. */
export const pullAsIssueJson = (state: State, pull: Pull): Json => {
  const simple = pullSimpleJson(state, pull);
  const same = [
    'title',
    'body',
    'labels',
    'state',
    'locked',
    'user',
    'closed_at',
    'created_at',
    'updated_at',
  ];
  return {
    ...links(state, pull.number),
    html_url: simple['html_url'],
    id: idIn(state, 500_000 + pull.number),
    node_id: simple['node_id'],
    number: pull.number,
    ...Object.fromEntries(same.map((key) => [key, simple[key]])),
    state_reason: null,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: state.comments.of(pull.number).length,
    author_association: associationOf(pull.author.role),
    active_lock_reason: null,
    draft: pull.draft,
    performed_via_github_app: null,
    pull_request: {
      url: simple['url'],
      html_url: simple['html_url'],
      diff_url: simple['diff_url'],
      patch_url: simple['patch_url'],
      merged_at: simple['merged_at'],
    },
  };
};

export const commentJson = (state: State, comment: Comment): Json => {
  const pull = state.pulls.get(comment.on);
  const page = pull === undefined ? 'issues' : 'pull';
  const url = `${state.repo.api}/issues/comments/${comment.id}`;
  const reactions = state.reactions.filter((one) => one.comment === comment.id).map((one) => one.content);
  return layOverRecord(
    {
      url,
      html_url: `${state.repo.html}/${page}/${comment.on}#issuecomment-${comment.id}`,
      issue_url: `${state.repo.api}/issues/${comment.on}`,
      id: comment.id,
      node_id: nodeId('IC', comment.id),
      user: userJson(comment.by),
      created_at: iso(comment.createdAt),
      updated_at: iso(comment.updatedAt),
      author_association: associationOf(comment.by.role),
      body: comment.body,
      reactions: reactionsJson(url, reactions),
      performed_via_github_app:
        comment.app === null
          ? null
          : appJson(state.accounts.ofApp(comment.app).app ?? { id: comment.app, slug: '' }),
    },
    comment.overlay,
  );
};
