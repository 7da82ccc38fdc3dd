import { describe, expect, test } from '@jest/globals';
import { H, harness, KEY, R, row } from './port-harness.js';
import { BOT, inTurn, rawPull, user, type Reply, type Sent } from './stand-in.js';

const GRAPHQL = 'POST /graphql';
const answered = (mutation: string, value: unknown): Reply => ({ body: { data: { [mutation]: value } } });
const unprocessable: Reply = { body: { data: null, errors: [{ type: 'UNPROCESSABLE', message: 'x' }] } };
const inputs = (sent: readonly Sent[]) =>
  sent.map(({ body }) => (body as { variables: { input: unknown } }).variables.input);

describe('auto-merge and the queue', () => {
  const disarm = { kind: 'disarm-auto-merge', pull: 283, nodeId: 'PR_283' } as const;
  const dequeue = { kind: 'dequeue', pull: 283, nodeId: 'PR_283' } as const;
  test.each([
    [disarm, 'disablePullRequestAutoMerge', { pullRequestId: 'PR_283' }, 'disarm-auto-merge 283'],
    [dequeue, 'dequeuePullRequest', { id: 'PR_283' }, 'dequeue 283'],
  ])('$kind', async (effect, mutation, input, line) => {
    const hub = harness({
      handlers: { [GRAPHQL]: () => answered(mutation, { clientMutationId: null }) },
    });
    expect(await hub.lines(effect)).toEqual([line]);
    expect(inputs(hub.asked(GRAPHQL))).toEqual([input]);
  });

  test.each([disarm, dequeue])('$kind: nothing to undo -> nothing is said', async (effect) => {
    const hub = harness({ handlers: { [GRAPHQL]: () => unprocessable } });
    expect(await hub.lines(effect)).toEqual([]);
    expect(hub.audit[0]?.outcome).toBe('unchanged');
  });

  test('502 -> asked again: undoing twice is undoing once', async () => {
    const hub = harness({
      handlers: { [GRAPHQL]: inTurn({ status: 502 }, answered('dequeuePullRequest', {})) },
    });
    expect(await hub.lines(dequeue)).toEqual(['dequeue 283']);
  });

  test('no permission -> a failure', async () => {
    const hub = harness({
      handlers: { [GRAPHQL]: () => ({ body: { errors: [{ type: 'FORBIDDEN', message: 'x' }] } }) },
    });
    await expect(hub.lines(disarm)).rejects.toMatchObject({ retryable: false });
  });
});

describe('a revert', () => {
  const revert = { kind: 'revert-pull', pull: 283, nodeId: 'PR_283' } as const;
  const PULLS = `GET ${R}/pulls`;
  const made = answered('revertPullRequest', { revertPullRequest: { number: 290 } });

  test('is proposed as a draft, once a PR, and says what led to it', async () => {
    const hub = harness({ handlers: { [GRAPHQL]: () => made, [PULLS]: () => ({ body: [] }) } });
    expect(await hub.lines(revert)).toEqual(['revert-pull 283']);
    expect(await hub.lines(revert)).toEqual([]);
    expect(inputs(hub.asked(GRAPHQL))).toEqual([
      { pullRequestId: 'PR_283', draft: true, title: expect.any(String), body: expect.any(String) },
    ]);
    const breach = harness({ handlers: { [GRAPHQL]: () => made, [PULLS]: () => ({ body: [] }) } });
    await breach.lines(revert, {
      kind: 'escalate',
      key: KEY,
      row: row({ subject: { pull: 283 } }),
      mentions: [],
    });
    expect(JSON.stringify(inputs(breach.asked(GRAPHQL)))).toContain('merge-level');
    expect(JSON.stringify(inputs(hub.asked(GRAPHQL)))).not.toContain('merge-level');
  });

  test('that a conflict prevents is noted, is no failure, and is not asked for again', async () => {
    const hub = harness({ handlers: { [GRAPHQL]: () => unprocessable, [PULLS]: () => ({ body: [] }) } });
    expect(await hub.lines(revert)).toEqual([]);
    expect(await hub.lines(revert)).toEqual([]);
    expect(hub.asked(GRAPHQL)).toHaveLength(1);
    expect(hub.audit.map(({ outcome }) => outcome)).toEqual(['failed', 'unchanged']);
  });

  test('502 after it was made -> found by creator and title, and exactly one', async () => {
    const pulls: unknown[] = [];
    const hub = harness({
      handlers: {
        [PULLS]: () => ({ body: pulls }),
        [GRAPHQL]: ({ body }) => {
          const { title } = (body as { variables: { input: { title: string } } }).variables.input;
          pulls.push(rawPull(291, { title, user: user('evil', 66) }), rawPull(290, { title, user: BOT }));
          return { status: 502 };
        },
      },
    });
    expect(await hub.lines(revert)).toEqual(['revert-pull 283']);
    expect(hub.asked(GRAPHQL)).toHaveLength(1);
  });

  test("somebody else's PR of the same title is not it", async () => {
    let title = '';
    const hub = harness({
      handlers: {
        [PULLS]: () => ({ body: title === '' ? [] : [rawPull(291, { title, user: user('evil', 66) })] }),
        [GRAPHQL]: ({ body }) => {
          const first = title === '';
          ({ title } = (body as { variables: { input: { title: string } } }).variables.input);
          return first ? { status: 502 } : made;
        },
      },
    });
    expect(await hub.lines(revert)).toEqual(['revert-pull 283']);
    expect(hub.asked(GRAPHQL)).toHaveLength(2);
  });
});

describe('a run', () => {
  const CANCEL = `POST ${R}/actions/runs/77/cancel`;
  const cancel = { kind: 'cancel-run', run: 77 } as const;
  test('is cancelled', async () => {
    const hub = harness({ handlers: { [CANCEL]: () => ({ status: 202 }) } });
    expect(await hub.lines(cancel)).toEqual(['cancel-run 77']);
  });
  test.each([409, 404])('that is over or gone (%d) -> nothing is said', async (status) => {
    const hub = harness({ handlers: { [CANCEL]: () => ({ status }) } });
    expect(await hub.lines(cancel)).toEqual([]);
  });
  test('403 -> a failure', async () => {
    const hub = harness({ handlers: { [CANCEL]: () => ({ status: 403 }) } });
    await expect(hub.lines(cancel)).rejects.toThrow(/cancel-run 77/);
  });
});

describe('an issue', () => {
  const reopen = { kind: 'reopen-issue', issue: 5 } as const;
  const issue = (state: string): Reply => ({
    body: { number: 5, state, title: 't', body: 'b', labels: [], user: user('rae', 13) },
  });
  const GET = `GET ${R}/issues/5`;
  const PATCH = `PATCH ${R}/issues/5`;

  test('is opened again once, ever', async () => {
    const hub = harness({ handlers: { [GET]: () => issue('closed'), [PATCH]: () => issue('open') } });
    expect(await hub.lines(reopen)).toEqual(['reopen-issue 5']);
    expect(await hub.lines(reopen)).toEqual([]);
    expect(hub.asked(PATCH).map(({ body }) => body)).toEqual([{ state: 'open', state_reason: 'reopened' }]);
  });
  test('that somebody opened meanwhile is left alone, and may still be opened later', async () => {
    const hub = harness({
      handlers: { [GET]: inTurn(issue('open'), issue('closed')), [PATCH]: () => issue('open') },
    });
    expect(await hub.lines(reopen)).toEqual([]);
    expect(await hub.lines(reopen)).toEqual(['reopen-issue 5']);
  });
  test('that was deleted is noted and no failure', async () => {
    const hub = harness({ handlers: { [GET]: () => ({ status: 410 }) } });
    expect(await hub.lines(reopen)).toEqual([]);
    expect(hub.audit[0]).toMatchObject({ outcome: 'failed', effect: 'reopen-issue' });
  });
});

describe('a review', () => {
  const POST = `POST ${R}/pulls/283/requested_reviewers`;
  const again = { kind: 're-request-review', pull: 283, login: 'mara' } as const;
  test('is asked for again', async () => {
    const hub = harness({ handlers: { [POST]: () => ({ status: 201, body: { number: 283 } }) } });
    expect(await hub.lines(again)).toEqual(['re-request-review 283 mara']);
    expect(hub.asked(POST)[0]?.body).toEqual({ reviewers: ['mara'] });
  });
  test('by somebody who may not review here is noted and no failure', async () => {
    const hub = harness({ handlers: { [POST]: () => ({ status: 422 }) } });
    expect(await hub.lines(again)).toEqual([]);
    expect(hub.audit[0]?.outcome).toBe('failed');
  });
});

describe('a backup ref', () => {
  const backup = { kind: 'backup-ref', sha: H } as const;
  const POST = `POST ${R}/git/refs`;
  const SHORT = `GET ${R}/git/ref/heads/agent-policy-backup/${H.slice(0, 12)}`;
  const LONG = `GET ${R}/git/ref/heads/agent-policy-backup/${H}`;
  const ref = (sha: string, status = 200): Reply => ({ status, body: { object: { sha } } });
  const missing = () => ({ status: 404 });

  test('is made once, never as a rewrite', async () => {
    const hub = harness({ handlers: { [SHORT]: missing, [POST]: () => ref(H, 201) } });
    expect(await hub.lines(backup)).toEqual([`backup-ref ${H}`]);
    expect(await hub.lines(backup)).toEqual([]);
    expect(hub.asked(POST).map(({ body }) => body)).toEqual([
      { ref: `refs/heads/agent-policy-backup/${H.slice(0, 12)}`, sha: H },
    ]);
  });
  test('that is there already is not made', async () => {
    const hub = harness({ handlers: { [SHORT]: () => ref(H) } });
    expect(await hub.lines(backup)).toEqual([]);
    expect(await hub.ledger.done(`backup-ref:${H}`)).toBe(true);
  });
  test.each([
    ['before', () => ref('b'.repeat(40)), 0],
    ['meanwhile', missing, 1],
  ])('whose name somebody took %s gets the whole sha as its name', async (_, there, refusals) => {
    let left = refusals;
    const hub = harness({
      handlers: {
        [SHORT]: there,
        [LONG]: missing,
        [POST]: () =>
          left-- > 0 ? { status: 422, body: { message: 'Reference already exists' } } : ref(H, 201),
      },
    });
    expect(await hub.lines(backup)).toEqual([`backup-ref ${H}`]);
    expect(hub.asked(POST).at(-1)?.body).toEqual({ ref: `refs/heads/agent-policy-backup/${H}`, sha: H });
  });
  test('both names of which are taken is given up', async () => {
    const hub = harness({
      handlers: { [SHORT]: () => ref('b'.repeat(40)), [LONG]: () => ref('c'.repeat(40)) },
    });
    expect(await hub.lines(backup)).toEqual([]);
    expect(hub.writes()).toEqual([]);
    expect(hub.audit[0]).toMatchObject({ outcome: 'failed' });
    expect(await hub.ledger.done(`backup-ref:${H}`)).toBe(false);
  });
  test('that may not be made (403) is a failure', async () => {
    const hub = harness({ handlers: { [SHORT]: missing, [POST]: () => ({ status: 403 }) } });
    await expect(hub.lines(backup)).rejects.toMatchObject({ retryable: false });
  });
  test('of a commit that GitHub has collected is noted and no failure', async () => {
    const hub = harness({
      handlers: {
        [SHORT]: missing,
        [POST]: () => ({ status: 422, body: { message: 'Object does not exist' } }),
      },
    });
    expect(await hub.lines(backup)).toEqual([]);
    expect(hub.audit[0]).toMatchObject({ outcome: 'failed', hint: 'GitHub has collected the commit' });
  });
});
