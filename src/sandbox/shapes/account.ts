import type { AppRecord, SandboxAccount } from '../accounts.js';
import { ORGANIZATION } from '../accounts.js';
import type { Json } from '../records.js';
import type { State } from '../state.js';
import { API, HTML, nodeId, urlPart } from './urls.js';

/** An account, as every payload and answer names it. */
export const userJson = (account: SandboxAccount): Json => {
  const url = `${API}/users/${urlPart(account.login)}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type.toLowerCase(), account.id),
    avatar_url: `https://avatars.githubusercontent.com/u/${account.id}?v=4`,
    gravatar_id: '',
    url,
    html_url:
      account.app === null
        ? `${HTML}/${account.login}`
        : `${HTML}/apps/${account.login.replace(/\[bot\]$/, '')}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.type,
    user_view_type: 'public',
    site_admin: false,
  };
};

export const userOrNull = (account: SandboxAccount | null): Json | null =>
  account === null ? null : userJson(account);

/** How an author stands to the repository, as `author_association` says it. */
export const associationOf = (role: string): string =>
  role === 'none' || role === 'read' ? 'NONE' : role === 'triage' ? 'COLLABORATOR' : 'MEMBER';

/** The organization, as webhooks carry it. */
export const organizationJson = ({ repo: { owner } }: State): Json => {
  const url = `${API}/orgs/${owner.login}`;
  return {
    login: owner.login,
    id: owner.id,
    node_id: nodeId('organization', owner.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${owner.id}?v=4`,
    description: '',
  };
};

/** What our App may do: also what GitHub's answers about it say. */
export const PERMISSIONS: Readonly<Record<string, string>> = {
  actions: 'write',
  administration: 'write',
  checks: 'write',
  contents: 'write',
  issues: 'write',
  members: 'read',
  merge_queues: 'read',
  metadata: 'read',
  pull_requests: 'write',
  statuses: 'read',
};

export const EVENTS: readonly string[] = [
  'branch_protection_rule',
  'check_run',
  'check_suite',
  'create',
  'delete',
  'issue_comment',
  'issues',
  'merge_group',
  'pull_request',
  'pull_request_review',
  'push',
  'release',
  'repository_ruleset',
  'status',
  'workflow_job',
  'workflow_run',
];

/** An App, as `performed_via_github_app`, `check_run.app` and `GET /app` show it. */
export const appJson = (app: AppRecord): Json => ({
  id: app.id,
  slug: app.slug,
  node_id: nodeId('app', app.id),
  client_id: `Iv1.${app.id.toString(16).padStart(16, '0')}`,
  owner: userJson(ORGANIZATION),
  name: app.slug,
  description: '',
  external_url: `https://${app.slug}.example`,
  html_url: `${HTML}/apps/${app.slug}`,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  permissions: PERMISSIONS,
  events: ['issues', 'pull_request', 'push'],
});
