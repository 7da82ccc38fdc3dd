import type { Alias, Document, ParsedNode } from 'yaml';
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import { type Anchors, anchorsOf, MOST_ALIASES } from './anchors.js';
import { tooDeep } from './depth.js';
import type { Problem } from './policy.js';
import { quoted } from './quote.js';
import type { Entry, Path, Position, Tree } from './tree.js';
import { dotted } from './tree.js';
import { yamlErrorText } from './yaml-error.js';

/** Nodes that aliases may stand for, all together. */
const MOST_ALIASED_NODES = 5_000;

export interface Parsed {
  /** null where the text cannot be read as one map. */
  readonly tree: Tree | null;
  readonly problems: readonly Problem[];
}

const TOO_MANY_ALIASES = `anchors are used more than ${String(MOST_ALIASES)} times; write the values out`;

const START: Position = { line: 1, column: 1 };

const problem = (at: Position, path: Path, message: string, suggestion?: string): Problem => ({
  line: at.line,
  column: at.column,
  path: dotted(path),
  message,
  ...(suggestion === undefined ? {} : { suggestion }),
});

const refused = (at: Position, message: string): Parsed => ({
  tree: null,
  problems: [problem(at, [], message)],
});

interface Walk {
  readonly targets: Extract<Anchors, { kind: 'anchors' }>['targets'];
  readonly position: (offset: number) => Position;
  readonly problems: Problem[];
  /** Aliases followed so far: what an anchor holds counts each time it is used. */
  aliases: number;
  aliasedNodes: number;
  /** Maps and lists that are being read: one that turns up inside itself has no end. */
  readonly open: Set<unknown>;
  /** An alias limit was met: nothing more is read. */
  stopped: boolean;
}

const nothing = (at: Position): Tree => ({ kind: 'scalar', at, value: null });

const report = (walk: Walk, at: Position, path: Path, message: string, suggestion?: string): void => {
  walk.problems.push(problem(at, path, message, suggestion));
};

const keyName = (walk: Walk, key: unknown, path: Path, at: Position): string | null => {
  if (!isScalar(key)) {
    report(walk, at, path, 'a key is a plain word, not an alias, a list or a map');
    return null;
  }
  if (typeof key.value === 'string') {
    if (key.value === '<<') {
      report(walk, at, [...path, '<<'], 'merge keys (<<) are not used in a policy file; write the keys out');
      return null;
    }
    if (key.value === '__proto__') {
      report(walk, at, [...path, '__proto__'], '"__proto__" is not a key of anything; remove it');
      return null;
    }
    return key.value;
  }
  const written = key.source ?? '';
  report(
    walk,
    at,
    path,
    written === '' ? 'a key is missing before the ":"' : `a key is text; put ${quoted(written)} in quotes`,
  );
  return null;
};

const readMap = (
  walk: Walk,
  items: readonly { readonly key: unknown; readonly value: unknown }[],
  at: Position,
  path: Path,
  inAlias: boolean,
): Tree => {
  const entries = new Map<string, Entry>();
  for (const pair of items) {
    if (walk.stopped) break;
    const keyNode = pair.key as ParsedNode | null;
    const key = keyNode === null ? at : walk.position(keyNode.range[0]);
    const name = keyName(walk, keyNode, path, key);
    if (name === null) continue;
    const here = [...path, name];
    const first = entries.get(name);
    if (first !== undefined) {
      report(
        walk,
        key,
        here,
        `${quoted(name)} is here twice (first in line ${String(first.key.line)}); keep one of them`,
      );
      continue;
    }
    const value =
      pair.value === null ? nothing(key) : readNode(walk, pair.value as ParsedNode, here, inAlias);
    entries.set(name, { key, value });
  }
  return { kind: 'map', at, entries };
};

const readList = (
  walk: Walk,
  items: readonly unknown[],
  at: Position,
  path: Path,
  inAlias: boolean,
): Tree => ({
  kind: 'list',
  at,
  items: items.map((item, index) => readNode(walk, item as ParsedNode, [...path, index], inAlias)),
});

const readAlias = (walk: Walk, node: Alias.Parsed, path: Path): Tree => {
  const at = walk.position(node.range[0]);
  const name = quoted(node.source).slice(1, -1);
  walk.aliases += 1;
  if (walk.aliases > MOST_ALIASES) {
    walk.stopped = true;
    report(walk, at, path, TOO_MANY_ALIASES);
    return nothing(at);
  }
  const target = walk.targets.get(node);
  if (target === undefined) {
    report(walk, at, path, `there is no anchor &${name} above this; write the value out`);
    return nothing(at);
  }
  if (walk.open.has(target)) {
    report(walk, at, path, `the anchor &${name} is used inside itself; write the value out`);
    return nothing(at);
  }
  const tree = readNode(walk, target, path, true);
  // A problem with the value itself is a problem of this place; what is inside it stands where it was written.
  return { ...tree, at };
};

const readNode = (walk: Walk, node: ParsedNode, path: Path, inAlias: boolean): Tree => {
  const at = walk.position(node.range[0]);
  if (walk.stopped) return nothing(at);
  if (inAlias) {
    walk.aliasedNodes += 1;
    if (walk.aliasedNodes > MOST_ALIASED_NODES) {
      walk.stopped = true;
      report(
        walk,
        at,
        path,
        'anchors make this file too large when they are filled in; write less, or write it out',
      );
      return nothing(at);
    }
  }
  if (isAlias(node)) return readAlias(walk, node, path);
  if (node.tag !== undefined) {
    report(walk, at, path, `tags such as ${quoted(node.tag)} are not used in a policy file; remove it`);
    return nothing(at);
  }
  if (isMap(node) || isSeq(node)) {
    walk.open.add(node);
    const tree = isMap(node)
      ? readMap(walk, node.items, at, path, inAlias)
      : readList(walk, node.items, at, path, inAlias);
    walk.open.delete(node);
    return tree;
  }
  const value: unknown = node.value;
  if (
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    value === null
  ) {
    return { kind: 'scalar', at, value };
  }
  report(walk, at, path, 'this is not text, a number, true or false');
  return nothing(at);
};

/**
 * The documents of a text, with their errors. An error for each character is what a text of brackets has, and taking
 * their stacks, which nobody reads, is most of the second that they cost: none are taken meanwhile.
 */
const documentsOf = (text: string): readonly Document.Parsed[] => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return [
      ...parseAllDocuments(text, {
        version: '1.2',
        schema: 'core',
        merge: false,
        uniqueKeys: false,
        strict: true,
        prettyErrors: false,
        logLevel: 'silent',
      }),
    ];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};

/**
 * YAML 1.2 text to a tree with positions. Everything that makes a reader and a program see different files is a
 * problem: duplicate keys, merge keys, tags, directives, several documents, keys that are not text. Never throws.
 */
export const parseTree = (text: string): Parsed => {
  const lines = new LineCounter();
  lines.addNewLine(0);
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  for (const lineBreak of text.matchAll(/\n/gu)) lines.addNewLine(lineBreak.index + 1);

  const deep = tooDeep(text);
  if (deep !== null) {
    return refused(
      position(deep),
      'this is nested or indented more deeply than any policy file; write it flatter',
    );
  }

  let documents: readonly Document.Parsed[];
  try {
    documents = documentsOf(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refused(START, `this cannot be read as YAML: ${quoted(why)}`);
  }

  const [document, second] = documents;
  const errors = documents.flatMap((each) => each.errors);
  if (errors.length > 0) {
    const problems = errors.map((error) => problem(position(error.pos[0]), [], yamlErrorText(error)));
    return { tree: null, problems };
  }
  if (document === undefined || document.contents === null) {
    return refused(START, 'the file is empty; a policy file has at least the line "version: 1"');
  }
  if (second !== undefined) {
    return refused(
      position(second.contents?.range[0] ?? second.range[0]),
      'a second YAML document begins before this; a policy file is one document, so remove the "---"',
    );
  }
  if (document.directives.yaml.explicit === true || /^%/u.test(text)) {
    return refused(
      START,
      'directives (lines with % at their beginning) are not used in a policy file; remove them',
    );
  }

  const anchors = anchorsOf(document);
  if (anchors.kind === 'too-many') return refused(position(anchors.offset), TOO_MANY_ALIASES);

  const walk: Walk = {
    targets: anchors.targets,
    position,
    problems: [],
    aliases: 0,
    aliasedNodes: 0,
    open: new Set(),
    stopped: false,
  };
  const tree = readNode(walk, document.contents, [], false);
  if (walk.stopped) return { tree: null, problems: walk.problems };
  if (tree.kind === 'scalar' && tree.value === null && walk.problems.length === 0) {
    return refused(START, 'the file is empty; a policy file has at least the line "version: 1"');
  }
  if (tree.kind !== 'map' && walk.problems.length === 0) {
    const what = tree.kind === 'list' ? 'a list' : 'a single value';
    return refused(tree.at, `a policy file is a map of keys, not ${what}; it begins with "version: 1"`);
  }
  return { tree: tree.kind === 'map' ? tree : null, problems: walk.problems };
};
