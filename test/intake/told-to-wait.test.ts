import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { type Lived, live } from './mortal.js';
import { textsOf } from './texts-of.js';

const STORY = `
id: wait
title: A merge, and another PR that is armed
policy: |
  version: 1
  merge: pr
  agents: { alpha: { apps: [1001], accounts: [9001] } }
  escalate: { assignees: [mara] }
world:
  pulls:
    283: { author: alpha, base: main, head: staging, sha: h1 }
    290: { author: alpha, base: main, head: other, sha: o1, auto_merge: alpha }
events:
  - pull_request.opened: { by: alpha, pull: 283 }
  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +11s }
`;

type Through = NonNullable<Parameters<typeof live>[0]['through']>;

interface Limit {
  readonly status: number;
  readonly headers: (now: number) => Readonly<Record<string, string>>;
  readonly message: string;
  /** Milliseconds, told or by GitHub's own rule. */
  readonly wait: number;
  /** A budget is REST's or GraphQL's own. */
  readonly of: 'all' | 'one budget';
}

const HOUR = 3_600_000;
const LIMITS: Readonly<Record<string, Limit>> = {
  '429 with retry-after': {
    status: 429,
    headers: () => ({ 'retry-after': '600' }),
    message: 'Too many requests',
    wait: 600_000,
    of: 'all',
  },
  'a secondary limit without a time': {
    status: 403,
    headers: () => ({ 'x-ratelimit-remaining': '4000' }),
    message: 'You have exceeded a secondary rate limit.',
    wait: 60_000,
    of: 'all',
  },
  'a budget that is spent': {
    status: 403,
    headers: (now) => ({
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Math.floor((now + HOUR) / 1000)),
    }),
    message: 'API rate limit exceeded for installation ID 1.',
    wait: HOUR,
    of: 'one budget',
  },
};

const bucketOf = (pathname: string): string => (pathname === '/graphql' ? 'graphql' : 'core');

/**
 * Answers the n-th request of the installation with a limit, and tells what came while it held. What goes out in the
 * same turn of the event loop is under way already.
 */
const limiting = (limit: Limit, at: number) => {
  const impatient: string[] = [];
  let count = 0;
  let limited: { readonly until: number; readonly bucket: string } | undefined;
  const through: Through = (fetch, now) => async (input, init) => {
    const { pathname } = new URL(String(input));
    if (pathname === '/app') return fetch(input, init);
    const concerned = limit.of === 'all' || limited?.bucket === bucketOf(pathname);
    if (limited !== undefined && now() < limited.until && concerned) impatient.push(pathname);
    if (count++ !== at) return fetch(input, init);
    await setImmediate();
    limited = { until: now() + limit.wait, bucket: bucketOf(pathname) };
    return new Response(JSON.stringify({ message: limit.message }), {
      status: limit.status,
      headers: { 'content-type': 'application/json', ...limit.headers(now()) },
    });
  };
  return { through, impatient };
};

const outcomeOf = async ({ sandbox, ledger, end }: Lived) => {
  const suspended = (await ledger.suspensions()).map(({ agent }) => agent);
  await end();
  return { ...(await textsOf(sandbox)), suspended };
};

describe('told to wait at any request -> nothing is sent meanwhile, and then everything is there once', () => {
  test.each(Object.entries(LIMITS))(
    '%s',
    async (_, limit) => {
      const undisturbed = await live({ yaml: STORY });
      const requests = undisturbed.requests.length;
      const expected = await outcomeOf(undisturbed);
      const wrong: Record<number, unknown> = {};
      let putOffs = 0;
      for (let at = 0; at < requests - 1; at += 1) {
        const { through, impatient } = limiting(limit, at);
        const lived = await live({ yaml: STORY, through });
        putOffs += lived.putOffs;
        const outcome = await outcomeOf(lived);
        if (impatient.length > 0) wrong[at] = { impatient };
        else if (!isDeepStrictEqual(outcome, expected)) wrong[at] = outcome;
      }
      expect(wrong).toEqual({});
      expect(putOffs).toBeGreaterThanOrEqual(requests / 2);
    },
    120_000,
  );
});
