import type { ActOf } from '../acts/act.js';
import type { Doer } from '../decide/doer.js';
import type { CloseFacts } from '../decide/judge-other.js';
import type { Desk } from './deps.js';
import { closedKey, recentMerge } from './grace.js';

export interface Close {
  readonly facts: CloseFacts;
  /** Names under which the merge's one closing is used up, once it is judged. */
  readonly used: readonly string[];
}

/** What a merge closes is judged at the level the merge was judged at. */
export async function gatherClose(act: ActOf<'issue.close'>, doer: Doer, desk: Desk): Promise<Close> {
  const reopenedBefore = await wasReopened(act, desk);
  const ours = (await desk.ledger.escalationOfIssue(act.issue)) !== undefined;
  const merge = await recentMerge(act, doer, desk);
  if (merge === null) return { facts: { merge: null, reopenedBefore, ours }, used: [] };
  return { facts: { merge: merge.verdict, reopenedBefore, ours }, used: [closedKey(merge.pull, act.issue)] };
}

/** Whether we opened it again before. When this close is judged again, what we did about it itself does not count. */
async function wasReopened(act: ActOf<'issue.close'>, desk: Desk): Promise<boolean> {
  const key = `reopen-issue:${act.issue}`;
  if (!(await desk.ledger.done(key))) return false;
  const [seen, note] = await Promise.all([desk.ledger.act(act.key), desk.ledger.effect(key)]);
  const forThis =
    seen?.unfinished === true && note !== undefined && Date.parse(note.at) >= Date.parse(seen.at);
  return !forThis;
}
