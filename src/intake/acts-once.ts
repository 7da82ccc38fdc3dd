import type { Act } from '../acts/act.js';
import { BY_ACTIVITY } from '../acts/read.js';
import type { ActRow, Ledger } from '../store/ledger.js';
import { asideOf, wasUndone } from './act-rows.js';
import { isPush, wasPushedAgain } from './pushed-again.js';

/** Two webhooks of one publishing come within seconds; GitHub says minutes at worst. */
const RELEASE_MS = 10 * 60_000;

/** One publishing is told as one of these beside `published`; both together are a prerelease made a release. */
const PROMOTION = ['release.prereleased', 'release.released'];

/**
 * Whether an act is told for the first time. A merge, a release or a tag comes as several webhooks, in either order and
 * however late: the first one counts. Where no payload names the act, the same kind of telling again is another act,
 * and so is one of a thing that was made again in between, or a push of a branch that was moved away. `at`: when it was
 * done, as far as anybody knows.
 */
export async function firstTelling(act: Act, at: string, ledger: Ledger): Promise<boolean> {
  const earlier = await asideOf(act.key, act.delivery, ledger);
  if (earlier !== undefined) return earlier.unfinished === true;
  const seen = await ledger.act(act.key);
  // A sweep saw that it was done; who did it is told now.
  if (seen === undefined || seen.actor === null) return true;
  const again = seen.tellings.includes(act.telling);
  if (seen.unfinished === true && again) return true;
  const deliveries = seen.deliveries ?? [];
  // A process that told it and died before that was noted is given the delivery once more.
  if (act.delivery !== undefined && deliveries.includes(act.delivery)) return false;
  const pushed = isPush(act.kind);
  if (!act.pair && !pushed) return false;
  if (await isAnother(act, at, seen, ledger)) return true;
  if (!again || pushed)
    await ledger.saveAct({
      ...seen,
      tellings: [...new Set([...seen.tellings, act.telling])],
      deliveries: [...deliveries, ...deliveriesOf(act)],
    });
  return false;
}

async function isAnother(act: Act, at: string, seen: ActRow, ledger: Ledger): Promise<boolean> {
  if (isPush(act.kind))
    return wasPushedAgain(
      { kind: act.kind, at, subject: subjectOf(act), deliveries: deliveriesOf(act) },
      seen,
      ledger,
    );
  const bySweep = act.telling === BY_ACTIVITY;
  if (!bySweep && seen.tellings.includes(act.telling)) return true;
  // The activity list may name another actor than the webhook, and the times of a branch or tag tell enough.
  if (!bySweep && !seen.tellings.includes(BY_ACTIVITY) && seen.actor?.id !== act.actor.id) return true;
  switch (act.kind) {
    case 'branch.delete':
    case 'tag.create':
    case 'tag.delete':
      return wasUndone({ kind: act.kind, at, subject: subjectOf(act) }, seen, ledger);
    default:
      return (
        PROMOTION.every((telling) => [...seen.tellings, act.telling].includes(telling)) ||
        Math.abs(Date.parse(at) - Date.parse(seen.at)) >= RELEASE_MS
      );
  }
}

const deliveriesOf = ({ delivery }: Act): readonly string[] => (delivery === undefined ? [] : [delivery]);

/** The ledger's row of an act, as far as the act itself tells. */
export function rowOf(
  act: Act,
  now: string,
  verdict: ActRow['verdict'],
  agent: string | null,
  rule: ActRow['rule'],
): ActRow {
  return {
    key: act.key,
    kind: act.kind,
    actor: act.actor,
    agent,
    at: now,
    tellings: [act.telling],
    deliveries: deliveriesOf(act),
    verdict,
    rule,
    subject: subjectOf(act),
  };
}

/** What an act was done to, as far as it tells. */
export function subjectOf(act: Act): ActRow['subject'] {
  switch (act.kind) {
    case 'pull.open':
    case 'review.approve':
    case 'review.dismiss':
      return { pull: act.pull };
    case 'pull.merge':
      return { pull: act.pull, ref: act.base, ...(act.mergeSha === null ? {} : { after: act.mergeSha }) };
    case 'push.trunk':
    case 'push.force':
    case 'policy.edit':
    case 'workflow.edit':
      return { ref: act.ref, before: act.before, after: act.after };
    case 'branch.delete':
      return { ref: act.ref, ...(act.tip === null ? {} : { before: act.tip }) };
    case 'tag.create':
    case 'tag.move':
    case 'tag.delete':
      return { ref: act.ref };
    case 'issue.close':
      return { issue: act.issue };
    case 'release.publish':
    case 'release.edit':
    case 'release.delete':
    case 'protection.edit':
      return {};
  }
}
