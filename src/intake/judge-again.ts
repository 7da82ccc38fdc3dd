import type { Effect } from '../decide/effects.js';
import type { PullFact } from '../decide/facts.js';
import { together } from '../decide/together.js';
import { GitHubError } from '../github/facts.js';
import { longestWait } from '../github/failure.js';
import { MINUTE } from '../github/limits.js';
import type { PerformError } from '../github/perform.js';
import type { Performed } from '../github/port.js';
import type { CheckMemory } from '../store/ledger.js';
import { checkHead } from './check-head.js';
import type { Desk } from './deps.js';
import { failureOfWork } from './failure-of-work.js';
import type { Round } from './gather-pull.js';
import { PutOff } from './put-off.js';

/** Why open PRs that a delivery is not about are judged again. */
export interface Cause {
  /** Tells it from every other cause in the repository: what was done for it is remembered under this. */
  readonly key: string;
  /** Whether a head is one of those. `before`: the check it has, as far as we know. */
  readonly concerns: (pulls: readonly PullFact[], before: CheckMemory | undefined) => Promise<boolean>;
  /** What is done of all that its judging comes to. */
  readonly chosen: (made: readonly Effect[], before: CheckMemory | undefined) => readonly Effect[];
}

/** What came of performing some effects. */
export interface Attempt {
  readonly performed: readonly Performed[];
  readonly failed: PerformError['failed'];
}

export interface Unread {
  readonly why: string;
  /** Milliseconds GitHub asks to wait; null: it does not say. */
  readonly retryAfter: number | null;
}

export interface JudgedAgain extends Attempt {
  /** The last look-up that GitHub did not answer; null: it answered all. */
  readonly unread: Unread | null;
  /** GitHub asked to wait, and the rest is left for then. */
  readonly toldToWait: Unread | null;
}

/** So many heads in a row that fail are no fault of theirs: each that is asked about costs seconds. */
const FAILURES_IN_A_ROW = 3;

/**
 * Judges all that the causes concern, one head after another: each is looked up, done and remembered before the next,
 * so that whatever stops this, the next try goes on where it stopped. A head that fails is left for the next try, and
 * comes last there. `round`: with the suspensions of now.
 */
export async function judgeAgain(
  causes: readonly Cause[],
  round: Round,
  attempt: (effects: readonly Effect[]) => Promise<Attempt>,
): Promise<JudgedAgain> {
  const all = { performed: [] as Performed[], failed: [] as Attempt['failed'][number][] };
  let unread: Unread | null = null;
  let inARow = 0;
  const asked = await tried(() => askedAbout(causes, round));
  if (asked.kind === 'unread') return { ...all, unread: asked, toldToWait: waitIn([asked.error]) };
  for (const one of asked.value) {
    const made = await tried(() => effectsOf(one, round));
    if (made.kind === 'unread') unread = made;
    const { performed, failed } =
      made.kind === 'unread' ? { performed: [], failed: [] } : await attempt(made.value);
    all.performed.push(...performed);
    all.failed.push(...failed);
    const errors = made.kind === 'unread' ? [made.error] : failed.map(({ error }) => error);
    const toldToWait = waitIn(errors);
    if (toldToWait !== null) return { ...all, unread, toldToWait };
    if (errors.length === 0) await noteDone(one, causes, round.desk);
    else await noteFailed(one, round.desk);
    inARow = errors.length === 0 ? 0 : inARow + 1;
    if (inARow === FAILURES_IN_A_ROW) break;
  }
  return { ...all, unread, toldToWait: null };
}

type Tried<T> =
  | { readonly kind: 'read'; readonly value: T }
  | ({ readonly kind: 'unread'; readonly error: Error } & Unread);

async function tried<T>(look: () => Promise<T>): Promise<Tried<T>> {
  try {
    return { kind: 'read', value: await look() };
  } catch (error) {
    if (!(error instanceof GitHubError || error instanceof PutOff)) throw error;
    return { kind: 'unread', error, why: error.message, retryAfter: failureOfWork(error).retryAfter };
  }
}

/** What GitHub told of waiting; null: nothing. */
function waitIn(errors: readonly Error[]): Unread | null {
  const told = errors
    .map((error) => failureOfWork(error))
    .filter(({ kind, retryAfter }) => kind === 'told-to-wait' || retryAfter !== null);
  const [first] = told;
  if (first === undefined) return null;
  return { why: first.why, retryAfter: longestWait(told.map(({ retryAfter }) => retryAfter)) ?? MINUTE };
}

interface Asked {
  readonly sha: string;
  readonly pulls: readonly PullFact[];
  readonly before: CheckMemory | undefined;
  /** Those that it was not judged for yet. */
  readonly causes: readonly Cause[];
}

async function effectsOf({ sha, pulls, before, causes }: Asked, round: Round): Promise<readonly Effect[]> {
  const made = await checkHead(sha, pulls, round, { fresh: false, group: false });
  const chosen = new Set(causes.flatMap((cause) => cause.chosen(made, before)));
  return together(made.filter((effect) => chosen.has(effect)));
}

/**
 * By commit and by the check that stands on it, never by PR. Between two tries another delivery may judge the PR as
 * things stood before this one ended: on a new head, which then has no key of this kind; or on the same head, whose
 * check then has another hash. Either way it is judged again. As long as neither changed, nothing is asked for.
 */
const doneKey = ({ key }: Cause, sha: string, check: CheckMemory | undefined): string =>
  `${key}:${sha}:${check?.hash ?? ''}`;

const failedKey = ({ key }: Cause, sha: string): string => `${key}:${sha}:failed`;

/** A cause that did not concern the head when it was judged must not come to, only because it has a check now. */
async function noteDone({ sha }: Asked, causes: readonly Cause[], { ledger }: Desk): Promise<void> {
  const check = await ledger.check(sha);
  await ledger.saveTogether(causes.map((cause) => ({ kind: 'done', key: doneKey(cause, sha, check) })));
}

async function noteFailed({ sha, causes }: Asked, { ledger }: Desk): Promise<void> {
  await ledger.saveTogether(causes.map((cause) => ({ kind: 'done', key: failedKey(cause, sha) })));
}

/** What is left to do, the worst first. */
async function askedAbout(causes: readonly Cause[], round: Round): Promise<readonly Asked[]> {
  const { ledger } = round.desk;
  const found: { readonly asked: Asked; readonly rank: number }[] = [];
  for (const pulls of byHead(await round.openPulls())) {
    const [first] = pulls;
    if (first === undefined) continue;
    const { sha } = first.head;
    const before = await ledger.check(sha);
    const left: Cause[] = [];
    for (const cause of causes)
      if ((await cause.concerns(pulls, before)) && !(await ledger.done(doneKey(cause, sha, before))))
        left.push(cause);
    if (left.length === 0) continue;
    const failed = await Promise.all(left.map((cause) => ledger.done(failedKey(cause, sha))));
    const rank = failed.includes(true) ? LAST : await rankOf(pulls, before, round);
    found.push({ asked: { sha, pulls, before, causes: left }, rank });
  }
  return found.sort((a, b) => a.rank - b.rank).map(({ asked }) => asked);
}

const LAST = 3;

/** 0: it may be merged without anybody doing anything more. 1: our check lets it be merged. 2: all others. */
async function rankOf(
  pulls: readonly PullFact[],
  before: CheckMemory | undefined,
  { desk }: Round,
): Promise<number> {
  if (pulls.some(({ autoMerge }) => autoMerge !== null)) return 0;
  const memories = await Promise.all(pulls.map(({ number }) => desk.ledger.pull(number)));
  if (memories.some(({ enqueuedBy }) => enqueuedBy !== undefined)) return 0;
  return before?.conclusion === 'success' ? 1 : 2;
}

function byHead(pulls: readonly PullFact[]): readonly (readonly PullFact[])[] {
  const heads = new Map<string, PullFact[]>();
  for (const pull of pulls) heads.set(pull.head.sha, [...(heads.get(pull.head.sha) ?? []), pull]);
  return [...heads.values()];
}
