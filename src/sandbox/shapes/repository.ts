import { type Json, layOverRecord } from '../records.js';
import { iso, orgRepositoryOf, type State } from '../state.js';
import { userJson } from './account.js';
import { API, HTML, nodeId } from './urls.js';

interface Named {
  readonly id: number;
  readonly owner: Json;
  readonly fullName: string;
  readonly private: boolean;
  readonly fork: boolean;
  readonly defaultBranch: string;
  readonly openIssues: number;
  readonly pushedAt: string;
}

const shape = (named: Named): Json => {
  const url = `${API}/repos/${named.fullName}`;
  const html = `${HTML}/${named.fullName}`;
  const under = (path: string): string => `${url}/${path}`;
  return {
    id: named.id,
    node_id: nodeId('repository', named.id),
    name: named.fullName.split('/')[1] ?? '',
    full_name: named.fullName,
    private: named.private,
    owner: named.owner,
    html_url: html,
    description: null,
    fork: named.fork,
    url,
    forks_url: under('forks'),
    keys_url: under('keys{/key_id}'),
    collaborators_url: under('collaborators{/collaborator}'),
    teams_url: under('teams'),
    hooks_url: under('hooks'),
    issue_events_url: under('issues/events{/number}'),
    events_url: under('events'),
    assignees_url: under('assignees{/user}'),
    branches_url: under('branches{/branch}'),
    tags_url: under('tags'),
    blobs_url: under('git/blobs{/sha}'),
    git_tags_url: under('git/tags{/sha}'),
    git_refs_url: under('git/refs{/sha}'),
    trees_url: under('git/trees{/sha}'),
    statuses_url: under('statuses/{sha}'),
    languages_url: under('languages'),
    stargazers_url: under('stargazers'),
    contributors_url: under('contributors'),
    subscribers_url: under('subscribers'),
    subscription_url: under('subscription'),
    commits_url: under('commits{/sha}'),
    git_commits_url: under('git/commits{/sha}'),
    comments_url: under('comments{/number}'),
    issue_comment_url: under('issues/comments{/number}'),
    contents_url: under('contents/{+path}'),
    compare_url: under('compare/{base}...{head}'),
    merges_url: under('merges'),
    archive_url: under('{archive_format}{/ref}'),
    downloads_url: under('downloads'),
    issues_url: under('issues{/number}'),
    pulls_url: under('pulls{/number}'),
    milestones_url: under('milestones{/number}'),
    notifications_url: under('notifications{?since,all,participating}'),
    labels_url: under('labels{/name}'),
    releases_url: under('releases{/id}'),
    deployments_url: under('deployments'),
    created_at: '2026-01-01T00:00:00Z',
    updated_at: named.pushedAt,
    pushed_at: named.pushedAt,
    git_url: `git://github.com/${named.fullName}.git`,
    ssh_url: `git@github.com:${named.fullName}.git`,
    clone_url: `${html}.git`,
    svn_url: html,
    homepage: null,
    size: 108,
    stargazers_count: 0,
    watchers_count: 0,
    language: null,
    has_issues: true,
    has_projects: false,
    has_downloads: true,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    forks_count: 0,
    mirror_url: null,
    archived: false,
    disabled: false,
    open_issues_count: named.openIssues,
    license: null,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: [],
    visibility: named.private ? 'private' : 'public',
    forks: 0,
    open_issues: named.openIssues,
    watchers: 0,
    default_branch: named.defaultBranch,
  };
};

/** Open issues and PRs, counted once an edition. */
const counted = new WeakMap<State, { readonly edition: number; readonly open: number }>();

const openIssues = (state: State): number => {
  const known = counted.get(state);
  if (known?.edition === state.edition) return known.open;
  let open = 0;
  for (const issue of state.issues.values()) if (issue.state === 'open') open += 1;
  for (const pull of state.pulls) if (pull.exists && pull.state === 'open') open += 1;
  counted.set(state, { edition: state.edition, open });
  return open;
};

const pushedAt = (state: State): number => {
  const now = state.clock.now();
  return Math.max(state.pushedAt, ...state.foreseen.map(({ at }) => (at <= now ? at : 0)));
};

const named = (state: State): Named => {
  return {
    id: state.repo.id,
    owner: userJson(state.repo.owner),
    fullName: state.repo.fullName,
    private: state.private,
    fork: false,
    defaultBranch: state.defaultBranch,
    openIssues: openIssues(state),
    pushedAt: iso(pushedAt(state)),
  };
};

/** The repository, as webhooks and PR answers carry it. */
export const repositoryJson = (state: State): Json => layOverRecord(shape(named(state)), state.repository);

/** The repository as `GET /repos/{owner}/{repo}` answers it to an App with administration. */
export const fullRepositoryJson = (state: State): Json => ({
  ...repositoryJson(state),
  organization: userJson(state.repo.owner),
  permissions: { admin: false, maintain: false, push: true, triage: true, pull: true },
  allow_rebase_merge: true,
  allow_squash_merge: true,
  allow_merge_commit: true,
  allow_auto_merge: true,
  allow_update_branch: false,
  delete_branch_on_merge: false,
  network_count: 0,
  subscribers_count: 0,
});

/** The owner's `.github` repository, which holds the policy of the organization. */
export const orgRepositoryJson = (state: State): Json => ({
  ...shape({
    ...named(state),
    id: 2_000_000 + state.repo.owner.id,
    fullName: orgRepositoryOf(state),
    openIssues: 0,
  }),
  network_count: 0,
  subscribers_count: 0,
});

/** A fork of the repository, by its full name. */
export const forkJson = (state: State, fullName: string): Json => {
  const owner = state.accounts.named(fullName.split('/')[0] ?? '');
  return shape({ ...named(state), id: 3_000_000 + owner.id, owner: userJson(owner), fullName, fork: true });
};
