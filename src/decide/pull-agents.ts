import type { Account } from '../acts/act.js';
import { attributePull } from '../agents/attribute.js';
import type { Attribution, Evidence } from '../agents/identity.js';
import { identify } from '../agents/roster.js';
import type { Level, Origin, Sourced } from '../policy/policy.js';
import { levelOf, onEvidenceOf } from '../policy/read.js';
import type { Context } from './context.js';
import type { Doer } from './doer.js';
import type { CommitFact, PullFact } from './facts.js';
import type { PullAgent } from './reasons.js';

/** Whose a PR is, under a policy. */
export type PullOwner =
  | {
      readonly kind: 'agents';
      readonly agents: readonly Hand[];
      readonly level: Level;
      readonly origin: Origin;
    }
  | { readonly kind: 'automation'; readonly account: Account }
  /** A person's login on a PR with an agent's marks, where the policy says that such a PR waits. */
  | { readonly kind: 'gated'; readonly marks: readonly Evidence[] }
  | { readonly kind: 'person'; readonly marks: readonly Evidence[] };

/** One agent of a PR; `bot`: the account of a bot that nobody listed. */
export interface Hand extends PullAgent {
  readonly bot: Account | null;
}

export interface PullHands {
  readonly pull: PullFact;
  readonly commits: readonly CommitFact[];
  /** Senders of the pushes whose commits are still in it. */
  readonly pushers: readonly Account[];
  readonly remembered: Attribution['agents'];
}

const STRICTNESS: Readonly<Record<Level, number>> = { none: 0, pr: 1, merge: 2 };

/** The agents of a PR with their evidence, as `attributePull` sees them. */
export function handsOn(hands: PullHands, context: Context): Attribution {
  const { pull } = hands;
  return attributePull(context.roster, {
    author: pull.author,
    headRef: pull.head.ref,
    sameRepository: pull.sameRepository,
    body: pull.body,
    title: pull.title,
    labels: pull.labels,
    commits: hands.commits,
    pushers: hands.pushers,
    createdAt: pull.createdAt,
    remembered: hands.remembered,
  });
}

/**
 * One certain agent makes it an agent's PR, at the lowest level involved, whoever opened it. A bot that nobody listed
 * counts where it opened the PR, or pushed to an agent's; it takes no PR away from a person.
 */
export function ownerOf(
  hands: Pick<PullHands, 'pull' | 'pushers'>,
  attribution: Attribution,
  context: Context,
): PullOwner {
  const { author } = hands.pull;
  const certain = attribution.agents.filter(({ tier }) => tier === 'certain').map(({ agent }) => agent);
  const identity = identify(context.roster, author);
  if (certain.length > 0 || identity.kind === 'unknown-bot') {
    const bots = [author, ...hands.pushers].filter(
      (account) => identify(context.roster, account).kind === 'unknown-bot',
    );
    const agents = [
      ...[...new Set(certain)].sort().map((agent) => handOf(agent, null, levelOf(context.policy, agent))),
      ...bots.map((bot) => handOf(bot.login, bot, context.policy.unknownBots)),
    ];
    const lowest = agents.reduce((low, agent) =>
      STRICTNESS[agent.level] < STRICTNESS[low.level] ? agent : low,
    );
    return { kind: 'agents', agents, level: lowest.level, origin: lowest.origin };
  }
  if (identity.kind === 'automation' || identity.kind === 'self')
    return { kind: 'automation', account: author };
  const marks = attribution.agents.flatMap(({ evidence }) => evidence);
  const gating = attribution.agents.some(
    ({ agent, tier }) => tier !== 'weak' && onEvidenceOf(context.policy, agent).value === 'gate',
  );
  return { kind: gating ? 'gated' : 'person', marks };
}

const handOf = (agent: string, bot: Account | null, level: Sourced<Level>): Hand => ({
  agent,
  bot,
  tier: 'certain',
  level: level.value,
  origin: level.origin,
});

/** The hand as the doer of an act. */
export const doerOfHand = ({ agent, bot }: Hand, fallback: Account): Doer => ({
  kind: bot === null ? 'agent' : 'unknown-bot',
  agent,
  account: bot ?? fallback,
});
