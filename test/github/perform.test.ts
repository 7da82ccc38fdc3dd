import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Effect } from '../../src/decide/effects.js';
import { auditKey, printable } from '../../src/github/audit.js';
import { ENDPOINTS, MUTATIONS } from '../../src/github/endpoints.js';
import { PerformError } from '../../src/github/perform.js';
import { H, harness, KEY, levelNone, R, row, verdict } from './port-harness.js';

const record: Effect = { kind: 'record', code: 'merge-level', actKey: 'merge:283', row: row() };
const check: Effect = { kind: 'check', verdict: verdict() };
const comment: Effect = { kind: 'comment', number: 283, about: 'pull', standing: [levelNone] };
const escalate: Effect = { kind: 'escalate', key: KEY, row: row(), mentions: [] };
const suspend: Effect = { kind: 'suspend', agent: 'alpha', cause: 'merge-level', by: null, key: KEY };
const cancel: Effect = { kind: 'cancel-run', run: 77 };
const dequeue: Effect = { kind: 'dequeue', pull: 283, nodeId: 'PR_283' };
const CANCEL = `POST ${R}/actions/runs/77/cancel`;
const BATCH = [cancel, escalate, comment, check, dequeue, suspend, record];
const LINES = [
  'cancel-run 77',
  'issue merge-level:alpha:main open',
  'comment 283 open',
  `check ${H} success person`,
  'dequeue 283',
  'suspend alpha',
  'record merge-level',
];
const others = {
  [CANCEL]: () => ({ status: 202 }),
  'POST /graphql': () => ({ body: { data: { dequeuePullRequest: { clientMutationId: null } } } }),
};

describe('a batch', () => {
  test('is done with what holds an agent first, and answered in the order it was asked for', async () => {
    const hub = harness({ handlers: others });
    expect(await hub.lines(...BATCH)).toEqual(LINES);
    expect(hub.audit.map(({ effect }) => effect)).toEqual([
      'record',
      'suspend',
      'dequeue',
      'check',
      'escalate',
      'comment',
      'cancel-run',
    ]);
    expect(hub.writes()).toEqual([
      'POST /graphql',
      `POST ${R}/check-runs`,
      `POST ${R}/issues`,
      `POST ${R}/issues/283/comments`,
      CANCEL,
    ]);
  });

  test('goes out in lanes: what holds first, a check by whose it is, and words behind', async () => {
    const hub = harness({ handlers: others });
    await hub.lines(...BATCH);
    expect(hub.lanes.filter((line) => !line.includes(' read '))).toEqual([
      'hold write POST /graphql',
      `people write POST ${R}/check-runs`,
      `words content POST ${R}/issues`,
      `words content POST ${R}/issues/283/comments`,
      `hold write ${CANCEL}`,
    ]);
  });

  test('that is over a rate limit says how long, the longest of its failures', async () => {
    const limited = { status: 503, headers: { 'retry-after': '100' } };
    const hub = harness({ handlers: { ...others, [`POST ${R}/issues`]: () => limited } });
    const error: unknown = await hub.port.perform(BATCH).catch((thrown: unknown) => thrown);
    if (!(error instanceof PerformError)) throw error;
    expect(error.failed.map(({ effect }) => effect.kind)).toEqual(['escalate', 'comment', 'cancel-run']);
    expect([error.retryable, error.retryAfter]).toEqual([true, 100_000]);
  });

  test('of which one fails: the others are done, and the error says which and what was done', async () => {
    const hub = harness({ handlers: { ...others, [`POST ${R}/issues`]: () => ({ status: 403 }) } });
    const error: unknown = await hub.port.perform(BATCH).catch((thrown: unknown) => thrown);
    if (!(error instanceof PerformError)) throw error;
    expect(error.failed.map(({ effect }) => effect.kind)).toEqual(['escalate']);
    expect(error.performed.map(({ line }) => line)).toEqual(
      LINES.filter((line) => !line.startsWith('issue')),
    );
    expect(error.message).toContain('escalate merge-level:alpha:main');
    expect(error.errors).toHaveLength(1);
  });

  test('given again after a failure does only what failed', async () => {
    let refuse = true;
    const hub = harness({
      handlers: {
        ...others,
        [`POST ${R}/issues`]: (sent, otherwise) => (refuse ? { status: 403 } : otherwise(sent)),
      },
    });
    const batch = [escalate, comment, check, suspend];
    await expect(hub.port.perform(batch)).rejects.toThrow(PerformError);
    refuse = false;
    expect(await hub.lines(...batch)).toEqual(['issue merge-level:alpha:main open']);
  });

  test('two at once are done one after the other', async () => {
    const hub = harness();
    const [first, second] = await Promise.all([hub.port.perform([comment]), hub.port.perform([comment])]);
    expect([first.length, second.length, hub.comments.length]).toEqual([1, 0, 1]);
  });

  test('after one that failed is done all the same', async () => {
    const hub = harness({ handlers: { [CANCEL]: () => ({ status: 403 }) } });
    const failing = hub.port.perform([cancel]);
    const fine = hub.port.perform([record]);
    await expect(failing).rejects.toThrow(PerformError);
    expect((await fine).map(({ line }) => line)).toEqual(['record merge-level']);
  });
});

describe('a suspension', () => {
  const resume: Effect = { kind: 'resume', agent: 'alpha', by: { id: 11, login: 'mara', type: 'User' } };
  test('is begun once and ended once, by the clock', async () => {
    const hub = harness();
    expect(await hub.lines(resume)).toEqual([]);
    expect(await hub.lines(suspend)).toEqual(['suspend alpha']);
    expect(await hub.lines(suspend)).toEqual([]);
    expect((await hub.ledger.suspensions())[0]).toMatchObject({
      since: '2026-11-30T09:00:00.000Z',
      cause: 'merge-level',
      key: KEY,
    });
    expect(await hub.lines(resume)).toEqual(['resume alpha']);
    expect(await hub.ledger.suspensions()).toEqual([]);
    expect(hub.sent).toEqual([]);
  });
});

describe('a dry run', () => {
  test('sends nothing, answers what would be done, and does not repeat itself', async () => {
    const hub = harness({ deps: { dryRun: true } });
    expect(await hub.lines(...BATCH)).toEqual(LINES);
    expect(await hub.lines(check, comment, escalate)).toEqual([]);
    expect(hub.writes()).toEqual([]);
    expect(new Set(hub.audit.map(({ outcome }) => outcome))).toEqual(new Set(['dry-run', 'unchanged']));
  });

  test('suspends nobody', async () => {
    const hub = harness({ deps: { dryRun: true } });
    await hub.lines(suspend);
    expect(await hub.ledger.suspensions()).toEqual([]);
  });

  test('that is over: what it only noted is done', async () => {
    const dry = harness({ deps: { dryRun: true } });
    await dry.lines(check, comment, escalate);
    const hub = harness({ ledger: dry.ledger });
    expect(await hub.lines(check, comment, escalate)).toEqual([
      `check ${H} success person`,
      'comment 283 open',
      'issue merge-level:alpha:main open',
    ]);
  });

  test.each<Effect>([
    { kind: 'disarm-auto-merge', pull: 1, nodeId: 'x' },
    { kind: 'revert-pull', pull: 1, nodeId: 'x' },
    { kind: 'reopen-issue', issue: 1 },
    { kind: 're-request-review', pull: 1, login: 'mara' },
    { kind: 'backup-ref', sha: H },
  ])('of $kind sends nothing', async (effect) => {
    const hub = harness({ deps: { dryRun: true } });
    expect(await hub.lines(effect)).toHaveLength(1);
    expect(hub.sent).toEqual([]);
  });

  test('closes in its notes what it opened there', async () => {
    const hub = harness({ deps: { dryRun: true } });
    await hub.lines(escalate);
    expect(await hub.lines({ kind: 'close-escalation', key: KEY })).toEqual([
      'issue merge-level:alpha:main close',
    ]);
    expect(hub.sent).toEqual([]);
  });
});

describe('observe mode', () => {
  test('lets records and checks through, and nothing else', async () => {
    const hub = harness({ deps: { mode: 'observe' }, handlers: others });
    expect(await hub.lines(...BATCH)).toEqual([`check ${H} success person`, 'record merge-level']);
    expect(hub.writes()).toEqual([`POST ${R}/check-runs`]);
    expect(await hub.ledger.suspensions()).toEqual([]);
    expect(hub.audit.filter(({ outcome }) => outcome === 'observe')).toHaveLength(5);
  });
});

describe('the kill switch', () => {
  test('stops everything, and the audit says so', async () => {
    const hub = harness({ deps: { killSwitch: () => true } });
    expect(await hub.lines(...BATCH)).toEqual([]);
    expect(hub.sent).toEqual([]);
    expect(hub.audit.map(({ outcome }) => outcome)).toEqual(BATCH.map(() => 'killed'));
  });

  test('thrown in the middle of a batch stops the rest', async () => {
    let asked = 0;
    const hub = harness({ deps: { killSwitch: () => (asked += 1) > 4 }, handlers: others });
    expect(await hub.lines(...BATCH)).toEqual(LINES.slice(3));
    expect(hub.comments).toEqual([]);
  });
});

describe('an audit line', () => {
  test('names the repository, the delivery, the effect and what became of it', async () => {
    const hub = harness();
    await hub.lines(comment);
    expect(hub.audit).toEqual([
      {
        at: '2026-11-30T09:00:00.000Z',
        repository: { id: 1, name: 'acme/widgets' },
        delivery: 'guid-1',
        effect: 'comment',
        key: '283',
        outcome: 'done',
      },
    ]);
  });

  test('of a failure says what GitHub answered, and holds no text of others', async () => {
    const hub = harness({
      handlers: {
        [`POST ${R}/issues/283/comments`]: () => ({ status: 403, body: { message: 'evil text' } }),
      },
    });
    await expect(hub.port.perform([comment])).rejects.toThrow(PerformError);
    expect(hub.audit[0]).toMatchObject({ outcome: 'failed', delivery: null });
    expect(hub.audit[0]?.hint).toContain(`GitHub answered 403 to POST ${R}/issues/283/comments`);
    expect(JSON.stringify(hub.audit)).not.toContain('evil text');
  });

  test.each([
    ['a line break', 'main\n{"level":"fatal"}', 'main\\u{a}{"level":"fatal"}'],
    ['an order that is turned around', 'a\u202Eb', 'a\\u{202e}b'],
    ['a terminal sequence', '\u001b[2Jx', '\\u{1b}[2Jx'],
    ['half a character', '\ud800', '\\u{d800}'],
  ])('escapes %s', (_, text, expected) => {
    expect(printable(text)).toBe(expected);
    expect(auditKey({ kind: 'close-escalation', key: { ...KEY, subject: text } })).toBe(
      `merge-level:alpha:${expected}`,
    );
  });

  test('is short, however long a branch name is', () => {
    expect(
      auditKey({ kind: 'suspend', agent: 'x'.repeat(100_000), cause: 'tag', by: null, key: null }),
    ).toHaveLength(200);
  });
});

describe('the list of endpoints', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('endpoints.ts') && !name.startsWith('sandbox'))
    .map((name) => readFileSync(`src/${name}`, 'utf8'))
    .join('\n');
  test('holds none that nobody uses', () => {
    expect([...ENDPOINTS, ...MUTATIONS].filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
  });
  test('holds none twice', () => {
    expect(new Set(ENDPOINTS).size).toBe(ENDPOINTS.length);
  });
});
