import { createRandom } from '../random.js';
import type { Difference } from './difference.js';
import { APP_ID, lookAt, SECRET, type SoakGitHub, startGitHub } from './github.js';
import { createKiller } from './killer.js';
import type { SoakOptions } from './options.js';
import { createServer, type Server } from './process.js';
import { MINUTE, type Running } from './running.js';
import type { Seen } from './seen.js';
import { settle, swept } from './settle.js';
import { createStory } from './story.js';
import { tellAll } from './tell.js';
import { createTeller } from './teller.js';
import { verifyGitHub } from './verify-github.js';
import { verifyPatience } from './verify-patience.js';
import { verifyActs, verifyDeliveries } from './verify-store.js';

/** The longest a kill moves the clock. */
const MOST_AHEAD = 6 * MINUTE;

/** What came of it. */
export interface Outcome {
  readonly differences: readonly Difference[];
  readonly figures: Figures;
  readonly log: string;
  readonly store: string;
}

export interface Figures {
  readonly deliveries: number;
  readonly acknowledged: number;
  readonly doubled: number;
  readonly redelivered: number;
  readonly dropped: number;
  readonly kills: number;
  readonly requests: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly breaches: number;
  readonly comments: number;
  readonly issues: number;
  readonly rows: number;
  readonly checks: number;
  /** Seconds, of the machine and of GitHub's clock. */
  readonly seconds: number;
  readonly played: number;
  /** MiB of memory the server took at most, as far as it was looked at. */
  readonly memory: number;
}

/** Plays it all and looks what came of it. `folder` takes the store and the log of the server. */
export const soak = async (
  options: SoakOptions,
  folder: string,
  say: (line: string) => void,
): Promise<Outcome> => {
  const began = Date.now();
  const random = createRandom(options.seed, 'chance');
  const kills: number[] = [];
  const killer = createKiller(
    options.deliveries,
    options.kills,
    createRandom(options.seed, 'kills'),
    async () => {
      kills.push(Date.now() + github.ahead);
      await server.kill();
      if (random.chance(0.5)) github.ahead += random.below(MOST_AHEAD);
      await server.start(github.ahead);
    },
  );
  const github: SoakGitHub = await startGitHub(options, killer.between);
  const { url: githubUrl, privateKey, sites } = github;
  const server: Server = await createServer({
    folder,
    githubUrl,
    appId: APP_ID,
    privateKey,
    webhookSecret: SECRET,
  });
  const { webhookUrl: url } = server;
  const teller = createTeller({ github, url, random, sending: killer.sending });
  const stories = sites.map(({ books }) => createStory(books));
  const running: Running = { options, github, server, killer, teller, stories, random, say };
  try {
    await server.start(github.ahead);
    await swept(running, 1);
    github.failing = options.faults > 0;
    await tellAll(running);
    const unfinished = await settle(running);
    await server.stop();
    const seen = sites.map(lookAt);
    const differences = [
      ...unfinished,
      ...server.fell.map((how) => ({
        where: 'the server',
        expected: 'no end but by a kill of ours',
        seen: `${how}; its log: ${server.log}`,
        deliveries: [],
      })),
      ...verifyPatience(github.impatient, kills),
      ...sites.flatMap((site) => verifyGitHub(site.books, lookAt(site))),
      ...(await verifyDeliveries(teller.guids, teller.acknowledged(), server.store)),
      ...(await verifyActs(
        sites.map(({ books }) => books),
        server.store,
      )),
    ];
    const figures = figuresOf(running, seen, Date.now() - began);
    return { differences, figures, log: server.log, store: server.store };
  } finally {
    teller.close();
    await server.kill();
    await github.close();
  }
};

const sum = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((total, one) => total + of(one), 0);

const figuresOf = (
  { github, server, teller, killer, stories }: Running,
  seen: readonly Seen[],
  ms: number,
): Figures => ({
  deliveries: teller.sent,
  acknowledged: teller.acknowledged().size,
  doubled: teller.doubled,
  redelivered: teller.redelivered(),
  dropped: teller.dropped,
  kills: killer.kills,
  requests: github.requests,
  faults: Object.fromEntries(github.faults),
  breaches: sum(stories, ({ books }) => books.breaches.length),
  comments: sum(seen, ({ comments }) => comments.length),
  issues: sum(seen, ({ issues }) => issues.length),
  rows: sum(seen, ({ issues }) => sum(issues, ({ rows, more }) => rows.length + more)),
  checks: sum(seen, ({ checks }) => sum([...checks.values()], (runs) => runs.length)),
  seconds: Math.round(ms / 1_000),
  played: Math.round((ms + github.ahead) / 1_000),
  memory: Math.round(server.largest / 2 ** 20),
});
