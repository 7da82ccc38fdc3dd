import type { FactRow } from '../decide/effects.js';
import type { Reason, ReasonCode } from '../decide/reasons.js';
import { reasonWords } from './reason.js';
import { bytes, table } from './rows.js';
import type { CommentView, Place } from './views.js';

/** Bytes of UTF-8. GitHub takes more, but not the same number everywhere; this is below each limit seen. */
export const MAX_BODY = 60_000;

/** Rows shown: more than these nobody reads in a comment. */
const MAX_ROWS = 30;
/** Reasons shown, and bytes for them: the table keeps the larger part of the body. */
const STANDING_BYTES = 20_000;

const standingLines = (standing: readonly Reason[]): string => {
  const lines: string[] = [];
  let used = 0;
  for (const reason of standing) {
    const words = reasonWords(reason);
    // A list of problems stays inside of the item, and what follows it is a paragraph of its own.
    const between = words.what.includes('\n') ? '\n\n' : ' ';
    const line =
      `- **${words.heading}.** ${[words.what, words.next].filter((part) => part !== '').join(between)}`.replace(
        /\n(?!\n)/g,
        '\n  ',
      );
    used += bytes(line) + 1;
    if (used > STANDING_BYTES) return [...lines, `- and ${standing.length - lines.length} more`].join('\n');
    lines.push(line);
  }
  return lines.join('\n');
};

/** What waits for a person, and nothing in the pull request has to change for it. */
const WAITS: readonly ReasonCode[] = [
  'needs-person',
  'head-changed',
  'agent-approval',
  'review-dismissed',
  'policy-edit',
  'protected-path',
  'protected-path-unknown',
];

const some = (facts: readonly FactRow[], test: (row: FactRow) => boolean): boolean => facts.some(test);

/** What people may want to know beside the facts, each sentence only where it is true. */
function remarks(view: CommentView, place: Place): readonly string[] {
  const { facts, standing } = view;
  const waits = standing.some((reason) => WAITS.includes(reason.code));
  const beyond = some(facts, (row) => row.rule === 'merge-level');
  const merged = some(facts, (row) => row.what === 'pull.merge' && row.rule !== null);
  return [
    some(facts, (row) => row.what === 'objection')
      ? 'The merge was within the policy, and a person has second thoughts about the change. A revert is on offer: the Revert button of this pull request prepares one, and a person decides.'
      : '',
    view.about === 'issue' && some(facts, (row) => row.what === 'issue.close' && row.rule !== null)
      ? 'The policy leaves closing this issue to people. It is opened again once at most; how it goes on is for a person to say.'
      : '',
    view.about === 'pull' && (waits || beyond)
      ? 'For an agent at level `pr`, opening a pull request *is* completing the task, as far as the policy allows. The merge is for a person.'
      : '',
    merged && place.prevention === 'off'
      ? 'Detect only: GitHub does not refuse such a merge by itself here. It was seen after it happened.'
      : '',
  ].filter((remark) => remark !== '');
}

const CLEARED: Readonly<Record<CommentView['about'], string>> = {
  pull: 'Agent Policy: what was noted here is settled, and nothing stands against this pull request.',
  issue: 'Agent Policy: what was noted here is settled.',
};

/**
 * Our one comment on a PR or issue: what stands now, one table of facts, what that means; one line once it is cleared.
 * It calls nobody, no line of it is a command, and the marker is its last line. At most 60,000 bytes of UTF-8.
 */
export function commentBody(view: CommentView, place: Place, marker: string): string {
  if (view.state === 'cleared') return `${CLEARED[view.about]}\n\n${marker}`;
  const standing = view.standing.length === 0 ? [] : ['**What stands now**', standingLines(view.standing)];
  const after = [...remarks(view, place), marker];
  const rest = bytes(['### Agent Policy', ...standing, '**What happened**', '', ...after].join('\n\n'));
  const facts =
    view.facts.length === 0
      ? []
      : [
          '**What happened**',
          table(view.facts, (number) => `#${number}`, { bytes: MAX_BODY - rest, rows: MAX_ROWS, more: 0 }),
        ];
  return ['### Agent Policy', ...standing, ...facts, ...after].join('\n\n');
}
