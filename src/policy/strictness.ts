/** Positive where `a` is stricter than `b`, 0 where neither is. */
export type Order<T> = (a: T, b: T) => number;

/** From the loosest word to the strictest. */
const byRank =
  <T extends string>(ranks: Readonly<Record<T, number>>): Order<T> =>
  (a, b) =>
    ranks[a] - ranks[b];

export const modes = byRank({ off: 0, observe: 1, enforce: 2 });
export const levels = byRank({ merge: 0, pr: 1, none: 2 });
export const actValues = byRank({ allow: 0, own: 1, deny: 2 });
export const onEvidences = byRank({ note: 0, gate: 1 });
export const sharings = byRank({ no: 0, marked: 1, yes: 2 });
export const presets = byRank({ solo: 0, team: 1, 'open-source': 2 });
export const onStucks = byRank({ report: 0, cancel: 1 });
export const reverts = byRank({ off: 0, propose: 1 });
export const reports = byRank({ off: 0, weekly: 1 });
export const advices = byRank({ off: 0, 'agents-md': 1 });
/** An older Enterprise Server has no rulesets, so neither way of refusing is the stricter one. */
export const enforcements = byRank({ nothing: 0, 'branch-protection': 1, rulesets: 1 });

/** Approvals: more is stricter. */
export const more: Order<number> = (a, b) => a - b;
/** Limits: less is stricter; null is no limit. */
export const less: Order<number | null> = (a, b) => (b ?? Infinity) - (a ?? Infinity) || 0;
/** Remedies and people's gate: on is stricter. */
export const on: Order<boolean> = (a, b) => Number(a) - Number(b);
/** The ladder warns before it stops: off is stricter. */
export const withoutLadder: Order<boolean> = (a, b) => Number(b) - Number(a);
/** For what has no order of strictness: what the organization said stands. */
export const unordered: Order<unknown> = () => -1;
