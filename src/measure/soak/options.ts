import { parseArgs } from 'node:util';

export interface SoakOptions {
  /** Webhooks of the story; those that come twice or again are not counted. */
  readonly deliveries: number;
  readonly kills: number;
  /** Share of requests that GitHub answers with a fault. */
  readonly faults: number;
  /** Milliseconds until what was made stands in GitHub's lists. */
  readonly lag: number;
  /** The server is off for an hour of deliveries. */
  readonly off: boolean;
  readonly repositories: number;
  readonly seed: string;
  readonly json: boolean;
  /** Keep the store and the server's log, whatever comes of it. */
  readonly keep: boolean;
}

export const USAGE = `npm run soak -- [options]

  --deliveries 5000    webhooks of the story
  --kill 20            SIGKILLs at random moments
  --faults 0.2         share of requests that GitHub answers with a fault (0)
  --lag 3000           milliseconds until what was made stands in GitHub's lists (0)
  --off                the server is off for an hour of deliveries
  --repositories 40    over which the story is spread
  --seed TEXT          the same seed tells the same story (drawn anew)
  --json               what was seen as JSON
  --keep               keep the store and the server's log in any case
`;

/** A whole number from `least` on, or a reason why it is none. */
const whole = (name: string, text: string, least: number): number => {
  if (!/^\d{1,7}$/.test(text) || Number(text) < least)
    throw new RangeError(`--${name} takes a whole number from ${least} on, not "${text}".`);
  return Number(text);
};

const share = (name: string, text: string): number => {
  const value = Number(text);
  if (!/^\d(?:\.\d+)?$/.test(text) || value > 0.5)
    throw new RangeError(`--${name} takes a share from 0 to 0.5, not "${text}".`);
  return value;
};

/**
 * What the command line asks for.
 * @throws {Error} with a sentence for whoever typed it
 */
export const readOptions = (args: readonly string[], freshSeed: string): SoakOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      deliveries: { type: 'string', default: '5000' },
      kill: { type: 'string', default: '20' },
      faults: { type: 'string', default: '0' },
      lag: { type: 'string', default: '0' },
      repositories: { type: 'string', default: '40' },
      seed: { type: 'string', default: freshSeed },
      off: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  return {
    deliveries: whole('deliveries', values.deliveries, 1),
    kills: whole('kill', values.kill, 0),
    faults: share('faults', values.faults),
    lag: whole('lag', values.lag, 0),
    repositories: whole('repositories', values.repositories, 1),
    seed: values.seed,
    off: values.off,
    json: values.json,
    keep: values.keep,
  };
};
