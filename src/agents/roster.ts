import type { Account } from '../acts/act.js';
import type { Level } from '../policy/policy.js';
import { CATALOGUE, catalogueEntries } from './catalogue.js';
import type { CatalogueEntry } from './catalogue.js';
import { claimantOf, claimsOf, entriesOf } from './claims.js';
import type { Claim, Claims, RosterPolicy } from './claims.js';
import { capped } from './evidence.js';
import type { Evidence, Identity } from './identity.js';

/** This App itself. `botId` is null until GitHub was asked; then the id alone decides. */
export interface Self {
  readonly appId: number;
  readonly botId: number | null;
  readonly botLogin: string;
}

/** Who is who under one policy. Made by `makeRoster`; read through the functions of this file. */
export interface Roster {
  readonly self: Self;
  /** The names that the policy's own entries have. */
  readonly agents: ReadonlySet<string>;
  readonly claims: Claims;
  /** Catalogue accounts that no entry of the policy lists, by id. */
  readonly known: ReadonlyMap<number, { readonly agent: string; readonly type: Account['type'] }>;
  readonly automation: {
    readonly byId: ReadonlyMap<number, { readonly name: string; readonly type: Account['type'] }>;
    /** Keys in lower case; only accounts of type Bot. */
    readonly byLogin: ReadonlyMap<string, string>;
  };
  /** Catalogue entries whose marks are looked for, each with the name its evidence is told under. */
  readonly marked: readonly {
    readonly entry: CatalogueEntry;
    readonly agent: string;
    readonly listed: boolean;
  }[];
}

export interface IdentifyOptions {
  /** `performed_via_github_app.id` of the thing this account itself made: on an issue it names the maker, not its closer. */
  readonly viaApp?: number;
  /** Where the account stands in the payload or answer; default `sender`. */
  readonly field?: string;
}

/** Resolves a policy and the catalogue into who is who. */
export function makeRoster(policy: RosterPolicy, self: Self): Roster {
  const claims = claimsOf(policy);
  const known = new Map<number, { agent: string; type: Account['type'] }>();
  for (const entry of CATALOGUE.filter(isAgent)) {
    for (const { id, type } of entry.accounts) {
      if (id !== null && !claims.byId.has(id)) known.set(id, { agent: entry.family, type });
    }
  }

  const byId = new Map<number, { name: string; type: Account['type'] }>();
  const byLogin = new Map<string, string>();
  const leftAlone = new Set<string>();
  for (const name of policy.automation.value) {
    const entries = catalogueEntries(name);
    if (entries.length === 0) {
      byLogin.set(name.toLowerCase(), name);
      for (const entry of entriesWithLogin(name)) leftAlone.add(entry.id);
    }
    for (const entry of entries) {
      leftAlone.add(entry.id);
      for (const account of entry.accounts) {
        if (account.id !== null) byId.set(account.id, { name, type: account.type });
        else for (const login of account.logins) byLogin.set(login.toLowerCase(), name);
      }
    }
  }

  const listed = new Set(
    [...policy.agents.keys()].flatMap((name) => entriesOf(name, policy).map(({ id }) => id)),
  );
  const marked = CATALOGUE.filter(
    (entry) => listed.has(entry.id) || (isAgent(entry) && !leftAlone.has(entry.id)),
  ).map((entry) => {
    if (policy.agents.has(entry.id)) return { entry, agent: entry.id, listed: true };
    if (policy.agents.has(entry.family)) return { entry, agent: entry.family, listed: true };
    const claimant = claimantOf(entry, policy);
    return { entry, agent: claimant ?? entry.family, listed: claimant !== null };
  });
  return {
    self,
    agents: new Set(policy.agents.keys()),
    claims,
    known,
    automation: { byId, byLogin },
    marked,
  };
}

/**
 * Who an account is. By id and type first; by login only where the policy declares it. A login that merely looks like
 * an agent's is `unknown-bot` or `undisclosed`, a renamed account stays who it was.
 * docs/agents.md has the order and the reasons.
 */
export function identify(roster: Roster, account: Account, options: IdentifyOptions = {}): Identity {
  if (isSelf(roster.self, account)) return { kind: 'self', account };

  const field = options.field ?? 'sender';
  const outright = [
    ...appClaims(roster, options.viaApp, account),
    ...accountClaims(roster, account, field).filter((found) => found.shared !== 'marked'),
  ].sort(strictestFirst);
  const claim = outright[0];
  if (claim !== undefined) {
    const shared = outright.every((found) => found.shared === 'yes');
    return { kind: 'agent', agent: claim.agent, shared, evidence: claim.evidence, account };
  }

  // Whoever enqueued is behind a queue's merge, so no policy can have the queue left alone.
  const platform = platformOf(account);
  if (platform === 'merge-queue') return { kind: 'platform', name: platform, account };
  const automation = automationName(roster, account);
  if (automation !== null) return { kind: 'automation', name: automation, account };
  if (platform !== null) return { kind: 'platform', name: platform, account };

  const known = roster.known.get(account.id);
  if (known !== undefined && known.type === account.type) {
    const evidence = certain('account-id', known.agent, `${field}.id`, String(account.id));
    return { kind: 'agent', agent: known.agent, shared: false, evidence, account };
  }
  if (account.type === 'Bot') return { kind: 'unknown-bot', name: account.login, account };
  return { kind: 'undisclosed', account };
}

/** The agent under which a login declared `shared: marked` is judged on what carries that agent's marks; null: none. */
export function sharedMarked(roster: Roster, account: Account): string | null {
  const marked = accountClaims(roster, account, 'sender').filter((found) => found.shared === 'marked');
  return marked.sort(strictestFirst)[0]?.agent ?? null;
}

/** Whether an account is among the identities that this agent's entry lists or brings along: its control group. */
export function sameGroup(roster: Roster, agent: string, account: Account): boolean {
  if (accountClaims(roster, account, 'sender').some((claim) => claim.agent === agent)) return true;
  const known = roster.known.get(account.id);
  return known !== undefined && known.type === account.type && known.agent === agent;
}

/** The agent that the policy or the catalogue has under an account id, whatever else is known of the account; null: none. */
export function agentOfId(roster: Roster, id: number): string | null {
  const claim = strictest(roster.claims.byId.get(id));
  if (claim !== null) return claim.agent;
  return roster.automation.byId.has(id) ? null : (roster.known.get(id)?.agent ?? null);
}

/** The agent whose entry declares a login; null: none. */
export function agentOfLogin(roster: Roster, login: string): string | null {
  return strictest(roster.claims.byLogin.get(login.toLowerCase()))?.agent ?? null;
}

/** The agent whose entry declares an App id; null: none. */
export function agentOfApp(roster: Roster, app: number): string | null {
  return strictest(roster.claims.byApp.get(app))?.agent ?? null;
}

interface Found extends Claim {
  readonly evidence: Evidence;
}

function accountClaims(roster: Roster, account: Account, field: string): Found[] {
  const agrees = (claim: Claim): boolean => claim.type === null || claim.type === account.type;
  // A bot is never also a person's, whatever its entry says of the others.
  const shared = (claim: Claim): Claim['shared'] => (account.type === 'Bot' ? 'no' : claim.shared);
  const found = (claims: readonly Claim[], where: string, value: string): Found[] =>
    claims.filter(agrees).map((claim) => ({
      ...claim,
      shared: shared(claim),
      evidence: certain(
        claim.how === 'declared' ? 'declared-account' : 'account-id',
        claim.agent,
        where,
        value,
      ),
    }));
  return [
    ...found(roster.claims.byId.get(account.id) ?? [], `${field}.id`, String(account.id)),
    ...found(roster.claims.byLogin.get(account.login.toLowerCase()) ?? [], `${field}.login`, account.login),
  ];
}

/** An App that acts on a person's grant is the one that acts: that the entry's login is shared changes nothing. */
function appClaims(roster: Roster, viaApp: number | undefined, account: Account): Found[] {
  if (viaApp === undefined) return [];
  return (roster.claims.byApp.get(viaApp) ?? [])
    .filter((claim) => claim.type === null || claim.type === account.type)
    .map((claim) => ({
      ...claim,
      shared: 'no',
      evidence: certain('app-id', claim.agent, 'performed_via_github_app.id', String(viaApp)),
    }));
}

const STRICTNESS: Readonly<Record<Level, number>> = { none: 0, pr: 1, merge: 2 };

/** An account that several entries list is judged under the strictest (docs/decisions/020-two-entries-one-account.md). */
function strictestFirst(a: Claim, b: Claim): number {
  return (
    STRICTNESS[a.level] - STRICTNESS[b.level] ||
    Number(b.gate) - Number(a.gate) ||
    Number(a.shared === 'yes') - Number(b.shared === 'yes') ||
    (a.agent < b.agent ? -1 : Number(a.agent > b.agent))
  );
}

function strictest(claims: readonly Claim[] = []): Claim | null {
  return [...claims].sort(strictestFirst)[0] ?? null;
}

function certain(kind: Evidence['class'], agent: string, field: string, value: string): Evidence {
  return { class: kind, tier: 'certain', agent, field, value: capped(value) };
}

function isSelf(self: Self, account: Account): boolean {
  if (account.type !== 'Bot') return false;
  if (self.botId !== null) return account.id === self.botId;
  return account.login.toLowerCase() === self.botLogin.toLowerCase();
}

function automationName(roster: Roster, account: Account): string | null {
  const byId = roster.automation.byId.get(account.id);
  if (byId !== undefined && byId.type === account.type) return byId.name;
  return account.type === 'Bot' ? (roster.automation.byLogin.get(account.login.toLowerCase()) ?? null) : null;
}

function platformOf(account: Account): 'github-actions' | 'merge-queue' | null {
  const entry = CATALOGUE.find(
    ({ kind, accounts }) =>
      kind === 'platform' && accounts.some(({ id, type }) => id === account.id && type === account.type),
  );
  return entry === undefined ? null : entry.id === 'merge-queue' ? 'merge-queue' : 'github-actions';
}

function entriesWithLogin(login: string): readonly CatalogueEntry[] {
  return CATALOGUE.filter(({ accounts }) =>
    accounts.some(({ logins }) => logins.some((known) => known.toLowerCase() === login.toLowerCase())),
  );
}

function isAgent(entry: CatalogueEntry): boolean {
  return entry.kind !== 'automation' && entry.kind !== 'platform';
}
