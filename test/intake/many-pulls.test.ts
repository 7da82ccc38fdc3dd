import { describe, expect, test } from '@jest/globals';
import { PUBLISHED, UNLIMITED } from '../../src/github/limits.js';
import { numbersOf, playMany, type Story } from './many-pulls.js';

const MERGED = 'pull_request.closed: { by: alpha, pull: 1, merged: m1, at: +11s }';
const LIMITS = 'limits: { open-pulls: 1000, pulls-per-hour: 1000 }';
const BREACH: Omit<Story, 'pulls'> = { policy: ['merge: pr', LIMITS], events: [MERGED], limits: UNLIMITED };

type Played = Awaited<ReturnType<typeof playMany>>;

/** How many heads have which reasons. */
const reasonsOn = async (played: Played, numbers: readonly number[]) => {
  const counts: Record<string, number> = {};
  for (const n of numbers) {
    const reasons = await played.reasonsOn(`s${n}`);
    counts[reasons] = (counts[reasons] ?? 0) + 1;
  }
  return counts;
};

const aboutOne = /\/pulls\/(\d+)\/\w+$/;

/** Numbers of the PRs whose facts were asked for, in order, each time that their reviews were. */
const lookedUp = (requests: Played['sandbox']['requests']): readonly number[] =>
  requests.flatMap(({ request }) =>
    request.endsWith('/reviews') ? [Number(aboutOne.exec(request)?.[1])] : [],
  );

/** What was asked about PRs after their check had been written. */
const askedAgain = ({ sandbox }: Played): readonly string[] => {
  const written = new Set<string>();
  const again: string[] = [];
  for (const { request, body } of sandbox.requests) {
    if (request.startsWith('POST') && request.endsWith('/check-runs'))
      written.add(sandbox.short(String((body as { head_sha: unknown }).head_sha)));
    const number = aboutOne.exec(request)?.[1];
    if (number !== undefined && written.has(`s${number}`)) again.push(request);
  }
  return again;
};

/** Answers the n-th request that `which` takes, and those after it as long as `times` says. */
const failing = (which: RegExp, from: number, times: number, answer: () => Response) => {
  let count = 0;
  return (method: string, path: string): Response | null => {
    if (!which.test(`${method} ${path}`)) return null;
    count += 1;
    return count > from && count <= from + times ? answer() : null;
  };
};

const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}) =>
  (): Response =>
    new Response(JSON.stringify({ message: 'no' }), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });

describe('an agent that is suspended while it has many open PRs', () => {
  test('under the limits GitHub publishes -> all are held, none is asked about twice, the armed first', async () => {
    const pulls = 150;
    const played = await playMany({ ...BREACH, pulls, armed: [240, 245], limits: PUBLISHED });
    await played.rememberChecks('needs-person');
    const failures = await played.untilDone(played.deliveryOf(0));
    expect(await reasonsOn(played, numbersOf(pulls))).toEqual({ suspended: pulls });
    expect(askedAgain(played)).toEqual([]);
    expect(failures.length).toBeGreaterThan(0);
    expect(new Set(failures)).toEqual(new Set(['told-to-wait']));
    const after = played.lines.slice(played.lines.indexOf('suspend alpha') + 1);
    const held = after.filter((line) => /^(check|disarm)/.test(line));
    expect(held.slice(0, 4)).toEqual([
      'check s240 failure suspended',
      'disarm-auto-merge 240',
      'check s245 failure suspended',
      'disarm-auto-merge 245',
    ]);
    await played.end();
  }, 20_000);

  test('twice the PRs -> no more than twice the requests', async () => {
    const requestsFor = async (pulls: number): Promise<number> => {
      const played = await playMany({ ...BREACH, pulls, limits: PUBLISHED });
      await played.untilDone(played.deliveryOf(0));
      await played.end();
      return played.sandbox.requests.length;
    };
    const [few, many] = [await requestsFor(60), await requestsFor(120)];
    expect(many).toBeLessThanOrEqual(2 * few);
    // Files, commits, reviews, activity and tree; the look for a check, and the check.
    expect(many - few).toBeLessThanOrEqual(60 * 7.5);
  }, 20_000);

  test('one whose look-up fails -> all others are held, and the next try asks about that one alone', async () => {
    const pulls = 30;
    const instead = failing(/GET .*\/pulls\/110\/reviews$/, 0, 4, answering(502));
    const played = await playMany({ ...BREACH, pulls, instead });
    const delivery = played.deliveryOf(0);
    expect(await played.give(delivery)).toMatchObject({ kind: 'later', retryAfter: null });
    expect(await reasonsOn(played, numbersOf(pulls))).toEqual({ none: 1, suspended: pulls - 1 });
    const before = played.sandbox.requests.length;
    expect(await played.give(delivery)).toBeNull();
    expect(lookedUp(played.sandbox.requests.slice(before))).toEqual([110]);
    expect(await played.reasonsOn('s110')).toBe('suspended');
    await played.end();
  });

  test('told to wait in the middle -> nothing more is sent; what was held is kept, and not asked about again', async () => {
    const pulls = 30;
    const instead = failing(/GET .*\/pulls\/\d+\/reviews$/, 12, 1, answering(429, { 'retry-after': '600' }));
    const played = await playMany({ ...BREACH, pulls, instead });
    const delivery = played.deliveryOf(0);
    expect(await played.give(delivery)).toMatchObject({ kind: 'told-to-wait', retryAfter: 600_000 });
    expect(await reasonsOn(played, numbersOf(pulls))).toEqual({ none: pulls - 12, suspended: 12 });
    played.wait(600_000);
    expect(await played.give(delivery)).toBeNull();
    expect(await reasonsOn(played, numbersOf(pulls))).toEqual({ suspended: pulls });
    expect(askedAgain(played)).toEqual([]);
    await played.end();
  });

  test('GitHub fails for three in a row -> the rest waits for the next try, in which those three come last', async () => {
    const pulls = 20;
    const instead = failing(/GET .*\/pulls\/10[123]\/reviews$/, 0, Infinity, answering(502));
    const played = await playMany({ ...BREACH, pulls, instead });
    const delivery = played.deliveryOf(0);
    expect(await played.give(delivery)).toMatchObject({ kind: 'later' });
    expect(await reasonsOn(played, numbersOf(pulls))).toEqual({ none: pulls });
    expect(await played.give(delivery)).toMatchObject({ kind: 'later' });
    expect(await reasonsOn(played, numbersOf(pulls))).toEqual({ none: 3, suspended: pulls - 3 });
    await played.end();
  });
});

describe('a suspension that ends while its agent has many open PRs', () => {
  const SETTLED = 'issues.closed: { by: mara, issue: 10001, reason: completed, at: +1h }';
  const MOVED = 'pull_request.synchronize: { by: alpha, pull: 101, sha: moved, at: +1s }';
  const REVIEWED =
    'pull_request_review.submitted: { by: otto, pull: 102, state: commented, sha: s102, at: +1s }';

  test('told to wait in the middle, two PRs judged meanwhile -> none says suspended, no other is asked about again', async () => {
    const pulls = 30;
    let limited = false;
    const limit = failing(/GET .*\/pulls\/\d+\/reviews$/, 12, 1, answering(429, { 'retry-after': '60' }));
    const played = await playMany({
      ...BREACH,
      events: [MERGED, SETTLED, MOVED, REVIEWED],
      pulls,
      instead: (method, path) => (limited ? limit(method, path) : null),
    });
    await played.untilDone(played.deliveryOf(0));
    const settled = played.deliveryOf(1);
    limited = true;
    expect(await played.give(settled)).toMatchObject({ kind: 'told-to-wait' });
    expect(await reasonsOn(played, numbersOf(pulls))).toEqual({ suspended: 18, 'needs-person': 12 });
    played.wait(60_000);
    await played.untilDone(played.deliveryOf(2));
    await played.untilDone(played.deliveryOf(3));
    // It is not over yet: both are judged as if it were in force.
    expect(await Promise.all(['moved', 's102'].map(played.reasonsOn))).toEqual(['suspended', 'suspended']);
    const before = played.sandbox.requests.length;
    expect(await played.give(settled)).toBeNull();
    expect(await played.ledger.suspensions()).toEqual([]);
    expect(await played.reasonsOn('moved')).toBe('needs-person');
    expect(await reasonsOn(played, numbersOf(pulls).slice(1))).toEqual({ 'needs-person': pulls - 1 });
    const again = lookedUp(played.sandbox.requests.slice(before));
    expect([...again].sort()).toEqual([101, 102, ...numbersOf(pulls).slice(12)]);
    await played.end();
  });
});

describe('a merge that touches many open PRs of its agent', () => {
  const DAY: Omit<Story, 'pulls'> = {
    policy: ['merge: merge', 'limits: { open-pulls: 1000, pulls-per-hour: 1000, merges-per-day: 1 }'],
    events: [MERGED],
    limits: PUBLISHED,
  };

  test('the day’s limit holds all of them, under the limits GitHub publishes, and only one is looked up twice where it stopped', async () => {
    const pulls = 120;
    const played = await playMany({ ...DAY, pulls });
    await played.rememberChecks('within-policy');
    const failures = await played.untilDone(played.deliveryOf(0));
    expect(await played.ledger.suspensions()).toEqual([]);
    expect(await reasonsOn(played, numbersOf(pulls))).toEqual({ limit: pulls });
    const twice = lookedUp(played.sandbox.requests).filter((n) => n !== 1).length - pulls;
    expect(twice).toBeLessThanOrEqual(failures.length);
    expect(failures.length).toBeGreaterThan(0);
    await played.end();
  }, 20_000);

  test('a breach is told and suspends, though nothing can be looked up about the others', async () => {
    const instead = failing(
      /GET .*\/pulls\/\d+\/files$/,
      0,
      Infinity,
      answering(429, { 'retry-after': '60' }),
    );
    const played = await playMany({ ...BREACH, pulls: 10, instead });
    await played.rememberChecks('needs-person');
    expect(await played.give(played.deliveryOf(0))).toMatchObject({ kind: 'told-to-wait' });
    expect(played.lines).toEqual(expect.arrayContaining(['record merge-level', 'suspend alpha']));
    await played.end();
  });
});
