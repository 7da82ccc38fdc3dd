import { ACT_KINDS, type ActKind } from '../acts/act.js';
import { levelSays } from './levels.js';
import { agentIn, originOf, type PolicyFile } from './load.js';
import type { ActValue, Level, Policy } from './policy.js';
import { type Override, type Said, settle } from './settle.js';
import { actValues } from './strictness.js';

type Entry = Policy['acts'][number];

/** What one file says of an act, by `acts:` or by a level it chose; nearest first, the one that counts in front. */
interface FileSays {
  readonly counts: Said<ActValue> | null;
  readonly byActs: readonly Said<ActValue>[];
}

const levelSaid = (file: PolicyFile, agent: string | null): Said<Level> | null => {
  const level = agent === null ? file.content.merge : agentIn(file.content, agent)?.merge;
  const path = agent === null ? ['merge'] : ['agents', agent, 'merge'];
  return level === undefined ? null : { value: level, origin: originOf(file, path) };
};

const actSaid = (file: PolicyFile, agent: string | null, kind: ActKind): Said<ActValue> | null => {
  const acts = agent === null ? file.content.acts : agentIn(file.content, agent)?.acts;
  const path = agent === null ? ['acts', kind] : ['agents', agent, 'acts', kind];
  const value = acts?.[kind];
  return value === undefined ? null : { value, origin: originOf(file, path) };
};

const byLevel = (level: Said<Level> | null, kind: ActKind): Said<ActValue> | null => {
  const value = level === null ? null : levelSays(level.value, kind);
  return level === null || value === null ? null : { value, origin: level.origin };
};

const NOTHING: FileSays = { counts: null, byActs: [] };

const fileSays = (file: PolicyFile | null, agent: string | null, kind: ActKind): FileSays => {
  if (file === null) return NOTHING;
  const own = agent === null ? null : actSaid(file, agent, kind);
  const whole = actSaid(file, null, kind);
  const byActs = [own, whole].filter((said) => said !== null);
  if (own !== null) return { counts: own, byActs };

  const ownLevel = agent === null ? null : levelSaid(file, agent);
  if (whole !== null) {
    // The agent's own level stands nearer than the file's `acts:`, so the entry cannot loosen what it denies.
    const nearer = byLevel(ownLevel, kind);
    const counts = nearer !== null && actValues(nearer.value, whole.value) > 0 ? nearer : whole;
    return { counts, byActs };
  }
  return { counts: byLevel(ownLevel ?? levelSaid(file, null), kind), byActs };
};

const entry = (
  repo: PolicyFile | null,
  org: PolicyFile | null,
  override: Override,
  agent: string | null,
  kind: ActKind,
): readonly Entry[] => {
  const repoSays = fileSays(repo, agent, kind);
  const orgSays = fileSays(org, agent, kind);
  const byActs = [...repoSays.byActs, ...orgSays.byActs];
  const [any] = byActs;
  // Where nobody says `acts:`, the level decides, and `levelOf` knows it.
  if (any === undefined) return [];
  const one = (said: Said<ActValue> | null): readonly Said<ActValue>[] => (said === null ? [] : [said]);
  const settled = settle(
    { repo: one(repoSays.counts), org: one(orgSays.counts), rest: [] },
    any.value,
    actValues,
    override,
  );
  const said = new Set([
    ...one(repoSays.counts),
    ...repoSays.byActs,
    ...one(orgSays.counts),
    ...orgSays.byActs,
  ]);
  const overrode = [...said].filter(({ origin }) => origin !== settled.origin);
  return [
    {
      kind,
      ...(agent === null ? {} : { agent }),
      value: { value: settled.value, origin: settled.origin, overrode },
    },
  ];
};

/** What `acts:` comes to: for each agent listed, then for the file, act by act in the order of the level table. */
export const resolveActs = (
  repo: PolicyFile | null,
  org: PolicyFile | null,
  override: Override,
  agents: readonly string[],
): Policy['acts'] =>
  [...agents, null].flatMap((agent) => ACT_KINDS.flatMap((kind) => entry(repo, org, override, agent, kind)));
