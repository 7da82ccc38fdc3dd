import { createHash } from 'node:crypto';
import { callerOf } from './app/caller.js';
import type { Host } from './app/host.js';
import { connectionReset, silence } from './faults/silence.js';
import type { Resource } from './faults/told-to-wait.js';
import { asRecord, type Json } from './records.js';
import { type Answer, failed } from './rest/answer.js';
import { type Asked, dispatch, sitesOf } from './rest/dispatch.js';
import type { RequestRow } from './sandbox.js';

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

/** An answer, or none: the request hangs, or its connection is reset. */
type Reply =
  | { readonly kind: 'answer'; readonly answer: Answer; readonly fault: RequestRow['fault'] }
  | { readonly kind: 'none'; readonly fault: 'time-out' | 'reset' };

const plain = (answer: Answer): Reply => ({ kind: 'answer', answer, fault: null });

/** What a request meets where nothing fails at random: what the case refuses, else what it asked for. */
const served = (host: Host, asked: Asked): Answer => {
  for (const site of sitesOf(host, asked.path)) {
    const refused = site.refuse(asked.line);
    if (refused === undefined) continue;
    if (refused.done) dispatch(host, asked);
    return refused.answer;
  }
  return dispatch(host, asked);
};

const resourceOf = ({ path }: Asked): Resource => (path === '/graphql' ? 'graphql' : 'core');

const replyTo = (host: Host, asked: Asked): Reply => {
  const { line, path, caller } = asked;
  const resource = resourceOf(asked);
  // It is free, also for who has nothing left: https://docs.github.com/rest/rate-limit
  if (path === '/rate_limit') return plain(served(host, asked));
  const waiting = host.patience.refusal(caller.identity, resource, line);
  if (waiting !== undefined) return { kind: 'answer', answer: waiting, fault: 'told-to-wait' };
  if (host.budgets.spent(caller.identity, resource)) {
    const { reset } = host.budgets.of(caller.identity, resource);
    const wait = Math.ceil((reset - host.clock.now()) / 1_000);
    const answer = host.patience.tell({ kind: 'primary', wait }, caller.identity, resource);
    return { kind: 'answer', answer, fault: 'primary' };
  }
  const fault = host.draw(line);
  if (fault === null) return plain(served(host, asked));
  if (fault.done) served(host, asked);
  const { kind } = fault;
  switch (kind) {
    case 'server-error':
      return { kind: 'answer', answer: failed(500, 'Server Error'), fault: kind };
    case 'bad-gateway':
    case 'bad-gateway-after':
      return { kind: 'answer', answer: failed(502, 'Bad Gateway'), fault: kind };
    case 'primary':
    case 'secondary':
    case 'secondary-unsaid':
    case 'too-many':
      return {
        kind: 'answer',
        answer: host.patience.tell({ ...fault, kind }, caller.identity, resource),
        fault: kind,
      };
    case 'time-out':
    case 'reset':
      return { kind: 'none', fault: kind };
  }
};

/** The REST face. Requests are answered one after another, as they come. */
export const createFetch = (host: Host): typeof globalThis.fetch => {
  let count = 0;

  const noted = (asked: Asked, status: number, fault: RequestRow['fault']): void => {
    const { line, body, caller, path } = asked;
    const row = { request: line, status, body: body ?? null, identity: caller.identity, fault };
    for (const log of [host.requests, ...sitesOf(host, path).map(({ requests }) => requests)]) {
      log.push(row);
      // Now and then, not each time: what is cut off has to be moved.
      if (log.length > 2 * host.keep) log.splice(0, log.length - host.keep);
    }
  };

  /** `free`: what did not change, and the rate limit itself, count against nothing. */
  const headersOf = (asked: Asked, answer: Answer, free: boolean): Headers => {
    const { identity } = asked.caller;
    const resource = resourceOf(asked);
    const budget = free ? host.budgets.of(identity, resource) : host.budgets.spend(identity, resource);
    count += 1;
    return new Headers({
      date: new Date(host.clock.now()).toUTCString(),
      'x-github-request-id': `SAND:${count.toString(16).padStart(4, '0')}`,
      'x-github-media-type': 'github.v3; format=json',
      'x-github-api-version-selected': '2022-11-28',
      'x-ratelimit-limit': String(budget.limit),
      'x-ratelimit-remaining': String(budget.remaining),
      'x-ratelimit-used': String(budget.used),
      'x-ratelimit-reset': String(budget.reset / 1_000),
      'x-ratelimit-resource': resource,
      ...answer.headers,
    });
  };

  const responseTo = (asked: Asked, answer: Answer, ifNoneMatch: string | null): Response => {
    const bytes =
      answer.raw?.bytes ?? (answer.body === undefined ? null : Buffer.from(JSON.stringify(answer.body)));
    const etag = bytes === null ? undefined : `W/"${createHash('sha256').update(bytes).digest('hex')}"`;
    const fresh = asked.method === 'GET' && answer.status === 200 && etag !== undefined;
    const unchanged = fresh && ifNoneMatch === etag;
    const headers = headersOf(asked, answer, unchanged || asked.path === '/rate_limit');
    if (fresh) headers.set('etag', etag);
    if (bytes !== null) headers.set('content-type', answer.raw?.type ?? 'application/json; charset=utf-8');
    const status = unchanged ? 304 : answer.status;
    const empty = unchanged || status === 204 || bytes === null;
    return new Response(empty ? null : new Uint8Array(bytes), { status, headers });
  };

  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const path = decoded(url.pathname);
    const asked: Asked = {
      method: request.method,
      path,
      line: `${request.method} ${path}`,
      url,
      accept: request.headers.get('accept') ?? '',
      caller: callerOf(request.headers.get('authorization'), host.tokens),
      body: await bodyOf(request),
    };
    const reply = replyTo(host, asked);
    if (reply.kind === 'none') {
      noted(asked, 0, reply.fault);
      if (reply.fault === 'reset') throw connectionReset();
      return silence(request.signal, host.hang);
    }
    const response = responseTo(asked, reply.answer, request.headers.get('if-none-match'));
    noted(asked, response.status, reply.fault);
    return response;
  };
};
