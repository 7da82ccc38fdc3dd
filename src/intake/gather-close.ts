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
  const again = (await desk.ledger.act(act.key))?.unfinished === true;
  const reopenedBefore = !again && (await desk.ledger.done(`reopen-issue:${act.issue}`));
  const ours = (await desk.ledger.escalationOfIssue(act.issue)) !== undefined;
  const merge = await recentMerge(act, doer, desk);
  if (merge === null) return { facts: { merge: null, reopenedBefore, ours }, used: [] };
  return { facts: { merge: merge.verdict, reopenedBefore, ours }, used: [closedKey(merge.pull, act.issue)] };
}
