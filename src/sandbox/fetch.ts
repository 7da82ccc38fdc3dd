import { createHash } from 'node:crypto';
import type { World } from './case.js';
import { asRecord, type Json } from './records.js';
import { actions } from './rest/actions.js';
import { type Answer, failed, notFound, type Routes } from './rest/answer.js';
import { app } from './rest/app.js';
import { checks } from './rest/checks.js';
import { comments } from './rest/comments.js';
import { commits } from './rest/commits.js';
import { contents } from './rest/contents.js';
import { git } from './rest/git.js';
import { graphql } from './rest/graphql.js';
import { issues } from './rest/issues.js';
import { pulls } from './rest/pulls.js';
import { repository } from './rest/repository.js';
import { createRouter, repositoryOf } from './rest/router.js';
import { rulesets } from './rest/rulesets.js';
import type { Written } from './sandbox.js';
import type { State } from './state.js';

const GROUPS: readonly Routes[] = [
  app,
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
  graphql,
];

const router = createRouter(GROUPS);

/** Every endpoint the sandbox answers, as GitHub's description spells it. */
export const SANDBOX_ENDPOINTS: readonly string[] = router.endpoints;

/** What of the owner's `.github` repository can be asked for. */
const IN_ORG: ReadonlySet<string> = new Set([
  'GET /repos/{owner}/{repo}',
  'GET /repos/{owner}/{repo}/contents/{path}',
]);

interface Log {
  readonly state: State;
  readonly fail: NonNullable<World['fail']>;
  readonly written: Written[];
  readonly requests: { request: string; status: number; body: unknown }[];
  readonly unknownEndpoints: string[];
}

/** `*` spans anything, `/` too. */
const wildcard = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );

const failures = (fail: Log['fail']): ((request: string) => Answer | undefined) => {
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

const LIMIT = 5_000;

/** The sandbox's REST face. Requests are answered one after another, as they come. */
export const createFetch = (log: Log): typeof globalThis.fetch => {
  const { state } = log;
  const refuse = failures(log.fail);
  let used = 0;

  const answerOf = (request: Request, url: URL, body: Json | undefined): Answer => {
    const path = decoded(url.pathname);
    const line = `${request.method} ${path}`;
    const refused = refuse(line);
    if (refused !== undefined) return refused;
    if (body === undefined) return failed(400, 'Problems parsing JSON');
    const match = router.match(request.method, path);
    if (match === undefined) {
      log.unknownEndpoints.push(line);
      return notFound(`Not Found: the sandbox does not know ${line}`);
    }
    const repo = repositoryOf(match.params);
    const hidden = repo === 'org' && (state.orgPolicy === null || !IN_ORG.has(match.endpoint));
    if (repo === 'elsewhere' || hidden) return notFound();
    return match.answer({
      state,
      method: request.method,
      path,
      params: match.params,
      query: url.searchParams,
      body,
      accept: request.headers.get('accept') ?? '',
      inOrg: repo === 'org',
      wrote: (field, text) => {
        if (typeof text === 'string' && text !== '') log.written.push({ request: line, field, text });
      },
    });
  };

  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const body = await bodyOf(request);
    const answer = answerOf(request, url, body);
    const bytes =
      answer.raw?.bytes ?? (answer.body === undefined ? null : Buffer.from(JSON.stringify(answer.body)));
    const now = state.clock.now();
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
    log.requests.push({ request: `${request.method} ${decoded(url.pathname)}`, status, body: body ?? null });
    const empty = unchanged || status === 204 || bytes === null;
    return new Response(empty ? null : new Uint8Array(bytes), { status, headers });
  };
};
