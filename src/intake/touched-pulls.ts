import { type Delivery, parsePayload } from '../acts/payload.js';
import type { PullFact } from '../decide/facts.js';
import { openerOf } from '../decide/limits.js';
import type { ReasonCode } from '../decide/reasons.js';
import type { Round } from './gather-pull.js';
import { pullOf } from './heads.js';
import type { Cause } from './judge-again.js';

/**
 * Other PRs that an agent's PR touches when it closes or moves on: those it held over a limit, a duplicate that has no
 * twin any more, and after a merge all that the day's limit now holds. An agent may have hundreds of them, so they are
 * judged after all that the delivery itself tells. Null: it touches none.
 */
export async function touchedBy(delivery: Delivery, round: Round): Promise<Cause | null> {
  const { context, desk } = round;
  const payload = delivery.name === 'pull_request' ? parsePayload('pull_request', delivery.payload) : null;
  const pull = payload === null ? null : pullOf(payload.pull_request, context.repository.id);
  if (payload === null || pull === null) return null;
  const codes = TOUCHED.get(payload.action ?? '');
  if (codes === undefined) return null;
  const mergers = payload.action === 'closed' ? await mergersOf(pull, round) : new Set();
  if (openerOf(pull, context) === null && mergers.size === 0) return null;
  return {
    key: `touched:${delivery.id}`,
    concerns: (pulls, before) => {
      const openers = pulls
        .filter(({ number }) => number !== pull.number)
        .flatMap((other) => openerOf(other, context) ?? []);
      const held = before?.reasons.some((code) => codes.includes(code)) === true;
      const touched = openers.some((opener) => held || mergers.has(opener));
      return Promise.resolve(before !== undefined && touched);
    },
    chosen: (made) => made,
  };

  /** Told again after its merge was kept, a delivery merges nothing any more: how that was judged is remembered. */
  async function mergersOf({ number, merged }: PullFact, { mergedNow }: Round): Promise<ReadonlySet<string>> {
    if (context.policy.limits.mergesPerDay.value === null) return new Set();
    const before = merged ? (await desk.ledger.pull(number)).merge?.agent : null;
    return new Set([...mergedNow.map(({ agent }) => agent), ...(before == null ? [] : [before])]);
  }
}

const TOUCHED: ReadonlyMap<string, readonly ReasonCode[]> = new Map<string, readonly ReasonCode[]>([
  ['closed', ['limit', 'duplicate']],
  ['synchronize', ['duplicate']],
]);
