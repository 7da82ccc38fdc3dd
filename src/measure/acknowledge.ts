import { join } from 'node:path';
import { openStore } from '../store/open.js';
import { type Child, startChild } from './child.js';
import { type Load, load, type SignedSample } from './load.js';
import { environmentOf, type Place, WEBHOOK_PATH } from './stand-in.js';
import { percentile } from './statistics.js';

/** The servers that are measured, in the order of their turns. */
export const SERVERS = ['probot', 'ours', 'paused', 'bare'] as const;
export type ServerName = (typeof SERVERS)[number];

const ENTRIES: Readonly<Record<ServerName, { readonly entry: string; readonly alive: string }>> = {
  ours: { entry: '../server.js', alive: '/healthz' },
  paused: { entry: './paused-server.js', alive: '/healthz' },
  probot: { entry: './probot-server.js', alive: '/ping' },
  bare: { entry: './bare-server.js', alive: '/' },
};

/** One turn of one server. */
export interface Turn {
  readonly server: ServerName;
  /** As many requests were under way at once. */
  readonly connections: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  /** Microseconds of processor time that each acknowledged delivery took, of all threads; null: nobody tells it. */
  readonly cpu: number | null;
  /** Bytes, at most. */
  readonly rss: number;
  /** Of ours: acknowledged deliveries that the store holds, and how many of them were worked on meanwhile. */
  readonly kept: { readonly acknowledged: number; readonly found: number; readonly done: number } | null;
}

export interface TurnOptions {
  readonly place: Place;
  /** The address of the GitHub that ours works against. */
  readonly github: string;
  readonly samples: readonly SignedSample[];
  readonly seconds: number;
  readonly connections: number;
}

/** Until all is compiled, and what ours does once after a start is done. */
const WARM_UP_SECONDS = 2;
const SAMPLE_MS = 50;
const STOP_MS = 12_000;

/** Looks in the store for every GUID. Throws where one that was acknowledged is not there. */
const keptOf = async (file: string, acknowledged: readonly string[]): Promise<NonNullable<Turn['kept']>> => {
  const store = await openStore({ file, lock: 'beside' });
  try {
    const known = await store.inbox.known(acknowledged);
    const { done } = await store.inbox.counts();
    if (known.size < acknowledged.length)
      throw new Error(`${acknowledged.length - known.size} acknowledged deliveries are not in the store`);
    return { acknowledged: acknowledged.length, found: known.size, done };
  } finally {
    await store.close();
  }
};

const loaded = async (
  child: Child,
  options: TurnOptions,
): Promise<{ readonly all: Load[]; readonly rss: number; readonly cpu: number | null }> => {
  const { seconds, connections, samples } = options;
  const url = `http://127.0.0.1:${child.port}${WEBHOOK_PATH}`;
  let rss = 0;
  const sampling = setInterval(() => (rss = Math.max(rss, child.rss() ?? 0)), SAMPLE_MS);
  const warmUp = await load({ url, seconds: WARM_UP_SECONDS, connections, samples });
  const before = child.cpu();
  const measured = await load({ url, seconds, connections, samples });
  const after = child.cpu();
  clearInterval(sampling);
  const cpu =
    before === null || after === null ? null : ((after - before) * 1_000) / measured.acknowledged.length;
  return { all: [warmUp, measured], rss, cpu };
};

let turns = 0;

/** One server, started afresh on a store of its own, under load, stopped in order. Throws where it loses something or does not stop. */
export const takeTurn = async (server: ServerName, options: TurnOptions): Promise<Turn> => {
  const { place, github } = options;
  const file = join(place.folder, `turn-${(turns += 1)}.db`);
  const child = await startChild({
    ...ENTRIES[server],
    env: environmentOf(place, github, file),
    cwd: place.folder,
    onLine: () => undefined,
  });
  try {
    const { all, rss, cpu } = await loaded(child, options);
    const { code, signal } = await child.stop(STOP_MS);
    if (code !== 0)
      throw new Error(`${server} ended with ${signal ?? code ?? '?'} when it was asked to stop`);
    const acknowledged = all.flatMap((one) => one.acknowledged);
    const { perSecond, latencies } = all.at(-1) ?? { perSecond: 0, latencies: [] };
    return {
      server,
      connections: options.connections,
      perSecond,
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
      failed: all.reduce((sum, one) => sum + one.failed, 0),
      cpu,
      rss,
      kept: server === 'ours' || server === 'paused' ? await keptOf(file, acknowledged) : null,
    };
  } finally {
    child.kill();
  }
};
