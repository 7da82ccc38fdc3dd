import { pause } from '../child.js';
import type { Random } from '../random.js';
import type { Between } from './github.js';

/** In which moment the server is killed. */
const MOMENTS = ['any', 'answering', 'before a write', 'after a write'] as const;
type MomentOfKill = (typeof MOMENTS)[number];

/** A kill whose moment is waited for, or has come. */
interface Armed {
  moment: MomentOfKill | 'set off';
}

/** Kills at random moments, spread over the story. */
export interface Killer {
  /** Told before each webhook is sent. */
  sending(): void;
  /** Stands before each request of the server. */
  readonly between: Between;
  /** Resolves once the server that was killed is up again. */
  up(): Promise<void>;
  /** What is left of the kills, one after another, as soon as the moments come. */
  finish(): Promise<void>;
  readonly kills: number;
}

/** Milliseconds after which a moment that does not come is not waited for any more. */
const PATIENCE = 1_000;
/** An answer to a webhook takes about so long, in milliseconds. */
const ANSWER = 12;

const isWrite = (method: string, path: string): boolean =>
  method !== 'GET' && !path.endsWith('/access_tokens') && !path.startsWith('/app/');

/** `story`: how many webhooks will be sent. `kill` kills the server at once, and resolves when it is up again. */
export const createKiller = (
  story: number,
  count: number,
  random: Random,
  kill: () => Promise<void>,
): Killer => {
  const thresholds = Array.from({ length: count }, () => Math.ceil(story * (0.02 + 0.96 * random.unit())));
  thresholds.sort((one, other) => one - other);
  let kills = 0;
  let sent = 0;
  let armed: Armed | null = null;
  let underWay: Promise<void> | null = null;

  const fire = (): void => {
    if (underWay !== null) {
      void underWay.then(fire);
      return;
    }
    armed = null;
    kills += 1;
    underWay = kill().finally(() => (underWay = null));
  };

  /** Once it is set off, nothing else sets it off again. */
  const setOff = (one: Armed): boolean => {
    if (one.moment === 'set off') return false;
    one.moment = 'set off';
    return true;
  };

  const arm = (): void => {
    const now: Armed = { moment: random.pick(MOMENTS) };
    armed = now;
    const wait = now.moment === 'any' ? random.below(200) : PATIENCE;
    setTimeout(() => {
      if (setOff(now)) fire();
    }, wait);
  };

  return {
    get kills() {
      return kills;
    },
    sending() {
      sent += 1;
      if (armed?.moment === 'answering' && setOff(armed)) setTimeout(fire, random.below(ANSWER));
      const next = thresholds[0];
      if (next !== undefined && sent >= next && armed === null && underWay === null) {
        thresholds.shift();
        arm();
      }
    },
    async between(method, path, answer) {
      const moment = isWrite(method, path) ? armed?.moment : undefined;
      if (armed === null || (moment !== 'before a write' && moment !== 'after a write')) return answer();
      setOff(armed);
      if (moment === 'after a write') {
        const response = await answer();
        fire();
        return response;
      }
      fire();
      // It was on its way already: GitHub does it all the same, or never saw it.
      return random.chance(0.5) ? answer() : new Response(null, { status: 502 });
    },
    async up() {
      while (underWay !== null) await underWay;
    },
    async finish() {
      const fired = async (): Promise<void> => {
        while (armed !== null) await pause(20);
        await this.up();
      };
      await fired();
      while (thresholds.shift() !== undefined) {
        arm();
        await fired();
        await pause(300);
      }
    },
  };
};
