import type { Account } from '../acts/act.js';
import type { AgentPolicy, Level, Policy, Shared } from '../policy/policy.js';
import { CATALOGUE, catalogueEntries } from './catalogue.js';
import type { CatalogueAccount, CatalogueEntry } from './catalogue.js';

/** One way in which the policy or the catalogue makes an account an agent's. */
export interface Claim {
  readonly agent: string;
  /** `declared`: the policy's own words name the account; `catalogue`: the catalogue does. */
  readonly how: 'declared' | 'catalogue';
  /** null: any type, since a declared id or login decides by itself. */
  readonly type: Account['type'] | null;
  /** Always `no` for what the catalogue brings along: those accounts are no person's. */
  readonly shared: Shared;
  readonly level: Level;
  readonly gate: boolean;
}

export interface Claims {
  readonly byId: ReadonlyMap<number, readonly Claim[]>;
  /** Keys in lower case. */
  readonly byLogin: ReadonlyMap<string, readonly Claim[]>;
  readonly byApp: ReadonlyMap<number, readonly Claim[]>;
}

/** What of a policy says who is who. */
export type RosterPolicy = Pick<Policy, 'agents' | 'automation'>;

interface Building {
  readonly byId: Map<number, Claim[]>;
  readonly byLogin: Map<string, Claim[]>;
  readonly byApp: Map<number, Claim[]>;
}

/** Every account, login and App that the policy's entries list or bring along from the catalogue. */
export function claimsOf(policy: RosterPolicy): Claims {
  const claims: Building = { byId: new Map(), byLogin: new Map(), byApp: new Map() };
  for (const agent of policy.agents.values()) {
    const claim = declaredClaim(agent);
    for (const account of agent.accounts) {
      if (typeof account === 'number') add(claims.byId, account, claim);
      else add(claims.byLogin, account.toLowerCase(), claim);
    }
    for (const app of agent.apps) {
      if (typeof app === 'number') add(claims.byApp, app, claim);
      // GitHub keeps `slug[bot]` for the App of that slug: who declares the slug declares the login.
      else add(claims.byLogin, `${app.toLowerCase()}[bot]`, { ...claim, type: 'Bot' });
      for (const account of accountsOfApp(app)) bring(claims, account, claim);
    }
    for (const entry of entriesOf(agent.name, policy)) {
      for (const account of entry.accounts) bring(claims, account, claim);
    }
  }
  return claims;
}

/**
 * The catalogue entries that an entry of the policy stands for: the one of that id, or all of the family without
 * those that the policy lists by their own id as well.
 */
export function entriesOf(name: string, policy: RosterPolicy): readonly CatalogueEntry[] {
  return catalogueEntries(name).filter((entry) => entry.id === name || !policy.agents.has(entry.id));
}

/** The entry of the policy that names an account or App of this product outright; null: none, or several. */
export function claimantOf(entry: CatalogueEntry, policy: RosterPolicy): string | null {
  const claimants = [...policy.agents.values()].filter((agent) =>
    entry.accounts.some(
      (account) =>
        agent.accounts.some((listed) =>
          typeof listed === 'number'
            ? listed === account.id
            : account.logins.some((login) => login.toLowerCase() === listed.toLowerCase()),
        ) || agent.apps.some((app) => isApp(account, app)),
    ),
  );
  return claimants.length === 1 ? (claimants[0]?.name ?? null) : null;
}

function declaredClaim(agent: AgentPolicy): Claim {
  return {
    agent: agent.name,
    how: 'declared',
    type: null,
    shared: agent.shared,
    level: agent.level.value,
    gate: agent.onEvidence.value === 'gate',
  };
}

function bring(claims: Building, account: CatalogueAccount, by: Claim): void {
  const claim: Claim = { ...by, how: 'catalogue', type: account.type, shared: 'no' };
  if (account.id !== null) add(claims.byId, account.id, claim);
  // No id is known: the login stands in for it, which it may since the policy declares the agent.
  else
    for (const login of account.logins)
      add(claims.byLogin, login.toLowerCase(), { ...claim, how: 'declared' });
  if (account.appId !== undefined) add(claims.byApp, account.appId, claim);
}

function accountsOfApp(app: number | string): readonly CatalogueAccount[] {
  return CATALOGUE.flatMap((entry) => entry.accounts).filter((account) => isApp(account, app));
}

function isApp(account: CatalogueAccount, app: number | string): boolean {
  return typeof app === 'number' ? account.appId === app : account.appSlug === app.toLowerCase();
}

function add<K>(map: Map<K, Claim[]>, key: K, claim: Claim): void {
  const claims = map.get(key) ?? [];
  claims.push(claim);
  map.set(key, claims);
}
