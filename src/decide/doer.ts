import type { Account, PushedCommit } from '../acts/act.js';
import { attributePull, carriesMarks } from '../agents/attribute.js';
import type { AttributedAgent } from '../agents/identity.js';
import { identify, sameGroup, sharedMarked } from '../agents/roster.js';
import type { Context } from './context.js';

/** The agent an act is judged as: one of the policy or catalogue, or a bot nobody listed, by its login. */
export interface Doer {
  readonly kind: 'agent' | 'unknown-bot';
  readonly agent: string;
  readonly account: Account;
}

/**
 * Who did it, as far as policy is concerned; null for people, automation, GitHub's own accounts and ourselves. Only
 * an account decides: marks never make an act an agent's, except for a login declared `shared: marked` on a PR that
 * carries its agent's marks.
 */
export function doerOf(
  account: Account,
  context: Context,
  marks: readonly AttributedAgent[] = [],
): Doer | null {
  const identity = identify(context.roster, account);
  switch (identity.kind) {
    case 'agent':
      return { kind: 'agent', agent: identity.agent, account };
    case 'unknown-bot':
      return { kind: 'unknown-bot', agent: identity.name, account };
    case 'undisclosed': {
      const agent = sharedMarked(context.roster, account);
      const marked = agent !== null && carriesMarks(context.roster, agent, marks);
      return marked ? { kind: 'agent', agent, account } : null;
    }
    case 'automation':
    case 'platform':
    case 'self':
      return null;
  }
}

/**
 * Who moved a branch: as `doerOf`, and for a login declared `shared: marked` by the marks that the branch's name and
 * the pushed commits carry.
 */
export function doerOfMove(
  account: Account,
  ref: string,
  commits: readonly PushedCommit[],
  context: Context,
): Doer | null {
  if (sharedMarked(context.roster, account) === null) return doerOf(account, context);
  const { agents } = attributePull(context.roster, {
    author: account,
    headRef: ref,
    sameRepository: true,
    title: '',
    body: '',
    labels: [],
    createdAt: context.now,
    pushers: [],
    commits: commits.map(({ sha, message, author }) => ({
      sha,
      message,
      author: { ...author, date: context.now, account: null },
      committer: { ...author, account: null },
      verified: false,
    })),
  });
  return doerOf(account, context, agents);
}

/** Whether an account is the doer or in its control group. */
export function isOwn(account: Account | null, doer: Doer, context: Context): boolean {
  if (account === null) return false;
  return (
    account.id === doer.account.id ||
    (doer.kind === 'agent' && sameGroup(context.roster, doer.agent, account))
  );
}
