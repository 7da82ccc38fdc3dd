import { chance } from '../chance.js';

/**
 * How GitHub fails: `server-error` 500, `bad-gateway` 502, `primary` 403 with nothing remaining and a reset,
 * `secondary` 403 with retry-after and `secondary-unsaid` without, `too-many` 429 with retry-after, `time-out` no answer
 * until the client gives up, `reset` the connection ends without one, `bad-gateway-after` 502 after doing it all.
 */
export const FAULTS = [
  'server-error',
  'bad-gateway',
  'primary',
  'secondary',
  'secondary-unsaid',
  'too-many',
  'time-out',
  'reset',
  'bad-gateway-after',
] as const;

export type FaultKind = (typeof FAULTS)[number];

export interface FaultOptions {
  /** The same seed fails the same requests in the same way, whatever comes between them. */
  readonly seed: number;
  /** Of all requests, from 0 to 1. */
  readonly share: number;
  /** All of them, unless said otherwise; one that is listed twice is twice as likely. */
  readonly kinds?: readonly FaultKind[];
  /** Which requests may fail (`POST /repos/acme/widgets/issues`); all, unless said otherwise. */
  readonly only?: (request: string) => boolean;
  /** What retry-after and the reset say, in whole seconds, between these two; 1 to 2 unless said otherwise. */
  readonly wait?: readonly [least: number, most: number];
  /** How long a secondary limit lasts that says nothing; a minute unless said otherwise, in milliseconds. */
  readonly unsaid?: number;
  /** After how long a time-out ends in a reset, in milliseconds; a minute unless said otherwise. */
  readonly hang?: number;
  /**
   * How long after its answer a request does not count as impatient, in milliseconds of real time: it may have been
   * sent before the answer arrived. 250 unless said otherwise.
   */
  readonly grace?: number;
}

/** What one request meets. */
export interface Fault {
  readonly kind: FaultKind;
  /** True: it was done all the same. */
  readonly done: boolean;
  /** Whole seconds. */
  readonly wait: number;
}

const WAIT = [1, 2] as const;

/**
 * Draws what each request meets: by the seed, the request's line and how often that line came before. So a run whose
 * requests come in another order meets the same faults.
 */
export const drawing = (options: FaultOptions | undefined): ((request: string) => Fault | null) => {
  if (options === undefined) return () => null;
  const { seed, share, kinds = FAULTS, only = () => true, wait: [least, most] = WAIT } = options;
  const came = new Map<string, number>();
  return (request) => {
    if (!only(request)) return null;
    const count = came.get(request) ?? 0;
    came.set(request, count + 1);
    const drawn = (what: string): number => chance(seed, `${what} ${request} ${count}`);
    if (drawn('whether') >= share) return null;
    const kind = kinds[Math.floor(drawn('kind') * kinds.length)];
    if (kind === undefined) return null;
    const silent = kind === 'time-out' || kind === 'reset';
    return {
      kind,
      done: kind === 'bad-gateway-after' || (silent && drawn('done') < 0.5),
      wait: least + Math.floor(drawn('wait') * (most - least + 1)),
    };
  };
};
