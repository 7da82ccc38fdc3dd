import type { Attribution, Evidence } from '../agents/identity.js';
import type { PullFact } from './facts.js';
import type { PullOwner } from './pull-agents.js';
import {
  type CheckVerdict,
  type PullAgent,
  REASON_CODES,
  type Reason,
  type ReasonCode,
  type VerdictNode,
} from './reasons.js';

type Decided = CheckVerdict['wouldBe'];

const FAILURE: ReadonlySet<ReasonCode> = new Set([
  'changes-requested',
  'level-none',
  'suspended',
  'policy-invalid',
  'unknown-bot',
  'limit',
  'duplicate',
]);
const SUCCESS: ReadonlySet<ReasonCode> = new Set(['person', 'within-policy', 'automation', 'waived']);

/** What one reason alone would make of a check. `action_required` waits for a person; `failure` for a change. */
export function conclusionOf(code: ReasonCode): Decided {
  if (FAILURE.has(code)) return 'failure';
  return SUCCESS.has(code) ? 'success' : 'action_required';
}

export const STATUS_OF = { success: 'holds', action_required: 'waits', failure: 'fails' } as const;

const ORDER: readonly Decided[] = ['success', 'action_required', 'failure'];

/** The worse of two conclusions: `failure` over `action_required` over `success`. */
export const worse = (a: Decided, b: Decided): Decided => (ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b);

/** What opens the comment on a PR while it stands. Never `needs-person`, `changes-requested` or `suspended`. */
const COMMENTED: ReadonlySet<ReasonCode> = new Set([
  'head-changed',
  'agent-approval',
  'review-dismissed',
  'level-none',
  'policy-edit',
  'protected-path',
  'protected-path-unknown',
  'unknown-bot',
  'limit',
  'duplicate',
]);

export interface PullVerdict {
  readonly pull: PullFact;
  readonly owner: PullOwner;
  readonly agents: readonly PullAgent[];
  readonly conclusion: Decided;
  /** The reasons of `conclusion` alone, in the order of REASON_CODES. */
  readonly reasons: readonly Reason[];
  /** What the comment on this PR says now, whatever the conclusion. */
  readonly standing: readonly Reason[];
  readonly marks: readonly Evidence[];
  readonly attribution: Attribution;
  readonly tree: VerdictNode;
}

const inOrder = (reasons: readonly Reason[]): readonly Reason[] =>
  [...reasons].sort((a, b) => REASON_CODES.indexOf(a.code) - REASON_CODES.indexOf(b.code));

/** The reasons of the worst conclusion among them, in their order. */
export function reasonsOfWorst(reasons: readonly Reason[]): {
  readonly conclusion: Decided;
  readonly reasons: readonly Reason[];
} {
  const conclusion = reasons.map(({ code }) => conclusionOf(code)).reduce(worse, 'success');
  return { conclusion, reasons: inOrder(reasons.filter(({ code }) => conclusionOf(code) === conclusion)) };
}

/** Makes one verdict of the answers of all rules. Only an agent's PR is commented on. */
export function settle(
  pull: PullFact,
  owner: PullOwner,
  agents: readonly PullAgent[],
  attribution: Attribution,
  children: readonly VerdictNode[],
): PullVerdict {
  const all = children.flatMap(({ reasons }) => reasons);
  const asked = all.length > 0 ? all : [{ code: 'within-policy', approvedBy: [] } as const];
  const worst = reasonsOfWorst(asked);
  const isAgents = owner.kind === 'agents';
  return {
    pull,
    owner,
    agents,
    ...worst,
    standing: isAgents ? inOrder(all.filter(({ code }) => COMMENTED.has(code))) : [],
    marks: owner.kind === 'person' || owner.kind === 'gated' ? owner.marks : [],
    attribution,
    tree: {
      rule: 'pulls',
      status: STATUS_OF[worst.conclusion],
      reasons: [],
      children: shownUnder(worst.conclusion, children),
    },
  };
}

/**
 * Where something must change first, the other rules are not asked: what they would say changes with every review,
 * and a check is written anew only for news.
 */
const shownUnder = (conclusion: Decided, children: readonly VerdictNode[]): readonly VerdictNode[] =>
  conclusion !== 'failure'
    ? children
    : children.map((node) =>
        node.status === 'fails' ? node : { ...node, status: 'not-asked', reasons: [] },
      );
