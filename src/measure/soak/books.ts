import type { Random } from '../random.js';
import type { Breach, ToldAct } from './moment.js';

/** A PR of the story. `head` is the short sha of its newest commit; its branch is `pull-NUMBER`. */
export interface StoryPull {
  readonly number: number;
  readonly author: string;
  head: string;
  state: 'open' | 'closed';
  /** The head a person approved; null: none. */
  approved: string | null;
  /** Agents beside the author that pushed to it. */
  readonly pushers: Set<string>;
}

/** What the story did in one repository, so that what has to follow can be told without asking the App. */
export interface Books {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly installation: number;
  readonly random: Random;
  /** Short sha of the trunk's tip. */
  trunk: string;
  readonly pulls: Map<number, StoryPull>;
  /** Issues that are open again at the end, though an agent closed them. */
  readonly reopened: Set<number>;
  readonly breaches: Breach[];
  readonly acts: ToldAct[];
  /** GUIDs of the webhooks that told an act or a breach. */
  readonly toldBy: Map<ToldAct | Breach, string[]>;
  /** A number no issue and no PR of the story has. */
  number(): number;
  /** A commit's short name that no other repository of the story uses. */
  commit(): string;
  /** A branch, tag or release nobody has used. */
  fresh(prefix: string): string;
  /** The full sha of a commit's short name. */
  sha(short: string): string;
  /** Whether our check on a head says success, where everybody can see it. */
  passed(head: string): boolean;
}

export type Place = Pick<Books, 'id' | 'owner' | 'name' | 'installation' | 'random' | 'sha' | 'passed'>;

/** The tip of every repository of the sandbox before anything happens. */
const FIRST_TIP = 'm0';

export const createBooks = (place: Place): Books => {
  let numbers = 0;
  let names = 0;
  return {
    ...place,
    trunk: FIRST_TIP,
    pulls: new Map(),
    reopened: new Set(),
    breaches: [],
    acts: [],
    toldBy: new Map(),
    number: () => (numbers += 1),
    commit: () => `c${place.id}x${(names += 1)}`,
    fresh: (prefix) => `${prefix}${(names += 1)}`,
  };
};

export const branchOf = ({ number }: Pick<StoryPull, 'number'>): string => `pull-${number}`;

/** Agents that did something which is not taken back: they are suspended at the end, since nobody lifts it. */
export const suspendedAgents = ({ breaches }: Books): ReadonlySet<string> =>
  new Set(breaches.filter(({ suspends }) => suspends).map(({ agent }) => agent));
