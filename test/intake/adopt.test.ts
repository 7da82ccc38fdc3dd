import { describe, expect, test } from '@jest/globals';
import { type Lived, live, type Story } from './mortal.js';
import { textsOf } from './texts-of.js';

const story = (world: string, events: string, policy = ''): string => `
id: adopt
title: The database is lost
policy: |
  version: 1
  merge: pr
  agents:
    alpha: { apps: [1001], accounts: [9001] }
    beta: { apps: [1002], accounts: [9002] }
  people: { approvals: 1, approvers: [otto, mara, rae] }
  escalate: { assignees: [mara] }
${policy}
world:
${world}
events:
${events}
`;

const MERGES = `
  pulls:
    283: { author: alpha, base: main, head: staging, sha: h1 }
    284: { author: alpha, base: main, head: second, sha: i1 }
    290: { author: alpha, base: main, head: other, sha: o1 }`;

const FIRST = `
  - pull_request.opened: { by: alpha, pull: 290 }
  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +11s }`;

const SECOND = `
  - pull_request.closed: { by: alpha, pull: 284, merged: m2, at: +1h }`;

const ended = async (given: Story) => {
  const lived = await live(given);
  const { ledger, sandbox } = lived;
  const suspensions = await ledger.suspensions();
  const asked = askedIn(lived);
  await lived.end();
  return { lived, suspensions, asked, texts: await textsOf(sandbox) };
};

/** How often the App asked for something. */
const askedIn = ({ sandbox }: Lived): ((pattern: RegExp) => number) => {
  const requests = sandbox.requests.map(({ request }) => request);
  return (pattern) => requests.filter((request) => pattern.test(request)).length;
};

/** What the sandbox numbers the first thing that is made in it. */
const ISSUE = 10001;

describe('a database that is lost after a breach', () => {
  test('-> the next one adds to the same issue and comment, and the agent is still suspended', async () => {
    const { texts, suspensions } = await ended({ yaml: story(MERGES, FIRST + SECOND), forgetAfter: 2 });
    const never = await ended({ yaml: story(MERGES, FIRST + SECOND) });
    expect(texts).toEqual(never.texts);
    expect(texts.issues).toHaveLength(1);
    expect(texts.issues[0]?.rows).toHaveLength(2);
    expect(suspensions).toEqual(never.suspensions);
    expect(suspensions).toMatchObject([{ agent: 'alpha', cause: 'merge-level' }]);
  });

  test('-> the checks that say so stay as they are, and none is written anew', async () => {
    const { texts } = await ended({ yaml: story(MERGES, FIRST + SECOND), forgetAfter: 2 });
    expect(texts.checks['o1']).toEqual(['failure', 'action_required']);
  });

  test('-> rows that a comment had stay, and ours is added once', async () => {
    const again = `
  - pull_request_review.submitted: { by: mara, pull: 283, state: changes_requested, sha: h1, at: +1h }
  - push: { by: alpha, ref: staging, forced: true, before: h1, after: h2, commits: [{ sha: h2, author: alpha, message: "again" }], at: +1h }`;
    const yaml = story(
      `${MERGES}
  branches: { staging: { sha: h1, by: [rae, alpha] } }`,
      FIRST + again,
    );
    const lost = await ended({ yaml, forgetAfter: 2 });
    const never = await ended({ yaml });
    expect(lost.texts.comments).toEqual(never.texts.comments);
    expect(lost.texts.comments[283]?.[0]).toHaveLength(2);
  });

  test('-> that costs one request, once', async () => {
    const { asked, lived } = await ended({
      yaml: story(
        MERGES,
        `${FIRST}${SECOND}
  - push: { by: mara, ref: main, before: m2, after: m3, at: +1h }`,
      ),
      forgetAfter: 2,
    });
    // By each of the two databases, and by the first one before it made the issue.
    expect(asked(/^GET \/repos\/acme\/widgets\/issues$/)).toBe(3);
    expect(lived.warned).toEqual([]);
  });

  test.each([
    [
      'a person with maintain closed the issue meanwhile -> it stays closed, and nobody is suspended',
      'mara',
      [],
      'closed',
    ],
    [
      'a person without closed it -> it is opened again, and the agent is suspended',
      'rae',
      ['alpha'],
      'open',
    ],
    ['the agent closed it -> it is opened again, and the agent is suspended', 'alpha', ['alpha'], 'open'],
  ])('%s', async (_, by, suspended, state) => {
    const { texts, suspensions } = await ended({
      yaml: story(
        MERGES,
        `${FIRST}
  - issues.closed: { by: ${by}, issue: ${ISSUE}, reason: completed, at: +1h, drop: true }
  - pull_request.opened: { by: alpha, pull: 284, at: +1h }`,
      ),
      forgetAfter: 3,
    });
    expect(suspensions.map(({ agent }) => agent)).toEqual(suspended);
    expect(texts.issues.map(({ number, state: now }) => [number, now])).toEqual([[ISSUE, state]]);
  });

  test('closed eight days ago -> history', async () => {
    const { texts, suspensions } = await ended({
      yaml: story(
        MERGES,
        `${FIRST}
  - issues.closed: { by: alpha, issue: ${ISSUE}, reason: completed, at: +1h, drop: true }
  - pull_request.opened: { by: alpha, pull: 284, at: +192h }`,
      ),
      forgetAfter: 3,
    });
    expect([suspensions, texts.issues.map(({ state }) => state)]).toEqual([[], ['closed']]);
  });

  test('the policy suspends nobody -> nor does what is found', async () => {
    const { suspensions, texts } = await ended({
      yaml: story(MERGES, FIRST + SECOND, '  remedies: { suspend: false }'),
      forgetAfter: 2,
    });
    expect(suspensions).toEqual([]);
    expect(texts.issues[0]?.rows).toHaveLength(2);
  });

  test('somebody edited the facts away -> suspended by the rule, since the issue was opened', async () => {
    const withoutFacts =
      (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
      async (input, init) => {
        const response = await fetch(input, init);
        const text = await response.text();
        const edited = text.replace(/<!-- agent-policy:facts:[^>]*-->/g, '(edited)');
        return new Response(text === '' ? null : edited, {
          status: response.status,
          headers: response.headers,
        });
      };
    const { suspensions } = await ended({
      yaml: story(MERGES, FIRST + SECOND),
      forgetAfter: 2,
      through: withoutFacts,
    });
    expect(suspensions).toMatchObject([
      { agent: 'alpha', cause: 'merge-level', since: '2026-11-30T09:00:11Z', key: { subject: 'main' } },
    ]);
  });

  test.each([
    [502, 1, []],
    [403, 0, ['what is on acme/widgets cannot be taken over']],
  ])('GitHub answers %d to the list -> put off %d times', async (status, putOffs, warned) => {
    let left = 4;
    const failing =
      (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
      async (input, init) => {
        const isList = new URL(String(input)).pathname === '/repos/acme/widgets/issues';
        if (!isList || (init?.method ?? 'GET') !== 'GET' || left === 0) return fetch(input, init);
        left -= 1;
        return new Response('{}', { status, headers: { 'content-type': 'application/json' } });
      };
    const { lived } = await ended({
      yaml: story(MERGES, '\n  - pull_request.opened: { by: alpha, pull: 290 }'),
      through: failing,
    });
    expect(lived.putOffs).toBe(putOffs);
    expect(lived.warned.map((line) => line.split(':')[0])).toEqual(warned);
  });
});

describe('a comment from before the database', () => {
  const TAG = `
  - create: { by: beta, ref: v1, ref_type: tag }`;
  const world = `
  pulls:
    5: { author: alpha, base: main, head: alpha/x, sha: h1 }
    6: { author: alpha, base: main, head: alpha/y, sha: y1 }`;
  const COMMENTED = `
  - pull_request.opened: { by: alpha, pull: 5 }
  - pull_request_review.submitted: { by: beta, pull: 5, state: approved, sha: h1, at: +1m }`;
  const APPROVED = `
  - pull_request_review.submitted: { by: mara, pull: 5, state: approved, sha: h1, at: +1h }`;

  test('is cleared when nothing stands any more', async () => {
    const yaml = story(world, TAG + COMMENTED + APPROVED);
    const never = await ended({ yaml });
    const lost = await ended({ yaml, forgetAfter: 3 });
    expect(lost.texts.comments).toEqual(never.texts.comments);
    expect(lost.lived.sandbox.written.filter(({ text }) => text.includes('is settled'))).toEqual(
      never.lived.sandbox.written.filter(({ text }) => text.includes('is settled')),
    );
  });

  test('is looked for once, and not on a PR that is newer or where nothing of ours was found', async () => {
    const more = `${APPROVED}
  - pull_request.edited: { by: alpha, pull: 5, payload: { changes: { title: { from: x } } }, at: +1h }
  - pull_request.opened: { by: alpha, pull: 6, at: +1h }`;
    const lost = await ended({ yaml: story(world, TAG + COMMENTED + more), forgetAfter: 3 });
    const without = await ended({ yaml: story(world, COMMENTED + more), forgetAfter: 2 });
    const comments = /^GET \/repos\/acme\/widgets\/issues\/\d+\/comments$/;
    // One by the first database, before it made the comment.
    expect([lost.asked(comments), without.asked(comments)]).toEqual([2, 1]);
  });
});
