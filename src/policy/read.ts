import type { ActKind } from '../acts/act.js';
import { matchesAny } from './glob.js';
import { LEVEL_TABLE, levelSays } from './levels.js';
import type { ActValue, Level, OnEvidence, Origin, Policy, Sourced } from './policy.js';
import { DEFAULT_BRANCH } from './resolve.js';
import { actValues } from './strictness.js';

/** The value of one act for one agent, and what the policy says that makes it so. */
export interface ActAnswer {
  readonly value: ActValue;
  /** The level where the value follows from one, else the act's own value: what `explain` prints. */
  readonly said: Level | ActValue;
  readonly origin: Origin;
  readonly overrode: readonly { readonly value: Level | ActValue; readonly origin: Origin }[];
}

/** An agent's level, suspensions aside. One that is not listed has the file's. */
export const levelOf = (policy: Policy, agent: string): Sourced<Level> =>
  policy.agents.get(agent)?.level ?? policy.level;

/** What an agent's marks on a person's pull request do. An agent that is not listed has the file's value. */
export const onEvidenceOf = (policy: Policy, agent: string): Sourced<OnEvidence> =>
  policy.agents.get(agent)?.onEvidence ?? policy.onEvidence;

/** The level of a bot account that nobody listed. */
export const unknownBotLevel = (policy: Policy): Sourced<Level> => policy.unknownBots;

export interface Where {
  /** Whether the ref that was pushed to is a trunk. */
  readonly trunk: boolean;
}

/** No level and no entry allows rewriting a trunk. */
const NEVER: ActAnswer = { value: 'deny', said: 'deny', origin: { layer: 'built-in' }, overrode: [] };

const byLevel = (level: Sourced<Level>, kind: ActKind): ActAnswer => ({
  value: LEVEL_TABLE[kind][level.value],
  said: level.value,
  origin: level.origin,
  overrode: level.overrode,
});

const sameOrigin = (a: Origin, b: Origin): boolean =>
  a.layer === b.layer && a.file === b.file && a.line === b.line && a.column === b.column;

const entryFor = (policy: Policy, kind: ActKind, agent: string | undefined) =>
  policy.acts.find((entry) => entry.kind === kind && entry.agent === agent)?.value;

/**
 * Whether an agent may do an act: what `acts:` says, else what follows from the agent's level. `own` is decided by
 * who else had a hand in the thing.
 */
export const actValue = (policy: Policy, agent: string, kind: ActKind, where: Where): ActAnswer => {
  if (kind === 'push.force' && where.trunk) return NEVER;
  const level = levelOf(policy, agent);
  const listed = policy.agents.has(agent);
  const entry = listed
    ? (entryFor(policy, kind, agent) ?? entryFor(policy, kind, undefined))
    : entryFor(policy, kind, undefined);
  if (entry === undefined) return byLevel(level, kind);
  return {
    value: entry.value,
    said: sameOrigin(entry.origin, level.origin) ? level.value : entry.value,
    origin: entry.origin,
    overrode: entry.overrode,
  };
};

/** The same for a bot that nobody listed: `acts:` of the file cannot loosen what `unknown-bots` denies. */
export const actValueOfUnknownBot = (policy: Policy, kind: ActKind, where: Where): ActAnswer => {
  if (kind === 'push.force' && where.trunk) return NEVER;
  const level = policy.unknownBots;
  const entry = entryFor(policy, kind, undefined);
  if (entry === undefined) return byLevel(level, kind);
  const denied = levelSays(level.value, kind);
  if (denied !== null && actValues(denied, entry.value) > 0) return byLevel(level, kind);
  return { value: entry.value, said: entry.value, origin: entry.origin, overrode: entry.overrode };
};

/** Whether a branch (short name) is a trunk. Git tells names apart by case, and so does this. */
export const isTrunk = (policy: Policy, branch: string, defaultBranch: string): boolean => {
  const patterns = policy.trunk.value;
  if (patterns.length === 0 || patterns.includes(DEFAULT_BRANCH)) {
    if (branch === defaultBranch) return true;
  }
  return matchesAny(patterns, branch, 'case');
};

/** Whether the policy keeps a path (from the root, no leading slash) for people. Without case, as some checkouts are. */
export const isProtectedPath = (policy: Policy, path: string): boolean =>
  matchesAny(policy.protectedPaths.value, path, 'nocase');

/**
 * Whether a folder is, holds or lies in what the policy protects. A pattern that begins with `**` holds everywhere and
 * says nothing of one folder, so it counts only where it fits the folder itself.
 */
export const holdsProtected = (policy: Policy, folder: string): boolean =>
  isProtectedPath(policy, folder) ||
  isProtectedPath(policy, `${folder}/file`) ||
  policy.protectedPaths.value.some((pattern) => holds(folder, fixedPart(pattern)));

/** Whether a folder is `path` or a folder above it; the root is above everything. Without case. */
export const holds = (folder: string, path: string): boolean =>
  path !== '' && (folder === '' || `${path.toLowerCase()}/`.startsWith(`${folder.toLowerCase()}/`));

/** The folders of a pattern before its first wildcard: `docs/api` of `docs/api/*.md`. */
const fixedPart = (pattern: string): string => {
  const segments = pattern.split('/');
  const wild = segments.findIndex((segment) => /[*?[\]{}()!\\]/.test(segment));
  return (wild === -1 ? segments : segments.slice(0, wild)).join('/');
};

/** The policy file itself, by either name and in any case. Only the one at the root is one. */
export const isPolicyPath = (path: string): boolean => /^\.github\/agent-policy\.ya?ml$/iu.test(path);

/** A workflow of GitHub Actions: a file directly in `.github/workflows`. */
export const isWorkflowPath = (path: string): boolean => /^\.github\/workflows\/[^/]+\.ya?ml$/iu.test(path);
