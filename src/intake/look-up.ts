import type { Account } from '../acts/act.js';
import { identify } from '../agents/roster.js';
import type { Context } from '../decide/context.js';
import type { Permission } from '../decide/facts.js';
import type { Facts } from '../github/facts.js';

export interface LookedUp {
  readonly permissions: ReadonlyMap<string, Permission>;
  readonly teams: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Permission and team membership of reviewers, read from GitHub now: an approval loosens, so no payload's word is
 * taken for it. Agents are not looked up, since nothing they approve counts.
 */
export async function lookUpApprovers(
  facts: Facts,
  context: Context,
  reviewers: readonly Account[],
): Promise<LookedUp> {
  const people = reviewers.filter((account) => identify(context.roster, account).kind === 'undisclosed');
  const permissions = await Promise.all(
    people.map(async ({ login }) => [login.toLowerCase(), await facts.permission(login)] as const),
  );
  const names = (context.policy.approvers.value ?? []).filter(
    (name) => name.startsWith('@') && name.includes('/'),
  );
  const teams = await Promise.all(
    names.map(async (name) => [name, await membersAmong(facts, name, people)] as const),
  );
  return { permissions: new Map(permissions), teams: new Map(teams) };
}

async function membersAmong(
  facts: Facts,
  name: string,
  people: readonly Account[],
): Promise<ReadonlySet<string>> {
  const [org = '', team = ''] = name.slice(1).split('/');
  const found = await Promise.all(
    people.map(async ({ login }) => ((await facts.inTeam(org, team, login)) ? [login.toLowerCase()] : [])),
  );
  return new Set(found.flat());
}
