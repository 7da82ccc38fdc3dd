import { describe, expect, test } from '@jest/globals';
import { Octokit } from '@octokit/core';
import { compose } from '../../src/compose.js';
import { UNLIMITED } from '../../src/github/limits.js';
import { createSandbox } from '../../src/sandbox/create.js';
import { CASE_START_MS } from '../../src/sandbox/instant.js';
import { parseCase } from '../../src/sandbox/parse-case.js';
import { openStore } from '../../src/store/open.js';

/** Gives all deliveries of a case at once, as they come while the service is at something else, and lets it work then. */
const burst = async (yaml: string) => {
  const [one] = parseCase(yaml, 'burst');
  if (one === undefined) throw new Error('no case');
  const now = () => CASE_START_MS;
  const sandbox = createSandbox({
    world: one.world,
    policy: one.policy,
    clock: { now },
    webhookSecret: 'secret',
    events: one.events,
  });
  const octokit = new Octokit({ request: { fetch: sandbox.fetch } });
  const store = await openStore({ file: ':memory:' });
  const governing = {
    appId: 777,
    htmlUrl: 'https://github.com',
    operatorLevel: null,
    dryRun: false,
    killSwitch: true,
    markerSecrets: ['secret'] as const,
    requestTimeout: 30_000,
    keepBodies: 86_400_000,
    keepActs: 86_400_000 * 365,
  };
  const failures: string[] = [];
  const service = compose(governing, {
    store,
    octokit: () => Promise.resolve(octokit),
    now,
    sleep: () => Promise.resolve(),
    random: () => 0.5,
    limits: UNLIMITED,
    warn: () => undefined,
    audit: () => undefined,
    log: {
      done: () => undefined,
      failed: (_delivery, { why }) => failures.push(why),
      store: (error) => failures.push(String(error)),
      waits: (_waiting, why) => failures.push(why),
      pruned: () => undefined,
      sweep: (error) => failures.push(String(error)),
    },
  });
  await service.start();
  for (const event of one.events) {
    if (event.kind !== 'deliver') throw new Error('only deliveries');
    for (const { guid, name, body } of sandbox.deliverAll(event, 0))
      await service.accept({ guid, name, body: Buffer.from(body) });
  }
  governing.killSwitch = false;
  await service.tick();
  await service.idle();
  const posted = sandbox.requests.filter(
    ({ request }) => request.endsWith('/check-runs') && request.startsWith('POST'),
  );
  const acts: string[] = [];
  for await (const act of store.acts({})) acts.push(act.kind);
  return {
    heads: posted.map(({ body }) => sandbox.short(String((body as { head_sha: unknown }).head_sha))),
    acts,
    failures,
  };
};

describe('a burst about one PR', () => {
  test('five pushes at once -> one check, on the last head', async () => {
    const { heads, failures } = await burst(`
id: burst
title: An agent pushes five times
world: { pulls: { 5: { author: alpha, base: main, head: alpha/x, sha: h0 } } }
events:
  - pull_request.synchronize: { by: alpha, pull: 5, sha: h1 }
  - pull_request.synchronize: { by: alpha, pull: 5, sha: h2 }
  - pull_request.synchronize: { by: alpha, pull: 5, sha: h3 }
  - pull_request.synchronize: { by: alpha, pull: 5, sha: h4 }
  - pull_request.synchronize: { by: alpha, pull: 5, sha: h5 }
`);
    expect({ heads, failures }).toEqual({ heads: ['h5'], failures: [] });
  });

  test('each PR of a burst gets its own, and every act is taken', async () => {
    const { heads, acts } = await burst(`
id: burst
title: Two PRs at once
world:
  pulls:
    5: { author: alpha, base: main, head: alpha/x, sha: x1 }
    6: { author: alpha, base: main, head: alpha/y, sha: y1 }
events:
  - pull_request.opened: { by: alpha, pull: 5 }
  - pull_request.opened: { by: alpha, pull: 6 }
  - pull_request.synchronize: { by: alpha, pull: 5, sha: x2 }
  - pull_request_review.submitted: { by: mara, pull: 5, state: approved, sha: x2 }
`);
    expect([...heads].sort()).toEqual(['x2', 'y1']);
    expect([...acts].sort()).toEqual(['pull.open', 'pull.open', 'review.approve']);
  });
});
