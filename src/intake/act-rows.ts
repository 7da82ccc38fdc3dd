import type { ActKind } from '../acts/act.js';
import type { ActRow, Ledger } from '../store/ledger.js';
import { isPush, wasPushedAgain } from './pushed-again.js';

const NOBODY = /^0+$/;

/** Acts that no payload names: their keys come round. Of all others but pushes, one key is one act. */
const COMES_ROUND: ReadonlySet<ActKind> = new Set([
  'branch.delete',
  'tag.create',
  'tag.delete',
  'release.publish',
]);

/** Whether acts of one key may be several. */
export const comesRound = (kind: ActKind): boolean => COMES_ROUND.has(kind);

/** No name of a ref holds a colon, so no act has such a key of its own. */
const asideKey = (key: string, which: string): string => `${key}:${which}`;

/** The row of an act that makes room: the newest act of a key stands under it, every earlier one by what told it. */
export const aside = (row: ActRow): ActRow => ({
  ...row,
  key: asideKey(row.key, row.deliveries?.[0] ?? row.at),
});

/** The row of what a delivery told, where another act of the key came since. */
export const asideOf = async (
  key: string,
  delivery: string | undefined,
  ledger: Ledger,
): Promise<ActRow | undefined> => (delivery === undefined ? undefined : ledger.act(asideKey(key, delivery)));

/** The act as far as a row of it tells. */
type Telling = Pick<ActRow, 'key' | 'kind' | 'at' | 'subject' | 'deliveries'>;

export interface Standing {
  /** What is kept of this very act. */
  readonly own: ActRow | undefined;
  /** An earlier act that stands under its key. */
  readonly other: ActRow | undefined;
}

/** What the ledger has under the key of an act that is to be kept. */
export async function standingOf(told: Telling, ledger: Ledger): Promise<Standing> {
  const own = await asideOf(told.key, told.deliveries?.[0], ledger);
  if (own !== undefined) return { own, other: undefined };
  const newest = await ledger.act(told.key);
  if (newest === undefined) return { own: undefined, other: undefined };
  return (await isSame(told, newest, ledger))
    ? { own: newest, other: undefined }
    : { own: undefined, other: newest };
}

async function isSame(told: Telling, newest: ActRow, ledger: Ledger): Promise<boolean> {
  if (isPush(told.kind)) return !(await wasPushedAgain(told, newest, ledger));
  if (!comesRound(told.kind)) return true;
  // Somebody did what a sweep saw done, unless it was undone meanwhile.
  if (newest.actor === null) return !(await wasUndone(told, newest, ledger));
  const deliveries = told.deliveries ?? [];
  if (deliveries.length === 0) return newest.unfinished === true;
  return deliveries.some((delivery) => newest.deliveries?.includes(delivery) === true);
}

/** Whether what an act did was undone before it was done as `told`: then that is another act. */
export async function wasUndone(
  { kind, at, subject }: Pick<ActRow, 'kind' | 'at' | 'subject'>,
  seen: ActRow,
  ledger: Ledger,
): Promise<boolean> {
  const ref = subject.ref ?? '';
  const between = (time: string): boolean =>
    Date.parse(time) > Date.parse(seen.at) && Date.parse(time) < Date.parse(at);
  switch (kind) {
    case 'branch.delete': {
      // The move that led to the deleted tip may itself be told late.
      const tip = seen.subject.before ?? subject.before ?? null;
      return (await ledger.pushes(ref)).some(
        ({ at: moved, before, after }) => between(moved) && (NOBODY.test(before) || after !== tip),
      );
    }
    case 'tag.create':
      return (await ledger.acts({ kind: 'tag.delete', ref })).some(({ at: gone }) => between(gone));
    case 'tag.delete':
      return (await ledger.acts({ kind: 'tag.create', ref })).some(({ at: made }) => between(made));
    default:
      return false;
  }
}
