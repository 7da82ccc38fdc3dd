import { z } from 'zod';
import { RequestFailure } from '../../github/failure.js';
import { isLongAgo } from '../../github/left-until.js';
import type { AppReader, DeliveryAttempt } from '../../github/read-sweep.js';
import type { Inbox } from '../../store/inbox.js';
import { isRemembered } from '../remember.js';
import { type Place, placeOf, type Places } from './place.js';
import { LOOK_BACK } from './schedule.js';
import { walkBack } from './walk-back.js';

/** A delivery none of whose attempts arrived. `at`: the first attempt, which is when it happened. */
const missing = z.object({
  guid: z.string(),
  id: z.number(),
  at: z.string(),
  what: z.string(),
  /** How often GitHub was asked for it, and when last. */
  asked: z.number(),
  askedAt: z.string().nullable(),
});
type Missing = z.infer<typeof missing>;

const deliveriesPlace = z.object({
  /** The newest attempt that was looked at; what is missing of those up to it still stands in `missing`. */
  good: z.object({ id: z.number(), at: z.string() }).nullable(),
  stack: z.array(z.record(z.string(), z.string())),
  /** Oldest first. */
  missing: z.array(missing),
});
type State = z.infer<typeof deliveriesPlace>;

export interface DeliveriesDeps {
  readonly store: Places & { readonly inbox: Pick<Inbox, 'known' | 'expect' | 'find'> };
  readonly github: Pick<AppReader, 'deliveries' | 'redeliver'>;
  /** Whether any rule is triggered by an event. */
  readonly triggered: (name: string, action: string | null) => boolean;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  readonly warn: (what: string) => void;
}

const ATTEMPTS = 5;
/** GitHub delivers again within moments; a run comes every five minutes. Milliseconds. */
const ANSWERED_WITHIN = 4 * 60_000;
/**
 * An attempt has its id and place in the log from when it was begun, and may be shown only once it has ended, below newer
 * ones: GitHub waits ten seconds for an answer. So far behind the newest it is looked for once more. Milliseconds.
 */
const SHOWN_WITHIN = 2 * 60_000;
/** So many missing deliveries are known of at a time: they are written down together, with each page. */
const AT_ONCE = 500;
/** Requests between two notes of where it got to. */
const NOTED_EVERY = 50;
/** So many requests without an answer, one after another, end a run; where no other was answered, with a failure. */
const UNANSWERED = 3;
/** Of many that are given up, these are named. */
const NAMED = 5;

const NOWHERE: State = { good: null, stack: [], missing: [] };

export const deliveriesPlaceOf = (store: Places): Place<State> =>
  placeOf(store, 'sweep:deliveries', deliveriesPlace);

/**
 * Looks through GitHub's log of the App's deliveries, back to where it looked last and three days at most, and has
 * everything delivered again that a rule is triggered by or memory keeps, and that never arrived, oldest first. What does not arrive is
 * asked for again at the next run, five times in all; then a person is told. Rejects where GitHub does not answer, and
 * goes on there the next time. `more`: GitHub took some requests and left others without an answer, or so many
 * deliveries are missing that those asked for are to arrive before more are looked for.
 */
export async function sweepDeliveries(deps: DeliveriesDeps): Promise<'done' | 'more'> {
  const place = deliveriesPlaceOf(deps.store);
  let state = (await place.read()) ?? NOWHERE;
  for (;;) {
    const { looked, ended } = await lookThrough(state, place, deps);
    const asked = await askAgain(looked, place, deps);
    if (ended || asked.state.missing.length >= AT_ONCE) return ended && !asked.goesOn ? 'done' : 'more';
    state = asked.state;
  }
}

async function lookThrough(
  from: State,
  place: Place<State>,
  deps: DeliveriesDeps,
): Promise<{ readonly looked: State; readonly ended: boolean }> {
  const oldest = deps.now() - LOOK_BACK;
  let state = from;
  const save = async (change: Partial<State>): Promise<void> => {
    state = { ...state, ...change };
    await place.save(state);
  };
  if (state.missing.length >= AT_ONCE) return { looked: state, ended: false };
  const before = state.good;
  const shownBy = before === null ? 0 : Date.parse(before.at) - SHOWN_WITHIN;
  /** This walk has looked at everything up to this id. */
  let lookedTo = Number.NEGATIVE_INFINITY;
  const isKnown = ({ id, at }: DeliveryAttempt): boolean =>
    state.good !== null && id <= state.good.id && (id <= lookedTo || Date.parse(at) < shownBy);
  const walked = await walkBack({
    stack: state.stack,
    page: (query) => deps.github.deliveries(query),
    isOld: (attempt) => Date.parse(attempt.at) < oldest || isKnown(attempt),
    keep: (stack) => save({ stack: stack.map((query) => ({ ...query })) }),
    async work(attempts) {
      const last = attempts.at(-1);
      if (last === undefined) return 'on';
      const still = await missingAfter(attempts, state.missing, before?.id ?? null, deps);
      lookedTo = Math.max(lookedTo, last.id);
      const newest = state.good !== null && state.good.id > last.id ? state.good : last;
      await save({ missing: [...still], good: { id: newest.id, at: newest.at } });
      return still.length >= AT_ONCE ? 'pause' : 'on';
    },
  });
  return { looked: state, ended: walked === 'ended' };
}

/**
 * What is missing after some more attempts, oldest first. Only a first attempt that failed begins something: when a
 * later one fails, the delivery either is missing already or has arrived before. `seen`: attempts up to this id may have
 * been looked at; what GitHub was asked for because of them, and is missing no more, was given up.
 */
async function missingAfter(
  attempts: readonly DeliveryAttempt[],
  before: readonly Missing[],
  seen: number | null,
  { store, triggered }: DeliveriesDeps,
): Promise<readonly Missing[]> {
  const still = new Map(before.map((one) => [one.guid, one]));
  const news = new Map<string, Missing>();
  for (const { id, guid, at, ok, redelivery, event, action } of attempts) {
    if (ok) for (const all of [still, news]) all.delete(guid);
    else if (!redelivery && !still.has(guid) && (triggered(event, action) || isRemembered(event, action))) {
      const what = action === null ? event : `${event}.${action}`;
      news.set(guid, { guid, id, at, what, asked: 0, askedAt: null });
    }
  }
  const begun: Missing[] = [];
  for (const one of await notKnown([...news.values()], store.inbox)) {
    const givenUp = seen !== null && one.id <= seen && (await store.inbox.find(one.guid)) !== undefined;
    if (!givenUp) begun.push(one);
  }
  return [...still.values(), ...begun];
}

/** An attempt may have arrived that GitHub takes for failed: it was stored, and the answer came too late. */
async function notKnown(some: readonly Missing[], inbox: Pick<Inbox, 'known'>): Promise<readonly Missing[]> {
  const known = some.length === 0 ? new Set() : await inbox.known(some.map(({ guid }) => guid));
  return some.filter(({ guid }) => !known.has(guid));
}

/** Asks for what was not asked for lately. `goesOn`: GitHub has taken some, and left others without an answer. */
async function askAgain(
  state: State,
  place: Place<State>,
  deps: DeliveriesDeps,
): Promise<{ readonly state: State; readonly goesOn: boolean }> {
  const { store, github, now, warn } = deps;
  const still = new Map((await notKnown(state.missing, store.inbox)).map((one) => [one.guid, one]));
  const left = (): State => ({ ...state, missing: [...still.values()] });
  const save = (): Promise<void> => place.save(left());
  // A run that was cut short goes on with those it has not asked for: the others are on their way.
  const waited = ({ askedAt }: Missing): boolean =>
    askedAt === null || isLongAgo(Date.parse(askedAt), now(), ANSWERED_WITHIN);
  const givenUp = [...still.values()].filter(
    (one) => (one.asked >= ATTEMPTS && waited(one)) || now() - Date.parse(one.at) > LOOK_BACK,
  );
  for (const { guid } of givenUp) still.delete(guid);
  await save();
  if (givenUp.length > 0) warn(givenUpText(givenUp));
  let sent = 0;
  let taken = 0;
  let unanswered = 0;
  let inARow = 0;
  try {
    for (const one of [...still.values()].filter(waited)) {
      await store.inbox.expect(one.guid, one.at);
      const failure = await ask(one, github);
      inARow = failure === null ? 0 : inARow + 1;
      if (failure !== null) unanswered += 1;
      if (failure !== null && inARow === UNANSWERED) {
        if (taken === 0) throw failure;
        break;
      }
      if (failure === null) {
        taken += 1;
        still.set(one.guid, { ...one, asked: one.asked + 1, askedAt: new Date(now()).toISOString() });
      }
      sent += 1;
      if (sent % NOTED_EVERY === 0) await save();
    }
  } finally {
    await save();
  }
  return { state: left(), goesOn: unanswered > 0 && taken > 0 };
}

/**
 * Null: GitHub has taken it, or has refused it for good, which counts as asked for too. Where it did not answer, that one
 * is left for the next run; a limit, and having had one's share, end this one.
 */
async function ask({ id }: Missing, github: DeliveriesDeps['github']): Promise<RequestFailure | null> {
  try {
    await github.redeliver(id);
    return null;
  } catch (error) {
    if (!(error instanceof RequestFailure) || error.failure === 'rate-limit') throw error;
    return error.failure === 'refused' ? null : error;
  }
}

const givenUpText = (all: readonly Missing[]): string => {
  const names = all.slice(0, NAMED).map(({ guid, what, at }) => `${guid} (${what}, ${at})`);
  const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : '';
  const subject = all.length === 1 ? 'A delivery of GitHub' : `${all.length} deliveries of GitHub`;
  return `${subject} did not arrive and will not be asked for again: ${names.join(', ')}${more}. The log of deliveries in the settings of the App says why; what they told is looked for in the activity of the repository.`;
};
