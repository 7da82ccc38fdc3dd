import { z } from 'zod';
import { isLongAgo, leftUntil } from '../../github/left-until.js';
import { LONGEST_WAIT } from '../../github/limits.js';
import { createAppReader } from '../../github/read-sweep.js';
import { failureOfWork } from '../failure-of-work.js';
import { type Budget, BudgetSpent, hourlyBudgets, within } from './budget.js';
import { deliveriesPlaceOf, sweepDeliveries } from './deliveries.js';
import type { SweepReport, SweepsDeps } from './deps.js';
import { createPass } from './pass.js';
import { placeOf, type Places } from './place.js';
import { type Downtime, due, ON_ITS_WAY } from './schedule.js';

export type { SweepReport, SweepsDeps } from './deps.js';

export interface Sweeps {
  /**
   * Does what is due, as far as the budgets allow and not much at once: the rest at the next tick. Never runs twice at
   * once. Rejects where the store fails, or a fault of ours: what GitHub fails at is told to `warn` and tried again.
   */
  tick(): Promise<void>;
  last(): Promise<readonly SweepReport[]>;
  /** Begins nothing more; resolves once nothing is under way. */
  stop(): Promise<void>;
}

const runs = z.object({
  deliveries: z.number().nullable(),
  /** The last pass over all repositories. `ended` null: it is under way. */
  repositories: z.object({ begun: z.number(), ended: z.number().nullable() }).nullable(),
});
type Runs = z.infer<typeof runs>;

const NEVER: Runs = { deliveries: null, repositories: null };
const runsPlaceOf = (store: Places) => placeOf(store, 'sweep:runs', runs);

/** Notes that everything was swept at `at` (milliseconds since 1970, UTC): sweeps are due as long after it as ever. */
export const noteSwept = (store: Places, at: number): Promise<void> =>
  runsPlaceOf(store).save({ deliveries: at, repositories: { begun: at, ended: at } });

/** Milliseconds until a sweep is tried again that GitHub did not answer, or that has had its share. */
const RETRY = 60_000;
/** Milliseconds until what was cut short goes on. */
const SOON = 5_000;
/** After a downtime, and while deliveries go on, repositories wait so long at most for what was asked for to be delivered again. Milliseconds. */
const PATIENCE = 5 * 60_000;

/** What looks for what webhooks did not tell. It judges nothing: what it finds it puts into the inbox. */
export function createSweeps(deps: SweepsDeps): Sweeps {
  const { store, now } = deps;
  const place = runsPlaceOf(store);
  const missingPlace = deliveriesPlaceOf(store);
  const startedAt = now();
  const downtime: Downtime = deps.downSince === null ? null : { until: startedAt };
  const pass = createPass({ ...deps, downtime, stopping: () => stopping });
  let heldUntil = Number.NEGATIVE_INFINITY;
  /** Since when the deliveries are not at their end, with a few seconds between two runs; null: they are not so. */
  let unfinishedSince: number | null = null;
  let stopping = false;
  let ticking: Promise<void> | undefined;

  const budgets = hourlyBudgets(
    (installation) =>
      deps.remaining(installation === null ? `app:${deps.appId}` : `installation:${installation}`),
    now,
  );

  /** `soon`: it goes on within seconds. `later`: GitHub does not answer, asks to wait, or has given its share. */
  const runDeliveries = async (budget: Budget): Promise<'done' | 'soon' | 'later'> => {
    try {
      const github = createAppReader(within(budget, await deps.client(null)));
      if ((await sweepDeliveries({ ...deps, github })) === 'done') return 'done';
      heldUntil = now() + SOON;
      return 'soon';
    } catch (error) {
      if (error instanceof BudgetSpent) {
        heldUntil = now() + RETRY;
        return 'later';
      }
      const failure = failureOfWork(error);
      if (failure.kind === 'unexpected') throw error;
      const wait = failure.retryAfter ?? RETRY;
      heldUntil = now() + wait;
      if (failure.kind !== 'told-to-wait')
        deps.warn(`the log of deliveries cannot be looked through: ${failure.why}`);
      return wait <= SOON ? 'soon' : 'later';
    }
  };

  const deliveriesGoOn = async (begun: number): Promise<'done' | 'soon' | 'later'> => {
    const outcome = await runDeliveries(budgets(null));
    unfinishedSince = outcome === 'soon' ? (unfinishedSince ?? begun) : null;
    return outcome;
  };

  /** What can be delivered again in a moment goes before repositories, which take long to be looked at. */
  const goesOnSoon = (): boolean => unfinishedSince !== null && !isLongAgo(unfinishedSince, now(), PATIENCE);

  /** After a downtime most of what happened comes by its own webhook, once GitHub has sent that again. */
  const waitsForDeliveries = async (swept: Runs): Promise<boolean> => {
    if (downtime === null || isLongAgo(startedAt, now(), PATIENCE)) return false;
    if (swept.deliveries === null || swept.deliveries < downtime.until) return true;
    const asked = ((await missingPlace.read())?.missing ?? []).filter(
      ({ askedAt }) => askedAt !== null && !isLongAgo(Date.parse(askedAt), now(), ON_ITS_WAY),
    );
    return (await store.inbox.known(asked.map(({ guid }) => guid))).size < asked.length;
  };

  const tickNow = async (): Promise<void> => {
    let ran = (await place.read()) ?? NEVER;
    const save = async (change: Partial<Runs>): Promise<void> => {
      ran = { ...ran, ...change };
      await place.save(ran);
    };
    const begun = now();
    const last = { deliveries: ran.deliveries, repositories: ran.repositories?.begun ?? null };
    const sweeps = due(begun, last, downtime);
    const held = leftUntil(heldUntil, begun, LONGEST_WAIT) > 0;
    if (sweeps.includes('deliveries') && !held && (await deliveriesGoOn(begun)) === 'done')
      await save({ deliveries: begun });
    if (stopping || goesOnSoon() || (await waitsForDeliveries(ran))) return;
    const unfinished = ran.repositories !== null && ran.repositories.ended === null;
    if (pass.left() === 0 && (unfinished || sweeps.includes('repositories'))) {
      const again = unfinished && !sweeps.includes('repositories');
      const at = again && ran.repositories !== null ? ran.repositories.begun : begun;
      await save({ repositories: { begun: at, ended: null } });
      pass.begin(at);
    }
    await pass.goOn(budgets);
    if (pass.left() === 0 && ran.repositories !== null && ran.repositories.ended === null)
      await save({ repositories: { ...ran.repositories, ended: now() } });
  };

  return {
    tick() {
      if (stopping) return ticking ?? Promise.resolve();
      ticking ??= tickNow().finally(() => (ticking = undefined));
      return ticking;
    },
    last: () => lastSweeps(store),
    async stop() {
      stopping = true;
      await ticking?.catch(() => undefined);
    },
  };
}

/** When each sweep last came to its end, as the store knows: also for a process that runs none. */
export async function lastSweeps(store: Places): Promise<readonly SweepReport[]> {
  const [ran, deliveries] = await Promise.all([runsPlaceOf(store).read(), deliveriesPlaceOf(store).read()]);
  const at = (ms: number | null | undefined): string | null =>
    ms == null ? null : new Date(ms).toISOString();
  const underWay = ran?.repositories != null && ran.repositories.ended === null;
  return [
    { sweep: 'deliveries', at: at(ran?.deliveries), left: deliveries?.missing.length ?? 0 },
    { sweep: 'repositories', at: at(ran?.repositories?.ended), left: underWay ? 1 : 0 },
  ];
}
