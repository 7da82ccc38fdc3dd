import type { Weight } from './limits.js';

/**
 * Every endpoint this App calls, as GitHub's OpenAPI description names them. `client.ts` takes no other route, so a
 * request to something that is not listed (and checked against the description in tests) does not compile.
 */
export const ENDPOINTS = [
  'GET /app',
  'GET /app/hook/config',
  'GET /app/hook/deliveries',
  'GET /app/installations',
  'GET /installation/repositories',
  'GET /repos/{owner}/{repo}',
  'GET /repos/{owner}/{repo}/actions/runs',
  'GET /repos/{owner}/{repo}/activity',
  'GET /repos/{owner}/{repo}/check-runs/{check_run_id}',
  'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
  'GET /repos/{owner}/{repo}/commits',
  'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls',
  'GET /repos/{owner}/{repo}/commits/{ref}',
  'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
  'GET /repos/{owner}/{repo}/compare/{basehead}',
  'GET /repos/{owner}/{repo}/contents/{path}',
  'GET /repos/{owner}/{repo}/git/blobs/{file_sha}',
  'GET /repos/{owner}/{repo}/git/commits/{commit_sha}',
  'GET /repos/{owner}/{repo}/git/matching-refs/{ref}',
  'GET /repos/{owner}/{repo}/git/ref/{ref}',
  'GET /repos/{owner}/{repo}/git/trees/{tree_sha}',
  'GET /repos/{owner}/{repo}/issues',
  'GET /repos/{owner}/{repo}/issues/{issue_number}',
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'GET /repos/{owner}/{repo}/issues/{issue_number}/timeline',
  'GET /repos/{owner}/{repo}/pulls',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/files',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
  'GET /repos/{owner}/{repo}/rulesets',
  'GET /orgs/{org}/teams/{team_slug}/memberships/{username}',
  'POST /app/hook/deliveries/{delivery_id}/attempts',
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel',
  'POST /repos/{owner}/{repo}/check-runs',
  'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
  'POST /repos/{owner}/{repo}/git/refs',
  'POST /repos/{owner}/{repo}/issues',
  'PATCH /repos/{owner}/{repo}/issues/{issue_number}',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
] as const;

export type Endpoint = (typeof ENDPOINTS)[number];
export type ReadEndpoint = Extract<Endpoint, `GET ${string}`>;
export type WriteEndpoint = Exclude<Endpoint, ReadEndpoint>;

/** The GraphQL mutations for which REST has no counterpart. */
export const MUTATIONS = ['disablePullRequestAutoMerge', 'dequeuePullRequest', 'revertPullRequest'] as const;
export type Mutation = (typeof MUTATIONS)[number];

/** What makes something that people are notified of: GitHub allows 80 of them a minute, and 500 an hour. */
const CONTENT: ReadonlySet<WriteEndpoint | Mutation> = new Set([
  'POST /repos/{owner}/{repo}/issues',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
  'revertPullRequest',
]);

export const weightOf = (what: WriteEndpoint | Mutation): Weight => (CONTENT.has(what) ? 'content' : 'write');
