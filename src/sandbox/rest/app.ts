import { ORGANIZATION } from '../accounts.js';
import { type Host, reachedBy } from '../app/host.js';
import { TOKEN_LIFE } from '../app/tokens.js';
import type { Resource } from '../faults/told-to-wait.js';
import { asRecord, isRecord, type Json, listOf, textOf } from '../records.js';
import { appJson, EVENTS, PERMISSIONS, userJson } from '../shapes/account.js';
import { fullRepositoryJson, repositoryJson } from '../shapes/repository.js';
import { API, HTML } from '../shapes/urls.js';
import { iso, type State } from '../state.js';
import {
  type Answer,
  type AppCall,
  type AppRoutes,
  created,
  failed,
  noContent,
  notFound,
  ok,
  page,
  type Routes,
} from './answer.js';

const ourApp = (host: Host): Json => appJson({ id: host.appId, slug: 'agent-policy' });

/** Repositories by the installation that reaches them, in the order they were added. */
const installationsOf = (host: Host): ReadonlyMap<number, readonly State[]> => {
  const found = new Map<number, State[]>();
  for (const { state } of host.sites) {
    const known = found.get(state.repo.installation);
    if (known === undefined) found.set(state.repo.installation, [state]);
    else known.push(state);
  }
  return found;
};

const installationJson = (host: Host, id: number, states: readonly State[]): Json => {
  const account = states[0]?.repo.owner ?? ORGANIZATION;
  return {
    id,
    account: userJson(account),
    repository_selection: 'selected',
    access_tokens_url: `${API}/app/installations/${id}/access_tokens`,
    repositories_url: `${API}/installation/repositories`,
    html_url: `${HTML}/organizations/${account.login}/settings/installations/${id}`,
    app_id: host.appId,
    app_slug: 'agent-policy',
    client_id: ourApp(host)['client_id'],
    target_id: account.id,
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
  };
};

const oneInstallation = (host: Host, id: number | undefined): Answer => {
  const states = id === undefined ? undefined : installationsOf(host).get(id);
  return id === undefined || states === undefined ? notFound() : ok(installationJson(host, id, states));
};

const PARENT =
  'There is at least one repository that does not exist or is not accessible to the parent installation.';
const PERMITTED = 'The permissions requested are not granted to this installation.';

/** The permissions a token is asked for: no more than the installation has; `metadata` comes along. */
const narrowed = (asked: Json): Readonly<Record<string, string>> | undefined => {
  const wanted = Object.entries(asked).map(([name, level]) => [name, textOf(level) ?? ''] as const);
  const within = wanted.every(
    ([name, level]) => PERMISSIONS[name] === 'write' || (PERMISSIONS[name] === 'read' && level === 'read'),
  );
  return within ? { metadata: 'read', ...Object.fromEntries(wanted) } : undefined;
};

const mint = (call: AppCall): Answer => {
  const { host, params, body } = call;
  const installation = Number(params['installation_id']);
  const states = installationsOf(host).get(installation);
  if (states === undefined) return notFound();
  const names = listOf(body['repositories']).map((name) => String(name).toLowerCase());
  const ids = listOf(body['repository_ids']).map(Number);
  const chosen = states.filter(
    ({ repo }) => names.includes(repo.name.toLowerCase()) || ids.includes(repo.id),
  );
  if (chosen.length < new Set([...names, ...ids]).size) return failed(422, PARENT);
  const permissions = isRecord(body['permissions']) ? narrowed(asRecord(body['permissions'])) : PERMISSIONS;
  if (permissions === undefined) return failed(422, PERMITTED);
  const some = chosen.length > 0;
  const grant = host.tokens.mint({
    installation,
    repositories: some ? chosen.map(({ repo }) => repo.id) : null,
    permissions,
  });
  return created({
    token: grant.token,
    expires_at: iso(host.clock.now() + TOKEN_LIFE),
    permissions,
    repository_selection: 'selected',
    ...(some ? { repositories: chosen.map((state) => fullRepositoryJson(state)) } : {}),
  });
};

const limitOf = ({ host, caller }: AppCall, resource: Resource): Json => {
  const { limit, used, remaining, reset } = host.budgets.of(caller.identity, resource);
  return { limit, used, remaining, reset: reset / 1_000 };
};

/** The App, its installations, their tokens. */
export const app: AppRoutes = {
  'GET /app': ({ host }) =>
    ok({ ...ourApp(host), events: EVENTS, installations_count: installationsOf(host).size }),
  'GET /app/installations': (call) =>
    page(
      call,
      [...installationsOf(call.host)].map(([id, states]) => installationJson(call.host, id, states)),
    ),
  'GET /app/installations/{installation_id}': ({ host, params }) =>
    oneInstallation(host, Number(params['installation_id'])),
  'POST /app/installations/{installation_id}/access_tokens': mint,
  'GET /orgs/{org}/installation': ({ host, params }) => {
    const org = params['org']?.toLowerCase();
    const site = host.sites.find(({ state }) => state.repo.owner.login.toLowerCase() === org);
    return oneInstallation(host, site?.state.repo.installation);
  },
  'GET /installation/repositories': (call) => {
    const states = reachedBy(call.host, call.caller).map(({ state }) => state);
    return page(
      call,
      states.map((state) => repositoryJson(state)),
      (repositories) => ({ total_count: states.length, repository_selection: 'selected', repositories }),
    );
  },
  'DELETE /installation/token': ({ host, caller }) => {
    if (caller.kind === 'installation') host.tokens.revoke(caller.grant.token);
    return noContent();
  },
  'GET /rate_limit': (call) => {
    const core = limitOf(call, 'core');
    return ok({ resources: { core, search: core, graphql: limitOf(call, 'graphql') }, rate: core });
  },
};

/** What of it is asked for by a repository. */
export const appOfRepository: Routes = {
  'GET /repos/{owner}/{repo}/installation': ({ host, state }) =>
    oneInstallation(host, state.repo.installation),
};
