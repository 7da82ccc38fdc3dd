import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { Octokit } from '@octokit/core';
import type { Delivery } from '../../src/acts/payload.js';
import { envelopeOf } from '../../src/acts/payload.js';
import { rulesFor } from '../../src/decide/triggers.js';
import type { Handled } from '../../src/intake/deps.js';
import { createIntake } from '../../src/intake/receive.js';
import { ALONE } from '../../src/intake/turn.js';
import { openStore } from '../../src/store/open.js';
import { clientFor } from './client-for.js';
import { type Asked, emptyGitHub } from './empty-github.js';
import { INSTALLED } from './installed.js';

interface Sample {
  readonly name: string;
  readonly examples: readonly Record<string, unknown>[];
}

const samples = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly Sample[];
const payloads = samples.flatMap(({ name, examples }) =>
  examples.map((payload, index) => ({
    title: `${name} ${String(payload['action'] ?? '')} #${index}`,
    name,
    payload,
  })),
);

/** Codertocat opens most of the samples: as an agent of the policy, they go the whole way. */
const POLICY = `version: 1
merge: pr
agents:
  cat: { accounts: [21031067] }
`;

/** For payloads that name a PR and do not hold it. */
const ANY_PULL = payloads.find(({ title }) => title.startsWith('pull_request opened'))?.payload[
  'pull_request'
];

const policies = { 'an agent’s level is pr': POLICY, 'there is no policy': null };

async function play(
  name: string,
  payload: Record<string, unknown>,
  policy: string | null,
): Promise<{ asked: Asked[]; handled: Handled[] }> {
  const asked: Asked[] = [];
  const handled: Handled[] = [];
  const octokit = new Octokit({
    request: { fetch: emptyGitHub(policy, payload['pull_request'] ?? ANY_PULL, asked) },
  });
  const store = await openStore({ file: ':memory:' });
  const now = () => Date.UTC(2026, 10, 30);
  const intake = createIntake({
    store,
    client: clientFor(() => Promise.resolve(octokit), { now }),
    now,
    sleep: () => Promise.resolve(),
    ...INSTALLED,
    warn: () => undefined,
    onHandled: (_delivery, what) => handled.push(what),
  });
  const delivery: Delivery = { id: 'a', name, payload: { installation: { id: 1 }, ...payload } };
  await intake.receive(delivery, ALONE);
  await store.close();
  return { asked, handled };
}

test('there are 329 published payloads', () => {
  expect(payloads).toHaveLength(329);
});

describe.each(Object.entries(policies))('where %s', (_title, policy) => {
  test.each(payloads)(
    '$title is worked on, and costs nothing where no rule is triggered',
    async ({ name, payload }) => {
      const { asked, handled } = await play(name, payload, policy);
      const { action, repository, sender } = envelopeOf({ id: 'a', name, payload });
      if (rulesFor(name, action).length === 0 || repository === null) expect(asked).toEqual([]);
      if (sender !== null && policy === null)
        expect(handled.flatMap(({ performed }) => performed)).toEqual([]);
    },
  );
});

test('some of them are acts of the agent, and are judged', async () => {
  const acts: string[] = [];
  for (const { name, payload } of payloads) {
    const { handled } = await play(name, payload, POLICY);
    acts.push(...handled.flatMap((what) => what.acts.map(({ kind, verdict }) => `${kind} ${verdict}`)));
  }
  expect([...new Set(acts)].sort()).toEqual(
    expect.arrayContaining([
      'release.publish deny',
      'release.delete deny',
      'tag.create deny',
      'tag.delete deny',
    ]),
  );
});
