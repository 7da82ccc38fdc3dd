import { describe, expect, test } from '@jest/globals';
import type { Problem } from '../../src/policy/policy.js';
import { createModel } from '../store/model.js';
import { H, harness, type HarnessOptions, R, verdict } from './port-harness.js';

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
    const hub = harness({ ledger: createModel() });
    hub.runs.push(...first.runs);
    expect(await hub.lines(check())).toEqual([]);
    expect(hub.writes()).toEqual([]);
    expect(await hub.lines(failed)).toEqual([`check ${H} failure level-none`]);
  });

  test("is not another app's run, whatever id that bears", async () => {
    const first = harness();
    await first.lines(check());
    const hub = harness({ ledger: createModel() });
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

  const PATCH = `PATCH ${R}/check-runs/900`;
  const COUNT = `GET ${R}/check-runs/900`;
  const lines = (hub: ReturnType<typeof harness>): number[] =>
    (hub.runs[0]?.annotations ?? []).map((one) => (one as { start_line: number }).start_line);
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
  /** `done` and answered; done, but the answer is `lost`; `failed` before it was done; `limited`; `refused`. */
  type Turn = 'done' | 'lost' | 'failed' | 'limited' | 'refused';
  const patching = (...turns: readonly Turn[]): Required<HarnessOptions>['handlers'] => {
    let turn = 0;
    return {
      [PATCH]: (sent, otherwise) => {
        const now = turns[turn++] ?? 'done';
        if (now === 'failed') return { status: 502 };
        if (now === 'limited') return { status: 429, headers: { 'retry-after': '2' } };
        if (now === 'refused') return { status: 422 };
        const reply = otherwise(sent);
        return now === 'lost' ? { status: 502 } : reply;
      },
    };
  };

  test('of an answer that came are not counted again: nothing is read', async () => {
    const hub = harness();
    await hub.lines(invalid(151));
    expect(hub.asked(COUNT)).toEqual([]);
    expect(lines(hub)).toEqual(upTo(151));
  });

  test.each<[string, readonly Turn[], number, number]>([
    ['done, and the answer lost -> goes on behind them', ['lost'], 3, 1],
    ['not done -> sent again', ['failed'], 4, 2],
    ['lost, then not done, then lost -> each is there once', ['lost', 'failed', 'lost'], 4, 4],
    ['over a rate limit -> sent again after the time GitHub asks for', ['limited'], 4, 0],
    ['not done four times -> sent a fifth time', ['failed', 'failed', 'failed', 'failed'], 7, 8],
  ])('of a request that was %s', async (_, turns, patches, reads) => {
    const hub = harness({ handlers: patching(...turns) });
    expect(await hub.lines(invalid(151))).toEqual([`check ${H} failure policy-invalid`]);
    expect(lines(hub)).toEqual(upTo(151));
    expect(hub.asked(PATCH)).toHaveLength(patches);
    expect(hub.asked(COUNT)).toHaveLength(reads);
    expect(hub.runs).toHaveLength(1);
  });

  test('whose count GitHub is slow to tell are not sent again', async () => {
    let looks = 0;
    const hub = harness({
      handlers: {
        ...patching('lost'),
        [COUNT]: (sent, otherwise) => {
          looks += 1;
          return looks === 1 ? { body: { id: 900, output: { annotations_count: 50 } } } : otherwise(sent);
        },
      },
    });
    await hub.lines(invalid(151));
    expect(lines(hub)).toEqual(upTo(151));
  });

  test.each<[string, readonly Turn[]]>([
    ['five times not done', ['done', 'failed', 'failed', 'failed', 'failed', 'failed']],
    ['refused', ['done', 'refused']],
  ])('that are %s fail the delivery; given again, it goes on where it ended', async (_, turns) => {
    const hub = harness({ handlers: patching(...turns) });
    await expect(hub.lines(invalid(200))).rejects.toThrow();
    expect(lines(hub)).toEqual(upTo(100));
    expect(await hub.ledger.check(H)).toBeUndefined();
    const before = hub.asked(PATCH).length;

    expect(await hub.lines(invalid(200))).toEqual([`check ${H} failure policy-invalid`]);
    expect(lines(hub)).toEqual(upTo(200));
    expect(hub.asked(POST)).toHaveLength(1);
    expect(hub.asked(PATCH)).toHaveLength(before + 2);
    expect(await hub.ledger.check(H)).toMatchObject({ id: 900 });

    expect(await hub.lines(invalid(200))).toEqual([]);
    expect(lines(hub)).toEqual(upTo(200));
  });

  test('of a run that is found whole are not sent: it is unchanged', async () => {
    const first = harness();
    await first.lines(invalid(120));
    const hub = harness({ ledger: createModel() });
    hub.runs.push(...first.runs);
    expect(await hub.lines(invalid(120))).toEqual([]);
    expect(hub.writes()).toEqual([]);
    expect(hub.asked(COUNT)).toHaveLength(1);
  });

  test('of a run that is found, where fifty are enough, are not even counted', async () => {
    const first = harness();
    await first.lines(invalid(50));
    const hub = harness({ ledger: createModel() });
    hub.runs.push(...first.runs);
    expect(await hub.lines(invalid(50))).toEqual([]);
    expect(hub.requests()).toEqual([GET]);
  });

  test('of a run made by a request whose answer was lost begin behind the first fifty', async () => {
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
    expect(await hub.lines(invalid(130))).toEqual([`check ${H} failure policy-invalid`]);
    expect(lines(hub)).toEqual(upTo(130));
    expect(hub.runs).toHaveLength(1);
  });
});
