import { type Delivery, parsePayload } from '../acts/payload.js';
import type { Effect } from '../decide/effects.js';
import { openerOf, overLimit } from '../decide/limits.js';
import { gatherLimits, type Round } from './gather-pull.js';
import { pullOf } from './heads.js';

/** A PR that was closed may have been the last one over its agent's limit: the issue about that closes itself. */
export async function limitOver(delivery: Delivery, round: Round): Promise<readonly Effect[]> {
  const payload = delivery.name === 'pull_request' ? parsePayload('pull_request', delivery.payload) : null;
  if (payload?.action !== 'closed') return [];
  const { context, desk, openPulls } = round;
  const closed = pullOf(payload.pull_request, context.repository.id);
  const opener = closed === null ? null : openerOf(closed, context);
  if (opener === null) return [];
  const issues = (await desk.ledger.escalations('limit')).filter(
    ({ state, key }) => state === 'open' && key.agent === opener,
  );
  if (issues.length === 0) return [];
  const open = (await openPulls()).filter(({ number }) => number !== closed?.number);
  const own = open.filter((pull) => openerOf(pull, context) === opener);
  for (const pull of own) {
    const limits = await gatherLimits(pull, opener, round, open);
    if (overLimit(pull, limits, context).some(({ code }) => code === 'limit')) return [];
  }
  return issues.map(({ key }) => ({ kind: 'close-escalation', key }));
}
