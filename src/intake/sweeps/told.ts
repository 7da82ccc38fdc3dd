import type { PullFact } from '../../decide/facts.js';
import type { ActivityRow } from '../../github/read-sweep.js';
import type { ActRow, Ledger } from '../../store/ledger.js';

/** Our clock and GitHub's may differ by so much. Milliseconds. */
const SKEW = 60_000;

const BRANCH = 'refs/heads/';

/** Short branch name of a row; null where it is about no branch. */
export const branchOf = ({ ref }: Pick<ActivityRow, 'ref'>): string | null =>
  ref.startsWith(BRANCH) ? ref.slice(BRANCH.length) : null;

/** Whether some webhook has told a push, a new branch among them. */
export async function pushIsTold(
  { before, after }: ActivityRow,
  branch: string,
  ledger: Ledger,
): Promise<boolean> {
  return (await ledger.pushes(branch)).some((push) => push.before === before && push.after === after);
}

/** Whether some webhook has told a deletion: one that was told since, of the same tip as far as it is known. */
export async function deletionIsTold(row: ActivityRow, branch: string, ledger: Ledger): Promise<boolean> {
  const act = await ledger.act(`branch.delete:${branch}`);
  if (act === undefined || Date.parse(act.at) < Date.parse(row.at) - SKEW) return false;
  return act.subject.before === undefined || act.subject.before === row.before;
}

/** The merges into a branch that are told, by their commits and by their PRs. */
export interface ToldMerges {
  readonly has: (sha: string) => boolean;
  readonly hasPull: (pull: PullFact) => boolean;
}

export async function toldMerges(branch: string, ledger: Ledger): Promise<ToldMerges> {
  const rows = (await ledger.acts({ kind: 'pull.merge', ref: branch })).filter(isLanded);
  const shas = new Set(rows.map(({ subject }) => subject.after));
  const keys = new Set(rows.map(({ key }) => key));
  return {
    has: (sha) => shas.has(sha),
    hasPull: ({ number, mergeCommitSha }) => keys.has(`pull.merge:${number}:${mergeCommitSha ?? ''}`),
  };
}

/** An intent (auto-merge armed, enqueued) has no commit. */
const isLanded = ({ subject }: ActRow): boolean => subject.after !== undefined;
