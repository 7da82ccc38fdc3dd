import { rangeOf } from '../merge.js';
import { mergePull } from '../merge.js';
import { isListed, unlistedYet } from '../lag.js';
import { asRecord, type Json, listOf, textOf } from '../records.js';
import { commitJson, fileJson } from '../shapes/commit.js';
import { pullJson, pullSimpleJson, reviewJson } from '../shapes/pull.js';
import { note } from '../timeline.js';
import type { Pull, Review, State } from '../state.js';
import {
  type Answer,
  type Call,
  created,
  failed,
  invalid,
  notFound,
  ok,
  page,
  type Routes,
} from './answer.js';
import { openPull } from './open-pull.js';
import { pullAt, pullsThere, resolve } from './resolve.js';

/** GitHub lists no more files of a PR, and no more commits. */
const MOST_FILES = 3_000;
const MOST_COMMITS = 250;

const withPull = (answer: (call: Call, pull: Pull) => Answer) => (call: Call) => {
  const pull = pullAt(call.state, call.params['pull_number']);
  return pull === undefined ? notFound() : answer(call, pull);
};

const SORTS: Readonly<Record<string, (pull: Pull) => number>> = {
  created: (pull) => pull.createdAt,
  updated: (pull) => pull.updatedAt,
};

/** Whether the list shows a PR; where a case lays something over it, by what is shown. */
const isAsked = (state: State, pull: Pull, query: URLSearchParams): boolean => {
  const shown = 'base' in pull.overlay || 'head' in pull.overlay ? pullSimpleJson(state, pull) : null;
  const owner = pull.fork?.split('/')[0] ?? state.repo.owner.login;
  const wanted = query.get('state') ?? 'open';
  const head = query.get('head');
  const base = query.get('base');
  return (
    (wanted === 'all' || pull.state === wanted) &&
    (base === null || (shown === null ? pull.base : asRecord(shown['base'])['ref']) === base) &&
    (head === null ||
      !head.includes(':') ||
      (shown === null ? `${owner}:${pull.head}` : asRecord(shown['head'])['label']) === head)
  );
};

const listed = (call: Call): Answer => {
  const { state, query } = call;
  const sort = query.get('sort') ?? 'created';
  const key = SORTS[sort] ?? ((pull: Pull) => pull.createdAt);
  const descending =
    query.get('direction') === 'desc' || (query.get('direction') === null && sort === 'created');
  const sign = descending ? -1 : 1;
  const asked = pullsThere(state)
    .filter((pull) => isAsked(state, pull, query))
    .sort((a, b) => sign * (key(a) - key(b) || a.number - b.number));
  return page(call, asked, (shown) => shown.map((pull) => pullSimpleJson(state, pull)));
};

/** The files of a PR that GitHub lists, with their patches. */
export const filesOf = (state: State, pull: Pull): readonly Json[] => {
  const { base, head } = rangeOf(state, pull);
  const files = state.graph.files(head);
  return state.graph.changes(base, head).map((change) => fileJson(state, change, files, head));
};

const EVENTS: Readonly<Record<string, Review['state']>> = {
  APPROVE: 'approved',
  REQUEST_CHANGES: 'changes_requested',
  COMMENT: 'commented',
};

/** Without an event a review is pending: https://docs.github.com/rest/pulls/reviews#create-a-review-for-a-pull-request */
const review = withPull((call, pull) => {
  const { state, body } = call;
  const event = textOf(body['event']);
  const given = event === undefined ? 'pending' : EVENTS[event];
  if (given === undefined)
    return failed(422, 'Unprocessable Entity', { errors: ['Variable $event is invalid'] });
  if (given === 'approved' && pull.author === state.accounts.ourApp) {
    return failed(422, 'Unprocessable Entity', { errors: ['Can not approve your own pull request'] });
  }
  const words = textOf(body['body']) ?? '';
  if (words === '' && (given === 'changes_requested' || given === 'commented')) {
    return invalid('PullRequestReview', 'body', 'body cannot be blank', 'missing_field');
  }
  call.wrote('body', words);
  const added: Review = {
    id: state.nextId('review'),
    by: state.accounts.ourApp,
    state: given,
    sha: textOf(body['commit_id']) ?? pull.headSha,
    at: state.clock.now(),
    body: words,
    overlay: {},
  };
  pull.reviews.push(unlistedYet(state, added));
  return ok(reviewJson(state, pull, added, 'rest'));
});

const merge = withPull((call, pull) => {
  const { state, body } = call;
  if (pull.state !== 'open') return failed(405, 'Pull Request is not mergeable');
  const wanted = textOf(body['sha']);
  if (wanted !== undefined && wanted !== pull.headSha) {
    return failed(409, 'Head branch was modified. Review and try the merge again.');
  }
  const sha = state.shas.full(`merge of ${pull.number}`);
  mergePull(state, pull, sha, state.accounts.ourApp, state.clock.now());
  note(state, pull.number, 'merged', state.accounts.ourApp, { commit: sha });
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
});

const requestReview = withPull((call, pull) => {
  const { state, body } = call;
  for (const login of listOf(body['reviewers']).map(String)) {
    const account = state.accounts.byLogin(login);
    if (account === undefined || account === pull.author) {
      return failed(422, 'Reviews may only be requested from collaborators.');
    }
    if (!pull.requested.includes(account)) pull.requested.push(account);
  }
  return created(pullSimpleJson(state, pull));
});

export const pulls: Routes = {
  'GET /repos/{owner}/{repo}/pulls': listed,
  'POST /repos/{owner}/{repo}/pulls': (call) => {
    const { state, body } = call;
    const head = textOf(body['head']) ?? '';
    const base = textOf(body['base']) ?? '';
    const tip = resolve(state, head);
    if (tip === undefined) return invalid('PullRequest', 'head', 'head is invalid', 'invalid');
    if (!state.branches.has(base)) return invalid('PullRequest', 'base', 'base is invalid', 'invalid');
    call.wrote('title', body['title']);
    call.wrote('body', body['body']);
    const pull = openPull(state, {
      head,
      base,
      title: textOf(body['title']) ?? head,
      body: textOf(body['body']) ?? '',
      draft: body['draft'] === true,
    });
    return created(pullJson(state, pull));
  },
  'GET /repos/{owner}/{repo}/pulls/{pull_number}': withPull(({ state }, pull) => ok(pullJson(state, pull))),
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/files': withPull((call, pull) =>
    page(call, filesOf(call.state, pull).slice(0, MOST_FILES)),
  ),
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits': withPull((call, pull) => {
    const { base, head } = rangeOf(call.state, pull);
    return page(
      call,
      call.state.graph
        .between(base, head)
        .slice(0, MOST_COMMITS)
        .map((commit) => commitJson(call.state, commit)),
    );
  }),
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews': withPull((call, pull) =>
    page(
      call,
      pull.reviews
        .filter((one) => isListed(call.state, one))
        .map((one) => reviewJson(call.state, pull, one, 'rest')),
    ),
  ),
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews': review,
  'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge': merge,
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers': requestReview,
};
