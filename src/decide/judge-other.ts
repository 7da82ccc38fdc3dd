import type { ActOf } from '../acts/act.js';
import type { Judged } from './breach.js';
import type { Context } from './context.js';
import { type Doer, isOwn } from './doer.js';
import { valueFor, valueUnsuspended } from './value.js';

/** Creating, moving or deleting a tag: others build on it, so every level denies it and only `acts` allows it. */
export function judgeTag(
  act: ActOf<'tag.create' | 'tag.move' | 'tag.delete'>,
  doer: Doer,
  context: Context,
): Judged {
  const { value, origin } = valueFor(doer, act.kind, { trunk: false }, context);
  if (value === 'allow') return { verdict: 'allow', act, doer, origin };
  const details = {
    ref: act.ref,
    ...(act.sha === null ? {} : act.kind === 'tag.create' ? { after: act.sha } : { before: act.sha }),
  };
  return { ...base(act, doer, context, origin), rule: 'tag', subject: 'tags', details };
}

export function judgeRelease(
  act: ActOf<'release.publish' | 'release.edit' | 'release.delete'>,
  doer: Doer,
  context: Context,
): Judged {
  const { value, origin } = valueFor(doer, act.kind, { trunk: false }, context);
  if (value === 'allow') return { verdict: 'allow', act, doer, origin };
  return {
    ...base(act, doer, context, origin),
    rule: 'release',
    subject: 'releases',
    details: { release: act.release },
  };
}

/** Whatever changes protection. A person's own change is a fact and is not judged here. */
export function judgeProtection(act: ActOf<'protection.edit'>, doer: Doer, context: Context): Judged {
  const { value, origin } = valueFor(doer, 'protection.edit', { trunk: true }, context);
  if (value === 'allow') return { verdict: 'allow', act, doer, origin };
  const details = { detail: act.what, ...(act.ruleset === null ? {} : { ruleset: act.ruleset.name }) };
  return {
    ...base(act, doer, context, origin),
    rule: 'protection',
    subject: context.repository.defaultBranch,
    details,
  };
}

export interface CloseFacts {
  /** How the merge was judged that closed it by keyword; null: no merge closed it. */
  readonly merge: 'allow' | 'deny' | null;
  /** Whether we opened it again before: once and no more. */
  readonly reopenedBefore: boolean;
  /** An issue of ours that tells of a breach: it is opened again as such, as often as it takes. */
  readonly ours: boolean;
}

/** Closing an issue. `own`: the agent opened it, or its permitted merge closed it. */
export function judgeIssueClose(
  act: ActOf<'issue.close'>,
  facts: CloseFacts,
  doer: Doer,
  context: Context,
): Judged {
  // What a merge closes is judged as the merge was, and so before the suspension it may have led to.
  const said = facts.merge === null ? valueFor : valueUnsuspended;
  const { value, origin } = said(doer, 'issue.close', { trunk: false }, context, act.closedAt);
  const own = isOwn(act.author, doer, context) || facts.merge === 'allow';
  if (value === 'allow' || (value === 'own' && own)) return { verdict: 'allow', act, doer, origin };
  const remedied = context.policy.remedies.reopenIssue && !facts.ours;
  return {
    ...base(act, doer, context, origin),
    rule: 'issue-close',
    subject: 'issues',
    details: { issue: act.issue },
    at: act.closedAt ?? context.now,
    comment: remedied ? { number: act.issue, about: 'issue' } : null,
    remedies: remedied && !facts.reopenedBefore ? [{ kind: 'reopen-issue', issue: act.issue }] : [],
  };
}

/** A review an agent dismissed on an agent's PR: a gate was taken away, so it is asked for again. */
export function judgeDismissal(act: ActOf<'review.dismiss'>, doer: Doer, context: Context): Judged {
  const { value, origin } = valueFor(doer, 'review.dismiss', { trunk: false }, context);
  if (value === 'allow' || act.reviewer === null) return { verdict: 'allow', act, doer, origin };
  return {
    ...base(act, doer, context, origin),
    rule: 'review-gate',
    subject: context.repository.defaultBranch,
    details: { pull: act.pull, detail: act.reviewer.login },
    comment: { number: act.pull, about: 'pull' },
    remedies: [{ kind: 're-request-review', pull: act.pull, login: act.reviewer.login }],
  };
}

const base = <A extends Judged['act']>(act: A, doer: Doer, context: Context, origin: Judged['origin']) => ({
  verdict: 'deny' as const,
  act,
  doer,
  origin,
  at: context.now,
  comment: null,
  remedies: [],
  mentions: [],
});
