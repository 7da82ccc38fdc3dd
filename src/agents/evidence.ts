import type { AttributedAgent, Evidence, EvidenceClass, Tier } from './identity.js';

const VALUE_CAP = 200;
/** Pieces kept for one agent: enough to name, and a PR of 250 commits does not grow the store. */
const PIECES_CAP = 20;

const ORDER: readonly Tier[] = ['certain', 'strong', 'indicative', 'weak'];

const TIERS: Readonly<Record<EvidenceClass, Tier>> = {
  'account-id': 'certain',
  'app-id': 'certain',
  'declared-account': 'certain',
  'declared-deploy-key': 'certain',
  'signed-commit': 'strong',
  'commit-identity': 'indicative',
  trailer: 'indicative',
  'pr-marker': 'indicative',
  branch: 'weak',
  label: 'weak',
  title: 'weak',
};

/** What a class of evidence is worth at most (docs/agents.md). */
export function tierOf(kind: EvidenceClass): Tier {
  return TIERS[kind];
}

/** Negative: `a` is stronger than `b`. */
export function byStrength(a: Tier, b: Tier): number {
  return ORDER.indexOf(a) - ORDER.indexOf(b);
}

/** At most 200 characters of somebody else's text, never half a surrogate pair. */
export function capped(value: string): string {
  const cut = value.slice(0, VALUE_CAP);
  return cut.length < value.length ? cut.replace(/[\uD800-\uDBFF]$/, '') : cut;
}

/** Evidence sorted into agents, strongest first, each piece once; of equals, what was given first stays first. */
export function gathered(pieces: readonly Evidence[]): readonly AttributedAgent[] {
  const agents = new Map<string, Map<string, Evidence>>();
  for (const piece of pieces) {
    const seen = agents.get(piece.agent) ?? new Map<string, Evidence>();
    const key = JSON.stringify([piece.class, piece.field, piece.value]);
    const known = seen.get(key);
    if (known === undefined || byStrength(piece.tier, known.tier) < 0) seen.set(key, piece);
    agents.set(piece.agent, seen);
  }
  return [...agents]
    .map(([agent, seen]) => {
      const evidence = [...seen.values()].sort((a, b) => byStrength(a.tier, b.tier)).slice(0, PIECES_CAP);
      return { agent, tier: evidence[0]?.tier ?? 'weak', evidence };
    })
    .sort((a, b) => byStrength(a.tier, b.tier));
}
