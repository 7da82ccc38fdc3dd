import { Octokit } from '@octokit/core';
import type { Sandbox } from '../../src/sandbox/sandbox.js';

interface Comment {
  readonly body: string;
  readonly user: { readonly login: string };
}
interface Issue extends Comment {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly draft?: boolean;
  readonly pull_request?: unknown;
}
interface Run {
  readonly head_sha: string;
  readonly conclusion: string;
  readonly external_id: string;
  readonly app: { readonly id: number };
}

const OURS = 'agent-policy[bot]';

/** The rows of our table: the lines that name a time. */
const rowsOf = (body: string): readonly string[] =>
  body
    .split('\n')
    .filter((line) => /^\| \d{4}-/.test(line))
    .map(withoutTime);

/** A row that is told for the first time after a death has its own time. */
const withoutTime = (line: string): string => line.replace(/^\| [^|]+\|/, '|');

/** All that we have on the GitHub of a sandbox, as people see it, without times. */
export const textsOf = async (sandbox: Sandbox) => {
  const octokit = new Octokit({ request: { fetch: sandbox.fetch } });
  const list = async <T>(route: string): Promise<T> =>
    (await octokit.request(`GET /repos/acme/widgets${route}`, { per_page: 100 })).data as T;
  const issues = await list<readonly Issue[]>('/issues?state=all');
  const numbers = issues.map(({ number }) => number).sort((a, b) => a - b);
  const comments: Record<string, readonly (readonly string[])[]> = {};
  for (const number of numbers) {
    const ours = (await list<readonly Comment[]>(`/issues/${number}/comments`)).filter(
      ({ user }) => user.login === OURS,
    );
    if (ours.length > 0) comments[number] = ours.map(({ body }) => rowsOf(body));
  }
  const heads = [...new Set(sandbox.requests.flatMap(({ request }) => headIn(request)))].sort();
  const checks: Record<string, readonly string[]> = {};
  for (const sha of heads) {
    const { check_runs: runs } = await list<{ readonly check_runs: readonly Run[] }>(
      `/commits/${sha}/check-runs?filter=all`,
    );
    const ours = runs.filter(({ app }) => app.id === 777).map(({ conclusion }) => conclusion);
    if (ours.length > 0) checks[sandbox.short(sha)] = ours;
  }
  const branches = await list<readonly { readonly ref: string }[]>(
    '/git/matching-refs/heads/agent-policy-backup/',
  );
  return {
    comments,
    issues: issues
      .filter(({ user, pull_request: pull }) => user.login === OURS && pull === undefined)
      .map(({ number, title, body, state }) => ({ number, title, state, rows: rowsOf(body) })),
    reverts: issues
      .filter(({ user, pull_request: pull }) => user.login === OURS && pull !== undefined)
      .map(({ title }) => title),
    others: issues.filter(({ user }) => user.login !== OURS).map(({ number, state }) => ({ number, state })),
    checks,
    backups: branches.map(({ ref }) => ref),
  };
};

const headIn = (request: string): readonly string[] => {
  const sha = /\/(?:commits|check-runs)\/([0-9a-f]{40})\b/.exec(request)?.[1];
  return sha === undefined ? [] : [sha];
};
