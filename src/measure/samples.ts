import type { Sandbox } from '../sandbox/sandbox.js';
import type { Sample } from './messages.js';
import { event } from './played-github.js';

const SENTENCE = 'It keeps the order of what was asked and says why where it cannot. ';

/** Text of about so many bytes. */
const filling = (bytes: number): string => SENTENCE.repeat(Math.max(1, Math.round(bytes / SENTENCE.length)));

const COMMITS = 20;
/** Bytes of the sandbox's payloads without a text: of a PR, and of a push of so many commits. */
const PULL_BYTES = 19_660;
const PUSH_BYTES = 16_600;
/** The last commit of a push stands in its payload twice. */
const MESSAGES = COMMITS + 1;

/**
 * In each repository so many PRs that an agent opened, and as many pushes of it to side branches, of twenty commits each:
 * payloads as GitHub's, each of about `size` bytes. They are in the sandbox's world, so that work on them finds there
 * what they tell of.
 */
export const samplesOf = (
  repositories: readonly Sandbox[],
  { each, size }: { readonly each: number; readonly size: number },
): readonly Sample[] =>
  repositories.flatMap((repository, at) =>
    Array.from({ length: each }, (_, n): readonly Sample[] => {
      const name = `r${at}n${n}`;
      const opened = repository.deliver(
        event('pull_request', 'opened', {
          by: 'alpha',
          pull: n + 1,
          payload: { pull_request: { body: filling(size - PULL_BYTES) } },
        }),
        0,
      );
      const pushed = repository.deliver(
        event('push', null, {
          by: 'alpha',
          ref: `alpha/${name}`,
          created: true,
          commits: Array.from({ length: COMMITS }, (_, commit) => ({
            sha: `${name}c${commit}`,
            author: 'alpha',
            message: filling((size - PUSH_BYTES) / MESSAGES),
            modified: ['src/index.ts', 'README.md'],
          })),
        }),
        0,
      );
      return [opened, pushed].map((delivery) => ({ name: delivery.name, body: delivery.body }));
    }).flat(),
  );
