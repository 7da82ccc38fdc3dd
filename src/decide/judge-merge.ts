import type { ActOf } from '../acts/act.js';
import { isTrunk } from '../policy/read.js';
import type { Judged } from './breach.js';
import type { Context } from './context.js';
import type { Doer } from './doer.js';
import type { Effect } from './effects.js';
import { valueFor } from './value.js';

export interface MergeFacts {
  /** Whether our check had passed on the head that was merged. */
  readonly passed: boolean;
  /** Whether a person's request for changes stood when it was merged. */
  readonly objected: boolean;
}

/**
 * A merge to a trunk by an agent. At level `merge` it is within policy only where our check had passed on that head
 * and no person's objection stood; anything else is `merge-level`. A merge to another branch is no such act.
 */
export function judgeMerge(
  act: ActOf<'pull.merge'>,
  facts: MergeFacts,
  doer: Doer,
  context: Context,
): Judged {
  const { value, origin } = valueFor(doer, 'pull.merge', { trunk: true }, context, act.at);
  const common = { act, doer, origin };
  if (!isTrunk(context.policy, act.base, context.repository.defaultBranch))
    return { ...common, verdict: 'allow' };
  if (value === 'allow' && facts.passed && !facts.objected) return { ...common, verdict: 'allow' };
  return {
    ...common,
    verdict: 'deny',
    rule: 'merge-level',
    subject: act.base,
    details: { pull: act.pull, ref: act.base, ...(act.mergeSha === null ? {} : { after: act.mergeSha }) },
    at: act.at ?? context.now,
    comment: { number: act.pull, about: 'pull' },
    remedies: [{ kind: 'revert-pull', pull: act.pull, nodeId: act.nodeId }],
    mentions: [],
  };
}

/** An intent that is against the level: undone at once. Nothing has landed, so nobody is escalated to. */
export function judgeIntent(
  act: ActOf<'pull.merge'>,
  doer: Doer,
  context: Context,
): { readonly judged: Judged; readonly effects: readonly Effect[] } {
  const { value, origin } = valueFor(doer, 'pull.merge', { trunk: true }, context);
  const toTrunk = isTrunk(context.policy, act.base, context.repository.defaultBranch);
  if (!toTrunk || value === 'allow') return { judged: { act, doer, origin, verdict: 'allow' }, effects: [] };
  const breach: Judged = {
    act,
    doer,
    origin,
    verdict: 'deny',
    rule: 'merge-level',
    subject: act.base,
    details: { pull: act.pull, ref: act.base },
    at: context.now,
    comment: { number: act.pull, about: 'pull' },
    remedies: [],
    mentions: [],
  };
  const row = {
    at: context.now,
    who: doer.account,
    agent: doer.agent,
    what: act.intent === 'enqueue' ? ('enqueued' as const) : ('auto-merge-armed' as const),
    subject: breach.details,
    rule: 'merge-level' as const,
    origin,
    state: context.policy.remedies.disarmAutoMerge ? ('undone' as const) : ('noted' as const),
  };
  const undo: Effect = {
    kind: act.intent === 'enqueue' ? 'dequeue' : 'disarm-auto-merge',
    pull: act.pull,
    nodeId: act.nodeId,
  };
  return {
    judged: breach,
    effects: [
      { kind: 'record', code: 'merge-level', actKey: act.key, row },
      ...(context.policy.remedies.disarmAutoMerge ? [undo] : []),
      { kind: 'comment', number: act.pull, about: 'pull', add: [row] },
    ],
  };
}
