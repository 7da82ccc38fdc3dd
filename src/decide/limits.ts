import { identify } from '../agents/roster.js';
import type { Context } from './context.js';
import type { PullFact } from './facts.js';
import type { Reason } from './reasons.js';

const HOUR = 3_600_000;

export interface LimitFacts {
  /** All open PRs of the repository. */
  readonly openPulls: readonly PullFact[];
  /** PRs opened in the last hour, by agent: numbers, also of those closed since. */
  readonly openedLately: ReadonlyMap<string, readonly number[]>;
  /** Merges of the last 24 hours, by agent. */
  readonly mergedLately: ReadonlyMap<string, number>;
  /** Trees of the heads of open PRs, as far as they are known. */
  readonly trees: ReadonlyMap<string, string>;
  /** When the next of them is older than its hour or day, so that a limit may be over; absent: there is none. */
  readonly nextEnd?: string;
}

/** The agent (or unknown bot) that opened a PR; null for everybody else. */
export function openerOf(pull: PullFact, context: Context): string | null {
  const identity = identify(context.roster, pull.author);
  if (identity.kind === 'agent') return identity.agent;
  return identity.kind === 'unknown-bot' ? identity.name : null;
}

/**
 * What a PR is over. Of an agent's open PRs the newest are the ones over; of two with one tree on one base the later
 * is the duplicate. A limit is a state: it ends when older PRs are closed or the hour is over.
 */
export function overLimit(pull: PullFact, facts: LimitFacts, context: Context): readonly Reason[] {
  const agent = openerOf(pull, context);
  if (agent === null) return [];
  const { openPulls, pullsPerHour, mergesPerDay } = context.policy.limits;
  const over = (limit: (Reason & { code: 'limit' })['limit'], max: typeof openPulls): Reason[] =>
    max.value === null ? [] : [{ code: 'limit', agent, limit, max: max.value, origin: max.origin }];
  const own = facts.openPulls
    .filter((other) => openerOf(other, context) === agent)
    .map(({ number }) => number);
  const reasons: Reason[] = [];
  if (isOver(pull.number, [...own, pull.number], openPulls.value))
    reasons.push(...over('open-pulls', openPulls));
  else if (
    Date.parse(context.now) - Date.parse(pull.createdAt) < HOUR &&
    isOver(pull.number, [...(facts.openedLately.get(agent) ?? []), pull.number], pullsPerHour.value)
  ) {
    reasons.push(...over('pulls-per-hour', pullsPerHour));
  } else if (mergesPerDay.value !== null && (facts.mergedLately.get(agent) ?? 0) >= mergesPerDay.value) {
    reasons.push(...over('merges-per-day', mergesPerDay));
  }
  // Where any number of open PRs is allowed, so are two of the same.
  const twin = openPulls.value === null ? null : twinOf(pull, facts, context);
  return twin === null ? reasons : [...reasons, { code: 'duplicate', of: twin }];
}

/** Over when `max` older numbers of the same agent stand before it. */
function isOver(number: number, numbers: readonly number[], max: number | null): boolean {
  if (max === null) return false;
  return new Set(numbers.filter((other) => other < number)).size >= max;
}

/** Whether this PR is the first of its agent's that is over: only that one gets the comment, the others are rows. */
export function isFirstOver(pull: PullFact, facts: LimitFacts, context: Context): boolean {
  const agent = openerOf(pull, context);
  return !facts.openPulls.some(
    (other) =>
      other.number < pull.number &&
      openerOf(other, context) === agent &&
      overLimit(other, facts, context).some(({ code }) => code === 'limit'),
  );
}

function twinOf(pull: PullFact, facts: LimitFacts, context: Context): number | null {
  const tree = facts.trees.get(pull.head.sha);
  if (tree === undefined) return null;
  const earlier = facts.openPulls.filter(
    (other) =>
      other.number < pull.number &&
      other.base.ref === pull.base.ref &&
      facts.trees.get(other.head.sha) === tree &&
      openerOf(other, context) !== null,
  );
  return earlier.length === 0 ? null : Math.min(...earlier.map(({ number }) => number));
}
