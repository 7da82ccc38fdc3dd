import { describe, expect, test } from '@jest/globals';
import { SANDBOX_ENDPOINTS } from '../../src/sandbox/rest/dispatch.js';
import { parseCase } from '../../src/sandbox/parse-case.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { checkRequest, checkResponse, endpointOf } from '../openapi/validate.js';
import { deliverAll } from './cases.js';

const WORLD = `
id: rest
title: A repository in which something of everything happened
org_policy: |
  version: 1
world:
  pulls:
    1: { author: alpha, base: main, head: alpha/x, sha: h1, labels: [bug], body: "Closes #9", auto_merge: mara }
    2: { author: rae, base: main, head: rae/y, sha: h2, fork: true, reviews: [{ by: mara, state: approved, sha: h2 }] }
    3:
      author: alpha
      head: alpha/files
      sha: h3
      files:
        - README.md
        - { path: link, mode: "120000", content: .github/workflows }
        - { path: docs/ci.yml, was: .github/workflows/ci.yml, status: renamed }
        - { path: src/index.ts, status: removed }
    4: { author: alpha, head: alpha/merged, sha: h4 }
    5: { author: alpha, head: alpha/open, sha: h5 }
  issues: { 9: { author: ivo, state: open, labels: [bug] } }
  branches: { release/1.2: { sha: r1, by: [mara], protected: true } }
  tags: [{ name: v1, commit: { sha: m0 } }]
  runs: [{ id: 70, path: .github/workflows/ci.yml, status: in_progress, actor: alpha }]
  checks: { h1: [{ name: test, conclusion: success, app: 15368 }] }
  rule_suites:
    - id: 1
      ref: main
      actor_name: alpha
      result: fail
      before_sha: m0
      after_sha: w1
      pushed_at: "2026-11-30T08:30:00Z"
      rule_evaluations: [{ rule_source: { type: ruleset, id: 55, name: agent-policy/gates }, enforcement: active, result: fail, rule_type: update }]
events:
  - pull_request.synchronize: { by: alpha, pull: 1, sha: h1b }
  - pull_request_review.submitted: { by: mara, pull: 1, state: approved, sha: h1 }
  - issue_comment.created: { by: ivo, on: 9, body: hello }
  - issues.closed: { by: alpha, issue: 9, reason: completed }
  - status: { by: alpha, sha: h1, name: ci, conclusion: success }
  - check_run.completed: { sha: h1, name: agent-policy, app: 777, conclusion: success }
  - release.published: { by: otto, tag: v1 }
  - workflow_run.in_progress: { by: alpha, run: 71, path: .github/workflows/agent.yml, sha: h1 }
  - workflow_job.in_progress: { by: alpha, run: 71, step: build }
  - pull_request.closed: { by: mara, pull: 4, merged: m4 }
  - push: { by: mara, ref: main, before: m0, after: m4 }
`;

const OURS = '/repos/acme/widgets';

const build = (): { sandbox: Sandbox; ids: Readonly<Record<string, string>> } => {
  const [one] = parseCase(WORLD, 'rest.yml');
  if (one === undefined) throw new Error('no case');
  const { sandbox, deliveries } = deliverAll(one);
  for (const { delivery } of deliveries) sandbox.outcome(delivery.guid, { status: 'OK', statusCode: 202 });
  const bodies = deliveries.map(
    ({ delivery }) => JSON.parse(delivery.body) as Record<string, { id: number }>,
  );
  const idOf = (key: string): string => String(bodies.find((body) => body[key] !== undefined)?.[key]?.id);
  return {
    sandbox,
    ids: {
      comment: idOf('comment'),
      check: idOf('check_run'),
      release: idOf('release'),
      installation: idOf('installation'),
      delivery: String(sandbox.deliveries[0]?.id),
      h1: sandbox.sha('h1'),
      h3: sandbox.sha('h3'),
      m0: sandbox.sha('m0'),
      m4: sandbox.sha('m4'),
    },
  };
};

interface Asked {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly headers: Headers;
}

const ask = async (
  sandbox: Sandbox,
  line: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Asked> => {
  const [method = 'GET', path = ''] = line.split(' ');
  const response = await sandbox.fetch(`https://api.github.com${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    body: json && text !== '' ? (JSON.parse(text) as unknown) : undefined,
    text,
    headers: response.headers,
  };
};

const filled = (line: string, ids: Readonly<Record<string, string>>): string =>
  line.replace(/<(\w+)>/g, (_, name: string) => ids[name] ?? name);

/** Request, answer's status, body. `<h1>` is the sha of h1. */
const TABLE: readonly (readonly [string, number, unknown?])[] = [
  ['GET /app', 200],
  ['GET /app/installations', 200],
  ['GET /app/installations/<installation>', 200],
  ['POST /app/installations/<installation>/access_tokens', 201],
  ['GET /app/hook/config', 200],
  ['GET /app/hook/deliveries?per_page=3', 200],
  ['GET /app/hook/deliveries/<delivery>', 200],
  ['GET /app/hook/deliveries/12', 404],
  ['POST /app/hook/deliveries/<delivery>/attempts', 202],
  ['POST /app/hook/deliveries/12/attempts', 404],
  ['GET /apps/alpha-agent', 200],
  ['GET /users/rae', 200],
  ['GET /orgs/acme/installation', 200],
  ['GET /orgs/acme/teams/platform/memberships/mara', 200],
  ['GET /orgs/acme/teams/platform/memberships/rae', 404],
  ['GET /orgs/acme/teams/platform/members', 200],
  ['GET /installation/repositories', 200],
  ['DELETE /installation/token', 204],
  ['GET /rate_limit', 200],
  [`GET ${OURS}`, 200],
  ['GET /repos/acme/.github', 200],
  ['GET /repos/acme/other', 404],
  [`GET ${OURS}/installation`, 200],
  [`GET ${OURS}/activity?ref=refs/heads/main&per_page=100`, 200],
  [`GET ${OURS}/collaborators`, 200],
  [`GET ${OURS}/collaborators/mara/permission`, 200],
  [`GET ${OURS}/collaborators/nobody/permission`, 404],
  [`GET ${OURS}/keys`, 200],
  [`GET ${OURS}/contents/`, 200],
  [`GET ${OURS}/contents/.github`, 200],
  [`GET ${OURS}/contents/.github%2Fagent-policy.yml?ref=main`, 200],
  [`GET ${OURS}/contents/link?ref=<h3>`, 200],
  ['GET /repos/acme/.github/contents/.github', 200],
  ['GET /repos/acme/.github/contents/.github/agent-policy.yml', 200],
  [`GET ${OURS}/contents/nothing`, 404],
  [`GET ${OURS}/pulls?state=all&per_page=2`, 200],
  [`POST ${OURS}/pulls`, 201, { title: 't', head: 'alpha/x', base: 'main', body: 'b', draft: true }],
  [`POST ${OURS}/pulls`, 422, { title: 't', head: 'nothing', base: 'main' }],
  [`GET ${OURS}/pulls/1`, 200],
  [`GET ${OURS}/pulls/2`, 200],
  [`GET ${OURS}/pulls/4`, 200],
  [`GET ${OURS}/pulls/99`, 404],
  [`GET ${OURS}/pulls/3/files`, 200],
  [`GET ${OURS}/pulls/1/commits`, 200],
  [`GET ${OURS}/pulls/1/reviews`, 200],
  [`POST ${OURS}/pulls/1/reviews`, 200, { event: 'COMMENT', body: 'seen' }],
  [`POST ${OURS}/pulls/1/reviews`, 200, { body: 'not submitted' }],
  [`POST ${OURS}/pulls/1/reviews`, 422, { event: 'COMMENT' }],
  [`POST ${OURS}/pulls/1/requested_reviewers`, 201, { reviewers: ['mara'] }],
  [`POST ${OURS}/pulls/1/requested_reviewers`, 422, { reviewers: ['nobody-here'] }],
  [`PUT ${OURS}/pulls/5/merge`, 200, { merge_method: 'merge' }],
  [`PUT ${OURS}/pulls/4/merge`, 405],
  [`GET ${OURS}/commits?path=.github/agent-policy.yml&per_page=20`, 200],
  [`GET ${OURS}/commits/<h3>`, 200],
  [`GET ${OURS}/commits/<m4>/pulls`, 200],
  [`GET ${OURS}/commits/<h1>/check-runs?check_name=agent-policy&filter=latest`, 200],
  [`GET ${OURS}/commits/alpha/x/check-runs`, 200],
  [`GET ${OURS}/commits/<h1>/status`, 200],
  [`GET ${OURS}/commits/<h1>/statuses`, 200],
  [`GET ${OURS}/commits/0123456789012345678901234567890123456789`, 422],
  [`GET ${OURS}/compare/main...alpha%2Fx`, 200],
  [`GET ${OURS}/compare/<m0>...<m4>`, 200],
  [`GET ${OURS}/compare/main...nothing`, 404],
  [`GET ${OURS}/issues?state=all&creator=ivo`, 200],
  [`POST ${OURS}/issues`, 201, { title: 't', body: 'b', labels: ['needs-human'], assignees: ['mara'] }],
  [`POST ${OURS}/issues`, 422, { title: 't', assignees: ['nobody-here'] }],
  [`GET ${OURS}/issues/9`, 200],
  [`GET ${OURS}/issues/1`, 200],
  [`GET ${OURS}/issues/98`, 404],
  [`PATCH ${OURS}/issues/9`, 200, { state: 'open', state_reason: 'reopened' }],
  [`GET ${OURS}/issues/9/comments`, 200],
  [`POST ${OURS}/issues/9/comments`, 201, { body: 'ours' }],
  [`POST ${OURS}/issues/9/comments`, 422, { body: 'x'.repeat(65_537) }],
  [`GET ${OURS}/issues/comments/<comment>`, 200],
  [`PATCH ${OURS}/issues/comments/<comment>`, 403, { body: 'not ours' }],
  [`POST ${OURS}/issues/comments/<comment>/reactions`, 201, { content: '+1' }],
  [`DELETE ${OURS}/issues/comments/<comment>`, 204],
  [`GET ${OURS}/issues/9/timeline`, 200],
  [`GET ${OURS}/issues/9/events`, 200],
  [`POST ${OURS}/issues/9/labels`, 200, { labels: ['needs-human'] }],
  [`DELETE ${OURS}/issues/9/labels/bug`, 200],
  [`GET ${OURS}/labels`, 200],
  [`POST ${OURS}/labels`, 201, { name: 'needs-human' }],
  [
    `POST ${OURS}/check-runs`,
    201,
    {
      name: 'agent-policy',
      head_sha: '<h1>',
      status: 'completed',
      conclusion: 'action_required',
      external_id: 'x',
      output: {
        title: 't',
        summary: 's',
        annotations: [{ path: 'a', start_line: 1, end_line: 1, annotation_level: 'failure', message: 'm' }],
      },
      actions: [{ label: 'Recheck', description: 'Look again', identifier: 'recheck' }],
    },
  ],
  [`POST ${OURS}/check-runs`, 422, { name: 'x', head_sha: '0'.repeat(40) }],
  [`GET ${OURS}/check-runs/<check>`, 200],
  [`PATCH ${OURS}/check-runs/<check>`, 200, { output: { title: 't', summary: 's', annotations: [] } }],
  [`GET ${OURS}/check-runs/<check>/annotations`, 200],
  [`POST ${OURS}/git/refs`, 201, { ref: 'refs/heads/agent-policy-backup/x', sha: '<h1>' }],
  [`POST ${OURS}/git/refs`, 422, { ref: 'refs/heads/main', sha: '<h1>' }],
  [`GET ${OURS}/git/ref/heads/main`, 200],
  [`GET ${OURS}/git/ref/heads/nothing`, 404],
  [`GET ${OURS}/git/matching-refs/tags`, 200],
  [`DELETE ${OURS}/git/refs/heads/release/1.2`, 204],
  [`GET ${OURS}/git/commits/<m4>`, 200],
  [`GET ${OURS}/git/trees/<h3>?recursive=1`, 200],
  [`GET ${OURS}/git/trees/<h3>`, 200],
  [`GET ${OURS}/git/blobs/d1e8a2d4`, 404],
  [`GET ${OURS}/branches`, 200],
  [`GET ${OURS}/branches/main/protection`, 404],
  [`GET ${OURS}/tags`, 200],
  [`GET ${OURS}/rulesets`, 200],
  [`GET ${OURS}/rulesets/55`, 200],
  [`GET ${OURS}/rulesets/1`, 404],
  [
    `POST ${OURS}/rulesets`,
    201,
    { name: 'n', target: 'branch', enforcement: 'active', bypass_actors: [], rules: [{ type: 'deletion' }] },
  ],
  [`POST ${OURS}/rulesets`, 422, { name: 'agent-policy/gates', enforcement: 'active' }],
  [`PUT ${OURS}/rulesets/55`, 200, { enforcement: 'active' }],
  [`DELETE ${OURS}/rulesets/56`, 204],
  [`GET ${OURS}/rulesets/rule-suites?time_period=day`, 200],
  [`GET ${OURS}/rulesets/rule-suites/1`, 200],
  [`GET ${OURS}/rules/branches/main`, 200],
  [`GET ${OURS}/actions/runs`, 200],
  [`GET ${OURS}/actions/runs?status=in_progress`, 200],
  [`GET ${OURS}/actions/runs/71`, 200],
  [`GET ${OURS}/actions/runs/71/jobs`, 200],
  [`POST ${OURS}/actions/runs/71/cancel`, 202],
  [`POST ${OURS}/actions/runs/70/force-cancel`, 202],
  [`POST ${OURS}/actions/runs/9999/cancel`, 404],
  [`GET ${OURS}/releases`, 200],
  [`GET ${OURS}/releases/<release>`, 200],
  [`GET ${OURS}/releases/tags/v1`, 200],
];

describe('what the sandbox answers is as GitHub describes it', () => {
  // Rows of one length: jest takes a parameter that a row does not fill for a `done` callback.
  test.each(TABLE.map(([line, status, given = null]) => [line, status, given] as const))(
    '%s -> %i',
    async (line, status, given) => {
      const { sandbox, ids } = build();
      const asked = filled(line, ids);
      const body = given === null ? undefined : (JSON.parse(filled(JSON.stringify(given), ids)) as unknown);
      const [method = '', path = ''] = asked.split(' ');
      const [pathname = ''] = path.split('?');
      expect(checkRequest(method, pathname, body)).toEqual([]);
      const answer = await ask(sandbox, asked, body);
      expect({ status: answer.status, body: answer.status === status ? undefined : answer.body }).toEqual({
        status,
      });
      expect(checkResponse(method, pathname, answer.status, answer.body)).toEqual([]);
      expect(sandbox.unknownEndpoints).toEqual([]);
    },
  );

  test('every endpoint of the sandbox stands in that table', () => {
    const asked = new Set(
      TABLE.map(([line]) => {
        const [method = '', path = ''] = line.split(' ');
        return endpointOf(method, path.split('?')[0] ?? '');
      }),
    );
    const shape = (endpoint: string): string => endpoint.replace(/\{\w+\}/g, '{}');
    const shapes = new Set([...asked].map((endpoint) => shape(endpoint ?? '')));
    const left = SANDBOX_ENDPOINTS.filter(
      (endpoint) => endpoint !== 'POST /graphql' && !shapes.has(shape(endpoint)),
    );
    expect(left).toEqual([]);
  });

  test('an endpoint it does not have is 404, says so, and is kept', async () => {
    const { sandbox } = build();
    const answer = await ask(sandbox, `GET ${OURS}/milestones`);
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('the sandbox does not know GET /repos/acme/widgets/milestones');
    expect(sandbox.unknownEndpoints).toEqual([`GET ${OURS}/milestones`]);
  });
});
