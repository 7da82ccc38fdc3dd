import { BUILT_IN } from './defaults.js';
import { matchesAny } from './glob.js';
import { fromPreset, levelRest, plain, type Resolving, saidBy, sayings, union } from './layers.js';
import type { PolicyFile } from './load.js';
import type { Level, Policy } from './policy.js';
import { resolveActs } from './resolve-acts.js';
import { resolveAgent } from './resolve-agent.js';
import { resolveEscalate, resolveLimits, resolveRemedies, resolveRuns } from './resolve-sections.js';
import { addUp, type Said, settle, shrink } from './settle.js';
import * as strictness from './strictness.js';

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
