import type { Account, ActKind, ActOf } from '../../src/acts/act.js';
import type { Judged } from '../../src/decide/breach.js';
import { ALPHA, RAE } from './make.js';

const told = (kind: ActKind, actor: Account) => ({ key: `${kind}:1`, telling: 'test', pair: false, actor });

type Given<K extends ActKind> = Partial<ActOf<K>>;

export const mergeAct = (given: Given<'pull.merge'> = {}): ActOf<'pull.merge'> => ({
  ...told('pull.merge', ALPHA),
  kind: 'pull.merge',
  pull: 283,
  nodeId: 'PR_283',
  base: 'main',
  headRef: 'staging',
  headSha: 'h1',
  mergeSha: 'm1',
  intent: null,
  at: '2026-11-30T08:59:00Z',
  armedBy: null,
  body: '',
  ...given,
});

const PUSH = { ref: 'main', before: 'a1', after: 'b2', forced: false, commits: [] };

export const trunkPush = (given: Given<'push.trunk'> = {}): ActOf<'push.trunk'> => ({
  ...told('push.trunk', ALPHA),
  ...PUSH,
  kind: 'push.trunk',
  ...given,
});

/** To the trunk `main`, or to `feature`. */
export const forcedPush = (where: 'trunk' | 'branch'): ActOf<'push.force'> => ({
  ...told('push.force', ALPHA),
  ...PUSH,
  kind: 'push.force',
  ref: where === 'trunk' ? 'main' : 'feature',
  forced: true,
  trunk: where === 'trunk',
});

export const policyPush = (): ActOf<'policy.edit'> => ({
  ...told('policy.edit', ALPHA),
  ...PUSH,
  kind: 'policy.edit',
});

export const workflowPush = (): ActOf<'workflow.edit'> => ({
  ...told('workflow.edit', ALPHA),
  ...PUSH,
  kind: 'workflow.edit',
  trunk: true,
});

export const branchDelete = (given: Given<'branch.delete'> = {}): ActOf<'branch.delete'> => ({
  ...told('branch.delete', ALPHA),
  kind: 'branch.delete',
  ref: 'feature',
  tip: 'a1',
  trunk: false,
  ...given,
});

type TagKind = 'tag.create' | 'tag.move' | 'tag.delete';
export const tagAct = (kind: TagKind, sha: string | null = 'a1'): ActOf<TagKind> => ({
  ...told(kind, ALPHA),
  kind,
  ref: 'v1',
  sha,
});

type ReleaseKind = 'release.publish' | 'release.edit' | 'release.delete';
export const releaseAct = (kind: ReleaseKind): ActOf<ReleaseKind> => ({
  ...told(kind, ALPHA),
  kind,
  release: 'v1',
});

export const protectionAct = (given: Given<'protection.edit'> = {}): ActOf<'protection.edit'> => ({
  ...told('protection.edit', ALPHA),
  kind: 'protection.edit',
  what: 'ruleset edited',
  ruleset: { id: 41, name: 'agent-policy/gates' },
  ...given,
});

export const closeAct = (given: Given<'issue.close'> = {}): ActOf<'issue.close'> => ({
  ...told('issue.close', ALPHA),
  kind: 'issue.close',
  issue: 12,
  author: RAE,
  closedAt: '2026-11-30T08:59:00Z',
  ...given,
});

export const dismissal = (given: Given<'review.dismiss'> = {}): ActOf<'review.dismiss'> => ({
  ...told('review.dismiss', ALPHA),
  kind: 'review.dismiss',
  pull: 283,
  review: 71,
  reviewer: RAE,
  ...given,
});

/** `allow`, or the rule that was broken. */
export const ruleOf = (judged: Judged): string => (judged.verdict === 'allow' ? 'allow' : judged.rule);

/** `LAYER:LINE` of what decided, or the layer alone where no file says it. */
export const originOf = ({ origin }: Judged): string =>
  origin.line === undefined ? origin.layer : `${origin.layer}:${origin.line}`;
