import type { ActKind } from '../acts/act.js';
import type { ActValue, Origin } from '../policy/policy.js';
import { actValue, actValueOfUnknownBot } from '../policy/read.js';
import type { Context } from './context.js';
import type { Doer } from './doer.js';

/**
 * What the policy says of one act by one doer: its own entry, the file, or the level of bots nobody listed. A suspended
 * agent may do nothing: its level is held at `none` whatever else is written. `at`: when it was done, where the act
 * tells; one from before the suspension is not held.
 */
export function valueFor(
  doer: Doer,
  kind: ActKind,
  where: { readonly trunk: boolean },
  context: Context,
  at: string | null = null,
): { readonly value: ActValue; readonly origin: Origin } {
  const said = valueUnsuspended(doer, kind, where, context);
  const held = context.suspensions.some(
    ({ agent, since }) => agent === doer.agent && (at === null || Date.parse(at) >= Date.parse(since)),
  );
  return held ? { ...said, value: 'deny' } : said;
}

/** The same as if nobody were suspended: for what was decided before a suspension began. */
export function valueUnsuspended(
  doer: Doer,
  kind: ActKind,
  where: { readonly trunk: boolean },
  context: Context,
): { readonly value: ActValue; readonly origin: Origin } {
  return doer.kind === 'agent'
    ? actValue(context.policy, doer.agent, kind, where)
    : actValueOfUnknownBot(context.policy, kind, where);
}
