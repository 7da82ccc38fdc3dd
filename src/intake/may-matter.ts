import type { Repository } from '../acts/act.js';
import { type Delivery, envelopeOf } from '../acts/payload.js';
import { readActs } from '../acts/read.js';
import type { PushReading } from '../acts/read-push.js';
import { rulesFor } from '../decide/triggers.js';
import { loadPolicyFile } from '../policy/load.js';
import { isPolicyPath, isTrunk, isWorkflowPath } from '../policy/read.js';
import { resolvePolicy } from '../policy/resolve.js';
import type { Ledger } from '../store/ledger.js';

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
  if (rulesFor(delivery.name, envelopeOf(delivery).action).length === 0) return false;
  if (delivery.name !== 'push' && delivery.name !== 'create' && delivery.name !== 'delete') return true;
  return readActs(delivery, await lastReading(repository, ledger)).length > 0;
}

async function lastReading(repository: Repository, ledger: Ledger): Promise<PushReading> {
  const [known] = await ledger.policies('repo');
  const loaded = known === undefined || known.text === '' ? null : loadPolicyFile(known.text, known.path);
  if (loaded?.kind !== 'valid') return { isTrunk: () => true, isPolicyPath, isWorkflowPath };
  const [knownOrg] = await ledger.policies('org');
  const org = knownOrg === undefined ? null : loadPolicyFile(knownOrg.text, knownOrg.path, 'org');
  const policy = resolvePolicy({
    repo: loaded.file,
    org: org?.kind === 'valid' ? org.file : null,
    operator: null,
    repositoryName: repository.name,
  });
  return {
    isTrunk: (branch) => isTrunk(policy, branch, repository.defaultBranch),
    isPolicyPath,
    isWorkflowPath,
  };
}
