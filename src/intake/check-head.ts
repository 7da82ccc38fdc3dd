import { checkOf, type Weighed } from '../decide/check.js';
import type { Effect } from '../decide/effects.js';
import type { PullFact } from '../decide/facts.js';
import { judgePull, type PullFacts } from '../decide/judge-pull.js';
import { pullEffects } from '../decide/pull-effects.js';
import { atLeast } from '../decide/reviews.js';
import type { PullVerdict } from '../decide/settle.js';
import { isCommentedOn } from './adopt.js';
import { gatherPull, type Round } from './gather-pull.js';
import { recheckLater } from './recheck.js';

export interface JudgedPull {
  readonly verdict: PullVerdict;
  readonly facts: PullFacts;
}

/** Judges one PR and keeps what a merge erases: the evidence that was seen, and who armed auto-merge. */
export async function judgeOne(pull: PullFact, round: Round): Promise<JudgedPull> {
  const facts = await gatherPull(pull, round);
  const verdict = judgePull(facts, round.context);
  const { agents } = verdict.attribution;
  const armedBy = pull.autoMerge?.by;
  if (agents.length > 0 || armedBy !== undefined) {
    const memory = await round.desk.ledger.pull(pull.number);
    await round.desk.ledger.savePull({
      ...memory,
      ...(agents.length > 0 ? { evidence: agents } : {}),
      ...(armedBy === undefined ? {} : { armedBy }),
    });
  }
  return { verdict, facts };
}

/**
 * Everything that follows for the open PRs of one head: one check run, and the comment and limit issue of each PR.
 * `sha` is the head's, or the merge group's that asks about them.
 */
export async function checkHead(
  sha: string,
  pulls: readonly PullFact[],
  round: Round,
  options: { readonly fresh: boolean; readonly group: boolean },
): Promise<readonly Effect[]> {
  const judged = await Promise.all(pulls.map((pull) => judgeOne(pull, round)));
  const [first, ...rest] = await Promise.all(
    judged.map(async (one) => ({ ...one, weighs: options.group || (await weighs(one, pulls, round)) })),
  );
  if (first === undefined) return [];
  const weighed: readonly [Weighed, ...Weighed[]] = [first, ...rest];
  const check: Effect = {
    kind: 'check',
    verdict: checkOf(sha, weighed, round.context.policy.mode.value),
    ...(options.fresh ? { fresh: true as const } : {}),
  };
  if (options.group) return [check];
  const others = await Promise.all(judged.map((one) => effectsOf(one, round)));
  return [check, ...others.flat()];
}

async function effectsOf({ verdict, facts }: JudgedPull, round: Round): Promise<readonly Effect[]> {
  const { ledger } = round.desk;
  const number = verdict.pull.number;
  await recheckLater(verdict, facts.limits, round);
  const [hasComment, memory, limitIssues] = await Promise.all([
    isCommentedOn(facts.pull, round.desk),
    ledger.pull(number),
    ledger.escalations('limit'),
  ]);
  const openIssues = limitIssues.filter(({ state }) => state === 'open');
  return pullEffects(
    {
      verdict,
      limits: facts.limits,
      hasComment,
      enqueued: memory.enqueuedBy !== undefined,
      openLimitIssues: openIssues.map(({ key }) => key),
      limitTold: openIssues.some(({ rows }) => rows.some(({ subject }) => subject.pull === number)),
    },
    round.context,
  );
}

/** Where a head has one PR it weighs; of several only those to a trunk by somebody who can write. */
async function weighs({ facts }: JudgedPull, pulls: readonly PullFact[], round: Round): Promise<boolean> {
  if (pulls.length === 1) return true;
  if (!facts.toTrunk) return false;
  const { author } = facts.pull;
  if (author.type === 'Bot') return facts.pull.sameRepository;
  return atLeast(await round.desk.facts.permission(author.login), 'write');
}
