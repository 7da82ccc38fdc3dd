import { BUILT_IN } from './defaults.js';
import { fromPreset, levelRest, plain, type Read, type Resolving, saidBy, union } from './layers.js';
import { agentIn, originOf, type PolicyFile } from './load.js';
import type { AgentPolicy, Shared } from './policy.js';
import type { AgentContent, PolicyContent } from './schema.js';
import { type Said, type Sayings, settle } from './settle.js';
import * as strictness from './strictness.js';

/** Sayings of a key that an agent's entry may have and the file too: the entry is the nearer one. */
const agentSayings = <T>(
  at: Resolving,
  name: string,
  key: 'merge' | 'on-evidence',
  read: (content: PolicyContent | AgentContent) => T | undefined,
  rest: readonly Said<T>[],
): Sayings<T> => {
  const readAgent: Read<T> = (content) => {
    const entry = agentIn(content, name);
    return entry === undefined ? undefined : read(entry);
  };
  const both = (file: PolicyFile | null): readonly Said<T>[] => [
    ...saidBy(file, ['agents', name, key], readAgent),
    ...saidBy(file, [key], read),
  ];
  return { repo: both(at.repo), org: both(at.org), rest };
};

const sharedOf = (shared: AgentContent['shared']): Shared | undefined =>
  shared === undefined ? undefined : shared === 'marked' ? 'marked' : shared ? 'yes' : 'no';

export const resolveAgent = (at: Resolving, name: string): AgentPolicy => {
  const repo = at.repo === null ? undefined : agentIn(at.repo.content, name);
  const org = at.org === null ? undefined : agentIn(at.org.content, name);
  const listing = repo === undefined ? at.org : at.repo;
  return {
    name,
    apps: union(repo?.apps, org?.apps),
    accounts: union(repo?.accounts, org?.accounts),
    deployKeys: union(repo?.['deploy-keys'], org?.['deploy-keys']),
    shared: plain(
      at,
      ['agents', name, 'shared'],
      (content) => sharedOf(agentIn(content, name)?.shared),
      'no',
      strictness.sharings,
    ),
    level: settle(
      agentSayings(at, name, 'merge', ({ merge }) => merge, levelRest(at)),
      BUILT_IN.merge,
      strictness.levels,
      at.override,
    ),
    onEvidence: settle(
      agentSayings(
        at,
        name,
        'on-evidence',
        (content) => content['on-evidence'],
        fromPreset(at, (preset) => preset['on-evidence']),
      ),
      BUILT_IN.onEvidence,
      strictness.onEvidences,
      at.override,
    ),
    origin: listing === null ? { layer: 'built-in' } : originOf(listing, ['agents', name]),
  };
};
