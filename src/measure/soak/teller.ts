import type { Outcome } from '../../sandbox/app/deliveries.js';
import { createDeliverer } from '../../sandbox/http/deliverer.js';
import { createPost } from '../../sandbox/http/post.js';
import type { Delivery, Sandbox } from '../../sandbox/sandbox.js';
import type { Random } from '../random.js';
import type { SoakGitHub, Site } from './github.js';
import type { Moment, Telling } from './moment.js';

/** `dropped`: GitHub loses some webhooks for good, of what its lists tell as well. */
export type Mail = 'sent' | 'dropped';

/** Lets things happen on GitHub and has them told: out of order, late, some of them twice. */
export interface Teller {
  play(site: Site, moment: Moment, mail: Mail): void;
  /** Sends what was held back. */
  flush(): void;
  /** Resolves once every attempt has its outcome. */
  idle(): Promise<void>;
  /** Webhooks that GitHub sent or will send, each counted once. */
  readonly sent: number;
  readonly dropped: number;
  readonly doubled: number;
  /** Attempts that have no outcome yet. */
  readonly underWay: number;
  /** Those of webhooks that matter to somebody. */
  readonly guids: readonly string[];
  /** Those that the server said it has. */
  acknowledged(): ReadonlySet<string>;
  /** GUIDs that were sent again, since no attempt had arrived. */
  redelivered(): number;
  close(): void;
}

const SHUFFLED = 0.3;
const HELD_BACK = 0.05;
/** Moments that something held back lets go before. */
const HELD_FOR = 40;
const DOUBLED = 0.03;
/** Of moments GitHub's lists tell as well: how many it tells by no webhook, and by only some of them. */
const ALL_DROPPED = 0.35;
const SOME_DROPPED = 0.2;

export interface TellerOptions {
  readonly github: SoakGitHub;
  readonly url: string;
  readonly random: Random;
  /** Told before each attempt that the story makes. */
  readonly sending: () => void;
}

export const createTeller = ({ github, url, random, sending }: TellerOptions): Teller => {
  const deliverer = createDeliverer(github, { url, concurrency: 12 });
  const again = createPost(2, 10_000);
  const arrivedTwice = new Set<string>();
  const guids: string[] = [];
  let held: { readonly delivery: Delivery; moments: number }[] = [];
  let sent = 0;
  let dropped = 0;
  let doubled = 0;
  let underWay = 0;

  const isOk = (outcome: Outcome | null | undefined): boolean => outcome?.status === 'OK';

  const send = (delivery: Delivery): void => {
    sending();
    underWay += 1;
    void deliverer.send([delivery]).finally(() => (underWay -= 1));
    if (!random.chance(DOUBLED)) return;
    doubled += 1;
    underWay += 1;
    setTimeout(() => {
      again
        .post(url, delivery)
        .then((outcome) => {
          if (isOk(outcome)) arrivedTwice.add(delivery.guid);
        })
        .finally(() => (underWay -= 1));
    }, random.below(100));
  };

  const letGo = (moments: number): void => {
    for (const one of held) one.moments -= moments;
    const due = held.filter((one) => one.moments <= 0);
    held = held.filter((one) => one.moments > 0);
    for (const { delivery } of due) send(delivery);
  };

  const lost = (moment: Moment, mail: Mail): ((telling: Telling) => boolean) => {
    if (mail === 'sent' || !moment.findable) return () => false;
    const drawn = random.unit();
    if (drawn < ALL_DROPPED) return () => true;
    return drawn < ALL_DROPPED + SOME_DROPPED ? () => random.chance(0.5) : () => false;
  };

  const deliveriesOf = (
    { event, about, matters }: Telling,
    { books, sandbox }: Site,
  ): readonly Delivery[] => {
    const deliveries = sandbox.deliverAll(event, 0);
    sent += deliveries.length;
    for (const { guid } of deliveries) {
      if (matters) guids.push(guid);
      for (const one of about) books.toldBy.set(one, [...(books.toldBy.get(one) ?? []), guid]);
    }
    return deliveries;
  };

  return {
    play(site, moment, mail) {
      letGo(1);
      const isLost = lost(moment, mail);
      const deliveries: Delivery[] = [];
      for (const telling of moment.tellings) {
        if (isLost(telling)) {
          happen(site.sandbox, telling);
          dropped += 1;
        } else deliveries.push(...deliveriesOf(telling, site));
      }
      if (random.chance(SHUFFLED)) shuffle(deliveries, random);
      for (const delivery of deliveries) {
        if (random.chance(HELD_BACK)) held.push({ delivery, moments: 1 + random.below(HELD_FOR) });
        else send(delivery);
      }
    },
    flush: () => letGo(Infinity),
    idle: async () => {
      while (underWay > 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await deliverer.idle();
    },
    get sent() {
      return sent;
    },
    get dropped() {
      return dropped;
    },
    get doubled() {
      return doubled;
    },
    get underWay() {
      return underWay;
    },
    guids,
    acknowledged() {
      const arrived = new Set(arrivedTwice);
      for (const { guid, outcome } of github.deliveries) if (isOk(outcome)) arrived.add(guid);
      return arrived;
    },
    redelivered: () =>
      new Set(github.deliveries.filter(({ redelivery }) => redelivery).map(({ guid }) => guid)).size,
    close() {
      deliverer.close();
      again.close();
    },
  };
};

const happen = (sandbox: Sandbox, { event }: Telling): void => sandbox.happen(event, 0);

/** Fisher and Yates. */
const shuffle = (items: Delivery[], random: Random): void => {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1);
    const [one, two] = [items[last], items[other]];
    if (one !== undefined && two !== undefined) [items[last], items[other]] = [two, one];
  }
};
