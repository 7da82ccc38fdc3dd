import { Octokit } from '@octokit/core';
import type { Delivery } from '../../src/acts/payload.js';
import type { Limits } from '../../src/github/limits.js';
import { failureOfWork } from '../../src/intake/failure-of-work.js';
import { createIntake } from '../../src/intake/receive.js';
import { createSandbox } from '../../src/sandbox/create.js';
import { CASE_START_MS } from '../../src/sandbox/instant.js';
import { parseCase } from '../../src/sandbox/parse-case.js';
import { openStore } from '../../src/store/open.js';
import { clientFor } from './client-for.js';
import { INSTALLED } from './installed.js';

/** Numbers of the PRs an agent has open beside the one it merges, which is 1. */
export const numbersOf = (pulls: number): readonly number[] =>
  Array.from({ length: pulls }, (_, at) => 101 + at);

export interface Story {
  readonly pulls: number;
  readonly armed?: readonly number[];
  /** Lines of the policy file. */
  readonly policy: readonly string[];
  /** Lines of the case. */
  readonly events: readonly string[];
  readonly limits: Limits;
  /** Answers a request instead of the sandbox; null: it does not. */
  readonly instead?: (method: string, path: string) => Response | null;
}

const yamlOf = ({ pulls, armed = [], policy, events }: Story): string => `
id: many
title: Many pull requests
policy: |
  version: 1
  agents: { alpha: { apps: [1001], accounts: [9001] } }
  people: { approvals: 1, approvers: [otto, mara, rae] }
${policy.map((line) => `  ${line}\n`).join('')}
world:
  pulls:
    1: { author: alpha, base: main, head: alpha/merged, sha: merged }
${numbersOf(pulls)
  .map((n) => {
    const auto = armed.includes(n) ? ', auto_merge: alpha' : '';
    return `    ${n}: { author: alpha, base: main, head: alpha/${n}, sha: s${n}${auto} }\n`;
  })
  .join('')}
events:
${events.map((line) => `  - ${line}\n`).join('')}
`;

const TRIES = 40;

/** An agent with many open PRs, and one process whose clock moves only while something waits. */
export const playMany = async (story: Story) => {
  const [told] = parseCase(yamlOf(story), 'many');
  if (told === undefined) throw new Error('no case');
  const clock = { now: CASE_START_MS };
  const now = () => clock.now;
  const sleep = (ms: number): Promise<void> => {
    clock.now += ms;
    return Promise.resolve();
  };
  const { world, policy, events } = told;
  const sandbox = createSandbox({ world, policy, clock: { now }, webhookSecret: 'secret', events });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    return story.instead?.(init?.method ?? 'GET', pathname) ?? sandbox.fetch(input, init);
  };
  const store = await openStore({ file: ':memory:' });
  const octokit = new Octokit({ request: { fetch } });
  const lines: string[] = [];
  const intake = createIntake({
    store,
    client: clientFor(() => Promise.resolve(octokit), { now, sleep, limits: story.limits }),
    now,
    sleep,
    ...INSTALLED,
    warn: () => undefined,
    onHandled: (_, { performed }) => lines.push(...performed.map(({ line }) => shorten(line))),
  });
  const shorten = (line: string): string => line.replace(/\b[0-9a-f]{40}\b/g, (sha) => sandbox.short(sha));

  /** Gives a delivery once. Why that failed; null: it did not. */
  const give = async (delivery: Delivery) => {
    try {
      await intake.receive(delivery, { lane: 'hold', checkComesLater: false });
      return null;
    } catch (error) {
      const failure = failureOfWork(error);
      if (failure.kind === 'unexpected') throw error;
      return failure;
    }
  };

  return {
    sandbox,
    ledger: store.repository(1),
    /** What was done so far, as `simulate` tells it. */
    lines,
    give,
    /** The one delivery of an event, by its place. */
    deliveryOf(at: number): Delivery {
      const event = events[at];
      if (event?.kind !== 'deliver') throw new Error(`event ${at} is no delivery`);
      const { guid, name, body } = sandbox.deliver(event, 0);
      return { id: guid, name, payload: JSON.parse(body) as unknown };
    },
    /** Gives a delivery until it is worked on, as long after each failure as that asks for. What failed, in order. */
    async untilDone(delivery: Delivery) {
      const failures: string[] = [];
      for (let tries = 0; tries < TRIES; tries += 1) {
        const failure = await give(delivery);
        if (failure === null) return failures;
        failures.push(failure.kind);
        clock.now += failure.retryAfter ?? 5_000;
      }
      throw new Error('it is never done');
    },
    /** Reasons of the last check of ours on a head, by its short sha. */
    reasonsOn: async (sha: string): Promise<string> => {
      const check = await store.repository(1).check(sandbox.sha(sha));
      return check?.reasons.join(',') ?? 'none';
    },
    /** As if all PRs had been judged before. */
    async rememberChecks(reason: 'needs-person' | 'within-policy') {
      const conclusion = reason === 'within-policy' ? 'success' : 'action_required';
      const all = [['merged', 1], ...numbersOf(story.pulls).map((n) => [`s${n}`, n])] as const;
      for (const [sha, pull] of all)
        await store.repository(1).saveCheck({
          sha: sandbox.sha(String(sha)),
          conclusion,
          reasons: [reason],
          pulls: [Number(pull)],
          hash: `as of ${sha}`,
          id: Number(pull),
        });
    },
    wait: (ms: number): void => void (clock.now += ms),
    end: () => store.close(),
  };
};
