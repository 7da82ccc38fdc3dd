import type { Effect } from '../decide/effects.js';
import type { PullFact } from '../decide/facts.js';
import { openerOf } from '../decide/limits.js';
import type { Suspension } from '../store/ledger.js';
import type { Round } from './gather-pull.js';
import type { Cause } from './judge-again.js';

/** That all a suspension holds is held. */
export const heldKey = ({ agent, since }: Suspension): string => `held:${agent}:${since}`;

/**
 * What a suspension changes on the open PRs its agent has a hand in, or what its end does: their checks, and whatever
 * was armed or queued. Heads that the same delivery had checked before are judged again.
 */
export function heldBy(suspension: Suspension, what: 'begins' | 'ends', round: Round): Cause {
  const { agent, since } = suspension;
  return {
    key: what === 'begins' ? heldKey(suspension) : `lifted:${agent}:${since}`,
    async concerns(pulls, before) {
      if (before?.reasons.includes('suspended') === true) return true;
      return (await Promise.all(pulls.map((pull) => hasHandIn(pull, agent, round)))).includes(true);
    },
    chosen(made, before) {
      // A suspension tells people through check and escalation: the PR itself needs no comment for it.
      if (made.some(saysSuspended)) return made.filter(({ kind }) => HOLDS.has(kind));
      return before?.reasons.includes('suspended') === true ? made : [];
    },
  };
}

const saysSuspended = (effect: Effect): boolean =>
  effect.kind === 'check' && effect.verdict.reasons.some(({ code }) => code === 'suspended');

const HOLDS: ReadonlySet<Effect['kind']> = new Set(['check', 'disarm-auto-merge', 'dequeue']);

/** Whether an agent opened a PR, or was seen to have pushed to it. Nobody else's PR is looked at. */
async function hasHandIn(pull: PullFact, agent: string, { context, desk }: Round): Promise<boolean> {
  if (openerOf(pull, context) === agent) return true;
  const { evidence } = await desk.ledger.pull(pull.number);
  return evidence?.some((one) => one.tier === 'certain' && one.agent === agent) === true;
}
