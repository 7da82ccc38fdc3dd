import type { PolicyFile } from '../policy/load.js';
import type { Policy } from '../policy/policy.js';
import { orgApplies, resolvePolicy } from '../policy/resolve.js';
import type { Desk } from './deps.js';

/** The `.github` repository holds its owner's file: what it says there is the owner's own layer. */
export const isOwnersOwn = (desk: Pick<Desk, 'repository'>): boolean =>
  desk.repository.name.toLowerCase() === '.github';

/** `none`: no file speaks of this repository. `off`: one does, and switches us off. */
export type Combined =
  { readonly kind: 'policy'; readonly policy: Policy } | { readonly kind: 'none' } | { readonly kind: 'off' };

/** What a version of the repository's file and one of its owner's come to together. */
export function combinePolicy(repo: PolicyFile | null, org: PolicyFile | null, desk: Desk): Combined {
  if (repo === null && (org === null || !orgApplies(org, desk.repository.name))) return { kind: 'none' };
  const policy = isOwnersOwn(desk) ? resolveLayers(null, repo, desk) : resolveLayers(repo, org, desk);
  return policy.mode.value === 'off' ? { kind: 'off' } : { kind: 'policy', policy };
}

export const resolveLayers = (repo: PolicyFile | null, org: PolicyFile | null, desk: Desk): Policy =>
  resolvePolicy({ repo, org, operator: desk.operator, repositoryName: desk.repository.name });
