import type { Account } from '../acts/act.js';
import type { Problem } from '../policy/policy.js';
import { type ApprovalFacts, type Approvals, countApprovals } from './approvals.js';
import type { Context } from './context.js';
import type { FilesFact } from './facts.js';
import { type LimitFacts, overLimit } from './limits.js';
import { doerOfHand, type Hand, handsOn, ownerOf, type PullHands, type PullOwner } from './pull-agents.js';
import { type Touched, touchedBy } from './protected.js';
import type { PullAgent, Reason, VerdictNode } from './reasons.js';
import { type PullVerdict, settle } from './settle.js';
import { valueUnsuspended } from './value.js';

/** Everything a PR is judged by. */
export interface PullFacts extends PullHands, Omit<ApprovalFacts, 'pull' | 'pushers'> {
  readonly files: FilesFact;
  readonly limits: LimitFacts;
  /** Problems of the policy file as this PR would leave it; null: it is untouched or good. */
  readonly policyFile: { readonly path: string; readonly problems: readonly Problem[] } | null;
  /** Whether the base is a trunk: a PR to another branch is within policy. */
  readonly toTrunk: boolean;
}

/** The verdict over one PR, as a tree of rules. Pure: the same facts give the same verdict, word for word. */
export function judgePull(facts: PullFacts, context: Context): PullVerdict {
  const attribution = handsOn(facts, context);
  const owner = ownerOf(facts, attribution, context);
  const file = policyFileNode(facts);
  switch (owner.kind) {
    case 'automation':
      return settle(facts.pull, owner, [], attribution, [
        holds('attribution', { code: 'automation', account: owner.account }),
        file,
      ]);
    case 'person':
      return settle(facts.pull, owner, [], attribution, [
        holds('attribution', { code: 'person', marks: owner.marks }),
        file,
      ]);
    case 'gated':
      return settle(facts.pull, owner, [], attribution, [
        file,
        facts.toTrunk
          ? gatedNode(facts, owner.marks, context)
          : holds('attribution', { code: 'person', marks: owner.marks }),
      ]);
    case 'agents': {
      const denied = owner.agents.filter((hand) => !mayOpen(hand, facts, context));
      return settle(facts.pull, owner, owner.agents.map(asAgent), attribution, [
        suspensionNode(owner, context),
        levelNode(denied),
        file,
        ...(denied.length > 0 || !facts.toTrunk ? [] : agentNodes(facts, owner, context)),
      ]);
    }
  }
}

type AgentOwner = Extract<PullOwner, { kind: 'agents' }>;

const asAgent = ({ agent, tier, level, origin }: Hand): PullAgent => ({ agent, tier, level, origin });

/** Level `none` opens nothing, unless `acts:` says so. A suspension has its own reason. */
const mayOpen = (hand: Hand, facts: PullFacts, context: Context): boolean =>
  valueUnsuspended(doerOfHand(hand, facts.pull.author), 'pull.open', { trunk: true }, context).value ===
  'allow';

const holds = (rule: VerdictNode['rule'], ...reasons: Reason[]): VerdictNode => ({
  rule,
  status: 'holds',
  reasons,
  children: [],
});
const fails = (rule: VerdictNode['rule'], ...reasons: Reason[]): VerdictNode => ({
  rule,
  status: 'fails',
  reasons,
  children: [],
});
const waits = (rule: VerdictNode['rule'], ...reasons: Reason[]): VerdictNode => ({
  rule,
  status: 'waits',
  reasons,
  children: [],
});

function policyFileNode(facts: PullFacts): VerdictNode {
  if (facts.policyFile === null) return holds('policy-file');
  return fails('policy-file', { code: 'policy-invalid', ...facts.policyFile });
}

function suspensionNode(owner: AgentOwner, context: Context): VerdictNode {
  const names = owner.agents.map(({ agent }) => agent);
  const suspended = context.suspensions.filter(({ agent }) => names.includes(agent));
  return suspended.length === 0
    ? holds('suspension')
    : fails('suspension', { code: 'suspended', agents: suspended });
}

function levelNode(denied: readonly Hand[]): VerdictNode {
  const reasons: Reason[] = [];
  const [listed] = denied.filter(({ bot }) => bot === null);
  if (listed !== undefined) {
    const agents = denied.filter(({ bot }) => bot === null).map(({ agent }) => agent);
    reasons.push({ code: 'level-none', agents, origin: listed.origin });
  }
  const bots = denied.flatMap(({ bot }) => (bot === null ? [] : [bot]));
  const [unlisted] = denied.filter(({ bot }) => bot !== null);
  if (unlisted !== undefined) reasons.push({ code: 'unknown-bot', bots, origin: unlisted.origin });
  return reasons.length === 0 ? holds('level') : fails('level', ...reasons);
}

/** Who may approve a PR that waits on evidence only: anybody who may approve an agent's, and so never its author. */
function gatedNode(facts: PullFacts, marks: PullVerdict['marks'], context: Context): VerdictNode {
  const approvals = countApprovals(facts, context);
  const needed = Math.max(1, context.policy.approvals.value);
  if (approvals.counting.length >= needed) return approved(approvals, needed);
  return waits('approvals', needsPerson(context, needed, approvals, marks));
}

const approved = (approvals: Approvals, needed: number): VerdictNode =>
  holds('approvals', { code: 'within-policy', approvedBy: approvals.counting.slice(0, needed) });

const needsPerson = (
  context: Context,
  needed: number,
  approvals: Approvals,
  marks: PullVerdict['marks'],
): Reason => ({
  code: 'needs-person',
  approvals: needed,
  given: approvals.counting.length,
  approvers: context.policy.approvers.value,
  marks,
});

/** The rules of an agent's PR to a trunk at level `pr` or `merge`. */
function agentNodes(facts: PullFacts, owner: AgentOwner, context: Context): readonly VerdictNode[] {
  const approvals = countApprovals(facts, context);
  const touched = touchedBy(facts.files, context.policy);
  const kept = keptForPeople(touched, facts, owner, context);
  const needed = neededApprovals(owner, kept.length > 0, context);
  return [
    approvals.objections.length === 0
      ? holds('objections')
      : fails('objections', { code: 'changes-requested', by: approvals.objections }),
    limitsNode(facts, context),
    pathsAndApprovals(facts, kept, approvals, needed, context),
  ];
}

/** Below level `merge` the policy's number of approvals is asked for; what is kept for people asks for one at least. */
function neededApprovals(owner: AgentOwner, keptForPeopleTouched: boolean, context: Context): number {
  const asked = context.policy.approvals.value;
  if (keptForPeopleTouched) return Math.max(1, asked);
  return owner.level === 'merge' ? 0 : asked;
}

/** What of the touched files needs a person: where an agent of the PR may not edit it by the policy. */
function keptForPeople(
  touched: Touched,
  facts: PullFacts,
  owner: AgentOwner,
  context: Context,
): readonly Reason[] {
  const denied = (kind: 'policy.edit' | 'workflow.edit') =>
    owner.agents.some(
      (hand) =>
        valueUnsuspended(doerOfHand(hand, facts.pull.author), kind, { trunk: true }, context).value !==
        'allow',
    );
  const policyKept = denied('policy.edit');
  const workflowsKept = denied('workflow.edit');
  const reasons: Reason[] = [];
  if (touched.policy.length > 0 && policyKept) reasons.push({ code: 'policy-edit', paths: touched.policy });
  const paths = [...(workflowsKept ? touched.workflows : []), ...touched.other].sort();
  if (paths.length > 0) reasons.push({ code: 'protected-path', paths });
  const anyKept = policyKept || workflowsKept || context.policy.protectedPaths.value.length > 0;
  if (touched.unknown !== null && anyKept)
    reasons.push({ code: 'protected-path-unknown', ...touched.unknown });
  return reasons;
}

function pathsAndApprovals(
  facts: PullFacts,
  kept: readonly Reason[],
  approvals: Approvals,
  needed: number,
  context: Context,
): VerdictNode {
  const dismissals = approvals.dismissed.map(({ by, reviewer }): Reason => ({
    code: 'review-dismissed',
    by,
    reviewer,
  }));
  if (approvals.counting.length >= needed && (needed > 0 || dismissals.length === 0))
    return approved(approvals, needed);
  const reasons: Reason[] = [...kept];
  const [outdated] = approvals.outdated;
  if (outdated !== undefined) reasons.push(headChanged(facts, approvals.outdated, outdated));
  if (approvals.byAgents.length > 0) reasons.push({ code: 'agent-approval', by: approvals.byAgents });
  reasons.push(...dismissals);
  if (reasons.length === 0) reasons.push(needsPerson(context, needed, approvals, []));
  return { rule: 'approvals', status: 'waits', reasons, children: [] };
}

function headChanged(
  facts: PullFacts,
  outdated: Approvals['outdated'],
  first: Approvals['outdated'][number],
): Reason {
  return {
    code: 'head-changed',
    by: outdated.map(({ by }): Account => by),
    approved: first.sha,
    head: facts.pull.head.sha,
    base: first.base,
  };
}

function limitsNode(facts: PullFacts, context: Context): VerdictNode {
  const over = overLimit(facts.pull, facts.limits, context);
  return over.length === 0 ? holds('limits') : fails('limits', ...over);
}
