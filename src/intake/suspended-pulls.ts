import type { Effect } from '../decide/effects.js';
import type { PullFact } from '../decide/facts.js';
import type { SuspensionView } from '../decide/reasons.js';
import { checkHead, type Round } from './check-head.js';

/** What a new suspension changes on the agent's open PRs: their checks, and whatever was armed or queued. */
export async function heldBySuspension(effects: readonly Effect[], round: Round): Promise<readonly Effect[]> {
  const { context } = round;
  if (context.policy.mode.value === 'observe') return [];
  const added = effects
    .filter((effect) => effect.kind === 'suspend')
    .map(({ agent, cause, by }): SuspensionView => ({ agent, since: context.now, cause, by, issue: null }));
  if (added.length === 0) return [];
  const held: Round = { ...round, context: { ...context, suspensions: [...context.suspensions, ...added] } };
  const checked = new Set(effects.flatMap((effect) => (effect.kind === 'check' ? [effect.verdict.sha] : [])));
  const found: Effect[] = [];
  for (const pulls of byHead(await round.openPulls())) {
    const [first] = pulls;
    if (first === undefined || checked.has(first.head.sha)) continue;
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
