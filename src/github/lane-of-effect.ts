import type { Effect } from '../decide/effects.js';
import type { CheckVerdict } from '../decide/reasons.js';
import type { Lane } from './lane.js';

/**
 * The lane an effect is done in. `within`: the lane of the delivery that asks for it, which counts for a merge group's
 * check alone: nothing in the check says that a queue waits for it.
 */
export const laneOf = (effect: Effect, within: Lane): Lane => {
  switch (effect.kind) {
    case 'suspend':
    case 'resume':
    case 'disarm-auto-merge':
    case 'dequeue':
    case 'cancel-run':
      return 'hold';
    case 'check':
      return within === 'merge-group' ? within : laneOfCheck(effect.verdict);
    // GitHub may collect a commit that nothing points to at any time.
    case 'backup-ref':
      return 'agents';
    case 'record':
    case 'comment':
    case 'escalate':
    case 'close-escalation':
    case 'settle-escalation':
    case 'reopen-escalation':
    case 'revert-pull':
    case 'reopen-issue':
    case 're-request-review':
      return 'words';
  }
};

const laneOfCheck = ({ reasons, agents }: CheckVerdict): Lane => {
  const codes = new Set(reasons.map(({ code }) => code));
  if (codes.has('suspended')) return 'hold';
  const ofPerson = agents.length === 0 && !codes.has('unknown-bot');
  return ofPerson || codes.has('person') || codes.has('automation') ? 'people' : 'agents';
};
