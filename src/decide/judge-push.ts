import type { Act, ActOf } from '../acts/act.js';
import { isOwnBranch, type BranchMove, lostOfOthers } from './branch.js';
import type { Judged, Remedy } from './breach.js';
import type { Context } from './context.js';
import type { Doer } from './doer.js';
import type { CommitFact, PullFact } from './facts.js';
import type { BreachCode } from './reasons.js';
import { valueFor } from './value.js';

export interface ForcedFacts {
  readonly moves: readonly BranchMove[];
  /** Commits of the old tip that the new one does not hold, and the other way round; null: GitHub cannot tell. */
  readonly lost: readonly CommitFact[] | null;
  readonly gained: readonly CommitFact[];
  /** The latest PR whose head the ref is. */
  readonly pull: PullFact | null;
}

type Push = Extract<Act, { forced: boolean }>;

const breachOf = (
  act: Push,
  doer: Doer,
  rule: BreachCode,
  origin: Judged['origin'],
  context: Context,
  pull: PullFact | null,
  remedies: readonly Remedy[],
): Judged => ({
  verdict: 'deny',
  act,
  doer,
  origin,
  rule,
  subject: act.ref,
  details: { ref: act.ref, before: act.before, after: act.after },
  at: context.now,
  comment: pull === null ? null : { number: pull.number, about: 'pull' },
  remedies,
  mentions: [],
});

/** A push to a trunk that no merged PR explains. Called only once the grace is over. */
export function judgeTrunkPush(act: ActOf<'push.trunk'>, doer: Doer, context: Context): Judged {
  const { value, origin } = valueFor(doer, 'push.trunk', { trunk: true }, context);
  if (value === 'allow') return { verdict: 'allow', act, doer, origin };
  return breachOf(act, doer, 'push-level', origin, context, null, []);
}

/** The policy's own file or a workflow, put on a trunk by a push. The push may be allowed where this is not. */
export function judgeFilePush(
  act: ActOf<'policy.edit'> | ActOf<'workflow.edit'>,
  doer: Doer,
  context: Context,
): Judged {
  const { value, origin } = valueFor(doer, act.kind, { trunk: true }, context);
  if (value === 'allow') return { verdict: 'allow', act, doer, origin };
  return breachOf(
    act,
    doer,
    act.kind === 'policy.edit' ? 'policy-push' : 'workflow-push',
    origin,
    context,
    null,
    [],
  );
}

/**
 * A forced push. On a trunk it is always against policy, as a push and as a rewrite, whatever the acts say; elsewhere
 * `own` allows a branch that nobody else pushed to. Where others' commits are gone the rule is `dropped-commits`.
 */
export function judgeForcedPush(
  acts: readonly (ActOf<'push.force'> | ActOf<'push.trunk'>)[],
  facts: ForcedFacts,
  doer: Doer,
  context: Context,
): readonly Judged[] {
  const dropped = lostOfOthers(facts.lost, facts.gained, facts.moves, doer, context);
  return acts.map((act): Judged => {
    if (act.kind === 'push.trunk') {
      const { origin } = valueFor(doer, 'push.force', { trunk: true }, context);
      return breachOf(act, doer, 'push-level', origin, context, null, []);
    }
    const { value, origin } = valueFor(doer, 'push.force', { trunk: act.trunk }, context);
    const allowed =
      !act.trunk && (value === 'allow' || (value === 'own' && isOwnBranch(facts.moves, doer, context)));
    if (allowed) return { verdict: 'allow', act, doer, origin };
    const backup: readonly Remedy[] = act.trunk || dropped ? [{ kind: 'backup-ref', sha: act.before }] : [];
    return breachOf(
      act,
      doer,
      dropped ? 'dropped-commits' : 'force-push',
      origin,
      context,
      act.trunk ? null : facts.pull,
      backup,
    );
  });
}
