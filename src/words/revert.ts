import type { EscalationKey } from '../decide/effects.js';
import { code } from './inert.js';
import { RULE_LABELS } from './labels/rules.js';
import type { Place } from './views.js';

/**
 * Title and body of the draft PR that takes a merged PR out again. `key` is the escalation it belongs to; null: a
 * person objected after a permitted merge. It is proposed and never merged by us, and says so.
 */
export function revertText(
  pull: number,
  key: EscalationKey | null,
  place: Place,
): { readonly title: string; readonly body: string } {
  const why =
    key === null
      ? 'A person objected after the merge. The merge itself was within the policy, and nobody did anything wrong.'
      : `The agent ${code(key.agent)} ${RULE_LABELS[key.rule].sentence} (${code(key.rule)}, ${code(key.subject)})`;
  return {
    title: `Revert #${pull} (a proposal by Agent Policy)`,
    body: [
      `This draft would take #${pull} out of ${code(key?.subject ?? place.defaultBranch)} again.`,
      why,
      'It is a draft because a person decides: mark it as ready and merge it if the change should go, or close it if the change should stay. Agent Policy does not merge it.',
    ].join('\n\n'),
  };
}
