import { describe, expect, test } from '@jest/globals';
import type { Deliver } from '../../src/sandbox/sandbox.js';
import { sandboxOf } from './cases.js';

const OURS = 'https://api.github.com/repos/acme/widgets';

const lagging = (lag: number) => {
  const made = sandboxOf({
    lag,
    world: {
      pulls: { 1: { author: 'alpha', sha: 'h1', reviews: [{ by: 'mara', state: 'approved', sha: 'h1' }] } },
      issues: { 5: { author: 'rae' } },
      checks: { h1: [{ name: 'test', conclusion: 'success', app: 15368 }] },
    },
  });
  const ask = async <T>(path: string, body?: unknown): Promise<T> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return (await (await made.sandbox.fetch(`${OURS}${path}`, init)).json()) as T;
  };
  return { ...made, ask };
};

type Lagging = ReturnType<typeof lagging>;

interface Row {
  readonly id: number;
}

interface Kind {
  readonly name: string;
  readonly make: (made: Lagging) => Promise<Row>;
  readonly list: (made: Lagging) => Promise<readonly Row[]>;
  readonly read: (row: Row & { number?: number }) => string | null;
}

const KINDS: readonly Kind[] = [
  {
    name: 'a comment',
    make: ({ ask }) => ask<Row>('/issues/1/comments', { body: 'c' }),
    list: ({ ask }) => ask<Row[]>('/issues/1/comments'),
    read: ({ id }) => `/issues/comments/${id}`,
  },
  {
    name: 'a comment in the timeline',
    make: ({ ask }) => ask<Row>('/issues/5/comments', { body: 'c' }),
    list: ({ ask }) => ask<Row[]>('/issues/5/timeline'),
    read: ({ id }) => `/issues/comments/${id}`,
  },
  {
    name: 'an issue',
    make: ({ ask }) => ask<Row>('/issues', { title: 't' }),
    list: ({ ask }) => ask<Row[]>('/issues?state=all'),
    read: ({ number }) => `/issues/${number ?? 0}`,
  },
  {
    name: 'a check run',
    make: ({ ask, sandbox }) =>
      ask<Row>('/check-runs', { name: 'agent-policy', head_sha: sandbox.sha('h1') }),
    list: async ({ ask, sandbox }) =>
      (await ask<{ check_runs: Row[] }>(`/commits/${sandbox.sha('h1')}/check-runs`)).check_runs,
    read: ({ id }) => `/check-runs/${id}`,
  },
  {
    name: 'a review',
    make: ({ ask }) => ask<Row>('/pulls/1/reviews', { event: 'COMMENT', body: 'seen' }),
    list: ({ ask }) => ask<Row[]>('/pulls/1/reviews'),
    read: () => null,
  },
];

describe.each(KINDS)('$name that the App just made', ({ make, list, read }) => {
  const ids = (rows: readonly Row[]): readonly number[] => rows.map(({ id }) => id);

  test('with a lag of 3 s: read by its id at once, listed after three seconds and not before', async () => {
    const made = lagging(3_000);
    const row = await make(made);
    const path = read(row);
    if (path !== null) expect(await made.ask(path)).toMatchObject({ id: row.id });
    expect(ids(await list(made))).not.toContain(row.id);
    made.setTime(made.now() + 2_999);
    expect(ids(await list(made))).not.toContain(row.id);
    made.setTime(made.now() + 1);
    expect(ids(await list(made))).toContain(row.id);
  });
  test('without one: listed at once', async () => {
    const made = lagging(0);
    const row = await make(made);
    expect(ids(await list(made))).toContain(row.id);
  });
  test('what the world had is listed all the time', async () => {
    const before = await list(lagging(0));
    expect(await list(lagging(3_000))).toHaveLength(before.length);
  });
});

test('what people do is listed at once: the lag is between our writes and our reads', async () => {
  const event: Deliver = {
    kind: 'deliver',
    title: 'issue_comment.created',
    name: 'issue_comment',
    action: 'created',
    keys: { by: 'mara', on: 5, body: 'hello' },
  };
  const { sandbox, ask } = lagging(3_000);
  sandbox.deliver(event, 0);
  expect(await ask<Row[]>('/issues/5/comments')).toHaveLength(1);
});
