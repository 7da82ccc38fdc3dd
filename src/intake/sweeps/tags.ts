import { z } from 'zod';
import type { SweepReader } from '../../github/read-sweep.js';
import type { Ledger } from '../../store/ledger.js';
import { type Noted, UNATTRIBUTED, type UnattributedPayload } from '../unattributed.js';
import { type Place, placeOf, type Places } from './place.js';
import type { Found } from './synthetic.js';

/** The tags of a repository as they were at a time. Null: nothing is compared with it yet. */
const snapshot = z.object({ at: z.string(), tags: z.record(z.string(), z.string()) }).nullable();
type Snapshot = z.infer<typeof snapshot>;

export const tagsPlaceOf = (store: Places, repository: number): Place<Snapshot> =>
  placeOf(store, `sweep:tags:${repository}`, snapshot);

export interface TagsDeps {
  readonly repository: number;
  readonly github: Pick<SweepReader, 'tags'>;
  readonly ledger: Pick<Ledger, 'act' | 'acts'>;
  readonly place: Place<Snapshot>;
  readonly accept: (found: Found) => Promise<void>;
  /** ISO 8601, UTC. */
  readonly now: string;
}

/**
 * A push of more than three tags sends nothing, and no list says who pushed a tag: what was made, moved or taken away
 * since the last look and is told by no webhook is kept as done by nobody known. It accuses nobody. The first look only
 * remembers what is there.
 */
export async function sweepTags({ repository, github, ledger, place, accept, now }: TagsDeps): Promise<void> {
  const before = await place.read();
  const tags = await github.tags();
  const after = { at: now, tags: Object.fromEntries(tags) };
  if (before === undefined || before === null) {
    await place.save(after);
    return;
  }
  const changes = changesBetween(new Map(Object.entries(before.tags)), tags);
  const untold: Noted[] = [];
  for (const change of changes) if (!(await isTold(change, before.at, ledger))) untold.push(notedOf(change));
  if (untold.length > 0) {
    const payload: UnattributedPayload = { acts: untold, since: before.at };
    await accept({
      guid: `tags:${repository}:${Date.parse(now)}`,
      name: UNATTRIBUTED,
      payload: { ...payload },
      happenedAt: null,
      lane: 'sweep',
      subject: null,
    });
  }
  await place.save(after);
}

/** `before` null: it was made. `after` null: it is gone. */
interface Change {
  readonly tag: string;
  readonly before: string | null;
  readonly after: string | null;
}

function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly Change[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names
    .map((tag) => ({ tag, before: before.get(tag) ?? null, after: after.get(tag) ?? null }))
    .filter((change) => change.before !== change.after);
}

/** What was told after the last look tells the change, however many steps it took. */
async function isTold(
  { tag, after }: Change,
  since: string,
  ledger: Pick<Ledger, 'act' | 'acts'>,
): Promise<boolean> {
  const isSince = (act: { readonly at: string } | undefined): boolean =>
    act !== undefined && Date.parse(act.at) >= Date.parse(since);
  if (after === null) return isSince(await ledger.act(`tag.delete:${tag}`));
  if (isSince(await ledger.act(`tag.create:${tag}`))) return true;
  const moves = await ledger.acts({ kind: 'tag.move', ref: tag, since });
  return moves.some(({ key }) => key.endsWith(`:${after}`));
}

function notedOf({ tag, before, after }: Change): Noted {
  if (after === null) return { key: `tag.delete:${tag}`, kind: 'tag.delete', subject: { ref: tag } };
  if (before === null) return { key: `tag.create:${tag}`, kind: 'tag.create', subject: { ref: tag } };
  return { key: `tag.move:${tag}:${before}:${after}`, kind: 'tag.move', subject: { ref: tag } };
}
