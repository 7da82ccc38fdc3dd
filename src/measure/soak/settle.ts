import { pause } from '../child.js';
import type { Difference } from './difference.js';
import { HOUR, MINUTE, type Running } from './running.js';
import { type Unfinished, unfinishedIn } from './verify-store.js';

/** Lets a limit end that says no time, and is no downtime that makes every sweep begin anew. */
const STEP = 100_000;
/** Lets GitHub's log of deliveries be looked through again. */
const LEAP = 6 * MINUTE;
const ROUNDS = 60;
/** Rounds that change nothing, more than half an hour in all: what is left then will stay. */
const HOPELESS = 10;
/** The server looks every second at what is due, and where GitHub fails a request may take two seconds. */
const QUIET = 1_700;
const QUIET_FAILING = 3_200;
const PATIENCE = 20_000;

/**
 * Waits until every sweep came to its end after `since`, by GitHub's clock. From the first time on, what happens in a
 * repository is looked for: what was before, a sweep never tells.
 */
export async function swept({ server }: Pick<Running, 'server'>, since: number): Promise<void> {
  const end = Date.now() + 2 * MINUTE;
  for (;;) {
    const { sweeps = [] } = (await server.status()) ?? {};
    if (sweeps.length > 0 && sweeps.every(({ at }) => at !== null && Date.parse(at) >= since)) return;
    if (Date.now() > end) throw new Error('The sweeps did not come to their end within two minutes.');
    await pause(100);
  }
}

/** Lets the server come to rest: hours of GitHub's clock, restart after restart, until nothing is left to do. */
export async function settle(running: Running): Promise<readonly Difference[]> {
  const { github, server, teller, say } = running;
  const look = async (what: string): Promise<Unfinished | null> => {
    const left = await unfinishedIn(server.store, teller.guids);
    say(`${what}: ${left === null ? 'nothing' : JSON.stringify(left)} left`);
    return left;
  };
  let before = '';
  let same = 0;
  for (let round = 1; round <= ROUNDS && same < HOPELESS; round += 1) {
    await calm(running);
    const left = await look(`settling, round ${round}`);
    if (left === null) break;
    const now = JSON.stringify(left);
    same = now === before ? same + 1 : 0;
    before = now;
    await later(round % 2 === 1 ? LEAP : STEP, running);
  }
  // Whatever a later look finds must not be told twice: two passes over everything, an hour apart, nothing failing.
  github.failing = false;
  for (let pass = 1; pass <= 2; pass += 1) await swept(running, await later(HOUR + MINUTE, running));
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
  const quiet = github.failing ? QUIET_FAILING : QUIET;
  let since = Date.now();
  let asked = github.requests;
  while (Date.now() - since < quiet && Date.now() < until) {
    const status = await server.status();
    const running = status?.worker.running ?? 1;
    if (running > 0 || teller.underWay > 0 || github.requests !== asked) {
      since = Date.now();
      asked = github.requests;
    }
    await pause(100);
  }
}
