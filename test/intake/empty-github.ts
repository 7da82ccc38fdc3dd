/** What one request was, without its query. */
export interface Asked {
  readonly request: string;
}

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });

/**
 * A GitHub that holds one policy file, the PR and the issue it is given, and else empty lists: enough for the whole
 * way of any delivery. Every request is noted.
 */
export function emptyGitHub(policy: string | null, pull: unknown, asked: Asked[]): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const method = init?.method ?? 'GET';
    const path = decodeURIComponent(url.pathname);
    asked.push({ request: `${method} ${path}` });
    if (path === '/app') return json({ id: 777, slug: 'agent-policy' });
    if (method === 'POST' && path.endsWith('/check-runs')) return json({ id: asked.length }, 201);
    if (method === 'POST' && path.endsWith('/comments')) return json({ id: asked.length, body: '' }, 201);
    if (method === 'POST' && path.endsWith('/issues')) {
      return json(
        {
          number: asked.length,
          state: 'open',
          title: '',
          body: '',
          user: { id: 1, login: 'agent-policy[bot]', type: 'Bot' },
          labels: [],
          closed_at: null,
        },
        201,
      );
    }
    if (path.endsWith('/requested_reviewers')) return json(pull, 201);
    if (method === 'POST' && path === '/graphql') return json({ data: {} });
    if (method !== 'GET') return json({});
    if (/^\/repos\/[^/]+\/\.github(\/|$)/.test(path)) return json({ message: 'Not Found' }, 404);
    if (path.endsWith('/contents/.github')) {
      const file = {
        type: 'file',
        name: 'agent-policy.yml',
        path: '.github/agent-policy.yml',
        sha: 'b'.repeat(40),
        size: policy?.length ?? 0,
      };
      return policy === null ? json({ message: 'Not Found' }, 404) : json([file]);
    }
    if (path.endsWith('/contents/') || path.endsWith('/contents')) return json([]);
    if (path.includes('/contents/')) {
      return json({
        type: 'file',
        encoding: 'base64',
        path: '.github/agent-policy.yml',
        sha: 'b'.repeat(40),
        size: policy?.length ?? 0,
        content: Buffer.from(policy ?? '').toString('base64'),
      });
    }
    if (/\/pulls\/\d+$/.test(path)) return pull === null ? json({ message: 'Not Found' }, 404) : json(pull);
    if (path.includes('/compare/')) return json({ commits: [], total_commits: 0 });
    if (path.endsWith('/permission')) return json({ permission: 'write', role_name: 'write' });
    if (path.endsWith('/check-runs')) return json({ total_count: 0, check_runs: [] });
    if (path.includes('/git/commits/')) return json({ tree: { sha: 'c'.repeat(40) } });
    return json([]);
  };
}
