import { refusalOf } from '../app/admit.js';
import type { Caller } from '../app/caller.js';
import { type Host, type Site, siteOf } from '../app/host.js';
import type { Json } from '../records.js';
import { actions } from './actions.js';
import { type Answer, type AppCall, type Call, failed, notFound } from './answer.js';
import { app, appOfRepository } from './app.js';
import { checks } from './checks.js';
import { comments } from './comments.js';
import { commits } from './commits.js';
import { contents } from './contents.js';
import { git } from './git.js';
import { graphql } from './graphql.js';
import { hook } from './hook.js';
import { issues } from './issues.js';
import { people } from './people.js';
import { pulls } from './pulls.js';
import { repository } from './repository.js';
import { createRouter } from './router.js';
import { rulesets } from './rulesets.js';

const ofApp = createRouter<AppCall>([app, hook, people, graphql]);
const ofRepository = createRouter<Call>([
  appOfRepository,
  repository,
  contents,
  pulls,
  commits,
  issues,
  comments,
  checks,
  git,
  rulesets,
  actions,
]);

/** Every endpoint the sandbox answers, as GitHub's description spells it. */
export const SANDBOX_ENDPOINTS: readonly string[] = [...ofApp.endpoints, ...ofRepository.endpoints];

/** What of the owner's `.github` repository can be asked for. */
const IN_ORG: ReadonlySet<string> = new Set([
  'GET /repos/{owner}/{repo}',
  'GET /repos/{owner}/{repo}/contents/{path}',
]);

/** A request that was read, and who sent it. */
export interface Asked {
  readonly method: string;
  /** Decoded. */
  readonly path: string;
  /** `GET /repos/acme/widgets`: method and path. */
  readonly line: string;
  readonly url: URL;
  readonly accept: string;
  readonly caller: Caller;
  /** Undefined: no JSON. */
  readonly body: Json | undefined;
}

/** The repository a path is about, and whether it is the owner's `.github` instead of one that is here. */
const placeOf = (
  host: Host,
  owner: string,
  name: string,
  endpoint: string,
): { readonly site: Site; readonly inOrg: boolean } | undefined => {
  const site = siteOf(host, owner, name);
  if (site !== undefined) return { site, inOrg: false };
  if (name.toLowerCase() !== '.github' || !IN_ORG.has(endpoint)) return undefined;
  const org = host.sites.find(
    ({ state }) => state.orgPolicy !== null && state.repo.owner.login.toLowerCase() === owner.toLowerCase(),
  );
  return org === undefined ? undefined : { site: org, inOrg: true };
};

/** The repositories a request is about: the one its path names, or all where it names none that is here. */
export const sitesOf = (host: Host, path: string): readonly Site[] => {
  const [, owner, name] = /^\/repos\/([^/]+)\/([^/]+)/.exec(path) ?? [];
  const site = owner === undefined || name === undefined ? undefined : siteOf(host, owner, name);
  return site === undefined ? host.sites : [site];
};

/** Does what is asked and gives the answer, as GitHub does where nothing fails. */
export const dispatch = (host: Host, asked: Asked): Answer => {
  const { method, path, line, url, accept, caller, body } = asked;
  if (body === undefined) return failed(400, 'Problems parsing JSON');
  if (method !== 'GET') for (const { state } of sitesOf(host, path)) state.edition += 1;
  const call = { host, caller, origin: url.origin, method, path, query: url.searchParams, body, accept };
  const refusal = (endpoint: string, site: Site | undefined): Answer | undefined =>
    host.key === null ? undefined : refusalOf(endpoint, caller, site?.state, host.key, host.clock.now());
  const general = ofApp.match(method, path);
  if (general !== undefined) {
    return refusal(general.endpoint, undefined) ?? general.answer({ ...call, params: general.params });
  }
  const match = ofRepository.match(method, path);
  if (match === undefined) {
    for (const site of sitesOf(host, path)) site.unknownEndpoints.push(line);
    return notFound(`Not Found: the sandbox does not know ${line}`);
  }
  const { endpoint, params } = match;
  const place = placeOf(host, params['owner'] ?? '', params['repo'] ?? '', endpoint);
  if (place === undefined) return notFound();
  const { site, inOrg } = place;
  const wrote: Call['wrote'] = (field, text) => {
    if (typeof text === 'string' && text !== '') site.written.push({ request: line, field, text });
  };
  return refusal(endpoint, site) ?? match.answer({ ...call, params, state: site.state, inOrg, wrote });
};
