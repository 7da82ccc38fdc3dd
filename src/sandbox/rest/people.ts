import { appJson, userJson } from '../shapes/account.js';
import { API } from '../shapes/urls.js';
import { type AppRoutes, notFound, ok, page } from './answer.js';

/** Apps, accounts and teams: what belongs to no repository. */
export const people: AppRoutes = {
  'GET /apps/{app_slug}': ({ host, params }) => {
    const account = host.accounts.byLogin(`${params['app_slug'] ?? ''}[bot]`);
    return account?.app ? ok(appJson(account.app)) : notFound();
  },
  'GET /users/{username}': ({ host, params }) => {
    const account = host.accounts.byLogin(params['username'] ?? '');
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
  'GET /orgs/{org}/teams/{team_slug}/memberships/{username}': ({ host, params }) => {
    const { org = '', team_slug, username } = params;
    const known = host.sites.some(({ state }) => state.repo.owner.login.toLowerCase() === org.toLowerCase());
    const member = known && team_slug === 'platform' && username?.toLowerCase() === 'mara';
    return member
      ? ok({ url: `${API}/organizations/500/team/1/memberships/mara`, role: 'member', state: 'active' })
      : notFound();
  },
  'GET /orgs/{org}/teams/{team_slug}/members': (call) =>
    call.params['team_slug'] === 'platform'
      ? page(call, [userJson(call.host.accounts.named('mara'))])
      : notFound(),
};
