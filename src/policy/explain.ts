import { ACT_KINDS, type ActKind } from '../acts/act.js';
import type { ActValue, Level, Origin, Policy } from './policy.js';
import { actValue } from './read.js';

/** Why an agent may or may not do an act. `line` and `column` count from 1; null where no file says it. */
export interface Explanation {
  readonly agent: string;
  readonly act: ActKind;
  readonly verdict: ActValue;
  /** What the policy says: the level that the verdict follows from, or the act's own value. */
  readonly value: Level | ActValue;
  readonly layer: Origin['layer'];
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly overrode: readonly Overrode[];
}

export interface Overrode {
  readonly layer: Origin['layer'];
  readonly value: Level | ActValue;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

/** An origin with null for what it lacks. */
export const place = (origin: Origin) => ({
  layer: origin.layer,
  file: origin.file ?? null,
  line: origin.line ?? null,
  column: origin.column ?? null,
});

/** One act of one agent. `push.force` is meant as on any branch but a trunk, where it is always denied. */
export const explainAct = (policy: Policy, agent: string, act: ActKind): Explanation => {
  const answer = actValue(policy, agent, act, { trunk: false });
  return {
    agent,
    act,
    verdict: answer.value,
    value: answer.said,
    ...place(answer.origin),
    overrode: answer.overrode.map(({ value, origin }) => ({ value, ...place(origin) })),
  };
};

/** All acts of one agent, in the order of the level table. */
export const explainAgent = (policy: Policy, agent: string): readonly Explanation[] =>
  ACT_KINDS.map((act) => explainAct(policy, agent, act));

/** An explanation as `explain --json` prints it. */
export const explanationJson = (explanation: Explanation) => ({
  agent: explanation.agent,
  act: explanation.act,
  verdict: explanation.verdict,
  value: explanation.value,
  layer: explanation.layer,
  file: explanation.file,
  line: explanation.line,
  overrode: explanation.overrode.map(({ layer, value, line }) => ({ layer, value, line })),
});
