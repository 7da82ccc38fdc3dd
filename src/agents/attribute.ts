import type { Account } from '../acts/act.js';
import { CATALOGUE } from './catalogue.js';
import { gathered } from './evidence.js';
import type { AttributedAgent, Attribution, Evidence } from './identity.js';
import { accountsOfCommit, marksOfCommit, marksOfPull } from './marks.js';
import type { CommitMarks, Mark, PullMarks } from './marks.js';
import { PUSH_FIELD, standing } from './remembered.js';
import { identify, sharedMarked } from './roster.js';
import type { Roster } from './roster.js';

const AUTHOR_FIELD = 'pull_request.user';

export interface PullInput extends PullMarks {
  readonly author: Account;
  /** `performed_via_github_app.id` of the PR's issue, where GitHub gives it. */
  readonly viaApp?: number;
  readonly commits: readonly CommitMarks[];
  /** Senders of the pushes whose commits are still in the PR. */
  readonly pushers: readonly Account[];
  /** What was stored when it was first seen: a squash or a stripped trailer takes nothing of it away. */
  readonly remembered?: readonly AttributedAgent[];
}

/**
 * The agents a PR is of, by what evidence, strongest first; of equals the author's first. `agent` rests on an account
 * or App alone: whatever stands in text, commits or names makes it `likely-agent` at most. A bot nobody listed is no
 * agent here: `identify` tells it.
 */
export function attributePull(roster: Roster, input: PullInput): Attribution {
  const author = identify(roster, input.author, {
    field: AUTHOR_FIELD,
    ...(input.viaApp === undefined ? {} : { viaApp: input.viaApp }),
  });
  const hands = [author, ...input.pushers.map((account) => identify(roster, account, { field: PUSH_FIELD }))];
  const accounts = hands.flatMap((hand) => (hand.kind === 'agent' ? [hand.evidence] : []));

  // What a bot that keeps things up to date writes into its PRs is release notes: other people's words.
  const quotes = author.kind === 'automation' || author.kind === 'self';
  const commits = input.commits.filter(({ author: by }) => !isLeftAlone(roster, by.account));
  const linked = commits.flatMap((commit) => accountsOfCommit(roster, commit));
  const marks = [
    ...commits.flatMap((commit) => marksOfCommit(roster, commit)),
    ...(quotes ? [] : marksOfPull(roster, input)),
  ];
  const seen = [...linked, ...credited(roster, marks, [input.author, ...input.pushers])];
  const remembered = standing(roster, input.remembered ?? [], seen);

  const found = gathered([...accounts, ...seen, ...remembered]);
  const shared = [input.author, ...input.pushers].flatMap((account, index) =>
    sharedEvidence(roster, account, index === 0 ? AUTHOR_FIELD : PUSH_FIELD, found),
  );
  const agents = gathered([...accounts, ...shared, ...seen, ...remembered]);
  return { outcome: outcomeOf(agents, quotes), agents };
}

/** The agent with the strongest evidence; null: none. */
export function strongest(attribution: Attribution): AttributedAgent | null {
  return attribution.agents[0] ?? null;
}

/** The likely agents that `on-evidence: gate` holds a PR for: strong or indicative evidence, since weak alone only notes. */
export function gating(attribution: Attribution): readonly AttributedAgent[] {
  return attribution.agents.filter(({ tier }) => tier === 'strong' || tier === 'indicative');
}

/**
 * Whether a PR carries the marks of this agent, as `shared: marked` asks. An agent whose entry stands for no product
 * of the catalogue has no marks of its own; any mark then counts that is of no other agent of the policy.
 */
export function carriesMarks(roster: Roster, agent: string, agents: readonly AttributedAgent[]): boolean {
  const hasOwn = roster.marked.some((marked) => marked.agent === agent);
  return agents.some((seen) => seen.agent === agent || (!hasOwn && !roster.agents.has(seen.agent)));
}

function outcomeOf(agents: readonly AttributedAgent[], quotes: boolean): Attribution['outcome'] {
  if (agents.some(({ tier }) => tier === 'certain')) return 'agent';
  if (agents.length > 0) return 'likely-agent';
  return quotes ? 'automation' : 'undisclosed';
}

function isLeftAlone(roster: Roster, account: Account | null): boolean {
  if (account === null) return false;
  const { kind } = identify(roster, account);
  return kind === 'automation' || kind === 'self';
}

/** A login that is also a person's, on a PR with the agent's marks: the declaration makes it certain. */
function sharedEvidence(
  roster: Roster,
  account: Account,
  field: string,
  found: readonly AttributedAgent[],
): readonly Evidence[] {
  const agent = sharedMarked(roster, account);
  if (agent === null || !carriesMarks(roster, agent, found)) return [];
  return [
    { class: 'declared-account', tier: 'certain', agent, field: `${field}.id`, value: String(account.id) },
  ];
}

/**
 * Marks as evidence, under the names the policy uses. Of a mark that several products leave, those get it that
 * something else in the PR points at, else the one the catalogue names first; within one family, what the policy lists.
 */
function credited(roster: Roster, marks: readonly Mark[], accounts: readonly Account[]): readonly Evidence[] {
  const pointedAt = new Set([
    ...marks.map(familiesOf).flatMap((families) => (families.length === 1 ? families : [])),
    ...accounts.flatMap(familiesWith),
  ]);
  return marks.flatMap((mark) => {
    const families = familiesOf(mark);
    const meant = families.filter((family) => pointedAt.has(family));
    const { entries, ...piece } = mark;
    return (meant.length > 0 ? meant : families.slice(0, 1))
      .flatMap((family) => namesFor(roster, family, entries))
      .map((agent) => ({ ...piece, agent }));
  });
}

function familiesOf(mark: Mark): readonly string[] {
  return [...new Set(mark.entries.map(({ family }) => family))];
}

function familiesWith(account: Account): readonly string[] {
  return CATALOGUE.filter(({ accounts }) =>
    accounts.some(({ id, type }) => id === account.id && type === account.type),
  ).map(({ family }) => family);
}

function namesFor(roster: Roster, family: string, entries: Mark['entries']): readonly string[] {
  const those = roster.marked.filter(({ entry }) => entry.family === family && entries.includes(entry));
  const listed = those.filter((marked) => marked.listed);
  return [...new Set((listed.length > 0 ? listed : those).map(({ agent }) => agent))];
}
