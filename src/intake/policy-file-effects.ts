import type { Repository } from '../acts/act.js';
import { type Delivery, parsePayload } from '../acts/payload.js';
import type { Context } from '../decide/context.js';
import { doerOf } from '../decide/doer.js';
import type { Effect } from '../decide/effects.js';
import { isPolicyPath } from '../policy/read.js';
import type { Desk } from './deps.js';
import type { Rejected } from './policy-in-force.js';

/** Whether a delivery tells of a push to the default branch that touched a policy file. */
export function touchesPolicy(delivery: Delivery, repository: Repository): boolean {
  const push = delivery.name === 'push' ? parsePayload('push', delivery.payload) : null;
  return (
    push?.ref === `refs/heads/${repository.defaultBranch}` &&
    push.commits.some(({ added, modified, removed }) =>
      [...added, ...modified, ...removed].some(isPolicyPath),
    )
  );
}

/**
 * A policy file that does not load on the default branch: the last version that did stays in force, and whoever
 * pushed it is told once. The issue closes itself when the file loads again.
 */
export async function policyFileEffects(
  delivery: Delivery,
  rejected: Rejected | null,
  context: Context,
  desk: Desk,
): Promise<readonly Effect[]> {
  if (delivery.name !== 'push') return [];
  const push = parsePayload('push', delivery.payload);
  const branch = context.repository.defaultBranch;
  if (push === null || push.ref !== `refs/heads/${branch}` || push.sender === null) return [];
  const open = (await desk.ledger.escalations('policy-invalid')).filter(
    (escalation) => escalation.state === 'open',
  );
  if (rejected?.kind === 'invalid') {
    const told = open.some(({ rows }) => rows.some(({ subject }) => subject.after === push.after));
    if (told || !touchesPolicy(delivery, context.repository)) return [];
    const who = push.sender;
    const agent = doerOf(who, context)?.agent ?? null;
    const [problem] = rejected.problems;
    const detail =
      problem === undefined ? '' : `${rejected.path}:${problem.line}:${problem.column}: ${problem.message}`;
    return [
      {
        kind: 'escalate',
        key: { rule: 'policy-invalid', agent: agent ?? who.login, subject: branch },
        row: {
          at: context.now,
          who,
          agent,
          what: 'policy.edit',
          subject: { ref: branch, after: push.after, detail },
          rule: 'policy-invalid',
          origin: null,
          state: 'waiting',
        },
        mentions: [],
      },
    ];
  }
  return rejected === null ? open.map(({ key }) => ({ kind: 'close-escalation', key })) : [];
}
