import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fill } from './filled.js';
import { arrival, createMachine, type Machine } from './machine.js';

/** What a terminal would act on, or what would hide: everything but the line breaks between lines. */
const RAW = /[^\P{C}\n]/u;

describe('deliveries list', () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = createMachine();
    await fill(machine);
  });
  afterAll(() => machine.remove());

  test('newest first, with what matters and how many there are', async () => {
    const { status, out, err } = await machine.run('deliveries', 'list');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
     "id  state     event                repository    received                 tries  next try                 why it failed
     6   done      push                 77            2026-10-01 00:00:00 UTC  0      -                        -
     5   expected  -                    -             -                        0      -                        -
     4   done      pull_request.opened  acme/widgets  2026-11-30 09:04:00 UTC  0      -                        -
     3   queued    pull_request.opened  acme/widgets  2026-11-30 09:03:00 UTC  0      -                        -
     2   waiting   pull_request.opened  acme/widgets  2026-11-30 09:02:00 UTC  3      2026-11-30 12:04:00 UTC  no answer in time
     1   dead      pull_request.opened  acme/widgets  2026-11-30 09:01:00 UTC  8      -                        GitHub answered 502 to GET /repos/acme/widgets: GitHub is failing

     6 deliveries shown; in the store: dead 1 · waiting 1 · queued 1 · expected 1 · done 2
     "
    `);
  });

  test.each([
    ['dead', [1]],
    ['waiting', [2]],
    ['queued', [3]],
    ['done', [6, 4]],
    ['expected', [5]],
  ])('--state %s', async (state, ids) => {
    const { status, out } = await machine.run('deliveries', 'list', '--state', state, '--json');
    expect(status).toBe(0);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: number }).id),
    ).toEqual(ids);
  });

  test('--json: one object a delivery, names of repositories with it', async () => {
    const { out } = await machine.run('deliveries', 'list', '--state', 'dead', '--json');
    expect(JSON.parse(out)).toEqual({
      id: 1,
      guid: 'guid-1',
      event: 'pull_request',
      action: 'opened',
      repository: { id: 42, owner: 'acme', name: 'widgets' },
      subject: 'pull:1',
      state: 'dead',
      attempts: 8,
      error: 'GitHub answered 502 to GET /repos/acme/widgets: GitHub is failing',
      happenedAt: null,
      receivedAt: '2026-11-30T09:01:00.000Z',
      due: null,
      endedAt: '2026-11-30T10:00:00.000Z',
    });
  });

  test('--limit takes the newest', async () => {
    const { out } = await machine.run('deliveries', 'list', '--limit', '2');
    expect(out).toMatch(/^6 .*\n5 .*\n\n2 deliveries shown; /m);
  });

  test.each(['acme/widgets', 'ACME/Widgets', '42'])('--repository %s', async (name) => {
    const { status, out } = await machine.run('deliveries', 'list', '--repository', name);
    expect({ status, shown: /^(\d+) deliveries shown/m.exec(out)?.[1] }).toEqual({ status: 0, shown: '4' });
  });

  test('a repository that is misspelled -> 1, and the one that was meant', async () => {
    expect(await machine.run('deliveries', 'list', '--repository', 'acme/widget')).toEqual({
      status: 1,
      out: '',
      err: 'agent-policy: no repository "acme/widget" was seen so far. Did you mean acme/widgets? It can be named by its numeric id too.\n',
    });
  });

  test('a repository nobody saw -> 1', async () => {
    expect(await machine.run('deliveries', 'list', '--repository', 'zzz/\u001b[2J')).toEqual({
      status: 1,
      out: '',
      err:
        String.raw`agent-policy: no repository "zzz/\u001b[2J" was seen so far. Name it as owner/name or by its numeric id.` +
        '\n',
    });
  });

  test('nothing matches -> 1, and what there is instead', async () => {
    expect(await machine.run('deliveries', 'list', '--state', 'dead', '--repository', '77')).toEqual({
      status: 1,
      out: '',
      err: 'no dead delivery of that repository; in the store: dead 1 · waiting 1 · queued 1 · expected 1 · done 2\n',
    });
  });

  test.each([
    [['--state', 'gone'], /argument 'gone' is invalid. Allowed choices are dead, waiting/],
    [['--limit', '0'], /It takes a number from 1 to 99999/],
    [['--limit', 'all'], /It takes a number from 1 to 99999/],
    [['3'], /too many arguments/],
  ])('%j -> 2', async (args, said) => {
    const { status, out, err } = await machine.run('deliveries', 'list', ...args);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(said);
  });
});

describe('deliveries show', () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = createMachine();
    await fill(machine);
    await machine.serve(async ({ inbox }) => {
      const body = new TextEncoder().encode(JSON.stringify({ title: '\u001b[2J\u202e evil\nline', n: 1 }));
      await inbox.accept(arrival(20, { guid: 'guid-evil', body }));
      const hint = { repository: 42, action: 'x\u001b[2J', lane: 9, subject: null };
      await inbox.accept(arrival(21, { guid: 'guid-broken', body: new Uint8Array([255, 27, 91]), hint }));
    });
  });
  afterAll(() => machine.remove());

  test.each([
    ['1', 'a dead one'],
    ['guid-2', 'a waiting one'],
    ['3', 'a queued one'],
    ['4', 'a done one'],
    ['guid-lost', 'one that is expected'],
    ['6', 'one whose body is gone'],
  ])('%s: %s', async (name) => {
    const { status, out, err } = await machine.run('deliveries', 'show', name);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatchSnapshot();
  });

  test('--json holds no body, unless asked for', async () => {
    const { out } = await machine.run('deliveries', 'show', '3', '--json');
    expect(JSON.parse(out)).not.toHaveProperty('body');
    const { out: whole } = await machine.run('deliveries', 'show', '3', '--json', '--body');
    expect(JSON.parse(whole)).toMatchObject({ id: 3, body: { action: 'opened', number: 3 } });
  });

  test('--body is the payload as data, and moves no cursor', async () => {
    const { status, out } = await machine.run('deliveries', 'show', 'guid-evil', '--body');
    expect({ status, out }).toEqual({
      status: 0,
      out: String.raw`{
  "title": "\u001b[2J\u202e evil\nline",
  "n": 1
}
`,
    });
    const { out: json } = await machine.run('deliveries', 'show', 'guid-evil', '--body', '--json');
    expect(json).not.toMatch(RAW);
    expect(JSON.parse(json)).toMatchObject({ body: { title: '\u001b[2J\u202e evil\nline' } });
  });

  test('a payload that is no JSON is shown as far as it can be, and moves no cursor', async () => {
    for (const options of [[], ['--body'], ['--body', '--json']]) {
      const { status, out } = await machine.run('deliveries', 'show', 'guid-broken', ...options);
      expect(status).toBe(0);
      expect(out).not.toMatch(RAW);
    }
  });

  test.each([
    ['6', /its body is not kept any more\. AGENT_POLICY_KEEP_BODIES/],
    ['guid-lost', /its body is not here: GitHub was asked to send it again/],
  ])('--body of %s, which has none -> 1', async (name, said) => {
    const { status, out, err } = await machine.run('deliveries', 'show', name, '--body');
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toMatch(said);
  });

  test.each(['99', 'guid-99', '\u001b[2J'])('no such delivery: %j -> 1, and what there is', async (name) => {
    const { status, out, err } = await machine.run('deliveries', 'show', name);
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).not.toMatch(RAW);
    expect(err).toMatch(
      /^agent-policy: there is no delivery ".+"\. The store holds dead 1 · .+; the newest is 8 \(guid-broken\)\. `agent-policy deliveries list` shows them\.\n$/,
    );
  });
});
