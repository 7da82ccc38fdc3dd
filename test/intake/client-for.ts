import { createClient, type Client } from '../../src/github/client.js';
import { createEtagCache } from '../../src/github/etag-cache.js';
import { createGates } from '../../src/github/gate.js';
import type { Lane } from '../../src/github/lane.js';
import { UNLIMITED } from '../../src/github/limits.js';
import type { GitHubOctokit } from '../../src/github/octokit.js';

/** Clients of one process that all ask through the same Octokit, and wait for nothing. */
export const clientFor = (
  octokit: GitHubOctokit,
  now: () => number,
): ((installation: number | null, lane: Lane) => Promise<Client>) => {
  const cache = createEtagCache();
  const sleep = () => Promise.resolve();
  const gates = createGates({
    now,
    sleep,
    load: () => Promise.resolve(undefined),
    save: () => Promise.resolve(),
    warn: () => undefined,
    limits: UNLIMITED,
  });
  return (installation, lane) =>
    Promise.resolve(
      createClient({
        octokit,
        identity: installation === null ? 'app:777' : `installation:${installation}`,
        appIdentity: 'app:777',
        gates,
        lane,
        cache,
        now,
        sleep,
        random: () => 0.5,
      }),
    );
};
