import { suspends } from '../decide/breach.js';
import type { Effect, EscalationKey, FactRow } from '../decide/effects.js';
import { keyText } from '../github/port.js';
import type { EscalationMemory, Ledger } from '../store/ledger.js';
import { sameFact } from '../words/plain-row.js';
import { isBreach } from './escalation-closed.js';

type Escalate = Extract<Effect, { kind: 'escalate' }>;

/** A push has the time at which it was heard of; told once more, that is GitHub's time of it. Milliseconds. */
const TOLD_WITHIN = 10 * 60_000;

/**
 * The effects without what a person has dealt with: a fact that stands in the closed issue of its breach neither opens
 * that again nor suspends. It may be told once more where the database that knew its act was lost.
 */
export async function withoutSettled(
  effects: readonly Effect[],
  ledger: Pick<Ledger, 'escalation'>,
): Promise<readonly Effect[]> {
  const settled = new Set<Effect>();
  for (const effect of effects)
    if (effect.kind === 'escalate' && isToldIn(await ledger.escalation(effect.key), effect.row))
      settled.add(effect);
  if (settled.size === 0) return effects;
  const about = (one: Effect, key: EscalationKey): one is Escalate =>
    one.kind === 'escalate' && keyText(one.key) === keyText(key);
  return effects.filter((effect) => {
    if (effect.kind !== 'suspend' || effect.key === null) return !settled.has(effect);
    const { key } = effect;
    return !effects.some((one) => about(one, key) && settled.has(one)) || suspendsStill(key);
  });

  function suspendsStill(key: EscalationKey): boolean {
    return effects.some((one) => about(one, key) && !settled.has(one) && suspends(one.row.rule ?? ''));
  }
}

/** Whether a row stands in an issue that was settled. What was done after that is another fact, like as it may be. */
function isToldIn(issue: EscalationMemory | undefined, row: FactRow): boolean {
  if (issue?.state !== 'closed' || issue.closedAt === null || !isBreach(issue)) return false;
  const done = Date.parse(row.at);
  const before = done <= Date.parse(issue.closedAt);
  return issue.rows.some(
    (one) =>
      sameFact(one, row) ||
      (before && Math.abs(done - Date.parse(one.at)) < TOLD_WITHIN && sameFact({ ...one, at: row.at }, row)),
  );
}
