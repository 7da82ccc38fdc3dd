import { z } from 'zod';
import type { Account } from '../acts/act.js';
import { resolvePolicy } from '../policy/resolve.js';
import { attributePull } from './attribute.js';
import { CATALOGUE } from './catalogue.js';
import type { AttributedAgent, Attribution, Tier } from './identity.js';
import type { CommitMarks } from './marks.js';
import { makeRoster } from './roster.js';
import type { Roster } from './roster.js';

/**
 * One PR of a labelled file. Logins of people are pseudonyms and ids may be gone; `body_markers` are the lines of
 * the body that looked like marks, `trailers` the trailer lines of a commit. Other keys are not read.
 */
export const ROW = z.object({
  label: z.string().min(1),
  author: z.object({
    login: z.string().min(1),
    id: z.number().int().nullish(),
    type: z.enum(['User', 'Bot', 'Organization']),
  }),
  created_at: z.string().optional(),
  head: z.string().optional(),
  title: z.string().optional(),
  labels: z.array(z.string()).optional(),
  body_markers: z.array(z.string()),
  commits: z.array(
    z.object({
      author: z.string().nullable(),
      committer: z.string().nullable(),
      trailers: z.array(z.string()),
    }),
  ),
});

export type Row = z.infer<typeof ROW>;

export interface Outcomes {
  readonly n: number;
  readonly agent: number;
  readonly 'likely-agent': number;
  /** There only where a row came out so. */
  readonly automation?: number;
  readonly undisclosed: number;
}

export interface Recall {
  /** PRs by a login of type User that came out as `agent`: must be 0. */
  readonly people_called_agent: number;
  readonly by_label: Readonly<Record<string, Outcomes>>;
  /** For each agent found, in how many PRs its strongest evidence was of which tier. */
  readonly by_agent: Readonly<Record<string, Readonly<Record<Tier, number>>>>;
  /** Rows that name their head branch; without it that evidence is not measured. */
  readonly with_branch: number;
}

/** Attributes each row under the built-in policy, which lists no agent, and counts. */
export function measureRecall(rows: readonly Row[]): Recall {
  const neutral = resolvePolicy({ repo: null, org: null, operator: null, repositoryName: '' });
  const roster = makeRoster(neutral, { appId: 0, botId: null, botLogin: '' });
  const found = rows.map((row) => ({ row, attribution: attributeRow(roster, row) }));
  const labels = [...new Set(rows.map(({ label }) => label))].sort();
  return {
    people_called_agent: found.filter(
      ({ row, attribution }) => row.author.type === 'User' && attribution.outcome === 'agent',
    ).length,
    by_label: Object.fromEntries(
      labels.map((label) => [
        label,
        outcomes(found.flatMap(({ row, attribution }) => (row.label === label ? [attribution] : []))),
      ]),
    ),
    by_agent: byAgent(found.flatMap(({ attribution }) => attribution.agents)),
    with_branch: rows.filter(({ head }) => head !== undefined).length,
  };
}

function outcomes(attributions: readonly Attribution[]): Outcomes {
  const count = (outcome: Attribution['outcome']): number =>
    attributions.filter((attribution) => attribution.outcome === outcome).length;
  const automation = count('automation');
  return {
    n: attributions.length,
    agent: count('agent'),
    'likely-agent': count('likely-agent'),
    ...(automation === 0 ? {} : { automation }),
    undisclosed: count('undisclosed'),
  };
}

function byAgent(agents: readonly AttributedAgent[]): Recall['by_agent'] {
  const names = [...new Set(agents.map(({ agent }) => agent))].sort();
  return Object.fromEntries(
    names.map((name) => {
      const count = (tier: Tier): number =>
        agents.filter((seen) => seen.agent === name && seen.tier === tier).length;
      return [
        name,
        {
          certain: count('certain'),
          strong: count('strong'),
          indicative: count('indicative'),
          weak: count('weak'),
        },
      ];
    }),
  );
}

function attributeRow(roster: Roster, row: Row): Attribution {
  const accounts = new Pseudonyms();
  const createdAt = row.created_at ?? '';
  return attributePull(roster, {
    author: accounts.author(row.author),
    headRef: row.head ?? '',
    sameRepository: row.head !== undefined,
    body: row.body_markers.join('\n'),
    title: row.title ?? '',
    labels: row.labels ?? [],
    commits: row.commits.map((commit, index) => commitOf(commit, index, createdAt, accounts)),
    pushers: [],
    createdAt,
  });
}

function commitOf(
  commit: Row['commits'][number],
  index: number,
  date: string,
  accounts: Pseudonyms,
): CommitMarks {
  return {
    sha: String(index).padStart(40, '0'),
    // Each stood as a trailer; what surrounded it is not in the file.
    message: ['(subject not in the file)', ...commit.trailers].join('\n\n'),
    author: { name: '', email: '', date, account: accounts.linked(commit.author) },
    committer: { name: '', email: '', account: accounts.linked(commit.committer) },
    verified: false,
  };
}

/**
 * Accounts of one row. A file may come without ids, so a bot's missing id is looked up by the login the catalogue
 * has for it, spelled exactly so, and a commit's linked login likewise. Nobody else gets an id of the catalogue: a
 * PR author of type User keeps the file's, or a negative one that is nobody's.
 */
class Pseudonyms {
  readonly #ids = new Map<string, number>();

  author({ login, id, type }: Row['author']): Account {
    const known = catalogueAccount(login);
    return {
      login,
      type,
      id: id ?? (type === 'Bot' && known?.type === 'Bot' ? known.id : this.#nobody(login)),
    };
  }

  linked(login: string | null): Account | null {
    if (login === null) return null;
    const type = login.endsWith('[bot]') ? 'Bot' : 'User';
    return catalogueAccount(login) ?? { id: this.#nobody(login), login, type };
  }

  #nobody(login: string): number {
    const id = this.#ids.get(login) ?? -1 - this.#ids.size;
    this.#ids.set(login, id);
    return id;
  }
}

function catalogueAccount(login: string): Account | null {
  for (const account of CATALOGUE.flatMap(({ accounts }) => accounts)) {
    if (account.id !== null && account.logins.includes(login))
      return { id: account.id, login, type: account.type };
  }
  return null;
}
