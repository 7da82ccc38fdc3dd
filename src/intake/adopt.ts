import { suspends } from '../decide/breach.js';
import type { Context } from '../decide/context.js';
import type { Effect } from '../decide/effects.js';
import type { PullFact } from '../decide/facts.js';
import type { BreachCode } from '../decide/reasons.js';
import { GitHubError } from '../github/facts.js';
import { RequestFailure, retryAfterOf } from '../github/failure.js';
import { latestOf, type OurIssue } from '../github/ours.js';
import { contentHash } from '../github/perform-comment.js';
import type { EscalationMemory, Suspension } from '../store/ledger.js';
import { type Desk, NOTHING } from './deps.js';
import { isBreach, settledBy } from './escalation-closed.js';
import { PutOff } from './put-off.js';

const ADOPTED = 'adopted';
/** There was something of ours on it. */
const WITH_TEXTS = 'adopted:texts';

/**
 * The first time a ledger is used: what stands on GitHub of ours is taken over, so that a database that is lost loosens
 * nothing. Open issues are remembered with their rows, and those of a breach that suspends suspend their agent again.
 * One that was closed lately stays closed only where a person with maintain closed it by hand. One request, once; a
 * process that dies in it begins again. `context`: of the policy in force. Throws PutOff where GitHub gives no answer.
 */
export async function adopt(context: Context, desk: Desk, deliveryId: string): Promise<void> {
  const { ledger } = desk;
  if (await ledger.done(ADOPTED)) return;
  const issues = await issuesOf(desk);
  if (issues === null) return;
  const now = Date.parse(desk.now());
  const reopen: Effect[] = [];
  for (const issue of issues) {
    if (latestOf(issues, issue.key, now) !== issue) continue;
    const memory = (await ledger.escalation(issue.key)) ?? (await takeOver(issue, context, desk));
    if (memory.state === 'open' && issue.state === 'closed')
      reopen.push({ kind: 'reopen-escalation', key: issue.key });
  }
  if (reopen.length > 0) await desk.perform(reopen, context.policy, deliveryId);
  await ledger.noteEffect(ADOPTED, { state: 'made', at: desk.now() });
  const texts = issues.length > 0 ? [WITH_TEXTS] : [];
  await ledger.saveTogether([...texts, ADOPTED].map((key) => ({ kind: 'done', key })));
}

/** null: GitHub refuses the list for good, and people are told; with issues switched off there is none of ours. */
async function issuesOf(desk: Desk): Promise<readonly OurIssue[] | null> {
  try {
    return await desk.ours.issues();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    if (error.status === 404 || error.status === 410) return [];
    if (error instanceof RequestFailure && error.transient)
      throw new PutOff(error.message, NOTHING, retryAfterOf(error));
    desk.warn(
      `what is on ${desk.repository.owner}/${desk.repository.name} cannot be taken over: ${error.message}`,
    );
    return null;
  }
}

async function takeOver(issue: OurIssue, context: Context, desk: Desk): Promise<EscalationMemory> {
  const { ledger } = desk;
  const { key, number, closedAt, facts } = issue;
  const settled =
    issue.state === 'closed' && (!isBreach(issue) || (await settledBy(number, context, desk)) !== null);
  const memory: EscalationMemory = {
    key,
    issue: number,
    state: settled ? 'closed' : 'open',
    rows: facts?.rows ?? [],
    more: facts?.more ?? 0,
    closedAt: settled ? closedAt : null,
    mentions: facts?.mentions ?? [],
  };
  const suspension = settled ? null : suspensionOf(issue, context);
  const held = (await ledger.suspensions()).some(({ agent }) => agent === key.agent);
  // No issue is known whose suspension is not: what is known is not taken over again.
  await ledger.saveTogether([
    { kind: 'escalation', memory },
    ...(suspension === null || held ? [] : [{ kind: 'suspension', suspension } as const]),
  ]);
  return memory;
}

/** As the issue says itself; where that cannot be read any more, by its rule and since it was opened. */
function suspensionOf({ key, createdAt, facts }: OurIssue, context: Context): Suspension | null {
  if (!context.policy.remedies.suspend) return null;
  const { agent } = key;
  if (facts !== null) {
    const { suspension } = facts;
    return suspension === null ? null : { agent, ...suspension, by: null, key };
  }
  const cause: BreachCode | null = suspends(key.rule) ? key.rule : null;
  return cause === null ? null : { agent, since: createdAt, cause, by: null, key };
}

/**
 * Whether our comment is on a PR. Where the ledger knows none, one from before it began is looked for once, so that it
 * can be cleared; on a PR that is newer, or where nothing of ours was found, there is none, and that costs no request.
 */
export async function isCommentedOn(pull: PullFact, desk: Desk): Promise<boolean> {
  const { ledger } = desk;
  const { number } = pull;
  if ((await ledger.comment(number)) !== undefined) return true;
  if (!(await ledger.done(WITH_TEXTS))) return false;
  const adopted = await ledger.effect(ADOPTED);
  if (adopted === undefined || Date.parse(pull.createdAt) >= Date.parse(adopted.at)) return false;
  const looked = `${ADOPTED}:comment:${number}`;
  if (await ledger.done(looked)) return false;
  const comment = await desk.ours.comment(number);
  if (comment !== null) {
    const { id, body, facts, sealed } = comment;
    const rows = facts?.rows ?? [];
    const standing = facts?.standing ?? [];
    const state = facts === null || rows.length > 0 || standing.length > 0 ? 'open' : 'cleared';
    const hash = sealed === null ? '' : contentHash(body, sealed);
    await ledger.saveComment({ number, id, facts: rows, standing, state, hash });
  }
  await ledger.saveDone(looked);
  return comment !== null;
}
