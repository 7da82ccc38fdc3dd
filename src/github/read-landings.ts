import { z } from 'zod';
import type { Repository } from '../acts/act.js';
import type { ActivityFact, PullFact } from '../decide/facts.js';
import type { Client } from './client.js';
import type { Landing } from './facts.js';
import { RequestFailure } from './failure.js';

/** Commits of a path that are looked at: who landed the last version is nearly always among the first few. */
const LANDINGS = 20;

interface Sources {
  pullsOfCommit(sha: string): Promise<readonly PullFact[]>;
  activity(ref: string): Promise<readonly ActivityFact[]>;
}

/** Who landed the versions of a file on the default branch. */
export const createLandingsReader = (client: Client, repository: Repository, sources: Sources) => {
  const at = { owner: repository.owner, repo: repository.name };

  /** Whether `tip` has `commit` among its ancestors. Commit dates are the writer's to choose: they prove nothing. */
  const contains = async (tip: string, commit: string): Promise<boolean> => {
    if (tip === commit) return true;
    if (/^0+$/.test(tip)) return false;
    try {
      const { status } = await client.get(
        'GET /repos/{owner}/{repo}/compare/{basehead}',
        { ...at, basehead: `${commit}...${tip}`, per_page: 1 },
        z.object({ status: z.string() }),
        'forever',
      );
      return status === 'ahead' || status === 'identical';
    } catch (error) {
      if (error instanceof RequestFailure && (error.status === 404 || error.status === 422)) return false;
      throw error;
    }
  };

  /**
   * The row that brought `commit`: the oldest whose tip has it, found by halving, since a branch that
   * only grows keeps what it has. Rows below a force push or a deletion are another history and are not searched.
   */
  const pushOf = async (commit: string, rows: readonly ActivityFact[]): Promise<ActivityFact | null> => {
    const exact = rows.find((row) => row.after === commit && row.before !== commit);
    if (exact !== undefined) return exact;
    const rewritten = rows.findIndex(({ type }) => type === 'force_push' || type === 'branch_deletion');
    const grown = rewritten === -1 ? rows : rows.slice(0, rewritten + 1);
    let has = -1;
    let lacks = grown.length;
    while (lacks - has > 1) {
      const middle = Math.floor((has + lacks) / 2);
      const row = grown[middle];
      if (row !== undefined && (await contains(row.after, commit))) has = middle;
      else lacks = middle;
    }
    const row = grown[has];
    return row === undefined || (await contains(row.before, commit)) ? null : row;
  };

  async function* landings(path: string): AsyncGenerator<Landing> {
    const commits = await client.get(
      'GET /repos/{owner}/{repo}/commits',
      { ...at, sha: repository.defaultBranch, path, per_page: LANDINGS },
      z.array(z.object({ sha: z.string() })),
    );
    for (const { sha } of commits) {
      const pull = (await sources.pullsOfCommit(sha)).find(
        (one) => one.merged && one.base.ref === repository.defaultBranch,
      );
      if (pull !== undefined) yield { commit: sha, pull, by: pull.mergedBy, at: pull.mergedAt };
      else {
        const push = await pushOf(sha, await sources.activity(repository.defaultBranch));
        yield { commit: sha, pull: null, by: push?.actor ?? null, at: push?.at ?? null };
      }
    }
  }

  return { landings };
};
