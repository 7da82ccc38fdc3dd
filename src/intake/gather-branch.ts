import type { Act, ActOf } from '../acts/act.js';
import type { BranchMove } from '../decide/branch.js';
import type { ActivityFact } from '../decide/facts.js';
import type { DeletedFacts } from '../decide/judge-branch.js';
import type { ForcedFacts } from '../decide/judge-push.js';
import type { Desk } from './deps.js';

type Forced = Extract<Act, { forced: boolean }>;

export async function gatherForced(act: Forced, desk: Desk): Promise<ForcedFacts> {
  const [moves, lost, gained, pulls] = await Promise.all([
    movesOf(act.ref, desk),
    desk.facts.compare(act.after, act.before),
    desk.facts.compare(act.before, act.after),
    desk.facts.pullsWithHead(act.ref),
  ]);
  return { moves: moves.moves, lost, gained: gained ?? [], pull: pulls[0] ?? null };
}

export async function gatherDeleted(act: ActOf<'branch.delete'>, desk: Desk): Promise<DeletedFacts> {
  const [{ moves, rows }, pulls, based] = await Promise.all([
    movesOf(act.ref, desk),
    desk.facts.pullsWithHead(act.ref),
    desk.facts.openPullsWithBase(act.ref),
  ]);
  const tip = act.tip ?? tipBefore(rows) ?? moves[0]?.after ?? pulls[0]?.head.sha ?? null;
  const lost = tip === null ? null : await desk.facts.compare(desk.repository.defaultBranch, tip);
  return { moves, tip, pulls, based: based.map(({ number }) => number).sort((a, b) => a - b), lost };
}

/** `delete` names no commit: the activity list says where the branch pointed when it went. */
const tipBefore = (rows: readonly ActivityFact[]): string | null => {
  const [newest] = rows;
  return newest?.type === 'branch_deletion' ? newest.before : null;
};

/** How a branch moved, newest first: GitHub's list, and what deliveries told that the list does not have yet. */
async function movesOf(
  ref: string,
  desk: Desk,
): Promise<{ readonly moves: readonly BranchMove[]; readonly rows: readonly ActivityFact[] }> {
  const [rows, told] = await Promise.all([desk.facts.activity(ref), desk.ledger.pushes(ref)]);
  const listed = rows
    .filter(({ type }) => type !== 'branch_deletion')
    .map(({ actor, after, type }): BranchMove => ({ by: actor, after, created: type === 'branch_creation' }));
  const known = new Set(rows.map(({ after }) => after));
  const unlisted = told
    .filter(({ after }) => !known.has(after))
    .map(({ by, after }): BranchMove => ({ by, after, created: false }));
  return { moves: [...unlisted.reverse(), ...listed], rows };
}
