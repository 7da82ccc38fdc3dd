import { z } from 'zod';
import { createPost } from '../sandbox/http/post.js';
import type { Delivery, Sandbox } from '../sandbox/sandbox.js';
import { pause } from './child.js';
import type { Answer, Told } from './messages.js';
import { event, type PlayedGitHub } from './played-github.js';

type Asked = Extract<Told, { kind: 'traffic' }>;
type Seen = Extract<Answer, { kind: 'traffic' }>;

const AGENT_PULLS = 20;
/** The flood is let go in steps of so many milliseconds. */
const STEP_MS = 10;
/** Milliseconds that checks may still take after the last delivery. */
const AFTER_MS = 10_000;
/** GitHub gives an App ten seconds to answer. */
const LIMIT_MS = 10_000;

/** Connections of each sender: GitHub opens as many as it needs. */
const PEOPLE = 64;
const AGENTS = 1_000;

/** Pushes of an agent to its side branches, and for each a PR whose head moves: one delivery a call. */
const createFlood = (repository: Sandbox): (() => Delivery) => {
  for (let pull = 1; pull <= AGENT_PULLS; pull += 1)
    repository.happen(event('pull_request', 'opened', { by: 'alpha', pull }), 0);
  let count = 0;
  return () => {
    const turn = Math.floor(count / 2);
    const pull = 1 + (turn % AGENT_PULLS);
    const sha = `a${pull}n${1 + Math.floor(turn / AGENT_PULLS)}`;
    count += 1;
    return repository.deliver(
      count % 2 === 1
        ? event('push', null, { by: 'alpha', ref: `side/${pull}`, after: sha })
        : event('pull_request', 'synchronize', { by: 'alpha', pull, sha }),
      0,
    );
  };
};

const HEAD = z.object({ pull_request: z.object({ head: z.object({ sha: z.string() }) }) });

/** A person's next PR, and its head. */
const createPeople = (repository: Sandbox): (() => { readonly delivery: Delivery; readonly sha: string }) => {
  let pull = 0;
  return () => {
    pull += 1;
    const delivery = repository.deliver(event('pull_request', 'opened', { by: 'rae', pull }), 0);
    return { delivery, sha: HEAD.parse(JSON.parse(delivery.body)).pull_request.head.sha };
  };
};

/** Does something at a steady rate until `end`; what was missed meanwhile is made up for. Times as `performance.now()`. */
const steadily = async (everyMs: number, end: number, work: () => void): Promise<void> => {
  const start = performance.now();
  for (let done = 0; performance.now() < end; await pause(STEP_MS))
    for (const due = (performance.now() - start) / everyMs; done < due; done += 1) work();
};

/**
 * Sends a person's PRs in the first repository and a flood in the second, and takes the time from each PR's delivery to
 * the check that is asked for its head. Sender and GitHub are one process, so that one clock tells it. Each call goes on
 * where the one before ended.
 */
export const createTraffic = (github: PlayedGitHub): ((asked: Asked) => Promise<Seen>) => {
  const [calm, flooded] = github.repositories;
  if (calm === undefined || flooded === undefined) throw new Error('traffic takes two repositories');
  const nextOfPeople = createPeople(calm);
  const nextOfFlood = createFlood(flooded);

  return async ({ url, seconds, every, flood }) => {
    const people = createPost(PEOPLE, LIMIT_MS);
    const agents = createPost(AGENTS, LIMIT_MS);
    const sentAt = new Map<string, number>();
    const waits: number[] = [];
    const posts: Promise<unknown>[] = [];
    const before = github.counts();
    const end = performance.now() + seconds * 1_000;
    let [sent, acknowledged] = [0, 0];
    const note = ({ statusCode }: { readonly statusCode: number }): void => {
      // Of a flood that is answered late, what counts is what was answered while it lasted.
      if (statusCode >= 200 && statusCode <= 299 && performance.now() <= end) acknowledged += 1;
    };
    github.onCheck((sha) => {
      const at = sentAt.get(sha);
      if (at === undefined) return;
      waits.push(performance.now() - at);
      sentAt.delete(sha);
    });
    await Promise.all([
      steadily(every, end, () => {
        const { delivery, sha } = nextOfPeople();
        sentAt.set(sha, performance.now());
        posts.push(people.post(url, delivery));
      }),
      flood === 0
        ? undefined
        : steadily(1_000 / flood, end, () => {
            sent += 1;
            posts.push(agents.post(url, nextOfFlood()).then(note));
          }),
    ]);
    const after = github.counts();
    for (const until = performance.now() + AFTER_MS; sentAt.size > 0 && performance.now() < until;)
      await pause(STEP_MS);
    people.close();
    agents.close();
    await Promise.all(posts);
    return {
      kind: 'traffic',
      waits,
      unanswered: sentAt.size,
      flooded: { sent, acknowledged },
      requests: after.requests - before.requests,
      writes: after.writes - before.writes,
    };
  };
};
