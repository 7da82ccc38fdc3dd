import type { Account } from '../../src/acts/act.js';
import type { EscalationKey, FactRow } from '../../src/decide/effects.js';
import type { CheckVerdict, Reason } from '../../src/decide/reasons.js';
import type { AuditLine } from '../../src/github/audit.js';
import { createPort, type PortDeps } from '../../src/github/perform.js';
import type { Ledger } from '../../src/store/ledger.js';
import { createModel } from '../store/model.js';
import { BOT, paged, REPOSITORY, standIn, type Handler, type Reply, type Sent } from './stand-in.js';

export const R = '/repos/acme/widgets';
export const H = 'a'.repeat(40);
export const SECRET = 'marker-secret';
export const alpha: Account = { id: 9001, login: 'alpha-agent[bot]', type: 'Bot' };
export const KEY: EscalationKey = { rule: 'merge-level', agent: 'alpha', subject: 'main' };

export const row = (over: Partial<FactRow> = {}): FactRow => ({
  at: '2026-11-30T09:00:11Z',
  who: alpha,
  agent: 'alpha',
  what: 'pull.merge',
  subject: { pull: 283, ref: 'main' },
  rule: 'merge-level',
  origin: { layer: 'repo', file: '.github/agent-policy.yml', line: 2, column: 8 },
  state: 'landed',
  ...over,
});

export const levelNone: Reason = { code: 'level-none', agents: ['alpha'], origin: { layer: 'built-in' } };

export const verdict = (over: Partial<CheckVerdict> = {}): CheckVerdict => ({
  sha: H,
  conclusion: 'success',
  wouldBe: 'success',
  reasons: [{ code: 'person', marks: [] }],
  agents: [],
  pulls: [1],
  tree: { rule: 'pulls', status: 'holds', reasons: [], children: [] },
  ...over,
});

export interface StoredComment {
  readonly id: number;
  readonly user: { readonly id: number; readonly login: string; readonly type: string };
  body: string;
}
export interface StoredIssue {
  readonly number: number;
  readonly user: { readonly id: number; readonly login: string; readonly type: string };
  title: string;
  body: string;
  state: string;
  readonly created_at: string;
  closed_at: string | null;
  labels: readonly string[];
}
export interface StoredRun {
  readonly id: number;
  readonly external_id: string;
  readonly status: string;
  readonly conclusion: string;
  readonly app: { readonly id: number };
  readonly annotations: unknown[];
}

const field = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>)[name] : undefined;
const textOf = (body: unknown, name: string): string => String(field(body, name) ?? '');

export interface HarnessOptions {
  readonly deps?: Partial<PortDeps>;
  readonly ledger?: Ledger;
  /** Laid over the handlers; each is given the one it stands before. */
  readonly handlers?: Readonly<Record<string, (sent: Sent, otherwise: Handler) => Reply | Error>>;
}

/** A port on a GitHub that keeps comments, issues and check runs, with the store in memory. */
export const harness = ({ deps = {}, ledger, handlers = {} }: HarnessOptions = {}) => {
  const comments: StoredComment[] = [];
  const issues: StoredIssue[] = [];
  const runs: StoredRun[] = [];
  const audit: AuditLine[] = [];
  const gone: Reply = { status: 404, body: { message: 'Not Found' } };
  const bodyOf = (sent: Sent) => sent.body;

  const known: Record<string, Handler> = {
    [`GET ${R}/issues/283/comments`]: paged(() => comments),
    [`POST ${R}/issues/283/comments`]: (sent) => {
      const comment = { id: 5000 + comments.length, user: BOT, body: textOf(bodyOf(sent), 'body') };
      comments.push(comment);
      return { status: 201, body: comment };
    },
    [`GET ${R}/issues`]: (sent) =>
      paged(() => issues.filter(({ user }) => user.login === sent.query.creator))(sent),
    [`POST ${R}/issues`]: (sent) => {
      const issue: StoredIssue = {
        number: 300 + issues.length,
        user: BOT,
        title: textOf(sent.body, 'title'),
        body: textOf(sent.body, 'body'),
        state: 'open',
        created_at: '2026-11-30T09:00:00Z',
        closed_at: null,
        labels: [],
      };
      issues.push(issue);
      return { status: 201, body: issue };
    },
    [`GET ${R}/commits/${H}/check-runs`]: paged(
      () => runs.slice(-1),
      (page) => ({ total_count: page.length, check_runs: page }),
    ),
    [`POST ${R}/check-runs`]: (sent) => {
      const output = field(sent.body, 'output');
      const annotations = field(output, 'annotations');
      const run: StoredRun = {
        id: 900 + runs.length,
        external_id: textOf(sent.body, 'external_id'),
        status: 'completed',
        conclusion: textOf(sent.body, 'conclusion'),
        app: { id: 777 },
        annotations: Array.isArray(annotations) ? [...(annotations as unknown[])] : [],
      };
      runs.push(run);
      return { status: 201, body: run };
    },
  };
  const patchComment: Handler = ({ path, body }) => {
    const found = comments.find(({ id }) => path.endsWith(`/${id}`));
    if (found === undefined) return gone;
    found.body = textOf(body, 'body');
    return { body: found };
  };
  const patchIssue: Handler = ({ path, body }) => {
    const found = issues.find(({ number }) => path.endsWith(`/${number}`));
    if (found === undefined) return gone;
    if (field(body, 'body') !== undefined) found.body = textOf(body, 'body');
    if (field(body, 'state') !== undefined) {
      found.state = textOf(body, 'state');
      found.closed_at = found.state === 'open' ? null : '2026-11-30T09:00:00Z';
    }
    return { body: found };
  };
  const readRun: Handler = ({ path }) => {
    const found = runs.find(({ id }) => path.endsWith(`/${id}`));
    return found === undefined
      ? gone
      : { body: { ...found, output: { annotations_count: found.annotations.length } } };
  };
  const patchRun: Handler = ({ path, body }) => {
    const found = runs.find(({ id }) => path.endsWith(`/${id}`));
    const annotations = field(field(body, 'output'), 'annotations');
    if (found === undefined || !Array.isArray(annotations)) return gone;
    found.annotations.push(...(annotations as unknown[]));
    return { body: found };
  };
  for (let id = 5000; id < 5010; id += 1) known[`PATCH ${R}/issues/comments/${id}`] = patchComment;
  for (let number = 300; number < 310; number += 1) known[`PATCH ${R}/issues/${number}`] = patchIssue;
  for (let id = 900; id < 910; id += 1) {
    known[`GET ${R}/check-runs/${id}`] = readRun;
    known[`PATCH ${R}/check-runs/${id}`] = patchRun;
  }

  const all: Record<string, Handler> = { ...known };
  for (const [key, handler] of Object.entries(handlers))
    all[key] = (sent) => handler(sent, known[key] ?? (() => gone));

  const hub = standIn(all);
  const store = ledger ?? createModel();
  const port = createPort({
    client: hub.client,
    repository: REPOSITORY,
    ledger: store,
    clock: { now: () => hub.clock.value },
    sleep: async (ms) => {
      hub.slept.push(ms);
    },
    app: { id: 777, slug: 'agent-policy', botLogin: 'agent-policy[bot]' },
    place: {
      htmlUrl: 'https://github.com',
      owner: 'acme',
      repo: 'widgets',
      defaultBranch: 'main',
      prevention: 'off',
    },
    escalate: { labels: ['needs-human'], assignees: ['mara'], mention: null, repository: null },
    dryRun: false,
    markerSecrets: [SECRET],
    mode: 'enforce',
    killSwitch: () => false,
    audit: (line) => audit.push(line),
    ...deps,
  });
  const lines = async (...effects: Parameters<typeof port.perform>[0]): Promise<string[]> =>
    (await port.perform(effects, 'guid-1')).map(({ line }) => line);
  const writes = (): string[] => hub.requests().filter((request) => !request.startsWith('GET '));
  const asked = (request: string): Sent[] =>
    hub.sent.filter(({ method, path }) => `${method} ${path}` === request);
  return { ...hub, port, ledger: store, audit, comments, issues, runs, lines, writes, asked };
};
