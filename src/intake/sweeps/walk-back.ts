import { RequestFailure } from '../../github/failure.js';
import type { Page, Query } from '../../github/read-sweep.js';

export interface Walk<T> {
  /** Pages on the way down that are still to be worked on, the newest first; none: the walk begins at the top. */
  readonly stack: readonly Query[];
  readonly page: (query: Query) => Promise<Page<T>>;
  /** Whether an item was worked on by an earlier walk, or is too old to be looked at. */
  readonly isOld: (item: T) => boolean;
  /**
   * Oldest first. `stop`: it, and so everything newer, is left for the next walk, which begins at the top. `pause`: this
   * page is done, and the next walk goes on with the one above.
   */
  readonly work: (items: readonly T[]) => Promise<'on' | 'stop' | 'pause'>;
  /** Keeps the stack: where another process takes up the walk. */
  readonly keep: (stack: readonly Query[]) => Promise<void>;
}

const TOP: Query = {};
/** So often a walk that was back at the top goes down again to what came meanwhile: then it is left for the next one. */
const DOWN_AGAIN = 3;

const same = (a: Query | null, b: Query | null): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Walks a list that GitHub gives newest first, and works on what is new in it oldest first: down page by page to what is
 * old, then up again. Only the ways to the pages are kept, never the pages, so that a backlog of any length needs no
 * room; each page is asked for twice, the second time nearly always for nothing (an ETag). A list that grows as fast as it
 * is walked is left with some of its newest for the next walk. `paused`: there is more above.
 */
export async function walkBack<T>(walk: Walk<T>): Promise<'ended' | 'paused'> {
  let stack: readonly Query[] = walk.stack.length === 0 ? [TOP] : walk.stack;
  let below: Query | null = null;
  let again = 0;
  const keep = async (next: readonly Query[]): Promise<void> => {
    stack = next;
    await walk.keep(stack);
  };
  for (let query = stack.at(-1); query !== undefined; query = stack.at(-1)) {
    const { items, next } = await pageOr(walk, query);
    const old = items.findIndex(walk.isOld);
    // The top may have grown by more than a page meanwhile; any other page is followed by the one just worked on.
    if (old === -1 && next !== null && !same(next, below)) {
      if (below !== null && stack.length === 1) again += 1;
      if (again > DOWN_AGAIN) {
        await keep([]);
        return 'ended';
      }
      await keep([...stack, next]);
      continue;
    }
    const fresh = [...(old === -1 ? items : items.slice(0, old))].reverse();
    const worked = await walk.work(fresh);
    if (worked === 'stop') {
      await keep([]);
      return 'ended';
    }
    below = query;
    await keep(stack.slice(0, -1));
    if (worked === 'pause' && stack.length > 0) return 'paused';
  }
  return 'ended';
}

/** A cursor that GitHub refuses leads nowhere any more: the next walk begins at the top. */
async function pageOr<T>(walk: Walk<T>, query: Query): Promise<Page<T>> {
  try {
    return await walk.page(query);
  } catch (error) {
    const refused = error instanceof RequestFailure && error.failure === 'refused';
    if (refused && !same(query, TOP)) await walk.keep([]);
    throw error;
  }
}
