/** The acts a policy speaks of, in the order of the level table (docs/policy.md). */
export const ACT_KINDS = [
  'pull.open',
  'pull.merge',
  'push.trunk',
  'push.force',
  'branch.delete',
  'tag.create',
  'tag.move',
  'tag.delete',
  'release.publish',
  'release.edit',
  'release.delete',
  'issue.close',
  'review.approve',
  'review.dismiss',
  'policy.edit',
  'protection.edit',
  'workflow.edit',
] as const;

export type ActKind = (typeof ACT_KINDS)[number];

/** A GitHub account as every webhook and REST answer names it. The id never changes; the login may. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: 'User' | 'Bot' | 'Organization';
}

/** The repository a delivery is about. */
export interface Repository {
  readonly id: number;
  readonly owner: string;
  readonly ownerType: 'User' | 'Organization';
  readonly name: string;
  readonly defaultBranch: string;
  readonly private: boolean;
}
