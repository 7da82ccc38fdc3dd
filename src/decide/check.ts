import type { Mode } from '../policy/policy.js';
import type { CheckVerdict } from './reasons.js';
import { type PullVerdict, reasonsOfWorst, STATUS_OF } from './settle.js';

/** One PR of a head, and whether it weighs: one to a trunk, by somebody who can write. */
export interface Weighed {
  readonly verdict: PullVerdict;
  readonly weighs: boolean;
}

/**
 * The verdict over one head SHA: the worst over its PRs. One that does not weigh counts only where none does, so
 * that neither a PR to a side branch nor an outsider's PR changes what the others get.
 */
export function checkOf(sha: string, weighed: readonly [Weighed, ...Weighed[]], mode: Mode): CheckVerdict {
  const weighty = weighed.filter(({ weighs }) => weighs);
  const pulls = (weighty.length > 0 ? weighty : weighed).map(({ verdict }) => verdict);
  const { conclusion, reasons } = reasonsOfWorst(distinct(pulls.flatMap((pull) => pull.reasons)));
  const [first, ...rest] = pulls;
  return {
    sha,
    conclusion: mode === 'observe' ? 'neutral' : conclusion,
    wouldBe: conclusion,
    reasons,
    agents: distinct(pulls.flatMap(({ agents }) => agents)),
    pulls: weighed.map(({ verdict }) => verdict.pull.number).sort((a, b) => a - b),
    tree:
      first !== undefined && rest.length === 0
        ? first.tree
        : {
            rule: 'pulls',
            status: STATUS_OF[conclusion],
            reasons: [],
            children: pulls.map(({ tree }) => tree),
          },
  };
}

/** Equal values once: two PRs that wait for the same approval are one reason. */
function distinct<T>(values: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const text = JSON.stringify(value);
    return seen.has(text) ? false : seen.add(text);
  });
}
