import type { Context } from './context.js';
import type { Effect, EscalationKey, FactRow } from './effects.js';
import { isFirstOver, type LimitFacts, openerOf, overLimit } from './limits.js';
import type { Reason } from './reasons.js';
import type { PullVerdict } from './settle.js';

export interface PullEffectFacts {
  readonly verdict: PullVerdict;
  readonly limits: LimitFacts;
  /** Whether we have commented on it before. */
  readonly hasComment: boolean;
  /** Whether it stands in the merge queue. */
  readonly enqueued: boolean;
  readonly openLimitIssues: readonly EscalationKey[];
  /** Whether this PR has its row in the limit issue. */
  readonly limitTold: boolean;
}

/** What follows from the verdict over one open PR, beside its check. */
export function pullEffects(facts: PullEffectFacts, context: Context): readonly Effect[] {
  return [...commentEffect(facts, context), ...limitEffects(facts, context), ...armedEffects(facts, context)];
}

/** Silence when compliant: a comment is made only when something stands, and cleared when nothing does. */
function commentEffect(
  { verdict, limits, hasComment }: PullEffectFacts,
  context: Context,
): readonly Effect[] {
  const first =
    verdict.standing.some(({ code }) => code === 'limit') && isFirstOver(verdict.pull, limits, context);
  const standing = verdict.standing.filter(({ code }) => code !== 'limit' || first);
  if (standing.length === 0 && !hasComment) return [];
  return [{ kind: 'comment', number: verdict.pull.number, about: 'pull', standing }];
}

function limitEffects(
  { verdict, limits, openLimitIssues, limitTold }: PullEffectFacts,
  context: Context,
): readonly Effect[] {
  const agent = openerOf(verdict.pull, context);
  if (agent === null) return [];
  const key: EscalationKey = { rule: 'limit', agent, subject: 'pulls' };
  const over = verdict.standing.find(
    (reason): reason is Reason & { code: 'limit' } => reason.code === 'limit',
  );
  if (over !== undefined) {
    if (limitTold) return [];
    const row: FactRow = {
      at: verdict.pull.createdAt,
      who: verdict.pull.author,
      agent,
      what: 'pull.open',
      subject: { pull: verdict.pull.number, detail: `${over.limit}: ${over.max}` },
      rule: 'limit',
      origin: over.origin,
      state: 'waiting',
    };
    return [{ kind: 'escalate', key, row, mentions: [] }];
  }
  if (!openLimitIssues.some((issue) => issue.agent === agent)) return [];
  const anyOver = limits.openPulls.some(
    (pull) =>
      openerOf(pull, context) === agent &&
      overLimit(pull, limits, context).some(({ code }) => code === 'limit'),
  );
  return anyOver ? [] : [{ kind: 'close-escalation', key }];
}

/** Auto-merge was armed on what a person had seen: a new head, or a suspension, takes that away. */
function armedEffects({ verdict, enqueued }: PullEffectFacts, context: Context): readonly Effect[] {
  const { pull, owner, conclusion } = verdict;
  if (owner.kind !== 'agents') return [];
  if (conclusion === 'success' || !context.policy.remedies.disarmAutoMerge) return [];
  const suspended = verdict.reasons.some(({ code }) => code === 'suspended');
  const changed = verdict.standing.some(({ code }) => code === 'head-changed');
  const effects: Effect[] = [];
  if (pull.autoMerge !== null && (suspended || changed)) {
    effects.push({ kind: 'disarm-auto-merge', pull: pull.number, nodeId: pull.nodeId });
  }
  if (enqueued && suspended) effects.push({ kind: 'dequeue', pull: pull.number, nodeId: pull.nodeId });
  return effects;
}
