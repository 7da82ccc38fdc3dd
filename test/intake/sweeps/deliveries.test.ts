import { describe, expect, test } from '@jest/globals';
import { bench, C01_BREACH, failing, HOUR, MINUTE } from './bench.js';

const STORY = `
id: SWEEP
title: The server is off while an agent merges
policy: |
  version: 1
  merge: pr
  agents: { alpha: { apps: [1001], accounts: [9001] } }
  escalate: { assignees: [mara] }
world:
  pulls:
    282: { author: rae, base: main, head: rae/docs, sha: h0 }
    283: { author: alpha, base: main, head: staging, sha: h1 }
events:
  - pull_request.opened: { by: rae, pull: 282 }
  - pull_request.opened: { by: alpha, pull: 283 }
  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +11s }
  - push: { by: alpha, ref: main, before: m0, after: m1 }
  - issue_comment.created: { by: rae, on: 282, body: hello }
`;

const ATTEMPTS = /^POST \/app\/hook\/deliveries\//;
const sorted = (lines: readonly string[]): readonly string[] => [...lines].sort();

describe('deliveries that never arrived', () => {
  test('the server was off -> all that somebody is triggered by is delivered again, and judged as of its time', async () => {
    const b = await bench(STORY);
    await b.deliver(1);
    await b.deliver(2);
    b.lines();
    b.miss(3);
    b.miss(4);
    b.miss(5);
    b.pass(HOUR);
    await b.restart();
    await b.sweep();
    expect(sorted(b.lines())).toEqual(sorted(C01_BREACH));
    expect(b.asked(ATTEMPTS)).toBe(2);
    const merges = (await b.acts()).filter(({ kind }) => kind === 'pull.merge');
    expect(merges).toMatchObject([
      { tellings: ['pull_request.closed'], verdict: 'deny', at: '2026-11-30T09:00:11.000Z' },
    ]);
    expect(await b.sweeps().last()).toMatchObject([{ sweep: 'deliveries' }, { sweep: 'repositories' }]);

    // The activity list shows the same merge, and there is nothing more to say.
    for (let ticks = 0; ticks < 10; ticks += 1) {
      b.pass(MINUTE);
      await b.sweep();
    }
    expect(b.lines()).toEqual([]);
    expect(b.asked(ATTEMPTS)).toBe(2);
    expect((await b.sweeps().last()).map(({ left }) => left)).toEqual([0, 0]);
    expect([b.failures, b.warned]).toEqual([[], []]);
  });

  test('all arrived -> nothing is asked for', async () => {
    const b = await bench(STORY);
    for (const n of [1, 2, 3, 4, 5]) await b.deliver(n);
    b.pass(HOUR);
    await b.sweep();
    expect(b.asked(ATTEMPTS)).toBe(0);
    expect(b.asked(/^GET \/app\/hook\/deliveries$/)).toBe(1);
  });

  test('an empty log -> nothing, and the next look is in five minutes', async () => {
    const b = await bench(STORY);
    await b.sweep();
    b.pass(4 * MINUTE);
    await b.sweep();
    expect(b.asked(/^GET \/app\/hook\/deliveries$/)).toBe(1);
    b.pass(MINUTE);
    await b.sweep();
    expect(b.asked(/^GET \/app\/hook\/deliveries$/)).toBe(2);
    expect((await b.sweeps().last())[0]).toEqual({ sweep: 'deliveries', at: b.now(), left: 0 });
  });

  test('the first attempt failed, a later one arrived -> nothing is asked for', async () => {
    const b = await bench(STORY);
    const [missed] = b.miss(2);
    if (missed === undefined) throw new Error('nothing was missed');
    const row = b.sandbox.deliveries.find(({ guid }) => guid === missed.guid);
    await b.sandbox.fetch(`https://api.github.com/app/hook/deliveries/${row?.id ?? 0}/attempts`, {
      method: 'POST',
    });
    for (const delivery of b.sandbox.takeRedeliveries()) {
      // To another process of this App, whose store is not ours.
      b.sandbox.outcome(delivery.guid, { status: 'OK', statusCode: 202 });
    }
    const asked = b.asked(ATTEMPTS);
    await b.sweep();
    expect(b.asked(ATTEMPTS)).toBe(asked);
  });

  test('it arrived, and the answer came too late for GitHub -> nothing is asked for', async () => {
    const b = await bench(STORY);
    const [missed] = b.miss(2);
    if (missed === undefined) throw new Error('nothing was missed');
    await b.take(missed);
    await b.sweep();
    expect(b.asked(ATTEMPTS)).toBe(0);
  });

  test('older than three days -> GitHub has it no more, and nothing is asked for', async () => {
    const b = await bench(STORY);
    b.miss(2);
    b.pass(73 * HOUR);
    await b.sweep();
    expect(b.asked(ATTEMPTS)).toBe(0);
    expect(b.warned).toEqual([]);
  });
});

describe('a delivery that stays missing', () => {
  test('five attempts -> a person is told once, and it is not asked for again', async () => {
    const b = await bench(STORY);
    b.miss(2);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await b.sweepInVain()).toBe(1);
      expect(b.warned).toEqual([]);
      b.pass(5 * MINUTE);
    }
    for (let ticks = 0; ticks < 3; ticks += 1) {
      expect(await b.sweepInVain()).toBe(0);
      b.pass(5 * MINUTE);
    }
    expect(b.warned).toHaveLength(1);
    expect(b.warned[0]).toContain('(pull_request.opened, 2026-11-30T09:00:00');
  });

  test('two attempts in vain, the third arrives -> done, and nobody is told', async () => {
    const b = await bench(STORY);
    b.miss(2);
    await b.sweepInVain();
    b.pass(5 * MINUTE);
    await b.sweepInVain();
    b.pass(5 * MINUTE);
    await b.sweep();
    expect(b.lines()).toContain('check h1 action_required needs-person');
    for (let ticks = 0; ticks < 6; ticks += 1) {
      b.pass(5 * MINUTE);
      expect(await b.sweepInVain()).toBe(0);
    }
    expect(b.warned).toEqual([]);
  });

  test('GitHub fails to take the request -> it is no attempt, and comes again at the next run', async () => {
    const b = await bench(STORY, { through: failing(ATTEMPTS, 502, 7) });
    b.miss(2);
    for (let ticks = 0; ticks < 7; ticks += 1) {
      expect(await b.sweepInVain()).toBe(0);
      b.pass(5 * MINUTE);
    }
    await b.sweep();
    expect(b.lines()).toContain('check h1 action_required needs-person');
    expect(b.warned).toEqual([]);
  });

  test('it is asked for, and the process dies -> it is filled in by what arrives', async () => {
    const b = await bench(STORY);
    const [missed] = b.miss(2);
    await b.sweepInVain();
    expect(await b.store.inbox.find(missed?.guid ?? '')).toMatchObject({ state: 'expected' });
    await b.restart();
    b.pass(5 * MINUTE);
    await b.sweep();
    expect(await b.store.inbox.find(missed?.guid ?? '')).toMatchObject({
      state: 'done',
      happenedAt: '2026-11-30T09:00:00.000Z',
    });
  });
});

const count = 130;
const MANY = STORY.replace(
  / {2}- pull_request\.opened: \{ by: alpha, pull: 283 \}\n/,
  `  - create: { by: rae, ref: rae/docs, ref_type: branch, times: ${count} }\n`,
);
const missAll = (b: Awaited<ReturnType<typeof bench>>): number => {
  for (let n = 0; n < count; n += 1) b.miss(2);
  return count;
};

describe('a log of more than one page', () => {
  test('is looked through to the end, and asked for oldest first', async () => {
    const b = await bench(MANY);
    missAll(b);
    await b.sweep();
    expect(b.asked(ATTEMPTS)).toBe(count);
    const guids = b.sandbox.deliveries.filter(({ redelivery }) => redelivery).map(({ guid }) => guid);
    expect(guids).toEqual([...guids].sort());
    expect(b.asked(/^GET \/app\/hook\/deliveries$/)).toBe(3);
  });

  test('502 in the middle -> it goes on there a minute later', async () => {
    let served = 0;
    const b = await bench(MANY, {
      through: (fetch) => async (input, init) => {
        const request = new Request(input, init);
        const log = new URL(request.url).pathname === '/app/hook/deliveries';
        if (log) served += 1;
        return log && served > 1 && served < 6 ? Response.json({}, { status: 502 }) : fetch(request);
      },
    });
    missAll(b);
    await b.sweep();
    expect(b.asked(ATTEMPTS)).toBe(0);
    expect(b.warned).toHaveLength(1);
    await b.restart();
    b.pass(MINUTE);
    await b.sweep();
    expect(b.asked(ATTEMPTS)).toBe(count);
  });

  test('a run that was cut short asks for nothing twice that may be on its way', async () => {
    let left = 150;
    const b = await bench(MANY, { remaining: () => left });
    missAll(b);
    let again = 0;
    for (let ticks = 0; ticks < 4; ticks += 1) {
      again += await b.sweepInVain();
      // More than before: GitHub has begun another hour.
      left += 1;
      b.pass(MINUTE);
    }
    expect(again).toBe(count);
    b.pass(5 * MINUTE);
    expect(await b.sweepInVain()).toBeGreaterThan(0);
  });

  test('its share of the rate limit is over -> it goes on in the next hour, not at the next tick', async () => {
    const b = await bench(MANY, { remaining: () => 150 });
    missAll(b);
    const asked: number[] = [];
    for (let hours = 0; hours < 6; hours += 1) {
      await b.sweep();
      asked.push(b.asked(ATTEMPTS));
      for (let minutes = 0; minutes < 60; minutes += 1) {
        b.pass(MINUTE);
        if (minutes < 5) await b.sweep();
      }
    }
    expect(asked[0]).toBeLessThanOrEqual(45);
    expect(asked[1]).toBeLessThanOrEqual(90);
    expect(asked.at(-1)).toBe(count);
    expect(b.warned).toEqual([]);
  });
});

describe('a GitHub that fails at a fifth of all requests', () => {
  test.each([
    ['502', 502, {}],
    ['429 with a second to wait', 429, { 'retry-after': '1' }],
  ])(
    '%s -> 130 are asked for within two minutes, and only then are repositories looked at',
    async (_, status, headers) => {
      let sent = 0;
      const b = await bench(MANY, {
        broken: (fetch) => async (input, init) => {
          const request = new Request(input, init);
          if (request.method !== 'POST' || !request.url.includes('/hook/deliveries')) return fetch(request);
          sent += 1;
          return sent % 5 === 0
            ? Response.json({ message: 'rate limit' }, { status, headers })
            : fetch(request);
        },
      });
      missAll(b);
      b.break();
      const again = (): number =>
        new Set(b.sandbox.deliveries.filter(({ redelivery }) => redelivery).map(({ guid }) => guid)).size;
      for (let seconds = 0; again() < count; seconds += 1) {
        expect(seconds).toBeLessThan(120);
        // Repositories are looked at after that.
        expect(b.asked(/^GET \/app\/installations$/)).toBe(0);
        await b.sweep();
        b.pass(1_000);
      }
      expect(b.warned).toEqual([]);
    },
    60_000,
  );
});

test('GitHub never takes one of them -> it is asked for every five minutes, and the sweep comes to its end', async () => {
  const b = await bench(STORY, { through: failing(ATTEMPTS, 502) });
  b.miss(2);
  for (let seconds = 0; seconds < 60; seconds += 5) {
    await b.sweep();
    b.pass(5_000);
  }
  expect(b.asked(/^GET \/app\/hook\/deliveries$/)).toBe(1);
  expect((await b.sweeps().last())[0]?.at).not.toBeNull();
});

const ARMED = STORY.replace(
  /events:[\s\S]*/,
  `events:
  - pull_request.opened: { by: alpha, pull: 283 }
  - pull_request.auto_merge_enabled: { by: mara, pull: 283, at: +1m }
  - pull_request.auto_merge_disabled: { by: mara, pull: 283, at: +1m }
  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +10m }
`,
);

test('that a person disarmed a merge was lost -> it is delivered again, and the merge is of whoever merged', async () => {
  const b = await bench(ARMED);
  await b.deliver(1);
  await b.deliver(2);
  b.miss(3);
  b.pass(5 * MINUTE);
  await b.sweep();
  expect(b.asked(ATTEMPTS)).toBe(1);
  expect((await b.store.repository(1).pull(283)).armedBy).toBeUndefined();
  await b.deliver(4);
  const merged = (await b.acts()).filter(({ tellings }) => tellings.includes('pull_request.closed'));
  expect(merged).toMatchObject([{ actor: { login: 'alpha-agent[bot]' }, verdict: 'deny' }]);
});
