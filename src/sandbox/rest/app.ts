import { appJson, EVENTS, PERMISSIONS, userJson } from '../shapes/account.js';
import { ORGANIZATION } from '../accounts.js';
import { asRecord, type Json } from '../records.js';
import { repositoryJson } from '../shapes/repository.js';
import { API, HTML } from '../shapes/urls.js';
import { INSTALLATION_ID, iso, type State } from '../state.js';
import { type Call, created, noContent, notFound, ok, page, type Routes } from './answer.js';

const HOUR = 3_600_000;

const ourApp = (state: State): Json => appJson({ id: state.appId, slug: 'agent-policy' });

const installationJson = (state: State): Json => ({
  id: INSTALLATION_ID,
  account: userJson(ORGANIZATION),
  repository_selection: 'selected',
  access_tokens_url: `${API}/app/installations/${INSTALLATION_ID}/access_tokens`,
  repositories_url: `${API}/installation/repositories`,
  html_url: `${HTML}/organizations/acme/settings/installations/${INSTALLATION_ID}`,
  app_id: state.appId,
  app_slug: 'agent-policy',
  client_id: asRecord(ourApp(state))['client_id'],
  target_id: ORGANIZATION.id,
  target_type: 'Organization',
  permissions: PERMISSIONS,
  events: EVENTS,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  single_file_name: null,
  has_multiple_single_files: false,
  single_file_paths: [],
  suspended_by: null,
  suspended_at: null,
});

const oneInstallation = ({ state, params }: Call) =>
  Number(params['installation_id'] ?? INSTALLATION_ID) === INSTALLATION_ID
    ? ok(installationJson(state))
    : notFound();

const limits = (state: State): Json => ({
  limit: 5_000,
  used: 0,
  remaining: 5_000,
  reset: Math.floor((state.clock.now() + HOUR) / 1_000),
});

/** The App itself, its installation, accounts, teams. */
export const app: Routes = {
  'GET /app': ({ state }) => ok({ ...ourApp(state), events: EVENTS, installations_count: 1 }),
  'GET /app/installations': (call) => page(call, [installationJson(call.state)]),
  'GET /app/installations/{installation_id}': oneInstallation,
  'POST /app/installations/{installation_id}/access_tokens': ({ state, params }) =>
    Number(params['installation_id']) === INSTALLATION_ID
      ? created({
          token: 'ghs_sandbox',
          expires_at: iso(state.clock.now() + HOUR),
          permissions: PERMISSIONS,
          repository_selection: 'selected',
        })
      : notFound(),
  'GET /repos/{owner}/{repo}/installation': oneInstallation,
  'GET /orgs/{org}/installation': oneInstallation,
  'GET /installation/repositories': (call) =>
    page(call, [repositoryJson(call.state)], (repositories) => ({
      total_count: 1,
      repository_selection: 'selected',
      repositories,
    })),
  'GET /app/hook/deliveries': (call) => page(call, []),
  'POST /app/hook/deliveries/{delivery_id}/attempts': () => notFound(),
  'GET /apps/{app_slug}': ({ state, params }) => {
    const account = state.accounts.byLogin(`${params['app_slug'] ?? ''}[bot]`);
    return account?.app ? ok(appJson(account.app)) : notFound();
  },
  'GET /users/{username}': ({ state, params }) => {
    const account = state.accounts.byLogin(params['username'] ?? '');
    return account === undefined
      ? notFound()
      : ok({
          ...userJson(account),
          name: null,
          company: null,
          blog: '',
          location: null,
          email: null,
          hireable: null,
          bio: null,
          public_repos: 0,
          public_gists: 0,
          followers: 0,
          following: 0,
          created_at: '2026-01-01T00:00:00Z',
          updated_at: '2026-01-01T00:00:00Z',
        });
  },
  'GET /orgs/{org}/teams/{team_slug}/memberships/{username}': ({ params }) => {
    const { org, team_slug, username } = params;
    const member = org === 'acme' && team_slug === 'platform' && username?.toLowerCase() === 'mara';
    return member
      ? ok({ url: `${API}/organizations/500/team/1/memberships/mara`, role: 'member', state: 'active' })
      : notFound();
  },
  'GET /orgs/{org}/teams/{team_slug}/members': (call) =>
    call.params['team_slug'] === 'platform'
      ? page(call, [userJson(call.state.accounts.named('mara'))])
      : notFound(),
  'GET /rate_limit': ({ state }) =>
    ok({
      resources: { core: limits(state), search: limits(state), graphql: limits(state) },
      rate: limits(state),
    }),
  'DELETE /installation/token': () => noContent(),
};
