import { checkNames } from './names.js';
import { parseTree } from './parse.js';
import type { Origin, Problem } from './policy.js';
import { capped, newerVersion, schemaProblems, scopeProblems, sorted, unique } from './problems.js';
import { type AgentContent, type PolicyContent, policySchema } from './schema.js';
import { readText } from './text.js';
import type { Path, Tree } from './tree.js';
import { find, valueOf } from './tree.js';

/** `org`: the file in the owner's `.github` repository, which is a floor for its repositories. */
export type Scope = 'repo' | 'org';

/** A policy file that loads: what it says, and where it says it. Nothing is filled in. */
export interface PolicyFile {
  /** How the file is named to people: its path. */
  readonly file: string;
  readonly scope: Scope;
  readonly content: PolicyContent;
  readonly tree: Tree;
}

export type LoadResult =
  | { readonly kind: 'valid'; readonly file: PolicyFile }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] };

/** Names that an agent entry without accounts, and `automation`, may use. */
export interface KnownNames {
  /** Families and ids of the catalogue (`catalogueNames()` of the agents folder). */
  readonly catalogue: readonly string[];
  /** Agents that the organization's file declares: a repository may speak of them without their accounts. */
  readonly declared?: readonly string[];
}

const invalid = (problems: readonly Problem[]): LoadResult => ({
  kind: 'invalid',
  problems: capped(sorted(unique(problems))),
});

/**
 * Reads a policy file: strictly, since believing in a tighter policy than the one in force is worse than an error.
 * All problems are reported, in the order of their places; beyond 200 they are counted. Never throws, whatever the text.
 *
 * @param text as it is in the repository, decoded or not
 * @param file its path, for people
 * @param known where given, names are checked against it; without it any name passes
 */
export const loadPolicyFile = (
  text: string | Uint8Array,
  file: string,
  scope: Scope = 'repo',
  known?: KnownNames,
): LoadResult => {
  const read = readText(text);
  if (read.kind === 'refused') {
    return invalid([{ line: read.at.line, column: read.at.column, path: '', message: read.message }]);
  }
  const { tree, problems } = parseTree(read.text);
  if (tree === null) return invalid(problems);

  const newer = newerVersion(tree);
  if (newer !== null) return invalid([...problems, newer]);

  const result = policySchema.safeParse(valueOf(tree));
  const found = [
    ...problems,
    ...(scope === 'repo' ? scopeProblems(tree) : []),
    ...(result.success ? [] : schemaProblems(tree, result.error)),
    ...(known === undefined ? [] : checkNames(tree, known)),
  ];
  if (!result.success || found.length > 0) return invalid(found);
  return { kind: 'valid', file: { file, scope, content: result.data, tree } };
};

/** Both names in one folder: neither loads, since nobody can tell which one was meant. */
export const bothExtensions = (folder = '.github'): Problem => ({
  line: 1,
  column: 1,
  path: '',
  message: `both ${folder}/agent-policy.yml and ${folder}/agent-policy.yaml are there, and neither is read; keep one of them`,
});

/** Where a key of the file stands, as an origin. The value's place, or the key's where it is a map. */
export const originOf = (file: PolicyFile, path: Path): Origin => {
  const found = find(file.tree, path);
  const place = found === undefined ? undefined : found.value.kind === 'map' ? found.key : found.value.at;
  return {
    layer: file.scope,
    file: file.file,
    ...(place === undefined ? {} : { line: place.line, column: place.column }),
  };
};

/** A file's entry for an agent. `constructor` is a name like any other, and no entry of a file that lacks it. */
export const agentIn = (content: PolicyContent, name: string): AgentContent | undefined =>
  content.agents !== undefined && Object.hasOwn(content.agents, name) ? content.agents[name] : undefined;
