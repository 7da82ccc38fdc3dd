import type { Repository } from '../acts/act.js';
import type { PushReading } from '../acts/read-push.js';
import { makeRoster } from '../agents/roster.js';
import type { Context } from '../decide/context.js';
import type { SuspensionView } from '../decide/reasons.js';
import type { Policy } from '../policy/policy.js';
import { isPolicyPath, isTrunk, isWorkflowPath } from '../policy/read.js';
import type { Desk } from './deps.js';

/** What decisions at this desk are made under. */
export const contextUnder = (
  policy: Policy,
  desk: Desk,
  suspensions: readonly SuspensionView[] = [],
): Context => ({
  policy,
  roster: makeRoster(policy, desk.self),
  repository: desk.repository,
  suspensions,
  now: desk.now(),
});

/** How pushes read under a policy; with none known, any branch may be a trunk. */
export const readingUnder = (policy: Policy | null, repository: Repository): PushReading => ({
  isTrunk: (branch) => policy === null || isTrunk(policy, branch, repository.defaultBranch),
  isPolicyPath,
  isWorkflowPath,
});
