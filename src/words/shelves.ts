import type { Place } from './views.js';

/** The rulesets of ours, by their exact names on GitHub. */
export const RULESETS = '`agent-policy/gates` and `agent-policy/actors`';

/**
 * What the App does and does not do here, on three shelves: prevent, detect, cannot see. Where our rulesets are not in
 * force nothing here says that GitHub stops anything: words that promise more than there is are how people get hurt.
 */
export function shelves(place: Place, act: 'this merge' | 'such an act'): readonly string[] {
  return [
    place.prevention === 'on'
      ? `**Prevent.** The rulesets ${RULESETS} are in force. By them GitHub refuses what the policy does not allow an agent on the trunk (merge, push, force-push, deletion) and on tags.`
      : `**Prevent.** Nothing here: detect only. GitHub does not refuse ${act} by itself.`,
    place.prevention === 'on'
      ? '**Detect.** Releases, closed issues, reviews, changed protection, branches deleted elsewhere, and whatever goes around the rulesets are seen after they happened and reported.'
      : '**Detect.** Merges, pushes, tags, releases, closed issues, reviews, changed protection and deleted branches are seen after they happened and reported.',
    "**Cannot see.** An agent that uses a person's own token looks like that person. What a runner does not report, and what happens on somebody's machine, is not seen.",
  ];
}

/** One line on how to take the App out, naming what an admin would have to delete. */
export const wayOut = (place: Place): string =>
  place.prevention === 'on'
    ? `To take Agent Policy out of this repository: a person removes the policy file or sets \`mode: off\`. If it ever has to be done by hand, an admin deletes the rulesets ${RULESETS} in the settings.`
    : 'To take Agent Policy out of this repository: a person removes the policy file or sets `mode: off`. There is no ruleset of ours to delete here.';
