import type { PullFact } from '../../decide/facts.js';
import type { ActivityRow } from '../../github/read-sweep.js';
import type { Ledger, PushRow } from '../../store/ledger.js';
import { movedAway, movesOf, SKEW } from '../pushed-again.js';

const BRANCH = 'refs/heads/';

/** Short branch name of a row; null where it is about no branch. */
export const branchOf = ({ ref }: Pick<ActivityRow, 'ref'>): string | null =>
  ref.startsWith(BRANCH) ? ref.slice(BRANCH.length) : null;

/** The merges into a branch that are told, by their commits and by their PRs. */
export interface ToldMerges {
  readonly has: (sha: string) => boolean;
  readonly hasPull: (pull: PullFact) => boolean;
}

/** What the ledger was told of, for the rows of one page: of each branch it is read once. */
export interface Told {
  /** A push, a new branch among them. One between the same ends is another where the branch was moved away since. */
  push(row: ActivityRow, branch: string): Promise<boolean>;
  /** A deletion that was told since, of the same tip as far as it is known. */
  deletion(row: ActivityRow, branch: string): Promise<boolean>;
  merges(branch: string): Promise<ToldMerges>;
}

export const toldTo = (ledger: Ledger, page: readonly ActivityRow[]): Told => {
  const pushes = memo(async (branch: string) => {
    const told = new Map<string, string>();
    // A PR event says that its head moved, not whether by force.
    for (const row of (await ledger.pushes(branch)).filter(({ told: by }) => by === 'push')) {
      const last = told.get(endsOf(row));
      if (last === undefined || Date.parse(last) < Date.parse(row.at)) told.set(endsOf(row), row.at);
    }
    return told;
  });
  const moves = memo(async (branch: string) => [
    ...(await movesOf(branch, ledger)),
    ...page.filter((row) => branchOf(row) === branch),
  ]);
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
    async push(row, branch) {
      const last = (await pushes(branch)).get(endsOf(row));
      if (last === undefined) return false;
      if (Date.parse(row.at) - Date.parse(last) <= SKEW) return true;
      return !movedAway(row, { from: last, to: row.at }, await moves(branch));
    },
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
