import { join } from 'node:path';
import { startChild } from './child.js';
import { startGitHub } from './github-child.js';
import { createPlace, environmentOf, WEBHOOK_PATH } from './stand-in.js';
import { percentile } from './statistics.js';

/** What is measured, one after another. `throttled`: as Probot is by default. */
export const WAITS = ['ours, calm', 'ours', 'probot', 'probot, throttled'] as const;
export type WaitName = (typeof WAITS)[number];

const SERVERS: Readonly<
  Record<WaitName, { readonly entry: string; readonly alive: string; readonly env: Record<string, string> }>
> = {
  'ours, calm': { entry: '../server.js', alive: '/healthz', env: {} },
  ours: { entry: '../server.js', alive: '/healthz', env: {} },
  probot: { entry: './probot-app.js', alive: '/ping', env: { PEER_THROTTLE: 'off' } },
  'probot, throttled': { entry: './probot-app.js', alive: '/ping', env: {} },
};

/** How long people waited for their checks. */
export interface Wait {
  readonly name: WaitName;
  /** Milliseconds, of all PRs; null: so many had no check ten seconds after the last one was sent. */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly answered: number;
  readonly unanswered: number;
  /** Deliveries of the flood, and those that were answered before it ended. */
  readonly flooded: { readonly sent: number; readonly acknowledged: number };
  /** Requests to GitHub while it lasted. */
  readonly requests: number;
}

export interface WaitOptions {
  readonly seconds: number;
  /** Milliseconds between two PRs of a person. */
  readonly every: number;
  /** Deliveries a second in the other repository. */
  readonly flood: number;
}

const WARM_UP = { seconds: 2, every: 200, flood: 0 };
const STOP_MS = 12_000;

/** One server, started afresh with a GitHub and a store of its own. */
export const takeWait = async (name: WaitName, options: WaitOptions): Promise<Wait> => {
  const place = createPlace();
  const github = await startGitHub(2);
  try {
    const { entry, alive, env } = SERVERS[name];
    const child = await startChild({
      entry,
      alive,
      env: { ...environmentOf(place, github.url, join(place.folder, 'wait.db')), ...env },
      cwd: place.folder,
      onLine: () => undefined,
    });
    try {
      const url = `http://127.0.0.1:${child.port}${WEBHOOK_PATH}`;
      await github.traffic({ url, ...WARM_UP });
      const flood = name === 'ours, calm' ? 0 : options.flood;
      const { waits, unanswered, flooded, requests } = await github.traffic({ url, ...options, flood });
      const all = [...waits, ...Array.from({ length: unanswered }, () => Number.POSITIVE_INFINITY)];
      const at = (share: number): number | null => {
        const ms = percentile(all, share);
        return Number.isFinite(ms) ? ms : null;
      };
      return {
        name,
        p50: at(0.5),
        p95: at(0.95),
        p99: at(0.99),
        answered: waits.length,
        unanswered,
        flooded,
        requests,
      };
    } finally {
      await child.stop(STOP_MS);
    }
  } finally {
    await github.stop();
    place.remove();
  }
};
