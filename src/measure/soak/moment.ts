import type { Deliver } from '../../sandbox/sandbox.js';

/** What the act log has to hold once, and no more: one row with this kind and these of its fields. */
export interface ToldAct {
  readonly kind: string;
  readonly verdict: 'allow' | 'deny' | 'person';
  readonly pull?: number;
  readonly issue?: number;
  readonly ref?: string;
  /** Full shas. */
  readonly before?: string;
  readonly after?: string;
}

/** An act the policy denies, and everything that has to follow from it, once. */
export interface Breach {
  readonly act: ToldAct;
  readonly agent: string;
  readonly rule: string;
  /** The issue that tells of it, `RULE:AGENT:SUBJECT`; null: none does. */
  readonly key: string | null;
  /** What its row in that issue and in the comment holds, and no other row there. */
  readonly row: readonly RegExp[];
  /** Which PR or issue has a comment with that row; null: none. */
  readonly comment: number | null;
  readonly suspends: boolean;
  /** The commit a backup ref has to keep, its full sha; null: none. */
  readonly backup: string | null;
  /** The merged PR that one draft has to revert; null: none. */
  readonly revert: number | null;
}

/** Something that happens on GitHub, and is told by one webhook. */
export interface Telling {
  readonly event: Deliver;
  /** What it tells, so that a difference can name the delivery. */
  readonly about: readonly (ToldAct | Breach)[];
  /** False: nobody has to do anything about it, so nobody asks for it again where it did not arrive. */
  readonly matters: boolean;
}

/** Things that happen at once; their webhooks come in any order. */
export interface Moment {
  readonly kind: 'moment';
  readonly tellings: readonly Telling[];
  /** Whether sweeps find all that it tells where no webhook comes. */
  readonly findable: boolean;
}

/** The scene goes on once this holds. */
export interface Wait {
  readonly kind: 'wait';
  readonly holds: () => boolean;
}

/** A few things that one agent or person does, one after another. What it does later is decided when it is done. */
export type Scene = Generator<Moment | Wait, void, void>;

const webhook = (title: string, keys: Deliver['keys']): Deliver => {
  const [name = '', action] = title.split('.');
  return { kind: 'deliver', title, name, action: action ?? null, keys };
};

/** One webhook by its name, `pull_request.opened`, with the keys docs/simulate.md lists. */
export const tell = (
  title: string,
  keys: Deliver['keys'],
  ...about: readonly (ToldAct | Breach)[]
): Telling => ({ event: webhook(title, keys), about, matters: true });

export const tellInPassing = (title: string, keys: Deliver['keys']): Telling => ({
  event: webhook(title, keys),
  about: [],
  matters: false,
});

/** What GitHub keeps in its lists: branches, pushes, merges and open PRs. */
export const findable = (...tellings: readonly Telling[]): Moment => ({
  kind: 'moment',
  tellings,
  findable: true,
});

/** What a webhook alone tells, so that GitHub drops none of them in the story: releases, closed issues, reviews. */
export const toldOnly = (...tellings: readonly Telling[]): Moment => ({
  kind: 'moment',
  tellings,
  findable: false,
});

export const until = (holds: () => boolean): Wait => ({ kind: 'wait', holds });
