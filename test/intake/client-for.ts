import { createClient, type Client } from '../../src/github/client.js';
import { createEtagCache } from '../../src/github/etag-cache.js';
import { createGates } from '../../src/github/gate.js';
import type { Lane } from '../../src/github/lane.js';
import { UNLIMITED } from '../../src/github/limits.js';
import type { GitHubOctokit } from '../../src/github/octokit.js';

type GatesDeps = Parameters<typeof createGates>[0];

/** Clients of one process. Unless told otherwise they wait for nothing, and remember nothing of what they were told. */
export const clientFor = (
  octokit: (installation: number | null) => Promise<GitHubOctokit>,
  around: Pick<GatesDeps, 'now'> & Partial<GatesDeps>,
): ((installation: number | null, lane: Lane) => Promise<Client>) => {
  const cache = createEtagCache();
  const whole = {
    sleep: () => Promise.resolve(),
    load: () => Promise.resolve(undefined),
    save: () => Promise.resolve(),
    warn: () => undefined,
    limits: UNLIMITED,
    ...around,
  };
  const gates = createGates(whole);
  const { now, sleep } = whole;
  return async (installation, lane) =>
    createClient({
      octokit: await octokit(installation),
      identity: installation === null ? 'app:777' : `installation:${installation}`,
      appIdentity: 'app:777',
      gates,
      lane,
      cache,
      now,
      sleep,
      random: () => 0.5,
    });
};
