import type { Effect } from '../decide/effects.js';
import type { PullFact } from '../decide/facts.js';
import { openerOf } from '../decide/limits.js';
import type { SuspensionView } from '../decide/reasons.js';
import { checkHead } from './check-head.js';
import type { Round } from './gather-pull.js';

/**
 * What a suspension, or its end, changes on the agent's open PRs: their checks, and whatever was armed or queued.
 * Heads that the same delivery had checked before are judged again, under the suspensions of now.
 */
export async function heldPulls(
  agents: ReadonlySet<string>,
  round: Round,
  suspensions: readonly SuspensionView[],
): Promise<readonly Effect[]> {
  const now: Round = { ...round, context: { ...round.context, suspensions } };
  const found: Effect[] = [];
  for (const pulls of byHead(await round.openPulls())) {
    const [first] = pulls;
    if (first === undefined) continue;
    const before = await round.desk.ledger.check(first.head.sha);
    const concerned = await Promise.all(pulls.map((pull) => hasHandIn(pull, agents, round)));
    if (!concerned.includes(true) && before?.reasons.includes('suspended') !== true) continue;
    const made = await checkHead(first.head.sha, pulls, now, { fresh: false, group: false });
    const held = made.some(
      (effect) => effect.kind === 'check' && effect.verdict.reasons.some(({ code }) => code === 'suspended'),
    );
    // A suspension tells people through check and escalation: the PR itself needs no comment for it.
    if (held) found.push(...made.filter(({ kind }) => HOLDS.has(kind)));
    else if (before?.reasons.includes('suspended') === true) found.push(...made);
  }
  return found;
}

/** Whether one of the agents opened a PR, or was seen to have pushed to it. Nobody else's PR is looked at. */
async function hasHandIn(
  pull: PullFact,
  agents: ReadonlySet<string>,
  { context, desk }: Round,
): Promise<boolean> {
  const opener = openerOf(pull, context);
  if (opener !== null && agents.has(opener)) return true;
  const { evidence } = await desk.ledger.pull(pull.number);
  return evidence?.some(({ agent, tier }) => tier === 'certain' && agents.has(agent)) === true;
}

const HOLDS: ReadonlySet<Effect['kind']> = new Set(['check', 'disarm-auto-merge', 'dequeue']);

function byHead(pulls: readonly PullFact[]): readonly (readonly PullFact[])[] {
  const heads = new Map<string, PullFact[]>();
  for (const pull of pulls) heads.set(pull.head.sha, [...(heads.get(pull.head.sha) ?? []), pull]);
  return [...heads.values()];
}
