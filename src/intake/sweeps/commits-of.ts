import type { ActivityRow, SweepReader } from '../../github/read-sweep.js';
import type { FoundCommit } from './synthetic.js';

/** Where the policy and workflows are. */
const WATCHED = '.github';
/** Commits whose files are looked at, of those that touch what is watched. */
const LOOKED_AT = 20;

const isNoCommit = (sha: string): boolean => /^0+$/.test(sha);

/**
 * The commits a push brought, with what they touched under `.github`: no decision asks for other paths. None where GitHub
 * no longer has what was there before, or where they are more than 300: nobody is accused of what cannot be looked at.
 */
export async function commitsOf(
  row: ActivityRow,
  defaultBranch: string,
  github: SweepReader,
): Promise<readonly FoundCommit[]> {
  const created = isNoCommit(row.before);
  if (created && row.ref === `refs/heads/${defaultBranch}`) return [];
  const commits = await github.commitsBetween(created ? defaultBranch : row.before, row.after);
  if (commits === null || commits.length === 0) return [];
  const brought = new Set(commits.map(({ sha }) => sha));
  const touching = (await github.touching(row.after, WATCHED)).filter((sha) => brought.has(sha));
  const looked = await Promise.all(touching.slice(0, LOOKED_AT).map((sha) => github.pathsOf(sha)));
  const paths = new Map(
    looked.map(({ sha, paths: all }) => [sha, all.filter((path) => path.startsWith(`${WATCHED}/`))]),
  );
  return commits.map(({ sha, message, author }) => ({
    sha,
    message,
    author: { name: author.name, email: author.email },
    paths: paths.get(sha) ?? [],
  }));
}
