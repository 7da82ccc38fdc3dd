import type { FactRow } from '../../decide/effects.js';

export type RowState = FactRow['state'];

export const STATE_LABELS: Readonly<Record<RowState, string>> = {
  landed: 'landed',
  undone: 'undone',
  waiting: 'waits for a person',
  'put-back': 'put back',
  noted: 'noted',
};

/** What was done, in the past tense, for the sentence that the subject's names complete (`rows.ts`). */
export const ACT_VERBS: Readonly<Record<FactRow['what'], string>> = {
  'pull.open': 'opened',
  'pull.merge': 'merged',
  'push.trunk': 'pushed to',
  'push.force': 'force-pushed',
  'branch.delete': 'deleted the branch',
  'tag.create': 'created the tag',
  'tag.move': 'moved the tag',
  'tag.delete': 'deleted the tag',
  'release.publish': 'published the release',
  'release.edit': 'edited the release',
  'release.delete': 'deleted the release',
  'issue.close': 'closed the issue',
  'review.approve': 'approved',
  'review.dismiss': 'dismissed a review of',
  'policy.edit': 'changed the policy file',
  'protection.edit': 'changed the protection',
  'workflow.edit': 'changed the workflow',
  'auto-merge-armed': 'armed auto-merge of',
  enqueued: 'put into the merge queue',
  'check-reported': 'reported a check for',
  objection: 'objected after the merge of',
  standing: '',
};
