import { describe, expect, test } from '@jest/globals';
import { playCase } from '../../src/cli/play.js';
import { parseCase } from '../../src/sandbox/parse-case.js';

const linesOf = async (yaml: string) => {
  const [one] = parseCase(yaml, 'failures');
  if (one === undefined) throw new Error('no case');
  return playCase(one);
};

const failing = (request: string, times: number, rest = ''): string => `
id: failures
title: GitHub fails in the middle
world:
  pulls:
    40: { author: alpha, base: main, head: alpha/a, sha: a1 }
    41: { author: alpha, base: main, head: alpha/b, sha: b1, auto_merge: alpha }
  fail: [{ request: "${request}", status: 502, times: ${times} }]
${rest}
events:
  - pull_request.closed: { by: alpha, pull: 40, merged: m40 }
  - redeliver: 1
  - redeliver: 1
`;

const BREACH = [
  'record merge-level',
  'comment 40 open',
  'issue merge-level:alpha:main open',
  'suspend alpha',
  'revert-pull 40',
];
const HELD = ['check b1 failure suspended', 'disarm-auto-merge 41'];

describe('a failure in the middle loses nothing and tells nothing twice', () => {
  test.each([
    ['the comment', 'POST /repos/acme/widgets/issues/40/comments', 5],
    ['the issue', 'POST /repos/acme/widgets/issues', 5],
    ['the check of another PR', 'POST /repos/acme/widgets/check-runs', 5],
    ['the reviews of another PR', 'GET /repos/acme/widgets/pulls/41/reviews', 4],
    ['the open pull requests', 'GET /repos/acme/widgets/pulls', 4],
    ['the policy', 'GET /repos/acme/widgets/contents/.github', 4],
    ['the owner’s folder', 'GET /repos/acme/.github/contents/.github', 4],
  ])('%s', async (_name, request, times) => {
    const { events } = await linesOf(failing(request, times));
    const told = events.flatMap(({ lines }) => lines).filter((line) => !line.startsWith('record '));
    const once = [...BREACH, ...HELD].filter((line) => !line.startsWith('record '));
    expect([...told].sort()).toEqual([...once].sort());
    expect(events[0]?.errors.length === 0 && events[0]?.putOff.length === 0).toBe(false);
    expect(events[2]).toMatchObject({ lines: [], errors: [], putOff: [] });
  });

  test('without a failure the redelivery is no second delivery', async () => {
    const { events } = await linesOf(failing('GET /nothing', 1));
    expect(events.map(({ lines }) => lines.length)).toEqual([7, 0, 0]);
  });
});

test('a base change told again takes away no approval that came after it', async () => {
  const { events } = await linesOf(`
id: failures
title: The base changed, the check could not be written, a person approved, and the delivery comes again
world:
  branches: { dev: { sha: v0, by: [mara] } }
  pulls: { 5: { author: alpha, base: dev, head: alpha/x, sha: x1 } }
  fail: [{ request: "POST /repos/acme/widgets/check-runs", status: 500, times: 5 }]
events:
  - pull_request.edited: { by: alpha, pull: 5, payload: { pull_request: { base: { ref: main } }, changes: { base: { ref: { from: dev } } } } }
  - pull_request_review.submitted: { by: mara, pull: 5, state: approved, sha: x1, at: +1h }
  - pull_request.labeled: { by: mara, pull: 5, label: reviewed, at: +1h }
  - redeliver: 1
`);
  expect(events[0]?.putOff).not.toEqual([]);
  expect(events[1]?.lines).toEqual(['check x1 success within-policy']);
  expect(events[3]).toMatchObject({ lines: [], errors: [], putOff: [] });
});

test('a look-up that fails while another is under way is told by the delivery, and ends nothing else', async () => {
  const [one] = parseCase(
    `
id: failures
title: A limit stands in the way of one look-up while the open pull requests are still on their way
world:
  pulls: { 6: { author: alpha, base: main, head: alpha/y, sha: y1 } }
events:
  - pull_request_review.submitted: { by: mara, pull: 6, state: approved, sha: y1 }
`,
    'failures',
  );
  if (one === undefined) throw new Error('no case');
  const unheard: unknown[] = [];
  const hear = (reason: unknown): number => unheard.push(reason);
  process.on('unhandledRejection', hear);
  try {
    const { events } = await playCase(one, (fetch) => async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      if (pathname.endsWith('/permission')) return new Response('{}', { status: 422 });
      if (pathname.endsWith('/pulls')) await new Promise((resolve) => setTimeout(resolve, 100));
      return fetch(input, init);
    });
    expect(events[0]?.putOff).toEqual([expect.stringContaining('/collaborators/mara/permission')]);
  } finally {
    process.off('unhandledRejection', hear);
  }
  expect(unheard).toEqual([]);
});
