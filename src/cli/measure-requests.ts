import { parseCase } from '../sandbox/parse-case.js';
import { playCase } from './play.js';

/** Two days of an ordinary repository in ten events: what each costs in requests to GitHub. */
const STORY = `
id: REQUESTS
title: What an event costs
world:
  pulls:
    1: { author: rae, base: main, head: rae/a, sha: a1 }
    2: { author: rae, base: main, head: rae/b, sha: b1 }
    3: { author: alpha, base: main, head: alpha/c, sha: c1 }
    4: { author: alpha, base: main, head: alpha/d, sha: d1 }
events:
  - pull_request.opened: { by: rae, pull: 1 }
  - pull_request.opened: { by: rae, pull: 2 }
  - pull_request.opened: { by: alpha, pull: 3 }
  - pull_request.opened: { by: alpha, pull: 4 }
  - pull_request_review.submitted: { by: mara, pull: 3, state: approved, sha: c1 }
  - push: { by: rae, ref: rae/b, before: b1, after: b2, commits: [{ sha: b2, author: rae, message: more }] }
  - pull_request.closed: { by: mara, pull: 3, merged: m3 }
  - push: { by: mara, ref: main, before: m0, after: m3 }
  - issue_comment.created: { by: rae, on: 4, body: "Thank you." }
  - pull_request.closed: { by: alpha, pull: 4, merged: m4 }
`;

const MEANING = [
  "a person's PR, the first event after a start",
  "a person's PR",
  "an agent's PR",
  "an agent's second PR",
  "a person approves the agent's PR",
  'a push to a side branch',
  'a person merges',
  'the same merge, as a push',
  'a comment',
  'the agent merges: comment, issue, suspension, revert',
];

const [story] = parseCase(STORY, 'requests');
if (story === undefined) throw new Error('The story holds no case.');

const counts: { sent: number; free: number; writes: number }[] = [];
let before = 0;
for (const n of story.events.keys()) {
  const { requests } = await playCase({ ...story, events: story.events.slice(0, n + 1) });
  const mine = requests.slice(before).filter(({ request }) => !request.endsWith('/access_tokens'));
  before = requests.length;
  counts.push({
    sent: mine.length,
    free: mine.filter(({ status }) => status === 304).length,
    writes: mine.filter(({ request }) => !request.startsWith('GET ')).length,
  });
}

process.stdout.write(
  '| event | requests | of them 304, which cost nothing of the rate limit | writes |\n|---|---|---|---|\n',
);
for (const [index, { sent, free, writes }] of counts.entries()) {
  process.stdout.write(`| ${MEANING[index] ?? ''} | ${sent} | ${free} | ${writes} |\n`);
}
