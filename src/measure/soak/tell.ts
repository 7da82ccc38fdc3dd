import { pause } from '../child.js';
import { HOUR, type Running } from './running.js';
import type { Mail } from './teller.js';

/** Webhooks a second at most. */
const RATE = 150;
/** Attempts under way, and deliveries that wait in the server, above which the story holds on a while. */
const MOST_UNDER_WAY = 16;
const MOST_QUEUED = 400;
const LONGEST_HOLD = 15_000;
/** Moments that happen while a killed server is not up again yet. */
const WHILE_DOWN = 2;
/** Share of the story that happens while the server is off. */
const OFF_SHARE = 0.06;

/** The whole story, with its kills, and at the end an hour without the server where that is asked for. */
export async function tellAll(running: Running): Promise<void> {
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

/**
 * Lets the server catch up, so that it is killed at work and not at its leisure; not where all it can do is wait. GitHub
 * itself would not hold on at all.
 */
async function holdOn({ server }: Running): Promise<void> {
  const until = Date.now() + LONGEST_HOLD;
  while (Date.now() < until) {
    const status = server.isUp ? await server.status() : null;
    if (status === null || status.worker.running === 0 || status.worker.queued <= MOST_QUEUED) return;
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
