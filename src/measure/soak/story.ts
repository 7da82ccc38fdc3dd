import type { Random } from '../random.js';
import type { Books } from './books.js';
import * as denied from './breaches.js';
import type { Moment, Scene } from './moment.js';
import * as allowed from './scenes.js';

type Play = (books: Books) => Scene;

/** How often each scene is begun, against the others. About one delivery in twelve tells a breach. */
const SCENES: readonly (readonly [weight: number, scene: Play])[] = [
  [30, allowed.flood],
  [22, allowed.personsPull],
  [16, allowed.agentsPull],
  [8, allowed.permittedMerge],
  [8, allowed.ownBranch],
  [8, denied.mergesItsOwn],
  [2, denied.armsAutoMerge],
  [2, denied.pushesToTheTrunk],
  [3, denied.rewrites],
  [4, denied.dropsCommits],
  [0.5, denied.rewritesTwenty],
  [3, denied.removesOthersBranch],
  [3, denied.tags],
  [2, denied.releases],
  [4, denied.closesAnIssue],
];

const TOTAL = SCENES.reduce((sum, [weight]) => sum + weight, 0);

const chosen = (random: Random): Play => {
  let left = random.unit() * TOTAL;
  for (const [weight, scene] of SCENES) {
    left -= weight;
    if (left < 0) return scene;
  }
  return allowed.flood;
};

/** Scenes that go on at once in one repository. */
const AT_ONCE = 4;

interface Running {
  readonly scene: Scene;
  /** What it waits for; null: nothing. */
  waits: (() => boolean) | null;
}

/** What happens in one repository, moment after moment, without an end. */
export interface Story {
  readonly books: Books;
  /** Null: every scene waits for something. */
  next(): Moment | null;
}

export const createStory = (books: Books): Story => {
  const { random } = books;
  const running: Running[] = [];

  const advance = (one: Running): Moment | null => {
    for (;;) {
      const step = one.scene.next();
      if (step.done === true) {
        running.splice(running.indexOf(one), 1);
        return null;
      }
      if (step.value.kind === 'moment') return step.value;
      one.waits = step.value.holds;
      if (!one.waits()) return null;
      one.waits = null;
    }
  };

  return {
    books,
    next() {
      for (let tries = 0; tries < 3 * AT_ONCE; tries += 1) {
        if (running.length < AT_ONCE) running.push({ scene: chosen(random)(books), waits: null });
        const one = running[random.below(running.length)];
        if (one === undefined || one.waits?.() === false) continue;
        one.waits = null;
        const moment = advance(one);
        if (moment !== null) return moment;
      }
      return null;
    },
  };
};
