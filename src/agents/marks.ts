import type { Account } from '../acts/act.js';
import { spokenLines } from './body.js';
import type { CatalogueEntry } from './catalogue.js';
import { capped, tierOf } from './evidence.js';
import type { Evidence, EvidenceClass, Tier } from './identity.js';
import { identify } from './roster.js';
import type { Roster } from './roster.js';
import { trailerLines } from './trailers.js';

/** A commit as attribution looks at it. */
export interface CommitMarks {
  readonly sha: string;
  readonly message: string;
  /** `date` is ISO 8601. `account` is whom GitHub links the address to. */
  readonly author: {
    readonly name: string;
    readonly email: string;
    readonly date: string;
    readonly account: Account | null;
  };
  readonly committer: { readonly name: string; readonly email: string; readonly account: Account | null };
  readonly verified: boolean;
}

/** The account and address under which GitHub itself commits: web edits, merges, commits by API. */
const WEB_FLOW = { id: 19864447, email: 'noreply@github.com' };

/** Something seen that points at one product, or at several that leave the same mark. */
export interface Mark {
  readonly class: EvidenceClass;
  readonly tier: Tier;
  readonly field: string;
  readonly value: string;
  readonly sha?: string;
  readonly entries: readonly CatalogueEntry[];
}

type Place = Pick<Mark, 'class' | 'field' | 'value' | 'sha'>;

/** What a PR itself shows, apart from its commits. `createdAt` is ISO 8601. */
export interface PullMarks {
  readonly headRef: string;
  /** Names of branches in forks are anybody's text and say nothing. */
  readonly sameRepository: boolean;
  readonly body: string;
  readonly title: string;
  readonly labels: readonly string[];
  readonly createdAt: string;
}

/** Marks in body, branch, labels and title. */
export function marksOfPull(roster: Roster, pull: PullMarks): readonly Mark[] {
  const seek = seeker(roster);
  const marks: Mark[] = [];
  for (const line of spokenLines(pull.body)) {
    const place: Place = { class: 'pr-marker', field: 'pull_request.body', value: line };
    marks.push(...seek(place, (entry) => entry.prBody.some((pattern) => pattern.test(line))));
    marks.push(...seekLinks(roster, place));
    marks.push(...seekTrailer(roster, place, pull.createdAt));
  }
  if (pull.sameRepository) {
    const place: Place = { class: 'branch', field: 'pull_request.head.ref', value: pull.headRef };
    marks.push(...seek(place, (entry) => entry.branches.some((pattern) => pattern.test(pull.headRef))));
  }
  for (const label of pull.labels) {
    const place: Place = { class: 'label', field: 'pull_request.labels', value: label };
    marks.push(...seek(place, (entry) => entry.labels.includes(label.toLowerCase())));
  }
  const title: Place = { class: 'title', field: 'pull_request.title', value: pull.title };
  marks.push(...seek(title, (entry) => entry.titles.some((pattern) => pattern.test(pull.title))));
  return marks;
}

/** Marks in a commit's message, names and addresses. An address that GitHub links to an agent is `accountsOfCommit`'s. */
export function marksOfCommit(roster: Roster, commit: CommitMarks): readonly Mark[] {
  const seek = seeker(roster);
  const marks: Mark[] = [];
  for (const role of ['author', 'committer'] as const) {
    const { name, email, account } = commit[role];
    if (account !== null && identify(roster, account).kind === 'agent') continue;
    const identity = { class: 'commit-identity', sha: commit.sha } as const;
    const address = email.toLowerCase();
    marks.push(
      ...seek({ ...identity, field: `commits[].commit.${role}.email`, value: email }, (entry) =>
        entry.commitEmails.includes(address),
      ),
      ...seek({ ...identity, field: `commits[].commit.${role}.name`, value: name }, (entry) =>
        entry.commitNames.some((pattern) => pattern.test(name)),
      ),
    );
  }
  const message = { field: 'commits[].commit.message', sha: commit.sha } as const;
  for (const line of trailerLines(commit.message)) {
    marks.push(...seekTrailer(roster, { ...message, class: 'trailer', value: line }, commit.author.date));
  }
  const subject = commit.message.slice(0, 1_000).split('\n', 1)[0] ?? '';
  marks.push(
    ...seek({ ...message, class: 'title', value: subject }, (entry) =>
      entry.messages.some((pattern) => pattern.test(subject)),
    ),
  );
  return marks;
}

/**
 * Evidence from the accounts that GitHub links a commit to. It links by address, which anybody can write, so an
 * account alone is `indicative`. A verified signature vouches for the committer, not for the author: it is `strong`
 * only where the agent's own account or GitHub itself committed.
 */
export function accountsOfCommit(roster: Roster, commit: CommitMarks): readonly Evidence[] {
  const { author, committer } = commit;
  const evidence: Evidence[] = [];
  const signed = commit.verified && author.account !== null && committedFor(author.account, committer);
  for (const role of ['author', 'committer'] as const) {
    const account = commit[role].account;
    if (account === null) continue;
    const identity = identify(roster, account);
    if (identity.kind !== 'agent') continue;
    const kind = role === 'author' && signed ? 'signed-commit' : 'commit-identity';
    evidence.push({
      class: kind,
      tier: tierOf(kind),
      agent: identity.agent,
      field: `commits[].${role}.id`,
      value: String(account.id),
      sha: commit.sha,
    });
  }
  return evidence;
}

function committedFor(author: Account, committer: CommitMarks['committer']): boolean {
  if (committer.account === null) return committer.email.toLowerCase() === WEB_FLOW.email;
  return committer.account.id === author.id || committer.account.id === WEB_FLOW.id;
}

type Seek = (place: Place, matches: (entry: CatalogueEntry) => boolean) => readonly Mark[];

function seeker(roster: Roster): Seek {
  return (place, matches) => {
    const entries = roster.marked.map(({ entry }) => entry).filter(matches);
    return entries.length === 0 ? [] : [mark(place, tierOf(place.class), entries)];
  };
}

function seekLinks(roster: Roster, place: Place): readonly Mark[] {
  return roster.marked.flatMap(({ entry }) =>
    entry.prLinks.flatMap((pattern) => {
      const link = pattern.exec(place.value)?.[0];
      return link === undefined ? [] : [mark({ ...place, value: link }, tierOf(place.class), [entry])];
    }),
  );
}

function seekTrailer(roster: Roster, place: Place, date: string): readonly Mark[] {
  const entries = roster.marked
    .map(({ entry }) => entry)
    .filter((entry) =>
      [...entry.trailers, ...entry.sharedTrailers].some((pattern) => pattern.test(place.value)),
    )
    .filter((entry) => !meansNothing(entry, date));
  return (['indicative', 'weak'] as const).flatMap((tier) => {
    const those = entries.filter(({ trailerTier }) => trailerTier === tier);
    return those.length === 0 ? [] : [mark(place, tier, those)];
  });
}

function meansNothing({ falseWindow }: CatalogueEntry, date: string): boolean {
  const time = Date.parse(date);
  if (falseWindow === null || Number.isNaN(time)) return false;
  const day = new Date(time).toISOString().slice(0, 10);
  return falseWindow.from <= day && day <= falseWindow.to;
}

function mark(place: Place, tier: Tier, entries: readonly CatalogueEntry[]): Mark {
  return { ...place, value: capped(place.value), tier, entries };
}
