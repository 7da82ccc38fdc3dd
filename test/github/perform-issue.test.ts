import { describe, expect, test } from '@jest/globals';
import { escalationMarkerId } from '../../src/github/ours.js';
import { marker, readMarker } from '../../src/words/marker.js';
import { harness, KEY, R, row, SECRET, type StoredIssue } from './port-harness.js';
import { BOT, inTurn, user } from './stand-in.js';

const POST = `POST ${R}/issues`;
const DAY = 24 * 60 * 60 * 1000;
const escalate = (pull: number) =>
  ({ kind: 'escalate', key: KEY, row: row({ subject: { pull, ref: 'main' } }), mentions: [] }) as const;
const close = { kind: 'close-escalation', key: KEY } as const;
const ours = marker('issue', escalationMarkerId(1, KEY), SECRET);
const stored = (over: Partial<StoredIssue> = {}): StoredIssue => ({
  number: 300,
  user: BOT,
  title: 't',
  body: `old\n\n${ours}`,
  state: 'open',
  created_at: '2026-11-29T09:00:00Z',
  closed_at: null,
  labels: [],
  ...over,
});

describe('an escalation', () => {
  test('is one issue a key: opened, then rows, and the same row twice is one', async () => {
    const hub = harness();
    expect(await hub.lines(escalate(283))).toEqual(['issue merge-level:alpha:main open']);
    expect(await hub.lines(escalate(284))).toEqual(['issue merge-level:alpha:main row']);
    expect(await hub.lines(escalate(284))).toEqual([]);
    expect(hub.issues).toHaveLength(1);
    expect(hub.asked(POST)[0]?.body).toMatchObject({ labels: ['needs-human'], assignees: ['mara'] });
    expect(readMarker(hub.issues[0]?.body ?? '', [SECRET])?.id).toBe('1/merge-level:alpha:main');
    expect(hub.issues[0]?.body).toContain('284');
  });

  test('two rows in one batch are one issue', async () => {
    const hub = harness();
    expect(await hub.lines(escalate(283), escalate(284))).toEqual([
      'issue merge-level:alpha:main open',
      'issue merge-level:alpha:main row',
    ]);
    expect(hub.issues).toHaveLength(1);
  });

  test('keeps fifty rows and counts the rest', async () => {
    const hub = harness();
    for (let pull = 1; pull <= 53; pull += 1) await hub.lines(escalate(pull));
    const memory = await hub.ledger.escalation(KEY);
    expect([memory?.rows.length, memory?.more]).toEqual([50, 3]);
  });

  test('closed within seven days is opened again, with its rows', async () => {
    const hub = harness();
    await hub.lines(escalate(283));
    await hub.lines(close);
    hub.clock.value += 7 * DAY;
    expect(await hub.lines(escalate(284))).toEqual(['issue merge-level:alpha:main open']);
    expect(hub.issues.map(({ state }) => state)).toEqual(['open']);
    expect((await hub.ledger.escalation(KEY))?.rows).toHaveLength(2);
  });

  test('closed longer ago is history: a new one is opened', async () => {
    const hub = harness();
    await hub.lines(escalate(283));
    await hub.lines(close);
    hub.clock.value += 7 * DAY + 1;
    expect(await hub.lines(escalate(284))).toEqual(['issue merge-level:alpha:main open']);
    expect(hub.issues.map(({ state }) => state)).toEqual(['closed', 'open']);
    expect((await hub.ledger.escalation(KEY))?.rows).toHaveLength(1);
  });

  test('closed by somebody, of which we were not told yet, is opened again', async () => {
    const hub = harness();
    await hub.lines(escalate(283));
    Object.assign(hub.issues[0] ?? {}, { state: 'closed', closed_at: '2026-11-30T08:59:00Z' });
    expect(await hub.lines(escalate(284))).toEqual(['issue merge-level:alpha:main open']);
    expect(hub.issues.map(({ state }) => state)).toEqual(['open']);
  });

  test('deleted by somebody is opened anew', async () => {
    const hub = harness();
    await hub.lines(escalate(283));
    hub.issues.length = 0;
    expect(await hub.lines(escalate(284))).toEqual(['issue merge-level:alpha:main open']);
    expect(hub.issues).toHaveLength(1);
  });

  test('says that the agent is suspended when the same batch suspends it', async () => {
    const hub = harness();
    const suspend = { kind: 'suspend', agent: 'alpha', cause: 'merge-level', by: null, key: KEY } as const;
    await hub.lines(escalate(283), suspend);
    const other = harness();
    await other.lines(escalate(283));
    expect(hub.issues[0]?.body).not.toBe(other.issues[0]?.body);
  });
});

describe('the issue of a store that forgot it', () => {
  test('is found on the second page, and gets the row', async () => {
    const hub = harness();
    hub.issues.push(
      ...Array.from({ length: 100 }, (_, index) => stored({ number: 1000 + index, body: 'another' })),
      stored(),
    );
    expect(await hub.lines(escalate(283))).toEqual(['issue merge-level:alpha:main row']);
    expect(hub.writes()).toEqual([`PATCH ${R}/issues/300`]);
    expect(hub.asked(`GET ${R}/issues`).map(({ query }) => query)).toMatchObject([
      { creator: 'agent-policy[bot]', state: 'all' },
      { creator: 'agent-policy[bot]', state: 'all', page: '2' },
    ]);
  });

  test.each([
    ['closed yesterday -> opened again', '2026-11-29T09:00:00Z', ['open']],
    ['closed eight days ago -> a new one', '2026-11-22T08:00:00Z', ['closed', 'open']],
  ])('%s', async (_, closed_at, states) => {
    const hub = harness();
    hub.issues.push(stored({ state: 'closed', closed_at }));
    expect(await hub.lines(escalate(283))).toEqual(['issue merge-level:alpha:main open']);
    expect(hub.issues.map(({ state }) => state)).toEqual(states);
  });

  test('is taken over with its rows: the same is not told again, and what is new is a row of its own', async () => {
    const before = harness();
    await before.lines(escalate(283), escalate(284));
    const hub = harness();
    hub.issues.push(...before.issues);
    expect(await hub.lines(escalate(284))).toEqual([]);
    expect(hub.writes()).toEqual([]);
    expect(await hub.lines(escalate(285))).toEqual(['issue merge-level:alpha:main row']);
    const pulls = (await hub.ledger.escalation(KEY))?.rows.map(({ subject }) => subject.pull);
    expect(pulls).toEqual([283, 284, 285]);
    expect(hub.asked(`GET ${R}/issues`)).toHaveLength(1);
  });

  test('of two that were closed lately the newer is opened again, in whatever order they are listed', async () => {
    const hub = harness();
    const closed = { state: 'closed', closed_at: '2026-11-29T09:00:00Z' };
    hub.issues.push(stored(closed), stored({ ...closed, number: 301 }));
    expect(await hub.lines(escalate(283))).toEqual(['issue merge-level:alpha:main open']);
    expect(hub.issues.map(({ state }) => state)).toEqual(['closed', 'open']);
  });

  test('the open one is taken where a closed one has the same key', async () => {
    const hub = harness();
    hub.issues.push(stored(), stored({ number: 301, state: 'closed', closed_at: '2026-11-29T09:00:00Z' }));
    expect(await hub.lines(escalate(283))).toEqual(['issue merge-level:alpha:main row']);
    expect(hub.writes()).toEqual([`PATCH ${R}/issues/300`]);
  });

  test.each([
    ['the marker under another login', stored({ user: user('evil', 66) })],
    ['a forged marker', stored({ body: `x\n${marker('issue', escalationMarkerId(1, KEY), 'guessed')}` })],
    ['the key in the title alone', stored({ title: 'merge-level:alpha:main', body: 'x' })],
    [
      'the marker of another key',
      stored({ body: `x\n${marker('issue', escalationMarkerId(1, { ...KEY, subject: 'dev' }), SECRET)}` }),
    ],
    [
      'an issue moved here from another repository',
      stored({ body: `x\n${marker('issue', escalationMarkerId(2, KEY), SECRET)}` }),
    ],
  ])('%s is not it', async (_, foreign) => {
    // The list's `creator` filter is GitHub's word; the creator of each issue is looked at all the same.
    const hub = harness({
      handlers: {
        [`GET ${R}/issues`]: () => ({ body: [foreign] }),
      },
    });
    expect(await hub.lines(escalate(283))).toEqual(['issue merge-level:alpha:main open']);
    expect(hub.asked(POST)).toHaveLength(1);
  });
});

describe('making the issue', () => {
  test('502 after it was made -> exactly one issue', async () => {
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
    expect(await hub.lines(escalate(283))).toEqual(['issue merge-level:alpha:main open']);
    expect([hub.issues.length, hub.asked(POST).length]).toEqual([1, 1]);
  });

  test.each([
    ['assignees', 1, { labels: ['needs-human'] }, 'without assignees'],
    ['labels', 2, {}, 'without labels and assignees'],
  ])(
    'GitHub does not take the %s -> without them, and the audit says so',
    async (_, refusals, extras, hint) => {
      let left = refusals;
      const hub = harness({
        handlers: { [POST]: (sent, otherwise) => (left-- > 0 ? { status: 422 } : otherwise(sent)) },
      });
      expect(await hub.lines(escalate(283))).toEqual(['issue merge-level:alpha:main open']);
      const { title, body, ...rest } = hub.asked(POST).at(-1)?.body as Record<string, unknown>;
      expect([typeof title, typeof body, rest]).toEqual(['string', 'string', extras]);
      expect(hub.audit[0]).toMatchObject({ outcome: 'done', hint: expect.stringContaining(hint) });
    },
  );

  test('issues switched off (410) -> a failure that is not tried again', async () => {
    const hub = harness({ handlers: { [POST]: inTurn({ status: 410 }) } });
    await expect(hub.lines(escalate(283))).rejects.toMatchObject({ retryable: false });
    expect(hub.audit[0]?.hint).toContain('switched off');
  });
});

describe('closing it', () => {
  test('where it is open -> closed once', async () => {
    const hub = harness();
    await hub.lines(escalate(283));
    expect(await hub.lines(close)).toEqual(['issue merge-level:alpha:main close']);
    expect(await hub.lines(close)).toEqual([]);
    expect(hub.issues[0]?.state).toBe('closed');
  });

  test('where there never was one -> nothing is asked', async () => {
    const hub = harness();
    expect(await hub.lines(close)).toEqual([]);
    expect(hub.sent).toEqual([]);
  });

  test('where somebody deleted it -> nothing is said, and it counts as closed', async () => {
    const hub = harness();
    await hub.lines(escalate(283));
    hub.issues.length = 0;
    expect(await hub.lines(close)).toEqual([]);
    expect((await hub.ledger.escalation(KEY))?.state).toBe('closed');
  });
});
