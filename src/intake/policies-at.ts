import type { PolicyFile } from '../policy/load.js';
import type { Policy } from '../policy/policy.js';
import type { PolicyMemory } from '../store/ledger.js';
import { combinePolicy, isOwnersOwn } from './combine-policy.js';
import type { Desk } from './deps.js';
import { parseKnown } from './policy-version.js';

/**
 * The policies that may have been in force at a time: one, or several where nobody knows when a version landed. None
 * where there may have been no policy. Costs no request; the policy in force now must have been read before.
 * @param at ISO 8601, UTC
 */
export async function policiesAt(desk: Desk, at: string): Promise<readonly Policy[]> {
  const ownersOwn = isOwnersOwn(desk);
  const [repo, org] = await Promise.all([desk.ledger.policies('repo'), desk.ledger.policies('org')]);
  const repoFiles = filesOf(versionsAt(repo, at), ownersOwn ? 'org' : 'repo');
  const orgFiles = ownersOwn ? [null] : filesOf(versionsAt(org, at), 'org');
  const policies: Policy[] = [];
  for (const repoFile of repoFiles)
    for (const orgFile of orgFiles) {
      const combined = combinePolicy(repoFile, orgFile, desk);
      if (combined.kind !== 'policy') return [];
      policies.push(combined.policy);
    }
  return policies;
}

/**
 * The version that was in force for certain, null for none, and the one after it where that may have landed before it
 * was first seen. Later ones landed after that, or they would have been seen first. `versions`: newest first.
 */
export function versionsAt(versions: readonly PolicyMemory[], at: string): readonly (PolicyMemory | null)[] {
  const found = versions.findIndex(({ since }) => Date.parse(since) <= Date.parse(at));
  const next = versions[(found === -1 ? versions.length : found) - 1];
  const certain = versions[found] ?? null;
  return next === undefined || next.landed === true ? [certain] : [certain, next];
}

const filesOf = (
  versions: readonly (PolicyMemory | null)[],
  scope: 'repo' | 'org',
): readonly (PolicyFile | null)[] =>
  versions.map((memory) => (memory === null ? null : parseKnown(memory, scope)));
