import { describe, expect, test } from '@jest/globals';
import type { Problem } from '../../src/policy/policy.js';
import { createMemoryStore } from '../../src/store/memory.js';
import { H, harness, R, verdict } from './port-harness.js';

const POST = `POST ${R}/check-runs`;
const GET = `GET ${R}/commits/${H}/check-runs`;
const check = (over: Parameters<typeof verdict>[0] = {}) =>
  ({ kind: 'check', verdict: verdict(over) }) as const;
const failed = check({
  conclusion: 'failure',
  wouldBe: 'failure',
  reasons: [{ code: 'level-none', agents: ['alpha'], origin: { layer: 'built-in' } }],
});
const problems = (count: number): Problem[] =>
  Array.from({ length: count }, (_, index) => ({
    line: index + 1,
    column: 1,
    path: 'merge',
    message: 'unknown key',
  }));
const invalid = (count: number) =>
  check({
    conclusion: 'failure',
    wouldBe: 'failure',
    reasons: [{ code: 'policy-invalid', path: '.github/agent-policy.yml', problems: problems(count) }],
  });

describe('a check', () => {
  test('is one completed run under our name, with the hash of its content', async () => {
    const hub = harness();
    expect(await hub.lines(check())).toEqual([`check ${H} success person`]);
    expect(hub.requests()).toEqual([GET, POST]);
    expect(hub.asked(POST)[0]?.body).toMatchObject({
      name: 'agent-policy',
      head_sha: H,
      status: 'completed',
      conclusion: 'success',
      completed_at: '2026-11-30T09:00:00.000Z',
      external_id: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(hub.asked(POST)[0]?.body).not.toHaveProperty('actions');
    expect(await hub.ledger.check(H)).toMatchObject({ id: 900, conclusion: 'success', reasons: ['person'] });
  });

  test('of unchanged content is not written again, and nothing is asked', async () => {
    const hub = harness();
    await hub.lines(check());
    expect(await hub.lines(check())).toEqual([]);
    expect(hub.requests()).toEqual([GET, POST]);
    hub.clock.value += 3_600_000;
    expect(await hub.lines(check())).toEqual([]);
  });

  test('of other content is another run: a completed one is never changed', async () => {
    const hub = harness();
    await hub.lines(check());
    expect(await hub.lines(failed)).toEqual([`check ${H} failure level-none`]);
    expect(await hub.lines(check())).toEqual([`check ${H} success person`]);
    expect(hub.writes()).toEqual([POST, POST, POST]);
    expect(hub.runs.map(({ conclusion }) => conclusion)).toEqual(['success', 'failure', 'success']);
  });

  test('that is asked for again (fresh) is another run of the same content', async () => {
    const hub = harness();
    const fresh = { ...check(), fresh: true } as const;
    await hub.lines(check());
    expect(await hub.lines(fresh)).toEqual([`check ${H} success person`]);
    expect(hub.runs).toHaveLength(2);
    const again = harness({
      handlers: {
        [POST]: (sent, otherwise) => {
          otherwise(sent);
          return { status: 502 };
        },
      },
    });
    again.runs.push(...hub.runs.slice(0, 1));
    expect(await again.lines(fresh)).toEqual([`check ${H} success person`]);
    expect(again.runs).toHaveLength(2);
  });

  test('lists its reasons in order, the would-be ones where it is neutral', async () => {
    const hub = harness();
    const neutral = check({
      conclusion: 'neutral',
      wouldBe: 'action_required',
      reasons: [
        { code: 'needs-person', approvals: 1, given: 0, approvers: null, marks: [] },
        { code: 'protected-path', paths: ['.github/x'] },
      ],
    });
    expect(await hub.lines(neutral)).toEqual([`check ${H} neutral needs-person,protected-path`]);
  });

  test('of a store that forgot it is found on GitHub, when the latest says the same', async () => {
    const first = harness();
    await first.lines(check());
    const hub = harness({ ledger: createMemoryStore().repository(1) });
    hub.runs.push(...first.runs);
    expect(await hub.lines(check())).toEqual([]);
    expect(hub.writes()).toEqual([]);
    expect(await hub.lines(failed)).toEqual([`check ${H} failure level-none`]);
  });

  test("is not another app's run, whatever id that bears", async () => {
    const first = harness();
    await first.lines(check());
    const hub = harness({ ledger: createMemoryStore().repository(1) });
    hub.runs.push(...first.runs.map((run) => ({ ...run, app: { id: 15368 } })));
    expect(await hub.lines(check())).toEqual([`check ${H} success person`]);
  });

  test('502 after it was made -> exactly one run', async () => {
    let first = true;
    const hub = harness({
      handlers: {
        [POST]: (sent, otherwise) => {
          const reply = otherwise(sent);
          if (!first) return reply;
          first = false;
          return { status: 502 };
        },
      },
    });
    expect(await hub.lines(check())).toEqual([`check ${H} success person`]);
    expect(hub.runs).toHaveLength(1);
  });

  test('on a head that GitHub does not have (422) fails and is not tried again', async () => {
    const hub = harness({ handlers: { [POST]: () => ({ status: 422 }) } });
    await expect(hub.lines(check())).rejects.toMatchObject({ retryable: false });
    expect(await hub.ledger.check(H)).toBeUndefined();
  });
});

describe('annotations', () => {
  test.each([
    [3, [3], 0],
    [50, [50], 0],
    [51, [50], 1],
    [151, [50], 3],
  ])('%d go out by fifty', async (count, firsts, patches) => {
    const hub = harness();
    await hub.lines(invalid(count));
    const output = hub.asked(POST).map(({ body }) => (body as { output: { annotations: unknown[] } }).output);
    expect(output.map(({ annotations }) => annotations.length)).toEqual(firsts);
    expect(hub.asked(`PATCH ${R}/check-runs/900`)).toHaveLength(patches);
    expect(hub.runs[0]?.annotations).toHaveLength(count);
  });

  test('of later requests change no conclusion', async () => {
    const hub = harness();
    await hub.lines(invalid(60));
    const [patch] = hub.asked(`PATCH ${R}/check-runs/900`);
    expect(Object.keys(patch?.body ?? {})).toEqual(['output']);
  });
});
