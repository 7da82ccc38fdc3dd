import type { Effect } from '../decide/effects.js';
import type { PullFact } from '../decide/facts.js';
import type { SuspensionView } from '../decide/reasons.js';
import type { Performed } from '../github/port.js';
import { checkHead, type Round } from './check-head.js';

/**
 * What a new suspension changes on the agent's open PRs: their checks, and whatever was armed or queued. Heads that
 * the same delivery had checked before the suspension are judged again.
 */
export async function heldBySuspension(
  performed: readonly Performed[],
  round: Round,
  suspensions: readonly SuspensionView[],
): Promise<readonly Effect[]> {
  if (!performed.some(({ effect }) => effect.kind === 'suspend')) return [];
  const held: Round = { ...round, context: { ...round.context, suspensions } };
  const found: Effect[] = [];
  for (const pulls of byHead(await round.openPulls())) {
    const [first] = pulls;
    if (first === undefined) continue;
    const made = await checkHead(first.head.sha, pulls, held, { fresh: false, group: false });
    const check = made.find((effect) => effect.kind === 'check');
    if (check?.verdict.reasons.some(({ code }) => code === 'suspended') === true) found.push(...made);
  }
  return found;
}

function byHead(pulls: readonly PullFact[]): readonly (readonly PullFact[])[] {
  const heads = new Map<string, PullFact[]>();
  for (const pull of pulls) heads.set(pull.head.sha, [...(heads.get(pull.head.sha) ?? []), pull]);
  return [...heads.values()];
}
