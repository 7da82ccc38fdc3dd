import type { Facts, FileEntry, Read } from '../github/facts.js';
import type { Policy } from '../policy/policy.js';
import { combinePolicy, isOwnersOwn, resolveLayers } from './combine-policy.js';
import type { Desk } from './deps.js';
import { ownerVersion } from './owner-policy.js';
import type { Rejected, Unanswered } from './policy-version.js';
import { repoVersion } from './repo-version.js';

export type { Rejected } from './policy-version.js';

/** What a repository's policy comes to. Four different things that are never taken for one another. */
export type PolicyState =
  /**
   * No file here and none of the owner's: not our business. A first file that does not load is told to its pusher and
   * changes nothing else.
   */
  | { readonly kind: 'absent'; readonly rejected: Rejected | null; readonly fallback: Policy }
  /** `known`: the repository is known to have a policy, so an agent's PR waits for a person meanwhile. */
  | ({ readonly kind: 'unreadable'; readonly known: boolean; readonly fallback: Policy } & Unanswered)
  | {
      readonly kind: 'in-force';
      readonly policy: Policy;
      /** Names of policy files on the default branch now. */
      readonly present: readonly string[];
      /** Why the newest version is not the one in force. */
      readonly rejected: Rejected | null;
    };

const FOLDER = '.github';

/**
 * Reads the policy from the default branch (two conditional requests where nothing changed) and says what is in force.
 * `touched`: the delivery is about a push that touched a policy file.
 */
export async function policyInForce(desk: Desk, touched: boolean): Promise<PolicyState> {
  const { repository, facts } = desk;
  const owners = { owner: repository.owner, name: '.github' };
  const ownersOwn = isOwnersOwn(desk);
  const [folder, orgFolder] = await Promise.all([
    facts.folder(repository, FOLDER),
    ownersOwn ? Promise.resolve<Read<readonly FileEntry[]>>({ kind: 'absent' }) : desk.ownerFolder(),
  ]);
  // The owner's file first: a repository may speak of agents that it declares.
  const org = await ownerVersion(desk, owners, orgFolder);
  const repo = await repoVersion(desk, folder, ownersOwn ? 'org' : 'repo', touched);
  const fallback = resolveLayers(null, null, desk);
  const unread = [repo.version, org].find((version) => version.kind === 'unreadable');
  if (unread !== undefined) {
    const known = repo.version.kind === 'file' || (await isKnown(facts));
    return { ...unread, known, fallback };
  }
  const orgFile = org.kind === 'file' ? org.file : null;
  const repoFile = repo.version.kind === 'file' ? repo.version.file : null;
  const combined = combinePolicy(repoFile, orgFile, desk);
  switch (combined.kind) {
    case 'none':
      return { kind: 'absent', rejected: repo.rejected, fallback };
    case 'off':
      return { kind: 'absent', rejected: null, fallback };
    case 'policy':
      return { kind: 'in-force', policy: combined.policy, present: repo.present, rejected: repo.rejected };
  }
}

/** A repository with our rulesets has a policy, also when no version of it can be read. */
async function isKnown(facts: Facts): Promise<boolean> {
  const rulesets = await facts.hasOurRulesets();
  return rulesets.kind === 'found' && rulesets.value;
}
