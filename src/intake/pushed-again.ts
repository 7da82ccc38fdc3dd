import type { ActKind } from '../acts/act.js';
import { ACTIVITY_GUID } from '../acts/read.js';
import type { ActRow, Ledger } from '../store/ledger.js';

/** Our clock and GitHub's may differ by so much. Milliseconds. */
export const SKEW = 60_000;

/** A ref went from one commit to another. Where it came from is not always known. */
export interface Move {
  readonly before?: string;
  readonly after?: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** Whether a ref that was moved between these ends at `from` could be moved so again at `to`: in between it was moved away. */
export function movedAway(
  { before, after }: { readonly before: string; readonly after: string },
  { from, to }: { readonly from: string; readonly to: string },
  moves: readonly Move[],
): boolean {
  return moves.some((move) => {
    const at = Date.parse(move.at);
    const between = at > Date.parse(from) && at < Date.parse(to);
    return between && (move.before === after || move.after === before);
  });
}

/** Acts that move a branch. */
const MOVING: readonly ActKind[] = ['push.trunk', 'push.force', 'pull.merge', 'branch.delete'];

/** How a branch moved, as far as it was told. A push told again has its last time alone; an act has each. */
export async function movesOf(
  ref: string,
  ledger: Pick<Ledger, 'pushes' | 'acts'>,
): Promise<readonly Move[]> {
  const [pushes, acts] = await Promise.all([
    ledger.pushes(ref),
    Promise.all(MOVING.map((kind) => ledger.acts({ kind, ref }))),
  ]);
  return [...pushes, ...acts.flat().map(({ at, subject }) => ({ ...subject, at }))];
}

const PUSHES: ReadonlySet<ActKind> = new Set(['push.trunk', 'push.force', 'policy.edit', 'workflow.edit']);

/** Whether acts of a kind are told by their ends. */
export const isPush = (kind: ActKind): boolean => PUSHES.has(kind);

const isSweeps = (delivery: string): boolean => delivery.startsWith(ACTIVITY_GUID);

/**
 * Whether a branch was pushed from one commit to another once more, after what `seen` tells: a webhook tells one push,
 * and so does a row of the activity list. A webhook may come long after the list had its push, and the time it came at
 * tells nothing then. Where the order cannot be told, it is one push.
 */
export async function wasPushedAgain(
  { kind, at, subject, deliveries = [] }: Pick<ActRow, 'kind' | 'at' | 'subject' | 'deliveries'>,
  seen: ActRow,
  ledger: Pick<Ledger, 'pushes' | 'acts'>,
): Promise<boolean> {
  const [delivery] = deliveries;
  const { ref, before, after } = subject;
  if (delivery === undefined || ref === undefined || before === undefined || after === undefined)
    return false;
  const bySweep = isSweeps(delivery);
  const told = seen.deliveries ?? [];
  if (told.includes(delivery) || (!bySweep && told.every(isSweeps))) return false;
  const apart = bySweep && !told.some(isSweeps) ? SKEW : 0;
  if (Date.parse(at) - Date.parse(seen.at) <= apart) return false;
  const again = movedAway({ before, after }, { from: seen.at, to: at }, await movesOf(ref, ledger));
  if (!again) return false;
  // It may tell an earlier one of several.
  return !(await ledger.acts({ kind, ref })).some((row) => row.deliveries?.includes(delivery) === true);
}
