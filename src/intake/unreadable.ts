import type { Delivery } from '../acts/payload.js';
import { checkOf } from '../decide/check.js';
import type { Effect } from '../decide/effects.js';
import { handsOn, ownerOf } from '../decide/pull-agents.js';
import type { Reason } from '../decide/reasons.js';
import { settle } from '../decide/settle.js';
import { contextUnder } from './context-under.js';
import { type Desk, type Handled } from './deps.js';
import type { Round } from './gather-pull.js';
import { headsOf } from './heads.js';
import { ALONE } from './turn.js';
import type { PolicyState } from './policy-in-force.js';

/**
 * The policy of a repository that has one cannot be read, and no version of it is known. An error invents no
 * protection and takes none away: people pass, and a bot's PR waits for a person. Nothing else is judged.
 */
export async function unreadableChecks(
  delivery: Delivery,
  state: Extract<PolicyState, { kind: 'unreadable' }>,
  desk: Desk,
): Promise<Handled> {
  const context = contextUnder(state.fallback, desk);
  const effects: Effect[] = [];
  const round: Round = {
    context,
    desk,
    openPulls: () => Promise.resolve([]),
    present: [],
    mergedNow: [],
    trees: new Map(),
  };
  for (const head of await headsOf(delivery, round, ALONE)) {
    const verdicts = head.pulls.map((pull) => {
      const attribution = handsOn({ pull, commits: [], pushers: [], remembered: [] }, context);
      const owner = ownerOf({ pull, pushers: [] }, attribution, context);
      const person = owner.kind === 'person' || owner.kind === 'gated';
      const reason: Reason = person ? { code: 'person', marks: [] } : { code: 'unreadable', what: state.why };
      const node = {
        rule: 'policy-file' as const,
        status: person ? ('holds' as const) : ('waits' as const),
        reasons: [reason],
        children: [],
      };
      return { verdict: settle(pull, owner, [], attribution, [node]), weighs: true };
    });
    const [first, ...rest] = verdicts;
    if (first !== undefined)
      effects.push({ kind: 'check', verdict: checkOf(head.sha, [first, ...rest], 'enforce') });
  }
  return { performed: await desk.perform(effects, state.fallback, delivery.id), acts: [], mode: 'enforce' };
}
