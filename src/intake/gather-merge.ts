import type { Account, ActOf } from '../acts/act.js';
import { identify } from '../agents/roster.js';
import type { Context } from '../decide/context.js';
import { type Doer, doerOf } from '../decide/doer.js';
import type { MergeFacts } from '../decide/judge-merge.js';
import { atLeast, standingReviews } from '../decide/reviews.js';
import { conclusionOf } from '../decide/settle.js';
import { valueFor } from '../decide/value.js';
import { isTrunk } from '../policy/read.js';
import type { PullMemory } from '../store/ledger.js';
import type { Desk } from './deps.js';

/**
 * Who a merge is by: for the queue, who put the PR there; for auto-merge, who armed it. GitHub names the one who armed
 * it as the sender, nearly always. Where it names one of its own accounts, or an agent while a person's auto-merge was
 * armed, it is who armed it: but auto-merge waits for our check, so a merge before that had passed is the sender's.
 */
export async function mergerOf(
  act: ActOf<'pull.merge'>,
  memory: PullMemory,
  context: Context,
  desk: Desk,
): Promise<Account> {
  const identity = identify(context.roster, act.actor);
  const armed = memory.armedBy ?? act.armedBy;
  if (identity.kind === 'platform') {
    const queued = identity.name === 'merge-queue' ? memory.enqueuedBy : undefined;
    return queued ?? armed ?? act.actor;
  }
  if (armed === null || armed.id === act.actor.id || doerOf(armed, context, memory.evidence) !== null)
    return act.actor;
  const byAgent = doerOf(act.actor, context, memory.evidence) !== null;
  return byAgent && (await hasPassed(act.headSha, desk)) ? armed : act.actor;
}

/** What a merge at level `merge` is judged by; below it nothing is read, since nothing could permit it. */
export async function gatherMerge(
  act: ActOf<'pull.merge'>,
  doer: Doer,
  context: Context,
  desk: Desk,
): Promise<MergeFacts> {
  const permitted = valueFor(doer, 'pull.merge', { trunk: true }, context, act.at).value === 'allow';
  if (!permitted || !isTrunk(context.policy, act.base, context.repository.defaultBranch))
    return { passed: false, objected: false };
  const [passed, objected] = await Promise.all([
    hasPassed(act.headSha, desk),
    isObjectedTo(act, context, desk),
  ]);
  return { passed, objected };
}

/** In observe mode our check is `neutral` whatever it found, so the reasons we remember decide, not the conclusion. */
async function hasPassed(sha: string, desk: Desk): Promise<boolean> {
  const remembered = await desk.ledger.check(sha);
  if (remembered !== undefined) return remembered.reasons.every((code) => conclusionOf(code) === 'success');
  const onGitHub = await desk.facts.ourCheck(sha);
  return onGitHub?.conclusion === 'success' || onGitHub?.conclusion === 'neutral';
}

async function isObjectedTo(act: ActOf<'pull.merge'>, context: Context, desk: Desk): Promise<boolean> {
  const before = (await desk.facts.reviews(act.pull)).filter(({ at }) => act.at === null || at <= act.at);
  for (const { state, by } of standingReviews(before)) {
    if (state !== 'changes_requested' || by.type !== 'User' || doerOf(by, context) !== null) continue;
    if (atLeast(await desk.facts.permission(by.login), 'write')) return true;
  }
  return false;
}
