import type { Act } from '../acts/act.js';
import type { ActRow, Ledger } from '../store/ledger.js';

/** Two webhooks of one act come within seconds; GitHub says minutes at worst. */
const PAIR_MS = 10 * 60_000;

/** One publishing is told as one of these beside `published`; both together are a prerelease made a release. */
const PROMOTION = ['release.prereleased', 'release.released'];

/**
 * Whether an act is told for the first time. A merge, a release or a tag comes as several webhooks in either order:
 * the first one counts. Where no payload names the act, the same kind of telling again is another act.
 */
export async function firstTelling(act: Act, now: string, ledger: Ledger): Promise<boolean> {
  const seen = await ledger.act(act.key);
  if (seen === undefined) return true;
  if (seen.unfinished === true && seen.tellings.includes(act.telling)) return true;
  if (!act.pair) return false;
  const sameAct =
    !seen.tellings.includes(act.telling) &&
    !PROMOTION.every((telling) => [...seen.tellings, act.telling].includes(telling)) &&
    seen.actor.id === act.actor.id &&
    Date.parse(now) - Date.parse(seen.at) < PAIR_MS;
  if (!sameAct) return true;
  await ledger.saveAct({ ...seen, tellings: [...seen.tellings, act.telling] });
  return false;
}

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
    verdict,
    rule,
    subject: subjectOf(act),
  };
}

function subjectOf(act: Act): ActRow['subject'] {
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
