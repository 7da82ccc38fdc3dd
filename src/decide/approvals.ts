import type { Account } from '../acts/act.js';
import { identify, sharedMarked } from '../agents/roster.js';
import { actValue } from '../policy/read.js';
import type { Context } from './context.js';
import type { Permission, PullFact, ReviewFact } from './facts.js';
import { atLeast, standingReviews } from './reviews.js';

export interface ApprovalFacts {
  readonly pull: PullFact;
  readonly reviews: readonly ReviewFact[];
  readonly pushers: readonly Account[];
  /** By login in lower case, looked up now. A login that is not there counts as `none`. */
  readonly permissions: ReadonlyMap<string, Permission>;
  /** By `@org/team` as the policy writes it: logins in lower case. */
  readonly teams: ReadonlyMap<string, ReadonlySet<string>>;
  readonly baseChangedAt: string | null;
  /** Reviews that were there when the base changed: times alone cannot tell what came within one second. */
  readonly staleReviews: ReadonlySet<number>;
  /** Review id → the agent that dismissed it. */
  readonly dismissedBy: ReadonlyMap<number, Account>;
}

/** What the reviews of a PR come to. All lists oldest first. */
export interface Approvals {
  /** Count: of this head, against this base. */
  readonly counting: readonly Account[];
  /** Would count, had the head or the base not changed since. */
  readonly outdated: readonly { readonly by: Account; readonly sha: string; readonly base: boolean }[];
  /** Approvals of this head by agents. */
  readonly byAgents: readonly Account[];
  /** People with write who ask for changes. */
  readonly objections: readonly Account[];
  /** People's reviews that an agent dismissed. */
  readonly dismissed: readonly { readonly by: Account; readonly reviewer: Account }[];
}

/**
 * Who approved, under the policy: an account of type User with write, on the approvers' list, that is neither the
 * author, nor a pusher of the PR, nor an agent or anybody in an agent's control group.
 */
export function countApprovals(facts: ApprovalFacts, context: Context): Approvals {
  const counting: Account[] = [];
  const outdated: Approvals['outdated'][number][] = [];
  const byAgents: Account[] = [];
  const objections: Account[] = [];
  const dismissed: Approvals['dismissed'][number][] = [];
  for (const review of standingReviews(facts.reviews)) {
    const { by } = review;
    const agent = agentBehind(by, context);
    const person = agent === null && by.type === 'User';
    const writes = atLeast(facts.permissions.get(by.login.toLowerCase()) ?? 'none', 'write');
    switch (review.state) {
      case 'approved':
        if (agent !== null) {
          const allowed =
            actValue(context.policy, agent, 'review.approve', { trunk: false }).value === 'allow';
          if (review.sha === facts.pull.head.sha && !allowed) byAgents.push(by);
        } else if (person && writes && isApprover(by, facts, context)) {
          const base = facts.staleReviews.has(review.id) || isBefore(review.at, facts.baseChangedAt);
          if (review.sha === facts.pull.head.sha && !base) counting.push(by);
          else outdated.push({ by, sha: review.sha ?? '', base });
        }
        break;
      case 'changes_requested':
        if (person && writes && by.id !== facts.pull.author.id) objections.push(by);
        break;
      case 'dismissed': {
        const dismisser = facts.dismissedBy.get(review.id);
        if (dismisser !== undefined && person && writes) dismissed.push({ by: dismisser, reviewer: by });
        break;
      }
      case 'commented':
      case 'pending':
        break;
    }
  }
  return { counting, outdated, byAgents, objections, dismissed };
}

/** The agent whose hand a reviewer's login may be: declared, catalogued, unknown bot, or shared with a person. */
function agentBehind(account: Account, context: Context): string | null {
  const identity = identify(context.roster, account);
  if (identity.kind === 'agent') return identity.agent;
  if (identity.kind === 'unknown-bot') return identity.name;
  return sharedMarked(context.roster, account);
}

function isApprover(account: Account, facts: ApprovalFacts, context: Context): boolean {
  if (account.id === facts.pull.author.id) return false;
  if (facts.pushers.some(({ id }) => id === account.id)) return false;
  const approvers = context.policy.approvers.value;
  if (approvers === null) return true;
  const login = account.login.toLowerCase();
  return approvers.some((name) =>
    name.startsWith('@') && name.includes('/')
      ? facts.teams.get(name)?.has(login) === true
      : name.replace(/^@/, '').toLowerCase() === login,
  );
}

const isBefore = (at: string, changed: string | null): boolean =>
  changed !== null && Date.parse(at) < Date.parse(changed);
