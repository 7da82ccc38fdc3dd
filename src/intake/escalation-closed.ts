import type { Account } from '../acts/act.js';
import { type Delivery, parsePayload } from '../acts/payload.js';
import { identify, sharedMarked } from '../agents/roster.js';
import type { Context } from '../decide/context.js';
import type { Effect } from '../decide/effects.js';
import { BREACH_CODES } from '../decide/reasons.js';
import { atLeast } from '../decide/reviews.js';
import type { EscalationMemory } from '../store/ledger.js';
import type { Desk } from './deps.js';

/**
 * The issue about a breach was closed. A person with maintain who closed it by hand has dealt with it: that lifts the
 * suspension it told of. Closed in any other way it is opened again: a refusal is not talked round by a keyword. All
 * of it is read again from GitHub, since it loosens.
 */
export async function escalationClosed(
  delivery: Delivery,
  context: Context,
  desk: Desk,
): Promise<readonly Effect[]> {
  if (delivery.name !== 'issues') return [];
  const payload = parsePayload('issues', delivery.payload);
  if (payload?.action !== 'closed' || payload.sender === null) return [];
  const escalation = await desk.ledger.escalationOfIssue(payload.issue.number);
  if (escalation?.state !== 'open' || !isBreach(escalation)) return [];
  if (identify(context.roster, payload.sender).kind === 'self') return [];
  const by = await settledBy(payload.issue.number, context, desk);
  if (by === null) return [{ kind: 'reopen-escalation', key: escalation.key }];
  const lifts = context.suspensions.some(({ issue }) => issue === escalation.issue);
  return [
    { kind: 'settle-escalation', key: escalation.key },
    ...(lifts ? [{ kind: 'resume' as const, agent: escalation.key.agent, by }] : []),
  ];
}

export const isBreach = ({ key }: Pick<EscalationMemory, 'key'>): boolean =>
  BREACH_CODES.some((code) => code === key.rule);

/** The person with maintain who closed an issue by hand; null: it was closed in another way, or GitHub does not tell. */
export async function settledBy(issue: number, context: Context, desk: Desk): Promise<Account | null> {
  const closing = await desk.facts.closing(issue);
  const settled =
    closing !== null &&
    closing.byHand &&
    closing.by.type === 'User' &&
    identify(context.roster, closing.by).kind === 'undisclosed' &&
    sharedMarked(context.roster, closing.by) === null &&
    atLeast(await desk.facts.permission(closing.by.login), 'maintain');
  return settled ? closing.by : null;
}
