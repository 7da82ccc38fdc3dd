import { expect, test } from '@jest/globals';
import { story } from './activity-story.js';
import { bench, HOUR } from './bench.js';

type Fetch = typeof globalThis.fetch;

/** GitHub names every PR a commit is in, whatever it was merged by. */
const withAllPullsOfACommit =
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const [, repository] = /^(.*)\/commits\/\w+\/pulls$/.exec(url.pathname) ?? [];
    return repository === undefined
      ? fetch(input, init)
      : fetch(new URL(`${repository}/pulls?state=closed`, url), init);
  };

test('two merges within a minute by two people -> each is told of whoever did it, though one commit names both', async () => {
  const b = await bench(
    story(`
  - pull_request.closed: { by: mara, pull: 284, merged: m1, at: +1m, drop: true }
  - pull_request.closed: { by: alpha, pull: 283, merged: m2, at: +30s, drop: true }
`).replace('  checks:', '    284: { author: rae, base: main, head: rae/two, sha: h2 }\n  checks:'),
    { through: withAllPullsOfACommit },
  );
  for (const n of [1, 2, 3]) await b.deliver(n);
  b.pass(HOUR);
  await b.sweep();
  const merges = (await b.acts()).filter(({ kind }) => kind === 'pull.merge');
  expect(merges.map(({ subject, actor, verdict }) => [subject.pull, actor?.login, verdict])).toEqual([
    [284, 'mara', 'person'],
    [283, 'alpha-agent[bot]', 'deny'],
  ]);
  expect([b.failures, b.warned]).toEqual([[], []]);
});
