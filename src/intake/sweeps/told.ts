import type { PullFact } from '../../decide/facts.js';
import type { ActivityRow } from '../../github/read-sweep.js';
import type { Ledger, PushRow } from '../../store/ledger.js';

/** Our clock and GitHub's may differ by so much. Milliseconds. */
const SKEW = 60_000;

const BRANCH = 'refs/heads/';

/** Short branch name of a row; null where it is about no branch. */
export const branchOf = ({ ref }: Pick<ActivityRow, 'ref'>): string | null =>
  ref.startsWith(BRANCH) ? ref.slice(BRANCH.length) : null;

/** The merges into a branch that are told, by their commits and by their PRs. */
export interface ToldMerges {
  readonly has: (sha: string) => boolean;
  readonly hasPull: (pull: PullFact) => boolean;
}

/** What the ledger was told of, for the rows of one page: each branch is read once. */
export interface Told {
  /** A push, a new branch among them. */
  push(row: ActivityRow, branch: string): Promise<boolean>;
  /** A deletion that was told since, of the same tip as far as it is known. */
  deletion(row: ActivityRow, branch: string): Promise<boolean>;
  merges(branch: string): Promise<ToldMerges>;
}

export const toldTo = (ledger: Ledger): Told => {
  const pushes = memo(async (branch: string) => {
    const rows = await ledger.pushes(branch);
    // A PR event says that its head moved, not whether by force.
    return new Set(rows.filter(({ told }) => told === 'push').map(endsOf));
  });
  const merges = memo(async (branch: string): Promise<ToldMerges> => {
    const rows = await ledger.acts({ kind: 'pull.merge', ref: branch });
    // An intent (auto-merge armed, enqueued) has no commit.
    const landed = rows.filter(({ subject }) => subject.after !== undefined);
    const shas = new Set(landed.map(({ subject }) => subject.after));
    const keys = new Set(landed.map(({ key }) => key));
    return {
      has: (sha) => shas.has(sha),
      hasPull: ({ number, mergeCommitSha }) => keys.has(`pull.merge:${number}:${mergeCommitSha ?? ''}`),
    };
  });
  return {
    push: async (row, branch) => (await pushes(branch)).has(endsOf(row)),
    async deletion(row, branch) {
      const since = new Date(Date.parse(row.at) - SKEW).toISOString();
      const acts = await ledger.acts({ kind: 'branch.delete', ref: branch, since });
      return acts.some(({ subject: { before } }) => before === undefined || before === row.before);
    },
    merges,
  };
};

const endsOf = ({ before, after }: Pick<PushRow, 'before' | 'after'>): string => `${before}:${after}`;

const memo = <T>(read: (branch: string) => Promise<T>): ((branch: string) => Promise<T>) => {
  const kept = new Map<string, Promise<T>>();
  return (branch) => {
    const value = kept.get(branch) ?? read(branch);
    kept.set(branch, value);
    return value;
  };
};
