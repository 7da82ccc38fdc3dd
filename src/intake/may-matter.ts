import type { Repository } from '../acts/act.js';
import { type Delivery, envelopeOf } from '../acts/payload.js';
import { readActs } from '../acts/read.js';
import type { PushReading } from '../acts/read-push.js';
import { rulesFor } from '../decide/triggers.js';
import { resolvePolicy } from '../policy/resolve.js';
import type { Ledger } from '../store/ledger.js';
import { readingUnder } from './context-under.js';
import { RECHECK } from './recheck.js';
import { parseKnown } from './policy-version.js';

/**
 * Whether a delivery can change anything, told without a request: some rule is triggered by its name and action, and
 * a push moves a trunk or history. Most pushes are to side branches and end here, where the last policy known says
 * what is trunk; with none known, any branch may be one.
 */
export async function mayMatter(
  delivery: Delivery,
  repository: Repository,
  ledger: Ledger,
): Promise<boolean> {
  if (delivery.name === RECHECK) return true;
  if (rulesFor(delivery.name, envelopeOf(delivery).action).length === 0) return false;
  if (delivery.name !== 'push' && delivery.name !== 'create' && delivery.name !== 'delete') return true;
  return readActs(delivery, await lastReading(repository, ledger)).length > 0;
}

async function lastReading(repository: Repository, ledger: Ledger): Promise<PushReading> {
  const [[known], [knownOrg]] = await Promise.all([ledger.policies('repo'), ledger.policies('org')]);
  const repo = known === undefined ? null : parseKnown(known, 'repo');
  if (repo === null) return readingUnder(null, repository);
  const org = knownOrg === undefined ? null : parseKnown(knownOrg, 'org');
  return readingUnder(
    resolvePolicy({ repo, org, operator: null, repositoryName: repository.name }),
    repository,
  );
}
