import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { ENDPOINTS, MUTATIONS, type Endpoint, type Mutation } from '../src/github/endpoints.js';
import { SETTINGS } from '../src/settings-table.js';

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly public: boolean;
  readonly hook_attributes: { readonly url: string; readonly active: boolean };
  readonly default_permissions: Readonly<Record<string, 'read' | 'write'>>;
  readonly default_events: readonly string[];
}

const text = readFileSync(new URL('../app.yml', import.meta.url), 'utf8');
const manifest = parse(text) as Manifest;
const { default_permissions: granted, default_events: events } = manifest;

/** What GitHub asks for before an App may subscribe (docs.github.com/webhooks/webhook-events-and-payloads). */
const PERMISSION_OF_EVENT: Readonly<Record<string, string>> = {
  pull_request: 'pull_requests',
  pull_request_review: 'pull_requests',
  push: 'contents',
  create: 'contents',
  delete: 'contents',
  release: 'contents',
  issues: 'issues',
  issue_comment: 'issues',
  check_run: 'checks',
  check_suite: 'checks',
  merge_group: 'merge_queues',
  repository_ruleset: 'administration',
  branch_protection_rule: 'administration',
  branch_protection_configuration: 'administration',
  deploy_key: 'deployments',
  member: 'members',
  repository: 'metadata',
  workflow_run: 'actions',
};

/** What each route asks for (docs.github.com/rest/authentication/permissions-required-for-github-apps). */
const PERMISSION_OF_ROUTE: Readonly<Record<Endpoint | Mutation, readonly string[]>> = {
  'GET /app': [],
  'GET /app/hook/config': [],
  'GET /app/hook/deliveries': [],
  'GET /app/installations': [],
  'GET /installation/repositories': ['metadata: read'],
  'GET /repos/{owner}/{repo}': ['metadata: read'],
  // Asked for only once a rule is triggered by a run; the permission comes with the first that is.
  'GET /repos/{owner}/{repo}/actions/runs': [],
  'GET /repos/{owner}/{repo}/activity': ['contents: read'],
  'GET /repos/{owner}/{repo}/check-runs/{check_run_id}': ['checks: read'],
  'GET /repos/{owner}/{repo}/collaborators/{username}/permission': ['metadata: read'],
  'GET /repos/{owner}/{repo}/commits': ['contents: read'],
  'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls': ['pull_requests: read'],
  'GET /repos/{owner}/{repo}/commits/{ref}': ['contents: read'],
  'GET /repos/{owner}/{repo}/commits/{ref}/check-runs': ['checks: read'],
  'GET /repos/{owner}/{repo}/compare/{basehead}': ['contents: read'],
  'GET /repos/{owner}/{repo}/contents/{path}': ['contents: read'],
  'GET /repos/{owner}/{repo}/git/blobs/{file_sha}': ['contents: read'],
  'GET /repos/{owner}/{repo}/git/commits/{commit_sha}': ['contents: read'],
  'GET /repos/{owner}/{repo}/git/matching-refs/{ref}': ['contents: read'],
  'GET /repos/{owner}/{repo}/git/ref/{ref}': ['contents: read'],
  'GET /repos/{owner}/{repo}/git/trees/{tree_sha}': ['contents: read'],
  'GET /repos/{owner}/{repo}/issues': ['issues: read'],
  'GET /repos/{owner}/{repo}/issues/{issue_number}': ['issues: read'],
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments': ['issues: read'],
  'GET /repos/{owner}/{repo}/issues/{issue_number}/timeline': ['issues: read'],
  'GET /repos/{owner}/{repo}/pulls': ['pull_requests: read'],
  'GET /repos/{owner}/{repo}/pulls/{pull_number}': ['pull_requests: read'],
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits': ['pull_requests: read'],
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/files': ['pull_requests: read'],
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews': ['pull_requests: read'],
  'GET /repos/{owner}/{repo}/rulesets': ['metadata: read'],
  'GET /orgs/{org}/teams/{team_slug}/memberships/{username}': ['members: read'],
  'POST /app/hook/deliveries/{delivery_id}/attempts': [],
  // No rule of this version asks for it: runs come with a later one, and the permission with them.
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel': [],
  'POST /repos/{owner}/{repo}/check-runs': ['checks: write'],
  'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}': ['checks: write'],
  'POST /repos/{owner}/{repo}/git/refs': ['contents: write'],
  'POST /repos/{owner}/{repo}/issues': ['issues: write'],
  'PATCH /repos/{owner}/{repo}/issues/{issue_number}': ['issues: write'],
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments': ['issues: write'],
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}': ['issues: write'],
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers': ['pull_requests: write'],
  disablePullRequestAutoMerge: ['contents: write', 'pull_requests: write'],
  dequeuePullRequest: ['pull_requests: write'],
  revertPullRequest: ['contents: write', 'pull_requests: write'],
};

const grants = (asked: string): boolean => {
  const [permission = '', access] = asked.split(': ');
  const given = granted[permission];
  return given === 'write' || (given === 'read' && access === 'read');
};

describe('the manifest is one that GitHub takes', () => {
  test.each(events)('%s comes with its permission: without it the whole manifest is rejected', (event) => {
    expect(granted).toHaveProperty(PERMISSION_OF_EVENT[event] ?? `permission of ${event}`);
  });

  test('no event is listed twice, and none that comes unasked, which GitHub rejects', () => {
    expect(new Set(events).size).toBe(events.length);
    expect(events.filter((event) => event.startsWith('installation') || event === 'ping')).toEqual([]);
  });

  test('no apostrophe: it ends the attribute of the form that Probot posts', () => {
    expect(`${manifest.name}${manifest.description}`).not.toMatch(/['"]/);
  });

  test('the App is private, and deliveries go to the path that the server serves', () => {
    expect(manifest.public).toBe(false);
    expect(manifest.hook_attributes.active).toBe(true);
    const { protocol, pathname } = new URL(manifest.hook_attributes.url);
    expect({ protocol, pathname }).toEqual({ protocol: 'https:', pathname: SETTINGS.WEBHOOK_PATH.default });
  });
});

describe('it asks for what is used, and for nothing more', () => {
  const asked = [...ENDPOINTS, ...MUTATIONS].flatMap((route) => PERMISSION_OF_ROUTE[route]);

  test.each([...ENDPOINTS, ...MUTATIONS])('%s is permitted', (route) => {
    expect(PERMISSION_OF_ROUTE[route].filter((permission) => !grants(permission))).toEqual([]);
  });

  test.each(Object.entries(granted))('%s: %s is needed by a route or an event', (permission, access) => {
    const heard = events.some((event) => PERMISSION_OF_EVENT[event] === permission);
    const needed = asked.includes(`${permission}: ${access}`) || (access === 'read' && heard);
    expect(needed).toBe(true);
  });
});
