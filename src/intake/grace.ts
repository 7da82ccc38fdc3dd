import type { ActOf } from '../acts/act.js';
import { closedByKeyword } from '../acts/read-issue.js';
import type { Context } from '../decide/context.js';
import { type Doer, isOwn } from '../decide/doer.js';
import { valueFor } from '../decide/value.js';
import type { Desk } from './deps.js';

/** How long a trunk push waits for its PR, and an issue close for its merge: webhooks come in any order. */
export const GRACE_MS = 90_000;

/**
 * Whether a merged PR explains a push to a trunk: one we were told of, or, once the grace is over, one that GitHub
 * names for the commit. Throws when GitHub does not answer: the grace then goes on.
 */
export async function explainedByMerge(
  act: ActOf<'push.trunk'>,
  desk: Desk,
  askGitHub: boolean,
): Promise<boolean> {
  const shas = new Set([act.after, ...act.commits.map(({ sha }) => sha)]);
  const merges = await desk.ledger.acts({ kind: 'pull.merge', ref: act.ref });
  if (merges.some(({ subject }) => subject.after !== undefined && shas.has(subject.after))) return true;
  if (!askGitHub) return false;
  const pulls = await desk.facts.pullsOfCommit(act.after);
  return pulls.some(
    ({ merged, base, mergeCommitSha }) =>
      merged && base.ref === act.ref && mergeCommitSha !== null && shas.has(mergeCommitSha),
  );
}

/**
 * Whether the answer on an issue close may still change: a PR to the default branch that is open, or that GitHub
 * merged just now and has not told us of, names the issue with a closing keyword.
 */
export async function valueIsOpen(
  act: ActOf<'issue.close'>,
  doer: Doer,
  context: Context,
  desk: Desk,
): Promise<boolean> {
  const own = isOwn(act.author, doer, context);
  if (own || valueFor(doer, 'issue.close', { trunk: false }, context).value !== 'own') return false;
  if ((await recentMerge(act, doer, desk)) !== null) return false;
  const repository = `${desk.repository.owner}/${desk.repository.name}`;
  const [open, closed] = await Promise.all([desk.facts.openPulls(), desk.facts.lastClosedPulls()]);
  const candidates = [
    ...open,
    ...closed.filter(({ merged, mergedAt }) => merged && isRecent(mergedAt, act, desk)),
  ];
  // One that is not finished is told again, and has not said yet what it closes.
  const merges = (await desk.ledger.acts({ kind: 'pull.merge' })).filter(
    ({ subject, unfinished }) => subject.after !== undefined && unfinished !== true,
  );
  const told = new Set(merges.map(({ subject }) => subject.pull));
  return candidates.some(
    ({ body, base, number }) =>
      base.ref === desk.repository.defaultBranch &&
      !told.has(number) &&
      closedByKeyword(body, repository).includes(act.issue),
  );
}

const isRecent = (at: string | null, act: ActOf<'issue.close'>, desk: Desk): boolean =>
  at !== null && Math.abs(Date.parse(act.closedAt ?? desk.now()) - Date.parse(at)) <= GRACE_MS;

/**
 * The PR merged within the grace whose closing keyword names the issue, if it has not closed it before. A merge by
 * another agent closes nothing for this one.
 */
export async function recentMerge(
  act: ActOf<'issue.close'>,
  doer: Doer,
  desk: Desk,
): Promise<{ readonly pull: number; readonly verdict: 'allow' | 'deny' } | null> {
  const merges = await desk.ledger.acts({ kind: 'pull.merge', agent: doer.agent });
  for (const { subject } of [...merges].reverse()) {
    if (subject.pull === undefined || subject.after === undefined) continue;
    const { merge, closes } = await desk.ledger.pull(subject.pull);
    if (merge === undefined || merge.verdict === 'person' || closes?.includes(act.issue) !== true) continue;
    if (!isRecent(merge.at, act, desk)) continue;
    if (await desk.ledger.done(closedKey(subject.pull, act.issue))) continue;
    return { pull: subject.pull, verdict: merge.verdict };
  }
  return null;
}

/** A merge closes an issue once: a later close of the same issue is another act. */
export const closedKey = (pull: number, issue: number): string => `closed-by-merge:${pull}:${issue}`;
