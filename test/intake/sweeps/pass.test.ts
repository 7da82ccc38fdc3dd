import { describe, expect, test } from '@jest/globals';
import { story } from './activity-story.js';
import { bench, DAY, failing, HOUR, MINUTE } from './bench.js';

const STORY = `
id: SWEEP
title: Several repositories
policy: |
  version: 1
  merge: pr
  agents: { alpha: { apps: [1001], accounts: [9001] } }
  escalate: { assignees: [mara] }
world:
  pulls:
    282: { author: rae, base: main, head: rae/docs, sha: h0 }
    283: { author: mara, base: main, head: mara/x, sha: x1 }
  checks: { x1: [{ name: agent-policy, conclusion: success, app: 777 }] }
events:
  - pull_request.opened: { by: rae, pull: 282 }
  - pull_request.closed: { by: mara, pull: 283, merged: m1, at: +11s, drop: true }
`;

const MORE = [
  { owner: 'acme', name: 'gadgets' },
  { owner: 'globex', name: 'tools' },
];
const ALL = [1, 2, 3];

type Bench = Awaited<ReturnType<typeof bench>>;

/** Each repository was heard of, and a merge came whose webhook did not. */
const unswept = async (options: Parameters<typeof bench>[1] = {}): Promise<Bench> => {
  const b = await bench(STORY, { more: MORE, ...options });
  for (const repository of ALL) await b.deliver(1, repository);
  for (const repository of ALL) await b.deliver(2, repository);
  b.lines();
  b.pass(HOUR);
  b.break();
  return b;
};

/** Repositories in which the merge was found. */
const found = async (b: Bench): Promise<readonly number[]> =>
  (await b.acts())
    .filter(({ kind }) => kind === 'pull.merge')
    .map(({ repository }) => repository.id)
    .sort();

describe('a pass over all repositories', () => {
  test('looks at each of each installation', async () => {
    const b = await unswept();
    await b.sweep();
    expect(await found(b)).toEqual(ALL);
    expect((await b.sweeps().last())[1]).toEqual({ sweep: 'repositories', at: b.now(), left: 0 });
    expect([b.failures, b.warned]).toEqual([[], []]);
  });

  test.each([404, 403, 451])('one repository answers %d -> the others are looked at', async (status) => {
    const b = await unswept({ broken: failing(/\/repos\/acme\/gadgets\/activity/, status) });
    await b.sweep();
    expect(await found(b)).toEqual([1, 3]);
    expect(b.warned).toHaveLength(status === 403 ? 1 : 0);
    expect((await b.sweeps().last())[1]?.left).toBe(0);
  });

  test('one repository answers 502 for a while -> the others are looked at, and it is later in the same pass', async () => {
    const b = await unswept({ broken: failing(/\/repos\/acme\/gadgets\/activity/, 502, 4) });
    await b.sweep();
    expect(await found(b)).toEqual([1, 3]);
    expect((await b.sweeps().last())[1]?.left).toBe(1);
    b.pass(MINUTE);
    await b.sweep();
    expect(await found(b)).toEqual(ALL);
    expect((await b.sweeps().last())[1]?.left).toBe(0);
    expect(b.warned).toEqual([]);
  });

  test('one repository answers 502 for ever -> a person is told once a pass, and the pass ends', async () => {
    const b = await unswept({ broken: failing(/\/repos\/acme\/gadgets\/activity/, 502) });
    for (let ticks = 0; ticks < 20; ticks += 1) {
      await b.sweep();
      b.pass(2 * MINUTE);
    }
    expect(b.warned).toHaveLength(1);
    expect(b.warned[0]).toMatch(/^acme\/gadgets cannot be looked at for now: GitHub answered 502/);
    expect((await b.sweeps().last())[1]?.left).toBe(0);
  });

  test('one installation is gone (404 to its token) -> it is left out, and that is no failure', async () => {
    const b = await unswept({ broken: failing(/\/app\/installations\/\d+\/access_tokens/, 404, 1) });
    await b.sweep();
    expect((await found(b)).length).toBeLessThan(3);
    expect(b.failures).toEqual([]);
  });

  test('a suspended installation is not asked for its repositories', async () => {
    const b = await unswept({
      broken: (fetch) => async (input, init) => {
        const response = await fetch(input, init);
        const { pathname } = new URL(input instanceof Request ? input.url : String(input));
        if (pathname !== '/app/installations') return response;
        const all = (await response.json()) as { account: { login: string } }[];
        return Response.json(
          all.map((one) => ({
            ...one,
            suspended_at: one.account.login === 'globex' ? '2026-11-30T09:00:00Z' : null,
          })),
        );
      },
    });
    await b.sweep();
    expect(await found(b)).toEqual([1, 2]);
    expect(b.asked(/^GET \/installation\/repositories$/)).toBe(1);
  });

  test('the list of installations answers 502 -> it is asked for again a minute later', async () => {
    const b = await unswept({ broken: failing(/GET \/app\/installations$/, 502, 4) });
    await b.sweep();
    expect(await found(b)).toEqual([]);
    b.pass(MINUTE);
    await b.sweep();
    expect(await found(b)).toEqual(ALL);
  });

  test('GitHub asks one installation to wait -> it waits, and the other is looked at', async () => {
    let asked = 0;
    const b = await unswept({
      broken: (fetch) => async (input, init) => {
        const { pathname } = new URL(input instanceof Request ? input.url : String(input));
        if (!/\/repos\/globex\/tools\/activity/.test(pathname)) return fetch(input, init);
        asked += 1;
        return asked > 1
          ? fetch(input, init)
          : Response.json({ message: 'rate limit' }, { status: 429, headers: { 'retry-after': '600' } });
      },
    });
    await b.sweep();
    expect(await found(b)).toEqual([1, 2]);
    b.pass(5 * MINUTE);
    await b.sweep();
    expect(asked).toBe(1);
    b.pass(6 * MINUTE);
    await b.sweep();
    expect(await found(b)).toEqual(ALL);
    expect(b.failures).toEqual([]);
  });
});

describe('a pass is kept in the store', () => {
  test('the process dies in the middle -> the next one goes on, and looks at nothing twice', async () => {
    const b = await unswept({ broken: failing(/\/repos\/globex\/tools\/activity/, 502, 4) });
    await b.sweep();
    expect(await found(b)).toEqual([1, 2]);
    const asked = b.asked(/\/repos\/acme\/.*\/activity/);
    b.pass(MINUTE);
    await b.restart();
    await b.sweep();
    expect(await found(b)).toEqual(ALL);
    expect(b.asked(/\/repos\/acme\/.*\/activity/)).toBe(asked);
  });

  test('it goes on after its look at the activity -> what was pushed in between is for the next one', async () => {
    const b = await bench(
      story(
        '  - push: { by: alpha, ref: main, before: m0, after: d1, drop: true, commits: [{ sha: d1, author: alpha, message: x }] }',
      ),
      { broken: failing(/^GET .*\/git\/matching-refs/, 502, 12) },
    );
    await b.deliver(1);
    await b.sweep();
    b.pass(25 * HOUR);
    b.break();
    await b.sweep();
    expect((await b.sweeps().last())[1]?.left).toBe(1);
    await b.deliver(2);
    for (let minutes = 0; minutes < 2 * 60; minutes += 5) {
      b.pass(5 * MINUTE);
      await b.sweep();
    }
    const pushes = (await b.acts()).filter(({ kind }) => kind === 'push.trunk');
    expect(pushes).toMatchObject([{ tellings: ['activity'], verdict: 'deny' }]);
  });

  test('it has ended -> the next one waits for its hour', async () => {
    const b = await unswept();
    await b.sweep();
    await b.restart();
    await b.sweep();
    expect(b.asked(/^GET \/app\/installations$/)).toBe(1);
  });
});

describe('a share of the rate limit', () => {
  test('spent for one installation -> the other is looked at; the rest in its next hours, not at its next ticks', async () => {
    const b = await unswept({
      remaining: (identity) => (identity === 'app:777' ? null : identity.endsWith('2') ? 1_000 : 18),
    });
    const after: number[] = [];
    for (let hours = 0; hours < 12; hours += 1) {
      await b.sweep();
      after.push((await found(b)).length);
      const asked = b.github.requests.length;
      for (let ticks = 0; ticks < 5; ticks += 1) await b.sweep();
      if (hours === 0) expect(b.github.requests.length).toBe(asked);
      b.pass(HOUR);
    }
    expect(after[0]).toBeLessThan(3);
    expect(after.at(-1)).toBe(3);
    expect(b.warned).toEqual([]);
  });

  test('nothing is left -> nothing is asked', async () => {
    const b = await unswept({ remaining: () => 3 });
    const before = b.github.requests.length;
    await b.sweep();
    expect(b.github.requests.length).toBe(before);
  });
});

describe('deliveries come first', () => {
  test('some of a repository are still to be worked on -> it is looked at a minute later', async () => {
    const b = await unswept({ broken: failing(/GET \/repos\/acme\/widgets\/contents\/\.github/, 502, 4) });
    await b.sweep();
    await b.restart();
    expect(await found(b)).toContain(3);
  });

  test('after a downtime -> what GitHub is asked to deliver again is waited for, then the rest is looked for', async () => {
    const b = await bench(STORY, { more: MORE });
    for (const repository of ALL) await b.deliver(1, repository);
    await b.sweep();
    b.lines();
    b.pass(MINUTE);
    b.miss(1, 2);
    await b.deliver(2, 1);
    b.pass(HOUR);
    await b.restart();
    expect(await b.sweepInVain()).toBe(1);
    expect(await found(b)).toEqual([]);
    b.pass(3 * MINUTE);
    await b.sweep();
    expect(await found(b)).toEqual([1]);
  });
});

describe('ticks', () => {
  test('two at once are one', async () => {
    const b = await unswept();
    await Promise.all([b.sweeps().tick(), b.sweeps().tick(), b.sweeps().tick()]);
    expect(b.asked(/^GET \/app\/installations$/)).toBe(1);
  });

  test('stopped -> what is under way ends, and nothing more begins', async () => {
    const b = await unswept();
    const ticking = b.sweeps().tick();
    await b.sweeps().stop();
    await ticking;
    const asked = b.github.requests.length;
    await b.sweeps().tick();
    expect(b.github.requests.length).toBe(asked);
    await b.restart();
    await b.sweep();
    expect(await found(b)).toEqual(ALL);
  });

  test('the store is gone -> rejects', async () => {
    const b = await unswept();
    await b.store.close();
    await expect(b.sweeps().tick()).rejects.toMatchObject({ name: 'StoreError' });
  });

  test('a repository of which nothing was ever heard costs nothing, until something is pushed', async () => {
    const b = await bench(STORY, { more: MORE });
    await b.deliver(1, 1);
    b.pass(DAY);
    await b.sweep();
    expect(b.asked(/\/repos\/acme\/gadgets\//)).toBe(0);
  });
});
