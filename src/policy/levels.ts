import type { ActKind } from '../acts/act.js';
import type { ActValue, Level } from './policy.js';

type Row = Readonly<Record<Level, ActValue>>;

const NEVER: Row = { none: 'deny', pr: 'deny', merge: 'deny' };
const WITH_MERGE: Row = { none: 'deny', pr: 'deny', merge: 'allow' };
const OWN: Row = { none: 'deny', pr: 'own', merge: 'own' };

/** What each level allows, where `acts:` says nothing (docs/policy.md). A forced push to a trunk is never allowed. */
export const LEVEL_TABLE: Readonly<Record<ActKind, Row>> = {
  'pull.open': { none: 'deny', pr: 'allow', merge: 'allow' },
  'pull.merge': WITH_MERGE,
  'push.trunk': WITH_MERGE,
  'push.force': OWN,
  'branch.delete': OWN,
  'tag.create': NEVER,
  'tag.move': NEVER,
  'tag.delete': NEVER,
  'release.publish': NEVER,
  'release.edit': NEVER,
  'release.delete': NEVER,
  'issue.close': OWN,
  'review.approve': NEVER,
  'review.dismiss': NEVER,
  'policy.edit': NEVER,
  'protection.edit': NEVER,
  'workflow.edit': NEVER,
};

/**
 * What a chosen level says of an act by itself, against an `acts:` entry of a layer farther away; null where it
 * says nothing. `none` speaks of every act, `pr` and `merge` of merging and pushing (docs/decisions/011).
 */
export const levelSays = (level: Level, kind: ActKind): ActValue | null => {
  if (level === 'none') return 'deny';
  return kind === 'pull.merge' || kind === 'push.trunk' ? LEVEL_TABLE[kind][level] : null;
};
