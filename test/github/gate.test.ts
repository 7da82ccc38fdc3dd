import { describe, expect, test } from '@jest/globals';
import { RequestFailure } from '../../src/github/failure.js';
import { createGates, type Gate, type Ticket } from '../../src/github/gate.js';
import { type Lane } from '../../src/github/lane.js';
import { type Limits, LONGEST_WAIT, PUBLISHED, UNLIMITED } from '../../src/github/limits.js';

const START = Date.parse('2026-11-30T09:00:00Z');
const SECONDARY = 'You have exceeded a secondary rate limit.';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Asked {
  readonly name: string;
  readonly answer: (answer?: Answer) => Promise<void>;
}

/** A process: its clock moves only where a test says so, and sleepers wake then. `kept` outlives it. */
const processOn = (kept = new Map<string, string>(), limits: Limits = UNLIMITED, start = START) => {
  const clock = { now: start };
  const sleepers: { at: number; wake: () => void }[] = [];
  const warned: string[] = [];
  const sent: Asked[] = [];
  const gates = createGates({
    now: () => clock.now,
    sleep: (ms) => new Promise((wake) => sleepers.push({ at: clock.now + ms, wake })),
    load: async (key) => kept.get(key),
    save: async (key, until) => {
      kept.set(key, until);
    },
    warn: (what) => warned.push(what),
    limits,
  });
  const gate = gates.of('installation:42');
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const pass = (
    name: string,
    over: Partial<Ticket> = {},
    through: Gate = gate,
  ): { readonly result: Promise<Response | RequestFailure> } => {
    const ticket: Ticket = { lane: 'people', weight: 'read', bucket: 'core', request: name, ...over };
    const send = () =>
      new Promise<Response>((resolve) =>
        sent.push({
          name,
          answer: async ({ status = 200, headers = {}, body = {} } = {}) => {
            resolve(new Response(JSON.stringify(body), { status, headers }));
            await settle();
          },
        }),
      );
    return {
      result: through.pass(ticket, send).catch((error: unknown) => {
        if (error instanceof RequestFailure) return error;
        throw error;
      }),
    };
  };
  /** Sends one and answers it. */
  const exchange = async (answer: Answer, over: Partial<Ticket> = {}): Promise<void> => {
    const before = sent.length;
    const { result } = pass('exchange', over);
    await settle();
    if (sent.length === before) throw new Error('it was not sent');
    await sent.at(-1)?.answer(answer);
    await result;
  };
  const forward = async (ms: number): Promise<void> => {
    const until = clock.now + ms;
    for (;;) {
      await settle();
      const [next] = sleepers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      sleepers.splice(sleepers.indexOf(next), 1);
      clock.now = Math.max(clock.now, next.at);
      next.wake();
    }
    clock.now = until;
    await settle();
  };
  const names = (): string[] => sent.map(({ name }) => name);
  /** What comes of a request now: `sent`, or how long it is to wait. */
  const tried = async (over: Partial<Ticket> = {}): Promise<'sent' | 'waits' | number> => {
    const before = sent.length;
    const { result } = pass('tried', over);
    await settle();
    if (sent.length > before) {
      await sent.at(-1)?.answer();
      return 'sent';
    }
    const outcome = await Promise.race([result, Promise.resolve('waits' as const)]);
    if (outcome instanceof RequestFailure) return outcome.retryAfter ?? -1;
    return 'waits';
  };
  return { gates, gate, clock, kept, warned, sent, pass, exchange, forward, settle, names, tried };
};

const spent = (reset: number, over: Readonly<Record<string, string>> = {}) => ({
  'x-ratelimit-limit': '5000',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': String(reset / 1000),
  ...over,
});
const left = (remaining: number) => spent(START + 1_800_000, { 'x-ratelimit-remaining': String(remaining) });

const HALF_HOUR = 1_801_000;
const AHEAD = START + 365 * 86_400_000;
const fifth = (reset: number) => spent(reset, { 'x-ratelimit-remaining': '1000' });

describe('an answer -> what of its identity is shut, and for how long', () => {
  test.each<[string, Answer, 'sent' | number, 'sent' | number]>([
    ['200', {}, 'sent', 'sent'],
    ['404', { status: 404 }, 'sent', 'sent'],
    [
      '403 without a permission',
      { status: 403, body: { message: 'Resource not accessible' } },
      'sent',
      'sent',
    ],
    ['502', { status: 502 }, 'sent', 'sent'],
    ['429 with retry-after', { status: 429, headers: { 'retry-after': '7' } }, 7_000, 7_000],
    ['429 without', { status: 429 }, 60_000, 60_000],
    ['403 secondary with retry-after', { status: 403, headers: { 'retry-after': '90' } }, 90_000, 90_000],
    [
      '403 secondary without, some of the budget left',
      { status: 403, body: { message: SECONDARY }, headers: left(4_000) },
      60_000,
      60_000,
    ],
    [
      '403 with the budget spent',
      {
        status: 403,
        body: { message: 'API rate limit exceeded' },
        headers: spent(START + 1_800_000),
      },
      HALF_HOUR,
      'sent',
    ],
    ['200 with the budget spent', { headers: spent(START + 1_800_000) }, HALF_HOUR, 'sent'],
    ['304 with the budget spent', { headers: spent(START + 1_800_000) }, HALF_HOUR, 'sent'],
    [
      '200 with the budget spent, by a clock of GitHub that is an hour ahead',
      { headers: spent(START + 5_400_000, { date: new Date(START + 3_600_000).toUTCString() }) },
      1_800_000,
      'sent',
    ],
    ['401, which is counted as nobody’s', { status: 401, headers: spent(START + 1_800_000) }, 'sent', 'sent'],
    ['503 with retry-after', { status: 503, headers: { 'retry-after': '120' } }, 120_000, 120_000],
    [
      'retry-after as a date',
      { status: 429, headers: { 'retry-after': new Date(START + 30_000).toUTCString() } },
      30_000,
      30_000,
    ],
    [
      'a week is asked for: heeded for as long as any wait is, and then asked again',
      { status: 429, headers: { 'retry-after': '604800' } },
      LONGEST_WAIT,
      LONGEST_WAIT,
    ],
    [
      'a date a year ahead, as a clock that is behind sees it',
      { status: 429, headers: { 'retry-after': new Date(START + 365 * 86_400_000).toUTCString() } },
      LONGEST_WAIT,
      LONGEST_WAIT,
    ],
    [
      'a budget spent that is filled in a year, as a clock that is behind sees it',
      { headers: spent(START + 365 * 86_400_000) },
      LONGEST_WAIT,
      'sent',
    ],
  ])('%s', async (_, answer, rest, graphql) => {
    const { exchange, tried } = processOn();
    await exchange(answer);
    expect([await tried(), await tried({ bucket: 'graphql', weight: 'write' })]).toEqual([rest, graphql]);
  });

  test.each<[string, Answer, 'sent' | number, 'sent' | number]>([
    [
      'GraphQL’s budget spent, told with 200',
      {
        headers: spent(START + 1_800_000, { 'x-ratelimit-resource': 'graphql' }),
        body: { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] },
      },
      'sent',
      HALF_HOUR,
    ],
    [
      'a secondary limit, told with 200',
      { headers: left(10), body: { errors: [{ message: SECONDARY }] } },
      60_000,
      60_000,
    ],
    [
      'an error that quotes somebody about rate limits',
      { body: { errors: [{ type: 'UNPROCESSABLE', message: 'Cannot revert "rate limit"' }] } },
      'sent',
      'sent',
    ],
  ])('of GraphQL: %s', async (_, answer, rest, graphql) => {
    const { exchange, tried } = processOn();
    await exchange(answer, { bucket: 'graphql', weight: 'write' });
    expect([await tried(), await tried({ bucket: 'graphql', weight: 'write' })]).toEqual([rest, graphql]);
  });

  test('a limit without a time is given one in the answer, and the body stays', async () => {
    const { pass, sent, settle } = processOn();
    const { result } = pass('one');
    await settle();
    await sent[0]?.answer({ status: 403, body: { message: SECONDARY } });
    const answer = await result;
    if (!(answer instanceof Response)) throw answer;
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      403,
      '60',
      { message: SECONDARY },
    ]);
  });
});

describe('told to wait', () => {
  test('the same told again waits twice as long, up to an hour, and an answer that is good begins anew', async () => {
    const { exchange, tried, forward } = processOn();
    const waits: unknown[] = [];
    for (let time = 0; time < 8; time += 1) {
      await exchange({ status: 403, body: { message: SECONDARY } });
      const wait = await tried();
      waits.push(wait);
      await forward(Number(wait));
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((minutes) => minutes * 60_000));
    await exchange({});
    await exchange({ status: 403, body: { message: SECONDARY } });
    expect(await tried()).toBe(60_000);
  });

  test('what is under way when the first says wait was sent; nothing new is, and it counts once', async () => {
    const { pass, sent, settle, names, tried } = processOn();
    for (const name of ['a', 'b', 'c']) pass(name);
    await settle();
    await sent[1]?.answer({ status: 403, body: { message: SECONDARY } });
    const { result } = pass('d');
    expect(await result).toMatchObject({ failure: 'rate-limit', status: 0, retryAfter: 60_000 });
    for (const index of [0, 2]) await sent[index]?.answer({ status: 403, body: { message: SECONDARY } });
    expect(await tried()).toBe(60_000);
    expect(names()).toEqual(['a', 'b', 'c']);
  });

  test('two seconds or less are waited here; a longer wait fails and sends nothing', async () => {
    const { exchange, pass, forward, names } = processOn();
    await exchange({ status: 429, headers: { 'retry-after': '3' } });
    expect(await pass('early').result).toMatchObject({ retryAfter: 3_000 });
    await forward(1_000);
    pass('patient');
    await forward(1_999);
    expect(names()).toEqual(['exchange']);
    await forward(1);
    expect(names()).toEqual(['exchange', 'patient']);
  });

  test('told again while it waits, a request does not go out', async () => {
    const { exchange, pass, sent, settle, forward, names } = processOn();
    pass('slow');
    await settle();
    await exchange({ status: 429, headers: { 'retry-after': '1' } });
    const { result } = pass('waiting');
    await forward(500);
    await sent[0]?.answer({ status: 429, headers: { 'retry-after': '60' } });
    await forward(600);
    expect(await result).toMatchObject({ failure: 'rate-limit' });
    expect(names()).toEqual(['slow', 'exchange']);
  });

  test('a shorter wait does not undo a longer one', async () => {
    const { pass, sent, settle, tried } = processOn();
    pass('a');
    pass('b');
    await settle();
    await sent[0]?.answer({ status: 429, headers: { 'retry-after': '100' } });
    await sent[1]?.answer({ status: 429, headers: { 'retry-after': '5' } });
    expect(await tried()).toBe(100_000);
  });

  test('another identity goes on', async () => {
    const { gates, exchange, pass, settle, names } = processOn();
    await exchange({ status: 429, headers: { 'retry-after': '100' } });
    pass('other', {}, gates.of('installation:43'));
    await settle();
    expect(names()).toContain('other');
  });

  test.each<[string, Answer, 'sent' | number, 'sent' | number]>([
    ['by a secondary limit', { status: 429, headers: { 'retry-after': '600' } }, 540_000, 540_000],
    ['by a spent budget', { headers: spent(START + 1_800_000) }, HALF_HOUR - 60_000, 'sent'],
  ])('%s, a process that starts again still waits', async (_, answer, rest, graphql) => {
    const before = processOn();
    await before.exchange(answer);
    const { tried } = processOn(before.kept, UNLIMITED, START + 60_000);
    expect([await tried(), await tried({ bucket: 'graphql' })]).toEqual([rest, graphql]);
  });

  test('a process that starts after it was over goes on', async () => {
    const before = processOn();
    await before.exchange({ status: 429, headers: { 'retry-after': '600' } });
    expect([...before.kept]).toEqual([['installation:42', '2026-11-30T09:10:00.000Z']]);
    expect(await processOn(before.kept, UNLIMITED, START + 600_000).tried()).toBe('sent');
  });

  test.each<[string, Answer, Partial<Ticket>]>([
    ['a secondary limit', { status: 429, headers: { 'retry-after': '60' } }, {}],
    ['a limit without a time', { status: 429 }, {}],
    ['a spent budget', { headers: spent(AHEAD + 1_800_000) }, {}],
    ['a budget of which the last fifth is left', { headers: fifth(AHEAD + 1_800_000) }, { lane: 'sweep' }],
  ])(
    '%s, told while the clock was a year ahead -> once it is right nobody waits',
    async (_, answer, over) => {
      const before = processOn(new Map(), UNLIMITED, AHEAD);
      await before.exchange(answer);
      expect(await before.tried(over)).toBeGreaterThanOrEqual(60_000);
      before.clock.now = START;
      const next = processOn(before.kept, UNLIMITED, START);
      expect([await before.tried(over), await next.tried(over)]).toEqual(['sent', 'sent']);
      // What is told by the clock that is right holds again.
      await before.exchange({ status: 429, headers: { 'retry-after': '600' } });
      expect([await before.tried(), await processOn(before.kept, UNLIMITED, START + 60_000).tried()]).toEqual(
        [600_000, 540_000],
      );
    },
  );

  test('to pace oneself while the clock was a year ahead -> once it is right, for a minute more', async () => {
    const { pass, sent, settle, clock, tried, forward } = processOn(
      new Map(),
      { ...UNLIMITED, points: 3 },
      AHEAD,
    );
    for (const name of ['a', 'b', 'c']) pass(name);
    await settle();
    for (const one of sent) await one.answer();
    clock.now = START;
    expect(await tried()).toBeLessThanOrEqual(61_000);
    await forward(61_000);
    expect(await tried()).toBe('sent');
  });

  test('where it can be neither kept nor read it holds all the same, and people are told', async () => {
    const warned: string[] = [];
    let now = START;
    const gate = createGates({
      now: () => now,
      sleep: async (ms) => void (now += ms),
      load: () => Promise.reject(new TypeError('hostile text')),
      save: () => Promise.reject(new TypeError('hostile text')),
      warn: (what) => warned.push(what),
    }).of('app:777');
    const ticket: Ticket = { lane: 'hold', weight: 'read', bucket: 'core', request: 'GET /app' };
    await gate.pass(ticket, async () => new Response(null, { status: 429 }));
    await expect(gate.pass(ticket, async () => new Response('late'))).rejects.toMatchObject({
      retryAfter: 60_000,
    });
    expect(warned).toEqual([
      'whether app:777 was told to wait cannot be read: TypeError',
      'that app:777 was told to wait cannot be kept: TypeError',
      'whether app:777 was told to wait cannot be read: TypeError',
    ]);
  });

  test('a request that fails without an answer frees its place', async () => {
    const { gate, pass, settle, names } = processOn(new Map(), { ...UNLIMITED, atOnce: 1 });
    const lost = gate.pass({ lane: 'people', weight: 'read', bucket: 'core', request: 'lost' }, () =>
      Promise.reject(new TypeError('fetch failed')),
    );
    await expect(lost).rejects.toThrow('fetch failed');
    pass('next');
    await settle();
    expect(names()).toEqual(['next']);
  });
});

describe('the pace', () => {
  test('no more are under way than may be, and the most urgent goes first, then the oldest', async () => {
    const { pass, sent, settle, names } = processOn(new Map(), { ...UNLIMITED, atOnce: 2 });
    const lanes: readonly Lane[] = ['people', 'people', 'sweep', 'words', 'people', 'hold', 'people'];
    for (const [index, lane] of lanes.entries()) pass(`${lane} ${index}`, { lane });
    await settle();
    expect(names()).toEqual(['people 0', 'people 1']);
    for (let index = 0; index < lanes.length; index += 1) await sent[index]?.answer();
    expect(names().slice(2)).toEqual(['hold 5', 'people 4', 'people 6', 'words 3', 'sweep 2']);
  });

  test('lower lanes leave a fifth of the places free', async () => {
    const { pass, settle, names } = processOn(new Map(), PUBLISHED);
    for (let index = 0; index < 30; index += 1) pass('agents', { lane: 'agents' });
    for (let index = 0; index < 30; index += 1) pass('people', { lane: 'people' });
    await settle();
    const count = (name: string) => names().filter((one) => one === name).length;
    expect([count('agents'), count('people')]).toEqual([16, 4]);
  });

  test.each<[string, Partial<Ticket>, number]>([
    ['reads of a person’s check', { lane: 'people', weight: 'read' }, 900],
    ['writes of a person’s check', { lane: 'people', weight: 'write' }, 180],
    ['reads of a sweep, four fifths', { lane: 'sweep', weight: 'read' }, 720],
    ['comments', { lane: 'words', weight: 'content' }, 80],
  ])('%s: so many a minute, and the rest is put off', async (_, over, count) => {
    const { exchange, tried, forward } = processOn(new Map(), { ...PUBLISHED, contentAnHour: 10_000 });
    for (let index = 0; index < count; index += 1) await exchange({}, over);
    const wait = await tried(over);
    expect(wait).toBe(61_000);
    await forward(61_000);
    expect(await tried(over)).toBe('sent');
  });

  test('an hour’s content is spread over no less than an hour', async () => {
    const { exchange, tried, forward } = processOn(new Map(), PUBLISHED);
    for (let index = 0; index < 500; index += 1) {
      if (index % 80 === 0) await forward(61_000);
      await exchange({}, { weight: 'content', lane: 'words' });
    }
    await forward(61_000);
    expect(await tried({ weight: 'content', lane: 'words' })).toBeGreaterThan(3_000_000);
    expect(await tried({ weight: 'write', lane: 'words' })).toBe('sent');
  });

  test('what is short of points is not overtaken by what needs fewer', async () => {
    const { exchange, pass, forward, names } = processOn(new Map(), { ...UNLIMITED, points: 10 });
    await exchange({}, { weight: 'write' });
    await forward(59_500);
    await exchange({}, { weight: 'write' });
    pass('write', { weight: 'write', lane: 'hold' });
    pass('read', { lane: 'people' });
    await forward(1_000);
    expect(names()).toHaveLength(2);
    await forward(1_000);
    expect(names().slice(2)).toEqual(['write']);
  });

  test('comments that wait for their turn hold up nothing else', async () => {
    const { exchange, pass, forward, names } = processOn(new Map(), { ...UNLIMITED, contentAMinute: 1 });
    await exchange({}, { weight: 'content' });
    await forward(60_000);
    pass('comment', { weight: 'content', lane: 'hold' });
    pass('read', { lane: 'sweep' });
    await forward(0);
    expect(names().slice(1)).toEqual(['read']);
    await forward(1_000);
    expect(names().slice(1)).toEqual(['read', 'comment']);
  });
});

describe('the hour’s budget', () => {
  test('its last fifth is kept for people’s checks, holds and merge groups', async () => {
    const { exchange, tried } = processOn();
    await exchange({ headers: left(1_000) });
    const outcomes: unknown[] = [];
    for (const lane of ['hold', 'merge-group', 'people', 'agents', 'words', 'sweep'] as const)
      outcomes.push(await tried({ lane }));
    expect(outcomes).toEqual(['sent', 'sent', 'sent', HALF_HOUR, HALF_HOUR, HALF_HOUR]);
    expect(await tried({ lane: 'sweep', bucket: 'graphql' })).toBe('sent');
  });

  test('what is under way is counted as spent', async () => {
    const { exchange, pass, settle, sent, names } = processOn();
    await exchange({ headers: left(2) });
    for (const name of ['a', 'b', 'c']) pass(name);
    await settle();
    expect(names().slice(1)).toEqual(['a', 'b']);
    await sent[1]?.answer({ headers: left(1) });
    expect(names().slice(1)).toEqual(['a', 'b']);
    await sent[2]?.answer({ headers: left(0) });
    expect(names().slice(1)).toEqual(['a', 'b']);
  });

  test('is told as the least that answers of one hour said, whatever their order', async () => {
    const { gate, exchange, forward } = processOn();
    expect(gate.remaining()).toBeNull();
    await exchange({ headers: left(4_000) });
    await exchange({ headers: left(4_001) });
    await exchange({ headers: { ...left(17), 'x-ratelimit-resource': 'graphql' } });
    expect(gate.remaining()).toBe(4_000);
    await exchange({
      headers: spent(START + 5_400_000, { 'x-ratelimit-remaining': '4999' }),
    });
    expect(gate.remaining()).toBe(4_999);
    await forward(5_401_000);
    expect(gate.remaining()).toBeNull();
  });
});
