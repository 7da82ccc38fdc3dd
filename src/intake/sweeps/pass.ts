import type { Repository } from '../../acts/act.js';
import { leftUntil } from '../../github/left-until.js';
import { LONGEST_WAIT } from '../../github/limits.js';
import { createAppReader, installedRepositories, type InstalledRepository } from '../../github/read-sweep.js';
import { type AfterFailure, afterFailure, firstTime, type Item, postponed } from './after-failure.js';
import { type Budgets, within } from './budget.js';
import type { SweepsDeps } from './deps.js';
import { repositoryPlaceOf, sweepRepository } from './repository.js';
import { type Downtime, repositoryIsDue } from './schedule.js';

export interface PassDeps extends SweepsDeps {
  readonly downtime: Downtime;
  readonly stopping: () => boolean;
}

/** One look at every repository of every installation that is due. */
export interface Pass {
  /** `at`: when it began, also in an earlier process; what it has looked at since is not looked at again. */
  begin(at: number): void;
  /** Goes on for a while. One repository's failure ends nothing. Rejects where the store fails, or a fault of ours. */
  goOn(budgets: Budgets): Promise<void>;
  /** Things still to be looked at. */
  left(): number;
}

/** Repositories looked at in one tick. */
const AT_ONCE = 50;
/** Repositories in one tick whose turn is looked up. */
const LOOKED_UP = 1_000;

export function createPass(deps: PassDeps): Pass {
  const { store, now, downtime, warn } = deps;
  const heldUntil = new Map<number | null, number>();
  let begunAt = 0;
  let items: readonly Item[] = [];

  const put = (more: readonly Item[]): void => {
    items = [...items, ...more];
  };

  /** False: nothing had to be looked at. */
  const look = async (item: Item, budgets: Budgets): Promise<boolean> => {
    const client = async (installation: number | null) =>
      within(budgets(installation), await deps.client(installation));
    switch (item.kind) {
      case 'app': {
        const ids = await createAppReader(await client(null)).installations();
        put(ids.map((installation) => ({ kind: 'installation', installation, ...firstTime })));
        return true;
      }
      case 'installation': {
        const { installation } = item;
        const all = await installedRepositories(await client(installation));
        const open = all.filter(({ closed }) => !closed);
        put(open.map((repository) => ({ kind: 'repository', installation, repository, ...firstTime })));
        return true;
      }
      case 'repository':
        return lookAt(item, budgets);
    }
  };

  const lookAt = async (item: Extract<Item, { kind: 'repository' }>, budgets: Budgets): Promise<boolean> => {
    const { repository, installation } = item;
    const place = await repositoryPlaceOf(store, repository.id).read();
    const last =
      place === undefined || place.passedAt === null
        ? null
        : { passedAt: Date.parse(place.passedAt), coveredTo: Date.parse(place.coveredTo) };
    const pushedAt = repository.pushedAt === null ? null : Date.parse(repository.pushedAt);
    if (!repositoryIsDue(begunAt, last, pushedAt, downtime)) return false;
    const time = now();
    const later = postponed(item, time);
    const undone = await store.inbox.undoneBefore(repository.id, new Date(time).toISOString());
    if (undone && later !== null) {
      put([later]);
      return false;
    }
    await sweepRepository({
      ...deps,
      repository,
      installation,
      client: within(budgets(installation), await deps.client(installation)),
      desk: await deps.deskFor(plain(repository), installation),
      pass: new Date(begunAt).toISOString(),
    });
    return true;
  };

  const fail = (after: AfterFailure, item: Item, spent: Set<number | null>): readonly unknown[] => {
    switch (after.kind) {
      case 'again':
        put([after.item]);
        return [];
      case 'spent':
        spent.add(item.installation);
        items = [item, ...items];
        return [];
      case 'wait':
        heldUntil.set(item.installation, after.until);
        items = [item, ...items];
        return [];
      case 'dropped':
        if (after.why !== null) warn(`${nameOf(item)} cannot be looked at for now: ${after.why}`);
        return [];
      case 'unexpected':
        return [after.error];
    }
  };

  return {
    begin(at) {
      begunAt = at;
      items = [{ kind: 'app', installation: null, ...firstTime }];
    },
    async goOn(budgets) {
      const spent = new Set<number | null>();
      const faults: unknown[] = [];
      const over = (time: number): boolean => leftUntil(time, now(), LONGEST_WAIT) === 0;
      const ready = ({ notBefore, installation }: Item): boolean =>
        over(notBefore) && !spent.has(installation) && over(heldUntil.get(installation) ?? 0);
      let looked = 0;
      for (let turn = 0; turn < LOOKED_UP && looked < AT_ONCE && !deps.stopping(); turn += 1) {
        const item = items.find(ready);
        if (item === undefined) break;
        items = items.filter((other) => other !== item);
        try {
          if (await look(item, budgets)) looked += 1;
        } catch (error) {
          faults.push(...fail(afterFailure(error, item, now()), item, spent));
        }
      }
      if (faults.length > 0) throw new AggregateError(faults, 'a sweep came upon a fault of this program');
    },
    left: () => items.length,
  };
}

const plain = ({ pushedAt, closed, ...repository }: InstalledRepository): Repository => repository;

const nameOf = (item: Item): string => {
  switch (item.kind) {
    case 'app':
      return 'the list of installations';
    case 'installation':
      return `installation ${item.installation}`;
    case 'repository':
      return `${item.repository.owner}/${item.repository.name}`;
  }
};
