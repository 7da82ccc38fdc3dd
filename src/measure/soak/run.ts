import { pause } from '../child.js';
import { createRandom, type Random } from '../random.js';
import type { Difference } from './difference.js';
import { APP_ID, lookAt, SECRET, type SoakGitHub, startGitHub } from './github.js';
import { createKiller, type Killer } from './killer.js';
import type { SoakOptions } from './options.js';
import { createServer, type Server } from './process.js';
import { createStory, type Story } from './story.js';
import { createTeller, type Mail, type Teller } from './teller.js';
import { verifyGitHub } from './verify-github.js';
import { verifyPatience } from './verify-patience.js';
import { type Unfinished, unfinishedIn, verifyActs, verifyDeliveries } from './verify-store.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Webhooks a second at most. */
const RATE = 150;
/** Attempts under way, and deliveries that wait in the server, above which the story holds on a while. */
const MOST_UNDER_WAY = 60;
const MOST_QUEUED = 400;
const LONGEST_HOLD = 2_000;
/** Moments that happen while a killed server is not up again yet. */
const WHILE_DOWN = 6;
/** The longest a kill moves the clock. */
const MOST_AHEAD = 6 * MINUTE;
/** Lets a limit end that says no time, and is no downtime that makes every sweep begin anew. */
const STEP = 100_000;
/** Lets GitHub's log of deliveries be looked through again. */
const LEAP = 6 * MINUTE;
const ROUNDS = 60;
/** A request may take two seconds, and the server looks every second at what is due. */
const QUIET = 3_200;
const PATIENCE = 60_000;
/** Share of the story that happens while the server is off. */
const OFF_SHARE = 0.15;

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

interface Running {
  readonly options: SoakOptions;
  readonly github: SoakGitHub;
  readonly server: Server;
  readonly killer: Killer;
  readonly teller: Teller;
  readonly stories: readonly Story[];
  readonly random: Random;
  readonly say: (line: string) => void;
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
    await seeAll(running);
    github.failing = true;
    await tellAll(running);
    const unfinished = await settle(running);
    await server.stop();
    const books = sites.map((site) => site.books);
    const seen = sites.map(lookAt);
    const acknowledged = teller.acknowledged();
    const differences = [
      ...unfinished,
      ...verifyPatience(github.impatient, kills),
      ...sites.flatMap((site) => verifyGitHub(site.books, lookAt(site))),
      ...(await verifyDeliveries(teller.guids, acknowledged, server.store)),
      ...(await verifyActs(books, server.store)),
    ];
    const count = (of: (one: (typeof seen)[number]) => number): number =>
      seen.reduce((sum, one) => sum + of(one), 0);
    const figures: Figures = {
      deliveries: teller.sent,
      acknowledged: acknowledged.size,
      doubled: teller.doubled,
      redelivered: teller.redelivered(),
      dropped: teller.dropped,
      kills: killer.kills,
      requests: github.requests,
      faults: Object.fromEntries(github.faults),
      breaches: books.reduce((sum, { breaches }) => sum + breaches.length, 0),
      comments: count(({ comments }) => comments.length),
      issues: count(({ issues }) => issues.length),
      rows: count(({ issues }) => issues.reduce((sum, { rows, more }) => sum + rows.length + more, 0)),
      checks: count(({ checks }) => [...checks.values()].reduce((sum, runs) => sum + runs.length, 0)),
      seconds: Math.round((Date.now() - began) / 1_000),
      played: Math.round((Date.now() + github.ahead - began) / 1_000),
      memory: Math.round(server.largest / 2 ** 20),
    };
    return { differences, figures, log: server.log, store: server.store };
  } finally {
    teller.close();
    await server.kill();
    await github.close();
  }
};

async function tellAll(running: Running): Promise<void> {
  const { options, killer, teller } = running;
  const off = options.off ? Math.max(1, Math.round(options.deliveries * OFF_SHARE)) : 0;
  await tellUntil(options.deliveries - off, 'sent', running);
  teller.flush();
  await killer.finish();
  if (off > 0) await tellWhileOff(running);
}

/** One thing after another, until so many webhooks were sent. */
async function tellUntil(goal: number, mail: Mail, running: Running): Promise<void> {
  const { github, server, killer, teller, stories, random, options, say } = running;
  const began = Date.now();
  const before = teller.sent;
  let whileDown = 0;
  let looked = 0;
  while (teller.sent < goal) {
    if (!server.isUp && mail === 'sent') {
      whileDown += 1;
      if (whileDown > WHILE_DOWN) await killer.up();
    } else whileDown = 0;
    const index = random.below(stories.length);
    const [story, site] = [stories[index], github.sites[index]];
    const moment = story?.next() ?? null;
    if (moment === null || site === undefined) {
      await pause(2);
      continue;
    }
    teller.play(site, moment, mail);
    const ahead = ((teller.sent - before) * 1_000) / RATE - (Date.now() - began);
    if (ahead > 0) await pause(ahead);
    while (teller.underWay > MOST_UNDER_WAY) await pause(2);
    if (mail === 'sent' && Date.now() - looked > 500) {
      await holdOn(running);
      looked = Date.now();
      say(`${teller.sent}/${options.deliveries} sent, ${killer.kills} kills, ${github.requests} requests`);
    }
  }
}

/** Not longer than a moment: GitHub itself would not wait at all. */
async function holdOn({ server }: Running): Promise<void> {
  const until = Date.now() + LONGEST_HOLD;
  while (Date.now() < until) {
    const status = server.isUp ? await server.status() : null;
    if (status === null || status.worker.queued <= MOST_QUEUED) return;
    await pause(100);
  }
}

/** An hour in which every attempt is refused, and GitHub loses some webhooks altogether. */
async function tellWhileOff(running: Running): Promise<void> {
  const { options, github, server, teller, say } = running;
  await teller.idle();
  await server.stop();
  say('the server is off');
  const from = teller.sent;
  const began = github.ahead;
  for (let sent = from; sent < options.deliveries; sent = teller.sent) {
    github.ahead = began + (HOUR * (sent - from)) / (options.deliveries - from);
    await tellUntil(sent + 1, 'dropped', running);
  }
  teller.flush();
  await teller.idle();
  github.ahead = began + HOUR;
  await server.start(github.ahead);
}

/** Lets a sweep see every repository before anything happens there: what happened before its first look it never tells. */
async function seeAll(running: Running): Promise<void> {
  const end = Date.now() + MINUTE;
  while (!(await haveEnded(running.server, 1))) {
    if (Date.now() > end) throw new Error('No sweep of the repositories came to its end within a minute.');
    await pause(100);
  }
}

/** Whether every sweep came to its end after `since`, by GitHub's clock. */
const haveEnded = async (server: Server, since: number): Promise<boolean> => {
  const { sweeps = [] } = (await server.status()) ?? {};
  return sweeps.length > 0 && sweeps.every(({ at }) => at !== null && Date.parse(at) >= since);
};

/** Lets the server come to rest: hours of GitHub's clock, restart after restart, until nothing is left to do. */
async function settle(running: Running): Promise<readonly Difference[]> {
  const { github, server, teller, say } = running;
  const look = async (what: string): Promise<Unfinished | null> => {
    const left = await unfinishedIn(server.store, teller.guids);
    say(`${what}: ${left === null ? 'nothing' : JSON.stringify(left)} left`);
    return left;
  };
  for (let round = 1; round <= ROUNDS; round += 1) {
    await calm(running);
    if ((await look(`settling, round ${round}`)) === null) break;
    await later(round % 2 === 1 ? LEAP : STEP, running);
  }
  // Whatever a later look finds must not be told twice: two passes over everything, an hour apart, nothing failing.
  github.failing = false;
  for (let pass = 1; pass <= 2; pass += 1) {
    const since = await later(HOUR + MINUTE, running);
    for (let round = 1; round <= ROUNDS && !(await haveEnded(server, since)); round += 1) await calm(running);
  }
  await calm(running);
  await teller.idle();
  const left = await look('at rest');
  if (left === null) return [];
  const difference = { where: 'the store', expected: 'nothing left to do', seen: JSON.stringify(left) };
  return [{ ...difference, deliveries: [] }];
}

/** Stops the server in order and starts it again that much later. Gives when, by GitHub's clock. */
async function later(ms: number, { github, server }: Running): Promise<number> {
  await server.stop();
  github.ahead += ms;
  const started = Date.now() + github.ahead;
  await server.start(github.ahead);
  return started;
}

/**
 * Resolves once the server has nothing more to do as long as the clock does not move on: it works on nothing, and has
 * asked GitHub for nothing for longer than a request may take. After a while in any case.
 */
async function calm({ server, teller, github }: Running): Promise<void> {
  const until = Date.now() + PATIENCE;
  let since = Date.now();
  let asked = github.requests;
  while (Date.now() - since < QUIET && Date.now() < until) {
    const status = await server.status();
    const running = status?.worker.running ?? 1;
    if (running > 0 || teller.underWay > 0 || github.requests !== asked) {
      since = Date.now();
      asked = github.requests;
    }
    await pause(100);
  }
}
