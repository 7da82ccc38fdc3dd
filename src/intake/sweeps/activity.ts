import { z } from 'zod';
import type { PullFact } from '../../decide/facts.js';
import { RequestFailure } from '../../github/failure.js';
import type { ActivityRow, SweepReader } from '../../github/read-sweep.js';
import type { Policy } from '../../policy/policy.js';
import type { Desk } from '../deps.js';
import { ON_ITS_WAY } from './schedule.js';
import type { Found } from './synthetic.js';
import { type RowDesk, tellRow } from './tell-row.js';
import { toldTo } from './told.js';
import { walkBack } from './walk-back.js';

export const activityState = z.object({
  /** The newest row that was looked at; `id` null: everything from then on is to be. ISO 8601, UTC. */
  last: z.object({ at: z.string(), id: z.number().nullable() }),
  stack: z.array(z.record(z.string(), z.string())),
});
export type ActivityState = z.infer<typeof activityState>;

export interface ActivityDeps {
  readonly desk: Desk;
  readonly github: SweepReader;
  readonly policy: Policy;
  readonly accept: (found: Found) => Promise<void>;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  readonly warn: (what: string) => void;
  readonly place: {
    readonly read: () => ActivityState;
    readonly save: (change: Partial<ActivityState>) => Promise<void>;
  };
}

/**
 * Looks through a repository's activity from where it looked last, oldest first, for what no webhook has told. What is
 * younger than two minutes is left for the next pass: its webhook may be on its way.
 */
export async function sweepActivity(deps: ActivityDeps): Promise<void> {
  const { desk, github, policy, accept, now, place } = deps;
  let closed: Promise<readonly PullFact[]> | undefined;
  const lastClosed = (): Promise<readonly PullFact[]> => (closed ??= desk.facts.lastClosedPulls());
  await walkBack({
    stack: place.read().stack,
    page: (query) => github.activity(query),
    isOld: ({ id, at }) => {
      const { last } = place.read();
      return id === last.id || Date.parse(at) < Date.parse(last.at);
    },
    keep: (stack) => place.save({ stack: stack.map((query) => ({ ...query })) }),
    async work(rows) {
      const at = { desk, github, policy, told: toldTo(desk.ledger, rows), lastClosed };
      for (const row of rows) {
        if (now() - Date.parse(row.at) < ON_ITS_WAY) return 'stop';
        const found = await tellOrWarn(row, at, deps);
        for (const one of found) await accept(one);
        if (found.length > 0) await place.save({ last: { at: row.at, id: row.id } });
      }
      const last = rows.at(-1);
      if (last !== undefined) await place.save({ last: { at: last.at, id: last.id } });
      return 'on';
    },
  });
}

/** What GitHub refuses to tell of one row must not keep the rows after it from being looked at. */
async function tellOrWarn(
  row: ActivityRow,
  at: RowDesk,
  { desk, warn }: ActivityDeps,
): Promise<readonly Found[]> {
  try {
    return await tellRow(row, at);
  } catch (error) {
    if (!(error instanceof RequestFailure) || error.transient) throw error;
    const { owner, name } = desk.repository;
    warn(`activity ${row.id} of ${owner}/${name} cannot be looked at: ${error.message}`);
    return [];
  }
}
