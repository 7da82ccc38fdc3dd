import type { Random } from '../random.js';
import { type Draft, setHeader } from './draft.js';

export interface Secrets {
  readonly current: string;
  readonly previous: string;
}

/**
 * What is to become of a request with this fault. `stored`: 202, and in the store. `ignored`: 202, and not there, since
 * no rule listens to the event. `refused`: not there. `either`: HTTP leaves open whether it is read.
 */
export type Fate = 'stored' | 'ignored' | 'refused' | 'either';

/** One thing that is odd or wrong about a request, and what may be answered. */
export interface Fault {
  readonly kind: string;
  readonly fate: Fate;
  readonly statuses: readonly number[];
  /** The connection may end without an answer. */
  readonly mayClose?: true;
  /** It is not clear where the request ends: nothing may follow it on its connection. */
  readonly unframed?: true;
  readonly apply: Apply;
}

export type Apply = (draft: Draft, random: Random, secrets: Secrets) => void;

export type Row = readonly [kind: string, apply: Apply];

export const refusing = (status: number, rows: readonly Row[]): readonly Fault[] =>
  rows.map(([kind, apply]) => ({ kind, fate: 'refused', statuses: [status], apply }));

export const harmless = (rows: readonly Row[]): readonly Fault[] =>
  rows.map(([kind, apply]) => ({ kind, fate: 'stored', statuses: [202], apply }));

/** Answered before it is read to its end, so that the answer itself may be lost when the connection is cut. */
export const unread = (status: number, rows: readonly Row[]): readonly Fault[] =>
  refusing(status, rows).map((fault) => ({ ...fault, mayClose: true, unframed: true }));

/** HTTP leaves open whether such a request is read; what is answered 202 is stored all the same. */
export const open = (rows: readonly Row[]): readonly Fault[] =>
  rows.map(([kind, apply]) => ({
    kind,
    fate: 'either',
    statuses: [202, 400, 401, 404, 405, 408, 413, 417, 426, 431],
    mayClose: true,
    unframed: true,
    apply: (draft, random, secrets) => {
      apply(draft, random, secrets);
      draft.ends = true;
    },
  }));

/** Puts these in place of a header. */
export const replaced =
  (name: string, ...values: readonly string[]): Apply =>
  (draft) =>
    setHeader(draft, name, ...values);

/** Adds a header. */
export const added =
  (name: string, value: string): Apply =>
  (draft) => {
    draft.headers.push([name, value]);
  };
