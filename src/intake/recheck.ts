import { z } from 'zod';
import type { Delivery } from '../acts/payload.js';
import type { LimitFacts } from '../decide/limits.js';
import type { PullVerdict } from '../decide/settle.js';
import type { Round } from './gather-pull.js';

/** Not an event of GitHub's: our own reminder to look at a PR again. */
export const RECHECK = 'agent-policy.recheck';

const payload = z.object({ pull: z.number() });

/** The PR a reminder is about; null for every other delivery. */
export function recheckOf(delivery: Delivery): number | null {
  if (delivery.name !== RECHECK) return null;
  const parsed = payload.safeParse(delivery.payload);
  return parsed.success ? parsed.data.pull : null;
}

/**
 * A limit by the hour or day is over when its time is, and no webhook tells that: the PR is looked at again then. One
 * reminder a PR; it is put off as long as the limit holds.
 */
export async function recheckLater(verdict: PullVerdict, limits: LimitFacts, round: Round): Promise<void> {
  const timed = verdict.standing.some((reason) => reason.code === 'limit' && reason.limit !== 'open-pulls');
  if (!timed || limits.nextEnd === undefined) return;
  const { desk } = round;
  const id = `${RECHECK}:${verdict.pull.number}`;
  const { repository, installation } = desk;
  await desk.ledger.wait({
    id,
    due: limits.nextEnd,
    delivery: {
      id,
      name: RECHECK,
      payload: {
        pull: verdict.pull.number,
        installation: { id: installation },
        repository: {
          id: repository.id,
          name: repository.name,
          private: repository.private,
          default_branch: repository.defaultBranch,
          owner: { login: repository.owner, type: repository.ownerType },
        },
      },
    },
  });
}
