import { BUILT_IN, PRESETS } from './defaults.js';
import { milliseconds } from './duration.js';
import { matchesAny } from './glob.js';
import { agentIn, originOf, type PolicyFile } from './load.js';
import type { AgentPolicy, Escalate, Level, Limits, Policy, Remedies, Runs, Shared } from './policy.js';
import { resolveActs } from './resolve-acts.js';
import type { AgentContent, PolicyContent } from './schema.js';
import { addUp, type Override, type Said, type Sayings, settle, shrink } from './settle.js';
import * as strictness from './strictness.js';
import type { Order } from './strictness.js';
import type { Path } from './tree.js';

export interface Layers {
  readonly repo: PolicyFile | null;
  readonly org: PolicyFile | null;
  /** The operator's default level (`AGENT_POLICY_DEFAULT`); null: not set. */
  readonly operator: Level | null;
  /** Without its owner. */
  readonly repositoryName: string;
}

/** Whether an organization's file is for a repository of that name: in `include` (or there is none) and not in `exclude`. */
export const orgApplies = (org: PolicyFile, repositoryName: string): boolean => {
  const { include, exclude } = org.content.repositories ?? {};
  return (
    (include === undefined || matchesAny(include, repositoryName, 'nocase')) &&
    !(exclude !== undefined && matchesAny(exclude, repositoryName, 'nocase'))
  );
};

interface Resolving {
  readonly repo: PolicyFile | null;
  readonly org: PolicyFile | null;
  readonly override: Override;
  readonly operator: Level | null;
  readonly preset: Said<'solo' | 'team' | 'open-source'> | null;
}

type Read<T> = (content: PolicyContent) => T | undefined;

const saidBy = <T>(file: PolicyFile | null, path: Path, read: Read<T>): readonly Said<T>[] => {
  const value = file === null ? undefined : read(file.content);
  return file === null || value === undefined ? [] : [{ value, origin: originOf(file, path) }];
};

const sayings = <T>(at: Resolving, path: Path, read: Read<T>, rest: readonly Said<T>[] = []): Sayings<T> => ({
  repo: saidBy(at.repo, path, read),
  org: saidBy(at.org, path, read),
  rest,
});

const fromPreset = <T>(at: Resolving, read: (preset: (typeof PRESETS)['team']) => T): readonly Said<T>[] => {
  if (at.preset === null) return [];
  return [{ value: read(PRESETS[at.preset.value]), origin: { ...at.preset.origin, layer: 'preset' } }];
};

/** The plain value of a key for which nobody asks where it came from. */
const plain = <T>(at: Resolving, path: Path, read: Read<T>, builtIn: T, order: Order<T>): T =>
  settle(sayings(at, path, read), builtIn, order, at.override).value;

const levelRest = (at: Resolving): readonly Said<Level>[] => [
  ...(at.operator === null ? [] : [{ value: at.operator, origin: { layer: 'operator' as const } }]),
  ...fromPreset(at, (preset) => preset.merge),
];

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

const union = <T>(...lists: readonly (readonly T[] | undefined)[]): readonly T[] => [
  ...new Set(lists.flatMap((list) => list ?? [])),
];

const resolveAgent = (at: Resolving, name: string): AgentPolicy => {
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

const resolveLimits = (at: Resolving): Limits => {
  const limit = (key: 'open-pulls' | 'pulls-per-hour' | 'merges-per-day', own: keyof Limits) =>
    settle<number | null>(
      sayings<number | null>(
        at,
        ['limits', key],
        ({ limits }) => {
          const value = limits?.[key];
          return value === 'unlimited' ? null : value;
        },
        fromPreset(at, (preset) => preset.limits[own]),
      ),
      BUILT_IN.limits[own],
      strictness.less,
      at.override,
    );
  return {
    openPulls: limit('open-pulls', 'openPulls'),
    pullsPerHour: limit('pulls-per-hour', 'pullsPerHour'),
    mergesPerDay: limit('merges-per-day', 'mergesPerDay'),
  };
};

const resolveRuns = (at: Resolving): Runs => {
  const { runs: builtIn } = BUILT_IN;
  const length = (key: 'quiet' | 'max'): number =>
    plain<number | null>(
      at,
      ['runs', key],
      ({ runs }) => (runs?.[key] === undefined ? undefined : milliseconds(runs[key])),
      builtIn[key],
      strictness.less,
    ) ?? builtIn[key];
  return {
    workflows: addUp(
      sayings(at, ['runs', 'workflows'], ({ runs }) => runs?.workflows),
      builtIn.workflows,
      at.override,
    ).value,
    quiet: length('quiet'),
    max: length('max'),
    steps: plain(at, ['runs', 'steps'], ({ runs }) => runs?.steps, builtIn.steps, strictness.less),
    onStuck: plain(
      at,
      ['runs', 'on-stuck'],
      ({ runs }) => runs?.['on-stuck'],
      builtIn.onStuck,
      strictness.onStucks,
    ),
    ladder: plain<boolean>(
      at,
      ['runs', 'ladder'],
      ({ runs }) => runs?.ladder,
      builtIn.ladder,
      strictness.withoutLadder,
    ),
  };
};

const resolveRemedies = (at: Resolving): Remedies => {
  const remedy = (
    key: 'restore-ruleset' | 'disarm-auto-merge' | 'backup-refs' | 'reopen-issue' | 'suspend',
  ): boolean => plain<boolean>(at, ['remedies', key], ({ remedies }) => remedies?.[key], true, strictness.on);
  return {
    restoreRuleset: remedy('restore-ruleset'),
    disarmAutoMerge: remedy('disarm-auto-merge'),
    backupRefs: remedy('backup-refs'),
    revertPull: plain(
      at,
      ['remedies', 'revert-pull'],
      ({ remedies }) => remedies?.['revert-pull'],
      'propose',
      strictness.reverts,
    ),
    reopenIssue: remedy('reopen-issue'),
    suspend: remedy('suspend'),
  };
};

const resolveEscalate = (at: Resolving): Escalate => {
  const people = (key: 'labels' | 'assignees'): readonly string[] =>
    addUp(
      sayings(at, ['escalate', key], ({ escalate }) => escalate?.[key]),
      [],
      at.override,
    ).value;
  const one = (key: 'mention' | 'repository'): string | null =>
    plain<string | null>(
      at,
      ['escalate', key],
      ({ escalate }) => escalate?.[key],
      null,
      strictness.unordered,
    );
  return {
    labels: people('labels'),
    assignees: people('assignees'),
    mention: one('mention'),
    repository: one('repository'),
  };
};

/** In a list with others, an empty `trunk` (the default branch) needs a name: GitHub's own, as rulesets write it. */
export const DEFAULT_BRANCH = '~DEFAULT_BRANCH';

const resolveTrunk = (at: Resolving): Policy['trunk'] => {
  const all = sayings<readonly string[]>(at, ['trunk'], ({ trunk }) => trunk);
  const named = (list: readonly Said<readonly string[]>[]): readonly Said<readonly string[]>[] =>
    list.map((said) => (said.value.length === 0 ? { ...said, value: [DEFAULT_BRANCH] } : said));
  return all.repo.length > 0 && all.org.length > 0
    ? addUp({ repo: named(all.repo), org: named(all.org), rest: [] }, BUILT_IN.trunk, at.override)
    : addUp(all, BUILT_IN.trunk, at.override);
};

const start = (layers: Layers): Resolving => {
  const { repo, operator } = layers;
  const org = layers.org !== null && orgApplies(layers.org, layers.repositoryName) ? layers.org : null;
  const override = org?.content.override ?? 'tighten';
  const presets = {
    repo: saidBy(repo, ['preset'], ({ preset }) => preset),
    org: saidBy(org, ['preset'], ({ preset }) => preset),
    rest: [],
  };
  const any = presets.repo[0] ?? presets.org[0];
  const preset = any === undefined ? null : settle(presets, any.value, strictness.presets, override);
  return { repo, org, override, operator, preset };
};

/**
 * All layers to the one policy in force: repository, organization (a floor unless it says `override: any`),
 * operator, preset, built in. With neither file it is the built-in policy; whether a repository without any file
 * is anybody's business is for the caller to say.
 */
export const resolvePolicy = (layers: Layers): Policy => {
  const at = start(layers);
  const { repo, org, override } = at;
  const names = union(Object.keys(repo?.content.agents ?? {}), Object.keys(org?.content.agents ?? {}));
  return {
    mode: settle(
      sayings(at, ['mode'], ({ mode }) => mode),
      BUILT_IN.mode,
      strictness.modes,
      override,
    ),
    level: settle(
      sayings(at, ['merge'], ({ merge }) => merge, levelRest(at)),
      BUILT_IN.merge,
      strictness.levels,
      override,
    ),
    onEvidence: settle(
      sayings(
        at,
        ['on-evidence'],
        (content) => content['on-evidence'],
        fromPreset(at, (preset) => preset['on-evidence']),
      ),
      BUILT_IN.onEvidence,
      strictness.onEvidences,
      override,
    ),
    agents: new Map(names.map((name) => [name, resolveAgent(at, name)])),
    trunk: resolveTrunk(at),
    acts: resolveActs(repo, org, override, names),
    approvals: settle<number>(
      sayings(
        at,
        ['people', 'approvals'],
        ({ people }) => people?.approvals,
        fromPreset(at, (preset) => preset.approvals),
      ),
      BUILT_IN.approvals,
      strictness.more,
      override,
    ),
    approvers: shrink<readonly string[] | null>(
      sayings(at, ['people', 'approvers'], ({ people }) => people?.approvers),
      BUILT_IN.approvers,
      override,
    ),
    peopleGated: settle<boolean>(
      sayings(at, ['people', 'gated'], ({ people }) => people?.gated),
      BUILT_IN.gated,
      strictness.on,
      override,
    ),
    protectedPaths: addUp(
      sayings(at, ['protected-paths'], (content) => content['protected-paths']),
      BUILT_IN.protectedPaths,
      override,
    ),
    automation: shrink<readonly string[]>(
      sayings(at, ['automation'], ({ automation }) => automation),
      BUILT_IN.automation,
      override,
    ),
    unknownBots: settle(
      sayings(
        at,
        ['unknown-bots'],
        (content) => content['unknown-bots'],
        fromPreset(at, (preset) => preset['unknown-bots']),
      ),
      BUILT_IN.unknownBots,
      strictness.levels,
      override,
    ),
    limits: resolveLimits(at),
    runs: resolveRuns(at),
    enforceWith: plain(
      at,
      ['enforce', 'with'],
      ({ enforce }) => enforce?.with,
      BUILT_IN.enforceWith,
      strictness.enforcements,
    ),
    remedies: resolveRemedies(at),
    escalate: resolveEscalate(at),
    report: plain(at, ['report'], ({ report }) => report, BUILT_IN.report, strictness.reports),
    advise: plain(at, ['advise'], ({ advise }) => advise, BUILT_IN.advise, strictness.advices),
  };
};
