import type { Act } from '../acts/act.js';
import type { Delivery } from '../acts/payload.js';
import { readActs } from '../acts/read.js';
import type { Context } from '../decide/context.js';
import type { Policy } from '../policy/policy.js';
import { firstTelling } from './acts-once.js';
import { contextUnder, readingUnder } from './context-under.js';
import type { Desk } from './deps.js';
import { judgeActs } from './judge-acts.js';
import { DONE, type JudgedActs, keepAll, keptTogether } from './judged-acts.js';
import { policiesAt } from './policies-at.js';

/**
 * Judges what a delivery tells. An act that is told late is judged as of the time it was done: under the policy that
 * was in force then, and the suspensions that stood. Where nobody knows which of two versions was in force, the more
 * lenient one counts, and where there may have been none, nothing is judged: nobody is accused because we looked late.
 * `context`: as of now.
 */
export async function judgeAtItsTime(
  delivery: Delivery,
  context: Context,
  desk: Desk,
  graceOver: boolean,
): Promise<JudgedActs> {
  const { happenedAt } = delivery;
  if (happenedAt === undefined)
    return judgeActs(actsUnder(context.policy, delivery, desk), context, desk, graceOver);
  const policies = await policiesAt(desk, happenedAt);
  const suspensions = context.suspensions.filter(({ since }) => Date.parse(since) <= Date.parse(happenedAt));
  const judged: JudgedActs[] = [];
  for (const policy of policies) {
    const then = { ...contextUnder(policy, desk, suspensions), now: happenedAt };
    judged.push(await judgeActs(actsUnder(policy, delivery, desk), then, desk, graceOver));
  }
  return mostLenient(judged) ?? keepUnjudged(delivery, { ...context, now: happenedAt }, desk);
}

const actsUnder = (policy: Policy, delivery: Delivery, desk: Desk): readonly Act[] =>
  readActs(delivery, readingUnder(policy, desk.repository)).map((act) => ({
    ...act,
    delivery: delivery.id,
  }));

const deniedBy = ({ judged }: JudgedActs): number =>
  judged.filter(({ verdict }) => verdict === 'deny').length;

/** One delivery tells one event, so what breaks fewest rules breaks none that another one finds unbroken. */
function mostLenient(all: readonly JudgedActs[]): JudgedActs | null {
  const [first, ...rest] = all;
  if (first === undefined) return null;
  return rest.reduce((least, one) => (deniedBy(one) < deniedBy(least) ? one : least), first);
}

/** What was done while no policy was in force is kept as allowed, so that a webhook that comes later still adds nothing. */
async function keepUnjudged(delivery: Delivery, context: Context, desk: Desk): Promise<JudgedActs> {
  const kept: JudgedActs[] = [];
  for (const act of actsUnder(context.policy, delivery, desk))
    if (await firstTelling(act, context.now, desk.ledger)) kept.push(keepAll([act], context, 'allow'));
  return { ...DONE, keep: keptTogether(kept.map(({ keep }) => keep)) };
}
