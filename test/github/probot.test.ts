import { describe, expect, test } from '@jest/globals';
import { ProbotOctokit } from 'probot';
import { z } from 'zod';
import { createClient } from '../../src/github/client.js';
import { createEtagCache } from '../../src/github/etag-cache.js';
import { openGates } from './open-gates.js';

/** Probot's own Octokit, with its throttling and retrying, which must not add to ours. */
const onProbot = (statuses: readonly number[]) => {
  const asked: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const headers = new Headers(init?.headers);
    asked.push(headers.get('x-github-api-version'));
    const status = statuses[Math.min(asked.length - 1, statuses.length - 1)] ?? 200;
    return new Response(JSON.stringify({ number: 1 }), {
      status,
      headers: { 'content-type': 'application/json' },
    });
  };
  const client = createClient({
    octokit: new ProbotOctokit({ request: { fetch } }),
    identity: 'installation:1',
    appIdentity: 'app:777',
    gates: openGates(),
    lane: 'people',
    cache: createEtagCache(),
    now: () => 0,
    sleep: async () => undefined,
    random: () => 0,
  });
  return { client, asked };
};

const place = { owner: 'acme', repo: 'widgets' };
const numbered = z.object({ number: z.number() });

describe("on Probot's Octokit", () => {
  test('a read is tried four times and no more', async () => {
    const { client, asked } = onProbot([502]);
    const read = client.get(
      'GET /repos/{owner}/{repo}/pulls/{pull_number}',
      { ...place, pull_number: 1 },
      numbered,
    );
    await expect(read).rejects.toMatchObject({ status: 502 });
    expect(asked).toEqual(['2022-11-28', '2022-11-28', '2022-11-28', '2022-11-28']);
  });

  test('a write that creates something goes out once', async () => {
    const { client, asked } = onProbot([502]);
    const write = client.write(
      'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
      { ...place, issue_number: 1, body: 'x' },
      numbered,
      'once',
    );
    await expect(write).rejects.toMatchObject({ status: 502, ambiguous: true });
    expect(asked).toEqual(['2022-11-28']);
  });

  test('a mutation that creates something goes out once', async () => {
    const { client, asked } = onProbot([502]);
    const mutate = client.mutate(
      'revertPullRequest',
      { pullRequestId: 'x' },
      'clientMutationId',
      numbered,
      'once',
    );
    await expect(mutate).rejects.toMatchObject({ status: 502, ambiguous: true });
    expect(asked).toHaveLength(1);
  });
});
