import type { KnownNames } from './load.js';
import { nearest } from './nearest.js';
import type { Problem } from './policy.js';
import { quoted } from './quote.js';
import { AGENT_NAME } from './shapes.js';
import type { Position, Tree } from './tree.js';
import { dotted, find } from './tree.js';

const IDENTITY_KEYS = ['apps', 'accounts', 'deploy-keys'];

const withSuggestion = (problem: Problem, word: string, words: readonly string[]): Problem => {
  const suggestion = nearest(word, words);
  return suggestion === undefined ? problem : { ...problem, suggestion };
};

const listsNobody = (entry: Tree): boolean =>
  entry.kind === 'map' &&
  IDENTITY_KEYS.every((key) => {
    const list = entry.entries.get(key)?.value;
    return list === undefined || (list.kind === 'list' && list.items.length === 0);
  });

const agentProblems = (tree: Tree, known: readonly string[]): readonly Problem[] => {
  const agents = find(tree, ['agents'])?.value;
  if (agents?.kind !== 'map') return [];
  return [...agents.entries].flatMap(([name, { key, value }]) => {
    if (!AGENT_NAME.test(name) || !listsNobody(value) || known.includes(name)) return [];
    return [
      withSuggestion(
        {
          line: key.line,
          column: key.column,
          path: dotted(['agents', name]),
          message: `no agent of the name ${quoted(name)} is in the catalogue; list its apps or accounts`,
        },
        name,
        known,
      ),
    ];
  });
};

const EXACT_BOT = /\[bot\]$/u;

const automationProblem = (
  name: string,
  at: Position,
  index: number,
  known: readonly string[],
): Problem | null => {
  if (known.includes(name) || EXACT_BOT.test(name)) return null;
  return withSuggestion(
    {
      line: at.line,
      column: at.column,
      path: dotted(['automation', index]),
      message: `no bot of the name ${quoted(name)} is in the catalogue; write its exact login, such as ${quoted(`${name.slice(0, 40)}[bot]`)}`,
    },
    name,
    known,
  );
};

const automationProblems = (tree: Tree, known: readonly string[]): readonly Problem[] => {
  const automation = find(tree, ['automation'])?.value;
  if (automation?.kind !== 'list') return [];
  return automation.items.flatMap((item, index) => {
    if (item.kind !== 'scalar' || typeof item.value !== 'string') return [];
    const problem = automationProblem(item.value, item.at, index, known);
    return problem === null ? [] : [problem];
  });
};

/**
 * Names that nobody can know: an agent entry that lists no accounts and is not in the catalogue (nor declared by
 * the organization's file) would bind nobody, and an unknown automation would let nobody through.
 */
export const checkNames = (tree: Tree, known: KnownNames): readonly Problem[] => [
  ...agentProblems(tree, [...known.catalogue, ...(known.declared ?? [])]),
  ...automationProblems(tree, known.catalogue),
];
