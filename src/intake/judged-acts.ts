import type { Act } from '../acts/act.js';
import type { Judged } from '../decide/breach.js';
import type { Context } from '../decide/context.js';
import type { Effect, JudgedAct } from '../decide/effects.js';
import type { ActRow, PullMemory } from '../store/ledger.js';
import { rowOf } from './acts-once.js';

/** What judging the acts of one delivery came to. */
export interface JudgedActs {
  readonly judged: readonly Judged[];
  readonly effects: readonly Effect[];
  /** Acts that break no rule by themselves. */
  readonly told: readonly JudgedAct[];
  /** True when the delivery must be judged again once its grace is over. */
  readonly waits: boolean;
  /** What the ledger keeps once the effects are done: what failed half-way is judged again, whole. */
  readonly keep: Kept;
}

export interface Kept {
  readonly acts: readonly ActRow[];
  readonly pulls: readonly PullMemory[];
  readonly done: readonly string[];
}

export const NO_MEMORY: Kept = { acts: [], pulls: [], done: [] };
export const DONE: JudgedActs = { judged: [], effects: [], told: [], waits: false, keep: NO_MEMORY };

export const keptTogether = (all: readonly Kept[]): Kept => ({
  acts: all.flatMap(({ acts }) => acts),
  pulls: all.flatMap(({ pulls }) => pulls),
  done: all.flatMap(({ done }) => done),
});

export function keep(judged: readonly Judged[], context: Context): JudgedActs {
  const acts = judged.map((one) =>
    rowOf(one.act, context.now, one.verdict, one.doer.agent, one.verdict === 'deny' ? one.rule : null),
  );
  return { ...DONE, judged, keep: { ...NO_MEMORY, acts } };
}

export function keepAll(
  acts: readonly Act[],
  context: Context,
  verdict: 'person' | 'explained' | 'allow',
  agent: string | null = null,
): JudgedActs {
  return {
    ...DONE,
    keep: { ...NO_MEMORY, acts: acts.map((act) => rowOf(act, context.now, verdict, agent, null)) },
  };
}
