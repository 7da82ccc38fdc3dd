import { createHash } from 'node:crypto';
import { refusalOf } from './app/admit.js';
import { callerOf, type Caller } from './app/caller.js';
import { type Host, type Site, siteOf } from './app/host.js';
import type { World } from './case.js';
import { asRecord, type Json } from './records.js';
import { actions } from './rest/actions.js';
import { type Answer, type AppCall, type Call, failed, notFound } from './rest/answer.js';
import { app, appOfRepository } from './rest/app.js';
import { checks } from './rest/checks.js';
import { comments } from './rest/comments.js';
import { commits } from './rest/commits.js';
import { contents } from './rest/contents.js';
import { git } from './rest/git.js';
import { graphql } from './rest/graphql.js';
import { hook } from './rest/hook.js';
import { issues } from './rest/issues.js';
import { people } from './rest/people.js';
import { pulls } from './rest/pulls.js';
import { repository } from './rest/repository.js';
import { createRouter } from './rest/router.js';
import { rulesets } from './rest/rulesets.js';

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

/** `*` spans anything, `/` too. */
const wildcard = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );

/** What a case says GitHub refuses, as often as it says. */
export const refusing = (fail: NonNullable<World['fail']>): ((request: string) => Answer | undefined) => {
  const left = fail.map((rule) => ({ ...rule, pattern: wildcard(rule.request) }));
  return (request) => {
    const rule = left.find((candidate) => candidate.times > 0 && candidate.pattern.test(request));
    if (rule === undefined) return undefined;
    rule.times -= 1;
    return failed(
      rule.status,
      rule.status >= 500 ? 'Server Error' : 'Resource not accessible by integration',
    );
  };
};

const bodyOf = async (request: Request): Promise<Json | undefined> => {
  const text = await request.text();
  if (text === '') return {};
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
};

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** A request that was read, and who sent it. */
interface Asked {
  readonly request: Request;
  readonly url: URL;
  readonly path: string;
  readonly line: string;
  readonly caller: Caller;
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

/** The repository a request is about, if it is about one that is here. */
const siteOfPath = (host: Host, path: string): Site | undefined => {
  const [, owner, name] = /^\/repos\/([^/]+)\/([^/]+)/.exec(path) ?? [];
  return owner === undefined || name === undefined ? undefined : siteOf(host, owner, name);
};

const answerOf = (host: Host, asked: Asked): Answer => {
  const { request, url, path, line, caller, body } = asked;
  const about = siteOfPath(host, path);
  const sites = about === undefined ? host.sites : [about];
  for (const site of sites) {
    const refused = site.refuse(line);
    if (refused !== undefined) return refused;
  }
  if (body === undefined) return failed(400, 'Problems parsing JSON');
  const call: Omit<AppCall, 'params'> = {
    host,
    caller,
    origin: url.origin,
    method: request.method,
    path,
    query: url.searchParams,
    body,
    accept: request.headers.get('accept') ?? '',
  };
  const refusal = (endpoint: string, site: Site | undefined): Answer | undefined =>
    host.key === null ? undefined : refusalOf(endpoint, caller, site?.state, host.key, host.clock.now());
  const general = ofApp.match(request.method, path);
  if (general !== undefined) {
    return refusal(general.endpoint, undefined) ?? general.answer({ ...call, params: general.params });
  }
  const match = ofRepository.match(request.method, path);
  if (match === undefined) {
    for (const site of sites) site.unknownEndpoints.push(line);
    return notFound(`Not Found: the sandbox does not know ${line}`);
  }
  const { owner = '', repo = '' } = match.params;
  const place = placeOf(host, owner, repo, match.endpoint);
  if (place === undefined) return notFound();
  const { site, inOrg } = place;
  const wrote: Call['wrote'] = (field, text) => {
    if (typeof text === 'string' && text !== '') site.written.push({ request: line, field, text });
  };
  return (
    refusal(match.endpoint, site) ??
    match.answer({ ...call, params: match.params, state: site.state, inOrg, wrote })
  );
};

const LIMIT = 5_000;

/** The REST face. Requests are answered one after another, as they come. */
export const createFetch = (host: Host): typeof globalThis.fetch => {
  let used = 0;
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const path = decoded(url.pathname);
    const line = `${request.method} ${path}`;
    const body = await bodyOf(request);
    const caller = callerOf(request.headers.get('authorization'), host.tokens);
    const answer = answerOf(host, { request, url, path, line, caller, body });
    const bytes =
      answer.raw?.bytes ?? (answer.body === undefined ? null : Buffer.from(JSON.stringify(answer.body)));
    const now = host.clock.now();
    used += 1;
    const headers = new Headers({
      date: new Date(now).toUTCString(),
      'x-github-request-id': `SAND:${used.toString(16).padStart(4, '0')}`,
      'x-github-media-type': 'github.v3; format=json',
      'x-github-api-version-selected': '2022-11-28',
      'x-ratelimit-limit': String(LIMIT),
      'x-ratelimit-remaining': String(Math.max(1, LIMIT - (used % LIMIT))),
      'x-ratelimit-used': String(used % LIMIT),
      'x-ratelimit-reset': String(Math.floor(now / 1_000) + 3_600),
      'x-ratelimit-resource': url.pathname === '/graphql' ? 'graphql' : 'core',
      ...answer.headers,
    });
    if (bytes !== null) headers.set('content-type', answer.raw?.type ?? 'application/json; charset=utf-8');
    const etag = bytes === null ? undefined : `W/"${createHash('sha256').update(bytes).digest('hex')}"`;
    const fresh = request.method === 'GET' && answer.status === 200 && etag !== undefined;
    if (fresh) headers.set('etag', etag);
    const unchanged = fresh && request.headers.get('if-none-match') === etag;
    const status = unchanged ? 304 : answer.status;
    const row = { request: line, status, body: body ?? null, identity: caller.identity };
    host.requests.push(row);
    const about = siteOfPath(host, path);
    for (const site of about === undefined ? host.sites : [about]) site.requests.push(row);
    const empty = unchanged || status === 204 || bytes === null;
    return new Response(empty ? null : new Uint8Array(bytes), { status, headers });
  };
};
