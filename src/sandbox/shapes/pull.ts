import { rangeOf } from '../merge.js';
import { type Json, layOverRecord } from '../records.js';
import { iso, type Pull, type Review, type State } from '../state.js';
import { associationOf, userJson, userOrNull } from './account.js';
import { labelJson } from './label.js';
import { forkJson, repositoryJson } from './repository.js';
import { nodeId } from './urls.js';

const autoMergeJson = (pull: Pull): Json | null =>
  pull.autoMerge === null
    ? null
    : {
        enabled_by: userJson(pull.autoMerge.by),
        merge_method: 'merge',
        commit_title: `Merge pull request #${pull.number}`,
        commit_message: pull.title,
      };

/** The keys a list answer, a review payload and a full PR share. */
const bare = (state: State, pull: Pull): Json => {
  const api = `${state.repo.api}/pulls/${pull.number}`;
  const html = `${state.repo.html}/pull/${pull.number}`;
  const issue = `${state.repo.api}/issues/${pull.number}`;
  const statuses = `${state.repo.api}/statuses/${pull.headSha}`;
  const headOwner = pull.fork?.split('/')[0] ?? state.repo.owner.login;
  const repository = repositoryJson(state);
  const headRepository = pull.fork === null ? repository : forkJson(state, pull.fork);
  const baseTip = pull.state === 'open' ? (state.branches.get(pull.base) ?? pull.baseSha) : pull.baseSha;
  return {
    url: api,
    id: pull.id,
    node_id: nodeId('PR', pull.id),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    number: pull.number,
    state: pull.state,
    locked: pull.locked,
    title: pull.title,
    user: userJson(pull.author),
    body: pull.body === '' ? null : pull.body,
    created_at: iso(pull.createdAt),
    updated_at: iso(pull.updatedAt),
    closed_at: pull.closedAt === null ? null : iso(pull.closedAt),
    merged_at: pull.merged === null ? null : iso(pull.merged.at),
    merge_commit_sha: pull.merged?.sha ?? state.shas.full(`test merge ${pull.headSha}`),
    assignee: null,
    assignees: [],
    requested_reviewers: pull.requested.map(userJson),
    requested_teams: [],
    labels: pull.labels.map((label) => labelJson(state, label)),
    milestone: null,
    draft: pull.draft,
    commits_url: `${api}/commits`,
    review_comments_url: `${api}/comments`,
    review_comment_url: `${state.repo.api}/pulls/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: statuses,
    head: {
      label: `${headOwner}:${pull.head}`,
      ref: pull.head,
      sha: pull.headSha,
      user: headRepository['owner'],
      repo: headRepository,
    },
    base: {
      label: `${state.repo.owner.login}:${pull.base}`,
      ref: pull.base,
      sha: baseTip,
      user: repository['owner'],
      repo: repository,
    },
    _links: {
      self: { href: api },
      html: { href: html },
      issue: { href: issue },
      comments: { href: `${issue}/comments` },
      review_comments: { href: `${api}/comments` },
      review_comment: { href: `${state.repo.api}/pulls/comments{/number}` },
      commits: { href: `${api}/commits` },
      statuses: { href: statuses },
    },
    author_association: associationOf(pull.author.role),
    auto_merge: autoMergeJson(pull),
    active_lock_reason: null,
  };
};

/** Keys that only a full PR has: overlays of them do not reach a list answer. */
const FULL_ONLY = [
  'merged',
  'mergeable',
  'rebaseable',
  'mergeable_state',
  'merged_by',
  'comments',
  'review_comments',
  'maintainer_can_modify',
  'commits',
  'additions',
  'deletions',
  'changed_files',
];

const without = (json: Json, keys: readonly string[]): Json =>
  Object.fromEntries(Object.entries(json).filter(([key]) => !keys.includes(key)));

/** A PR as lists and review payloads carry it. */
export const pullSimpleJson = (state: State, pull: Pull): Json =>
  layOverRecord(bare(state, pull), without(pull.overlay, FULL_ONLY));

/** A PR as `GET /pulls/{n}` and the `pull_request` event carry it. */
export const pullJson = (state: State, pull: Pull): Json => {
  const { base, head } = rangeOf(state, pull);
  const changes = state.graph.changes(base, head);
  return layOverRecord(
    {
      ...bare(state, pull),
      merged: pull.merged !== null,
      mergeable: pull.state === 'open' ? true : null,
      rebaseable: pull.state === 'open' ? true : null,
      mergeable_state: pull.state === 'open' ? (pull.draft ? 'draft' : 'clean') : 'unknown',
      merged_by: userOrNull(pull.merged?.by ?? null),
      comments: state.comments.of(pull.number).length,
      review_comments: 0,
      maintainer_can_modify: pull.fork !== null,
      commits: state.graph.between(base, head).length,
      additions: changes.filter((change) => change.status !== 'removed').length,
      deletions: changes.filter((change) => change.status !== 'added').length,
      changed_files: changes.length,
    },
    pull.overlay,
  );
};

/** A review: states are shouted over REST and spoken in webhooks. */
export const reviewJson = (state: State, pull: Pull, review: Review, face: 'rest' | 'webhook'): Json => {
  const html = `${state.repo.html}/pull/${pull.number}#pullrequestreview-${review.id}`;
  const at = iso(review.at);
  const common = {
    id: review.id,
    node_id: nodeId('PRR', review.id),
    user: userJson(review.by),
    body: review.body,
    commit_id: review.sha,
    ...(review.state === 'pending' ? {} : { submitted_at: at }),
    html_url: html,
    pull_request_url: `${state.repo.api}/pulls/${pull.number}`,
    author_association: associationOf(review.by.role),
    _links: { html: { href: html }, pull_request: { href: `${state.repo.api}/pulls/${pull.number}` } },
  };
  return layOverRecord(
    face === 'rest'
      ? { ...common, state: review.state.toUpperCase() }
      : { ...common, state: review.state, body: review.body === '' ? null : review.body, updated_at: at },
    face === 'rest' ? without(review.overlay, ['state']) : review.overlay,
  );
};
