import { describe, expect, test } from '@jest/globals';
import { parseCase } from '../../src/sandbox/parse-case.js';
import type { Deliver } from '../../src/sandbox/sandbox.js';
import { checkResponse } from '../openapi/validate.js';
import { sandboxOf } from './cases.js';

const eventsOf = (text: string): readonly Deliver[] => {
  const [one] = parseCase(`id: X\ntitle: t\nevents:\n${text}`, 'x.yml');
  return (one?.events ?? []).flatMap((event) => (event.kind === 'deliver' ? [event] : []));
};

const [OPENED, PUSHED] = eventsOf(`
  - pull_request.opened: { by: alpha, pull: 1 }
  - push: { by: rae, ref: main, before: m0, after: m1 }
`);
if (OPENED === undefined || PUSHED === undefined) throw new Error('no events');

interface Item {
  readonly id: number;
  readonly guid: string;
  readonly status: string;
  readonly redelivery: boolean;
}

const setUp = (events: readonly Deliver[] = [OPENED, PUSHED]) => {
  const made = sandboxOf({ events });
  const ask = async (path: string, method = 'GET'): Promise<Response> =>
    made.sandbox.fetch(path.startsWith('http') ? path : `https://api.github.com${path}`, { method });
  const listed = async (path = '/app/hook/deliveries'): Promise<readonly Item[]> =>
    (await (await ask(path)).json()) as Item[];
  return { ...made, ask, listed };
};

const OK = { status: 'OK', statusCode: 202 };
const FAILED = { status: 'Invalid HTTP Response: 503', statusCode: 503 };
const TIMED_OUT = { status: 'timed out', statusCode: 0 };

describe("GitHub's log of deliveries", () => {
  test('an attempt stands in it once its outcome is told', async () => {
    const { sandbox, listed } = setUp();
    const { guid } = sandbox.deliver(OPENED, 0);
    expect(await listed()).toEqual([]);
    sandbox.outcome(guid, FAILED);
    expect(await listed()).toMatchObject([
      {
        guid,
        status: 'Invalid HTTP Response: 503',
        status_code: 503,
        event: 'pull_request',
        action: 'opened',
        redelivery: false,
        installation_id: 424_242,
        repository_id: 1,
        throttled_at: null,
      },
    ]);
  });
  test('a slow attempt appears below those that were sent after it', async () => {
    const { sandbox, listed } = setUp();
    const [slow, quick] = [sandbox.deliver(OPENED, 0), sandbox.deliver(PUSHED, 0)];
    sandbox.outcome(quick.guid, OK);
    expect((await listed()).map(({ guid }) => guid)).toEqual([quick.guid]);
    sandbox.outcome(slow.guid, TIMED_OUT);
    const rows = await listed();
    expect(rows.map(({ guid }) => guid)).toEqual([quick.guid, slow.guid]);
    expect((rows[1]?.id ?? 0) < (rows[0]?.id ?? 0)).toBe(true);
  });
  test('newest first, page by page', async () => {
    const { sandbox, ask } = setUp();
    const guids = [0, 1, 2, 3, 4].map(() => {
      const { guid } = sandbox.deliver(PUSHED, 0);
      sandbox.outcome(guid, OK);
      return guid;
    });
    const seen: string[] = [];
    let next: string | undefined = 'https://api.github.com/app/hook/deliveries?per_page=2';
    let pages = 0;
    while (next !== undefined) {
      const answer: Response = await ask(next);
      const items = (await answer.json()) as Item[];
      expect(checkResponse('GET', '/app/hook/deliveries', answer.status, items)).toEqual([]);
      seen.push(...items.map((item) => item.guid));
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      pages += 1;
    }
    expect({ seen, pages }).toEqual({ seen: [...guids].reverse(), pages: 3 });
  });
  test('what GitHub calls a failure goes by the status code: a time-out is none', async () => {
    const { sandbox, listed } = setUp();
    for (const outcome of [OK, FAILED, TIMED_OUT]) sandbox.outcome(sandbox.deliver(PUSHED, 0).guid, outcome);
    const statuses = async (query: string): Promise<readonly string[]> =>
      (await listed(`/app/hook/deliveries${query}`)).map((item) => item.status);
    expect(await statuses('?status=failure')).toEqual([FAILED.status]);
    expect(await statuses('?status=success')).toEqual(['OK']);
    expect(await statuses('')).toEqual([TIMED_OUT.status, FAILED.status, 'OK']);
  });
  test('it goes three days back', async () => {
    const { sandbox, ask, listed, setTime, now } = setUp();
    sandbox.outcome(sandbox.deliver(PUSHED, 0).guid, FAILED);
    const [row] = await listed();
    setTime(now() + 3 * 86_400_000);
    expect(await listed()).toHaveLength(1);
    setTime(now() + 1);
    expect(await listed()).toEqual([]);
    expect((await ask(`/app/hook/deliveries/${row?.id ?? ''}/attempts`, 'POST')).status).toBe(404);
  });
  test('one delivery with what was sent and what was answered', async () => {
    const { sandbox, ask, listed } = setUp();
    const delivery = sandbox.deliver(OPENED, 0);
    sandbox.outcome(delivery.guid, { ...FAILED, response: { headers: { server: 'x' }, payload: 'busy' } });
    const [item] = await listed();
    const path = `/app/hook/deliveries/${item?.id ?? ''}`;
    const answer = await ask(path);
    const body: unknown = await answer.json();
    expect(checkResponse('GET', path, answer.status, body)).toEqual([]);
    expect(body).toMatchObject({
      url: 'https://agent-policy.example/api/github/webhooks',
      request: {
        headers: { 'x-github-delivery': delivery.guid },
        payload: JSON.parse(delivery.body) as object,
      },
      response: { headers: { server: 'x' }, payload: 'busy' },
    });
  });
  test('an outcome of nothing that was sent is an error', () => {
    const { sandbox } = setUp();
    const { guid } = sandbox.deliver(PUSHED, 0);
    sandbox.outcome(guid, OK);
    expect(() => sandbox.outcome(guid, OK)).toThrow(`No attempt to deliver ${guid} is under way`);
  });
});

describe('a redelivery', () => {
  test('is the same delivery with the same GUID, to be taken once; in the log it is a row of its own', async () => {
    const { sandbox, ask, listed } = setUp();
    const delivery = sandbox.deliver(OPENED, 0);
    sandbox.outcome(delivery.guid, FAILED);
    const [item] = await listed();
    const answer = await ask(`/app/hook/deliveries/${item?.id ?? ''}/attempts`, 'POST');
    expect(answer.status).toBe(202);
    expect(sandbox.takeRedeliveries()).toEqual([delivery]);
    expect(sandbox.takeRedeliveries()).toEqual([]);
    expect(await listed()).toHaveLength(1);
    sandbox.outcome(delivery.guid, OK);
    expect((await listed()).map(({ guid, status, redelivery }) => ({ guid, status, redelivery }))).toEqual([
      { guid: delivery.guid, status: 'OK', redelivery: true },
      { guid: delivery.guid, status: FAILED.status, redelivery: false },
    ]);
  });
  test('goes at once to who listens, until they stop', async () => {
    const { sandbox, ask, listed } = setUp();
    const { guid } = sandbox.deliver(OPENED, 0);
    sandbox.outcome(guid, FAILED);
    const path = `/app/hook/deliveries/${(await listed())[0]?.id ?? ''}/attempts`;
    const taken: string[] = [];
    const stop = sandbox.onRedelivery((delivery) => taken.push(delivery.guid));
    await ask(path, 'POST');
    expect({ taken, left: sandbox.takeRedeliveries() }).toEqual({ taken: [guid], left: [] });
    stop();
    await ask(path, 'POST');
    expect({ taken, left: sandbox.takeRedeliveries().length }).toEqual({ taken: [guid], left: 1 });
  });
});

describe('an event whose webhook never comes', () => {
  test('happened all the same, and no log knows it', async () => {
    const { sandbox, ask, listed } = setUp();
    sandbox.happen(PUSHED, 0);
    const rows = (await (await ask('/repos/acme/widgets/activity?ref=main')).json()) as { after: string }[];
    expect(rows[0]?.after).toBe(sandbox.sha('m1'));
    expect(await listed()).toEqual([]);
    expect(() => sandbox.outcome('00000000-0000-4000-8000-000000000001', OK)).toThrow('under way');
  });
  test('a case says it with drop', () => {
    const [dropped] = eventsOf('  - push: { by: rae, ref: main, before: m0, after: m1, drop: true }\n');
    if (dropped === undefined) throw new Error('no event');
    const { sandbox } = setUp([dropped]);
    expect(sandbox.deliverAll(dropped, 0)).toEqual([]);
    expect(() => sandbox.deliver(dropped, 0)).toThrow('sends 0 deliveries');
  });
});

describe('pushed_at', () => {
  const pushedAt = async (ask: (path: string) => Promise<Response>): Promise<string> =>
    ((await (await ask('/repos/acme/widgets')).json()) as { pushed_at: string }).pushed_at;

  test.each([
    ['a push', '- push: { by: rae, ref: main, before: m0, after: m1 }'],
    ['a push to another branch', '- push: { by: rae, ref: x, created: true, after: x1 }'],
    ['a merge', '- pull_request.closed: { by: rae, pull: 1, merged: m1 }'],
    ['a tag', '- push: { by: rae, ref: refs/tags/v1, created: true, after: m0 }'],
    ['a tag told as create', '- create: { by: rae, ref: v1, ref_type: tag }'],
    ['a tag that goes', '- delete: { by: rae, ref: v1, ref_type: tag }'],
    ['a branch that goes', '- delete: { by: rae, ref: x, ref_type: branch }'],
  ])('%s moves it', async (_, line) => {
    const events = eventsOf(`  ${line}\n`);
    const { sandbox, ask, setTime, now } = sandboxWith(events);
    const before = await pushedAt(ask);
    setTime(now() + 60_000);
    for (const event of events) sandbox.deliverAll(event, 0);
    expect({ before, after: await pushedAt(ask) }).toEqual({ before, after: '2026-11-30T09:01:00Z' });
    expect(before < '2026-11-30').toBe(true);
  });
  test.each([
    ['a comment', '- issue_comment.created: { by: rae, on: 5, body: hello }'],
    ['a review', '- pull_request_review.submitted: { by: mara, pull: 1, state: approved }'],
  ])('%s does not', async (_, line) => {
    const events = eventsOf(`  ${line}\n`);
    const { sandbox, ask, setTime, now } = sandboxWith(events);
    const before = await pushedAt(ask);
    setTime(now() + 60_000);
    for (const event of events) sandbox.deliverAll(event, 0);
    expect(await pushedAt(ask)).toBe(before);
  });

  const sandboxWith = (events: readonly Deliver[]) => {
    const made = sandboxOf({
      events,
      world: {
        pulls: { 1: { author: 'alpha', head: 'a', sha: 'h1' } },
        branches: { x: { sha: 'x0', by: ['rae'] } },
        issues: { 5: { author: 'rae' } },
        tags: [{ name: 'v1', commit: { sha: 'm0' } }],
      },
    });
    const ask = async (path: string): Promise<Response> =>
      made.sandbox.fetch(`https://api.github.com${path}`);
    return { ...made, ask };
  };
});
