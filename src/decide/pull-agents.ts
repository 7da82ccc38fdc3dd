import type { Account } from '../acts/act.js';
import { attributePull } from '../agents/attribute.js';
import type { Attribution, Evidence } from '../agents/identity.js';
import { identify } from '../agents/roster.js';
import type { Level, Origin } from '../policy/policy.js';
import { levelOf, onEvidenceOf } from '../policy/read.js';
import type { Context } from './context.js';
import type { CommitFact, PullFact } from './facts.js';
import type { PullAgent } from './reasons.js';

/** Whose a PR is, under a policy. */
export type PullOwner =
  | {
      readonly kind: 'agents';
      readonly agents: readonly PullAgent[];
      readonly level: Level;
      readonly origin: Origin;
    }
  | {
      readonly kind: 'unknown-bot';
      readonly account: Account;
      readonly level: Level;
      readonly origin: Origin;
    }
  | { readonly kind: 'automation'; readonly account: Account }
  /** A person's login on a PR with an agent's marks, where the policy says that such a PR waits. */
  | { readonly kind: 'gated'; readonly marks: readonly Evidence[] }
  | { readonly kind: 'person'; readonly marks: readonly Evidence[] };

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

/** One certain agent makes it an agent's PR, at the lowest level involved, whoever opened it. */
export function ownerOf(pull: PullFact, attribution: Attribution, context: Context): PullOwner {
  const certain = attribution.agents.filter(({ tier }) => tier === 'certain').map(({ agent }) => agent);
  const names = [...new Set(certain)].sort();
  if (names.length > 0) {
    const agents = names.map((agent): PullAgent => {
      const level = levelOf(context.policy, agent);
      return { agent, tier: 'certain', level: level.value, origin: level.origin };
    });
    const lowest = agents.reduce((low, agent) =>
      STRICTNESS[agent.level] < STRICTNESS[low.level] ? agent : low,
    );
    return { kind: 'agents', agents, level: lowest.level, origin: lowest.origin };
  }
  const author = identify(context.roster, pull.author);
  if (author.kind === 'unknown-bot') {
    const { value, origin } = context.policy.unknownBots;
    return { kind: 'unknown-bot', account: pull.author, level: value, origin };
  }
  if (author.kind === 'automation' || author.kind === 'self')
    return { kind: 'automation', account: pull.author };
  const marks = attribution.agents.flatMap(({ evidence }) => evidence);
  const gating = attribution.agents.some(
    ({ agent, tier }) => tier !== 'weak' && onEvidenceOf(context.policy, agent).value === 'gate',
  );
  return { kind: gating ? 'gated' : 'person', marks };
}
