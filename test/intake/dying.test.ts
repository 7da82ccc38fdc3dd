import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { type Death, type Lived, live, type Story } from './mortal.js';
import { textsOf } from './texts-of.js';

const POLICY = `
policy: |
  version: 1
  merge: pr
  agents:
    alpha: { apps: [1001], accounts: [9001] }
  people: { approvals: 1, approvers: [otto, mara, rae] }
  escalate: { assignees: [mara] }
`;

const STORIES = {
  'an agent merges its own PR, and has another one armed': `
id: merge
title: A merge
${POLICY}
world:
  pulls:
    283: { author: alpha, base: main, head: staging, sha: h1 }
    290: { author: alpha, base: main, head: other, sha: o1, auto_merge: alpha }
events:
  - pull_request.opened: { by: alpha, pull: 283 }
  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +11s }
  - push: { by: alpha, ref: main, before: m0, after: m1 }
`,
  'an agent rewrites a branch on which others work': `
id: rewrite
title: A rewrite
${POLICY}
world:
  branches: { shared: { sha: s1, by: [rae, alpha] } }
  pulls: { 88: { author: rae, base: main, head: shared, sha: s1 } }
events:
  - push: { by: alpha, ref: shared, forced: true, before: s1, after: s2, commits: [{ sha: s2, author: alpha, message: "start over" }] }
`,
  'an agent makes a tag': `
id: tag
title: A tag
${POLICY}
events:
  - push: { by: alpha, ref: refs/tags/v1, before: "0000000000000000000000000000000000000000", after: m0, created: true }
  - create: { by: alpha, ref: v1, ref_type: tag }
`,
  'an agent closes an issue of a person': `
id: close
title: A close
${POLICY}
world:
  issues: { 6500: { author: rae, state: open } }
events:
  - issues.closed: { by: alpha, issue: 6500, reason: completed }
`,
  'a trunk is pushed to, and nothing explains it': `
id: push
title: A push
${POLICY}
events:
  - push: { by: alpha, ref: main, before: m0, after: x1, commits: [{ sha: x1, author: alpha, message: "quick" }] }
  - tick: 90s
`,
  'a check is asked for again': `
id: again
title: Again
${POLICY}
world:
  pulls: { 5: { author: alpha, base: main, head: alpha/x, sha: h1 } }
events:
  - pull_request.opened: { by: alpha, pull: 5 }
  - check_run.rerequested: { by: mara, sha: h1, at: +10m }
`,
  'a policy file does not load': `
id: invalid
title: Invalid
${POLICY}
world:
  pulls: { 5: { author: rae, base: main, head: rae/x, sha: h1 } }
events:
  - pull_request.opened: { by: rae, pull: 5 }
  - push: { by: mara, ref: main, before: m0, after: m2, commits: [{ sha: m2, author: mara, message: "policy", modified: [.github/agent-policy.yml] }], content: { .github/agent-policy.yml: "version: 1\\nmerge: prr\\n" } }
`,
} as const;

/** What it came to, and the end of it. */
const outcomeOf = async ({ sandbox, ledger, end }: Lived) => {
  const suspended = (await ledger.suspensions()).map(({ agent, cause }) => ({ agent, cause }));
  await end();
  return { ...(await textsOf(sandbox)), suspended };
};

/** A read changes nothing, so to die before one is to die before the next write of whatever kind. */
const deathsOf = ({ requests, writes }: Lived): readonly Death[] => [
  ...requests.flatMap((method, at): readonly Death[] =>
    method === 'GET'
      ? []
      : [
          { point: 'before', at },
          { point: 'after', at },
        ],
  ),
  ...Array.from({ length: writes }, (_, at): Death => ({ point: 'write', at })),
];

/** What differs from the undisturbed life, by where the process died. */
const differences = async (
  story: Story,
  among: (death: Death) => boolean = () => true,
): Promise<{ readonly lives: number; readonly wrong: unknown }> => {
  const undisturbed = await live(story);
  const expected = await outcomeOf(undisturbed);
  const deaths = deathsOf(undisturbed).filter(among);
  const wrong: Record<string, unknown> = {};
  for (const death of deaths) {
    const lived = await live({ ...story, death });
    const outcome = await outcomeOf(lived);
    if (lived.deaths !== 1) wrong[`${death.point} ${death.at}`] = 'it did not die';
    else if (!isDeepStrictEqual(outcome, expected)) wrong[`${death.point} ${death.at}`] = outcome;
  }
  return { lives: deaths.length, wrong };
};

const MINUTE = 60_000;
const stories = Object.entries(STORIES);
const MERGE = STORIES['an agent merges its own PR, and has another one armed'];

describe('wherever a process dies, the next one makes what is missing and nothing twice', () => {
  test.each(stories)(
    '%s',
    async (_, yaml) => {
      const { lives, wrong } = await differences({ yaml });
      expect(wrong).toEqual({});
      expect(lives).toBeGreaterThan(10);
    },
    2 * MINUTE,
  );

  test.each(stories)(
    '%s; GitHub’s lists lag three seconds, and the next process is there at once',
    async (_, yaml) => {
      const story = { yaml, lag: 3_000, downtime: 500 };
      const { lives, wrong } = await differences(story, ({ point }) => point === 'after');
      expect(wrong).toEqual({});
      expect(lives).toBeGreaterThan(0);
    },
    2 * MINUTE,
  );

  test.each(stories)('%s; the process dies when all is done, and nobody has noted that', async (_, yaml) => {
    expect(await outcomeOf(await live({ yaml, again: true }))).toEqual(await outcomeOf(await live({ yaml })));
  });
});

test(
  'also while it takes over what is there, after the database was lost',
  async () => {
    const yaml = `
id: adopt
title: The agent closes the issue about its own merge, and goes on
${POLICY}
world:
  pulls:
    283: { author: alpha, base: main, head: staging, sha: h1 }
    290: { author: alpha, base: main, head: other, sha: o1 }
events:
  - pull_request.closed: { by: alpha, pull: 283, merged: m1, at: +11s }
  - issues.closed: { by: alpha, issue: 10001, reason: completed, drop: true }
  - pull_request.opened: { by: alpha, pull: 290, at: +1h }
`;
    const { lives, wrong } = await differences({ yaml, forgetAfter: 2 });
    expect(wrong).toEqual({});
    expect(lives).toBeGreaterThan(30);
  },
  2 * MINUTE,
);

test('a note from before a long downtime costs no more looks: the lists have caught up', async () => {
  const yaml = MERGE;
  const undisturbed = await live({ yaml });
  const death: Death = { point: 'before', at: undisturbed.requests.indexOf('POST') };
  const soon = await live({ yaml, death, downtime: 30_000 });
  const late = await live({ yaml, death, downtime: 2 * MINUTE });
  await Promise.all([undisturbed, soon, late].map(({ end }) => end()));
  expect(soon.requests.length - late.requests.length).toBe(2);
});
