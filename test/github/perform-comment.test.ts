import { describe, expect, test } from '@jest/globals';
import { commentMarkerId } from '../../src/github/ours.js';
import { PerformError } from '../../src/github/perform.js';
import { marker, readMarker } from '../../src/words/marker.js';
import { harness, levelNone, R, row, SECRET } from './port-harness.js';
import { BOT, user, type Reply, type Sent } from './stand-in.js';

const POST = `POST ${R}/issues/283/comments`;
const GET = `GET ${R}/issues/283/comments`;
const add = { kind: 'comment', number: 283, about: 'pull', add: [row()] } as const;
const standing = { kind: 'comment', number: 283, about: 'pull', standing: [levelNone] } as const;
const nothing = { kind: 'comment', number: 283, about: 'pull', standing: [] } as const;
const network = () => new TypeError('fetch failed');
const ours = marker('comment', commentMarkerId(1, 283), SECRET);

/** Fails the first `times` requests, doing the write all the same or not. */
const failing = (times: number, how: () => Reply | Error, done: 'done' | 'not done') => {
  let left = times;
  return (sent: Sent, otherwise: (sent: Sent) => Reply | Error): Reply | Error => {
    if (left === 0) return otherwise(sent);
    left -= 1;
    if (done === 'done') otherwise(sent);
    return how();
  };
};

describe('a comment', () => {
  test('is made once, ends with our marker, and is not written again for the same facts', async () => {
    const hub = harness();
    expect(await hub.lines(add)).toEqual(['comment 283 open']);
    expect(await hub.lines(add)).toEqual([]);
    expect(hub.writes()).toEqual([POST]);
    expect(readMarker(hub.comments[0]?.body ?? '', [SECRET])).toEqual({ kind: 'comment', id: '1/283' });
  });

  test('is edited in place when there is more to say, and shrinks to a line when nothing stands', async () => {
    const hub = harness();
    expect(await hub.lines(standing)).toEqual(['comment 283 open']);
    expect(await hub.lines(nothing)).toEqual(['comment 283 cleared']);
    expect(await hub.lines(nothing)).toEqual([]);
    expect(await hub.lines(add)).toEqual(['comment 283 open']);
    expect(hub.comments).toHaveLength(1);
    expect(hub.writes()).toEqual([
      POST,
      `PATCH ${R}/issues/comments/5000`,
      `PATCH ${R}/issues/comments/5000`,
    ]);
  });

  test('keeps its facts when what stood is over', async () => {
    const hub = harness();
    await hub.lines({ ...standing, add: [row()] });
    expect(await hub.lines(nothing)).toEqual(['comment 283 open']);
    expect((await hub.ledger.comment(283))?.facts).toEqual([row()]);
  });

  test('is not made to say nothing, and nothing is asked', async () => {
    const hub = harness();
    expect(await hub.lines(nothing)).toEqual([]);
    expect(hub.sent).toEqual([]);
  });

  test('that somebody deleted is made again when there is news', async () => {
    const hub = harness();
    await hub.lines(add);
    hub.comments.length = 0;
    expect(await hub.lines(standing)).toEqual(['comment 283 open']);
    expect(hub.comments).toHaveLength(1);
  });
});

describe('before it is made', () => {
  test('ours is found on the second page of others, by a store that forgot it', async () => {
    const hub = harness();
    for (let id = 1; id <= 100; id += 1) hub.comments.push({ id, user: user('rae', 13), body: 'hello' });
    hub.comments.push({ id: 5001, user: BOT, body: `old\n\n${ours}` });
    expect(await hub.lines(add)).toEqual(['comment 283 open']);
    expect(hub.writes()).toEqual([`PATCH ${R}/issues/comments/5001`]);
    expect(hub.asked(GET)).toHaveLength(2);
  });

  test('ours that is found is taken over with its rows and what stood', async () => {
    const before = harness();
    await before.lines(add, standing);
    const hub = harness();
    hub.comments.push(...before.comments);
    const later = { ...add, add: [row({ at: '2026-11-30T10:00:00Z' })] };
    expect(await hub.lines(later)).toEqual(['comment 283 open']);
    expect(await hub.ledger.comment(283)).toMatchObject({
      id: 5000,
      facts: [row(), row({ at: '2026-11-30T10:00:00Z' })],
      standing: [levelNone],
    });
    expect(hub.writes()).toEqual([`PATCH ${R}/issues/comments/5000`]);
  });

  test('ours that is found and says the same already is not written again', async () => {
    const before = harness();
    await before.lines(add);
    const hub = harness();
    hub.comments.push(...before.comments);
    expect(await hub.lines(add)).toEqual([]);
    expect([hub.writes(), hub.audit.map(({ hint }) => hint)]).toEqual([[], ['found on GitHub']]);
    expect(await hub.lines(standing)).toEqual(['comment 283 open']);
  });

  test('ours that is found and that somebody edited is written again, with the rows it had', async () => {
    const before = harness();
    await before.lines(add);
    const hub = harness();
    hub.comments.push(...before.comments.map((one) => ({ ...one, body: `nonsense\n${one.body}` })));
    expect(await hub.lines(add)).toEqual(['comment 283 open']);
    expect(hub.comments[0]?.body).toBe(before.comments[0]?.body);
  });

  test.each([
    ['our marker under another login', { id: 7, user: user('evil', 66), body: `x\n${ours}` }],
    [
      'a forged marker under our login',
      { id: 7, user: BOT, body: `x\n${marker('comment', '1/283', 'guessed')}` },
    ],
    [
      'our marker of another number',
      { id: 7, user: BOT, body: `x\n${marker('comment', commentMarkerId(1, 284), SECRET)}` },
    ],
    [
      'our marker of another repository',
      { id: 7, user: BOT, body: `x\n${marker('comment', commentMarkerId(2, 283), SECRET)}` },
    ],
    ['our marker of an issue', { id: 7, user: BOT, body: `x\n${marker('issue', '1/283', SECRET)}` }],
    ['a user who took the name', { id: 7, user: user('agent-policy', 67), body: `x\n${ours}` }],
  ])('%s is not ours', async (_, foreign) => {
    const hub = harness();
    hub.comments.push(foreign);
    expect(await hub.lines(add)).toEqual(['comment 283 open']);
    expect(hub.writes()).toEqual([POST]);
  });

  test('a marker of the secret before the last rotation is ours', async () => {
    const hub = harness({ deps: { markerSecrets: ['new-secret', SECRET] } });
    hub.comments.push({ id: 5000, user: BOT, body: `x\n${ours}` });
    await hub.lines(add);
    expect(hub.writes()).toEqual([`PATCH ${R}/issues/comments/5000`]);
    expect(readMarker(hub.comments[0]?.body ?? '', ['new-secret'])).not.toBeNull();
  });
});

describe('an answer that leaves open whether it was made', () => {
  test.each([
    ['502 three times, not made', 3, () => ({ status: 502 }), 'not done', 4],
    ['502 once, made all the same', 1, () => ({ status: 502 }), 'done', 1],
    ['no connection once, made all the same', 1, network, 'done', 1],
    ['no connection twice, not made', 2, network, 'not done', 3],
    ['201 with half a body, made', 1, () => ({ status: 201, body: {} }), 'done', 1],
  ] as const)('%s -> exactly one comment', async (_, times, how, done, posts) => {
    const hub = harness({ handlers: { [POST]: failing(times, how, done) } });
    expect(await hub.lines(add)).toEqual(['comment 283 open']);
    expect(hub.comments).toHaveLength(1);
    expect(hub.asked(POST)).toHaveLength(posts);
  });

  test('it is looked for twice, seconds apart, before the next try', async () => {
    const hub = harness({ handlers: { [POST]: failing(1, () => ({ status: 502 }), 'not done') } });
    await hub.lines(add);
    expect(hub.requests()).toEqual([GET, POST, GET, GET, POST]);
    expect(hub.slept).toEqual([2000, 5000]);
  });

  test('made, but listed only seconds later -> exactly one comment', async () => {
    let looks = 0;
    const hub = harness({
      handlers: {
        [POST]: failing(1, () => ({ status: 502 }), 'done'),
        [GET]: (sent, otherwise) => ((looks += 1) <= 2 ? { body: [] } : otherwise(sent)),
      },
    });
    expect(await hub.lines(add)).toEqual(['comment 283 open']);
    expect([hub.comments.length, hub.asked(POST).length]).toEqual([1, 1]);
  });

  test('502 for ever -> five tries, then a failure that may be tried again', async () => {
    const hub = harness({ handlers: { [POST]: () => ({ status: 502 }) } });
    const error: unknown = await hub.lines(add).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PerformError);
    expect(error instanceof PerformError && error.retryable).toBe(true);
    expect(hub.asked(POST)).toHaveLength(5);
    expect(await hub.ledger.comment(283)).toBeUndefined();
  });

  test('the look-up fails too -> no second comment is risked', async () => {
    let looks = 0;
    const hub = harness({
      handlers: {
        [POST]: failing(1, () => ({ status: 502 }), 'done'),
        [GET]: (sent, otherwise) => ((looks += 1) === 1 ? otherwise(sent) : { status: 502 }),
      },
    });
    await expect(hub.lines(add)).rejects.toThrow(PerformError);
    expect(hub.asked(POST)).toHaveLength(1);
  });
});

describe('a refusal', () => {
  const limited = (seconds: string) => () => ({
    status: 403,
    headers: { 'retry-after': seconds },
    body: { message: 'You have exceeded a secondary rate limit.' },
  });

  test('for a rate limit that is over in two seconds is waited out, and nothing is looked for', async () => {
    const hub = harness({ handlers: { [POST]: failing(1, limited('2'), 'not done') } });
    expect(await hub.lines(add)).toEqual(['comment 283 open']);
    expect(hub.slept).toEqual([2000]);
    expect(hub.asked(GET)).toHaveLength(1);
  });

  test('for a longer rate limit fails at once, and says when to come again', async () => {
    const hub = harness({ handlers: { [POST]: failing(1, limited('9'), 'not done') } });
    const error: unknown = await hub.lines(add).catch((thrown: unknown) => thrown);
    expect(error instanceof PerformError && [error.retryable, error.retryAfter]).toEqual([true, 9000]);
    expect(hub.asked(POST)).toHaveLength(1);
    expect(hub.slept).toEqual([]);
    hub.clock.value += 9000;
    expect(await hub.lines(add)).toEqual(['comment 283 open']);
    expect(hub.comments).toHaveLength(1);
  });

  test.each([403, 410, 422])('%d -> one try, and not to be tried again', async (status) => {
    const hub = harness({ handlers: { [POST]: () => ({ status }) } });
    const error: unknown = await hub.lines(add).catch((thrown: unknown) => thrown);
    expect(error instanceof PerformError && error.retryable).toBe(false);
    expect(hub.asked(POST)).toHaveLength(1);
  });

  test('of an edit with 502 is tried again: editing twice is editing once', async () => {
    const PATCH = `PATCH ${R}/issues/comments/5000`;
    const hub = harness({ handlers: { [PATCH]: failing(2, () => ({ status: 502 }), 'done') } });
    await hub.lines(add);
    expect(await hub.lines(standing)).toEqual(['comment 283 open']);
    expect(hub.asked(PATCH)).toHaveLength(3);
    expect(hub.comments).toHaveLength(1);
  });
});
