import { z } from 'zod';
import { nearest } from './nearest.js';
import type { Problem } from './policy.js';
import { quoted } from './quote.js';
import { ORG_ONLY, policySchema } from './schema.js';
import { expectations } from './shapes.js';
import type { Path, Position, Tree } from './tree.js';
import { dotted, find } from './tree.js';

const START: Position = { line: 1, column: 1 };

const unwrap = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;

/** The part of the schema that a path of a file is held against. */
const schemaAt = (path: Path): unknown =>
  path.reduce<unknown>((schema, step) => {
    const here = unwrap(schema);
    if (here instanceof z.ZodObject) return (here.shape as Record<string, unknown>)[String(step)];
    if (here instanceof z.ZodRecord) return here.valueType;
    if (here instanceof z.ZodArray) return here.element;
    return undefined;
  }, policySchema);

const expectationAt = (path: Path) => {
  const schema = unwrap(schemaAt(path));
  return schema instanceof z.ZodType ? expectations.get(schema) : undefined;
};

const keysAt = (path: Path): readonly string[] => {
  const schema = unwrap(schemaAt(path));
  return schema instanceof z.ZodObject ? Object.keys(schema.shape as object) : [];
};

const TOP_KEYS = keysAt([]);

/** Where a key would be right, for one that stands in the wrong place: `approvals` belongs under `people`. */
const homeOf = (key: string): string | undefined => {
  if (keysAt(['acts']).includes(key)) return `acts.${key}`;
  const above = TOP_KEYS.find((top) => top !== 'acts' && keysAt([top]).includes(key));
  if (above !== undefined) return `${above}.${key}`;
  return TOP_KEYS.includes(key) ? key : undefined;
};

const at = (place: Position, path: Path, message: string, suggestion?: string): Problem => ({
  line: place.line,
  column: place.column,
  path: dotted(path),
  message,
  ...(suggestion === undefined ? {} : { suggestion }),
});

const unknownKey = (tree: Tree, path: Path, key: string): Problem => {
  const here = [...path, key];
  const place = find(tree, here)?.key ?? START;
  const keys = keysAt(path);
  const where = path.length === 0 ? 'a policy file' : dotted(path);
  const what = path.at(-1) === 'acts' ? `an act of ${where}` : `a key of ${where}`;
  const near = nearest(key, keys);
  if (near !== undefined) return at(place, here, `${quoted(key)} is not ${what}`, near);
  const home = homeOf(key);
  if (home !== undefined) {
    return at(place, here, `${quoted(key)} is not ${what}; it is written as ${home}`, home);
  }
  const all = path.at(-1) === 'acts' ? 'the acts are' : 'its keys are';
  return at(place, here, `${quoted(key)} is not ${what}; ${all} ${keys.join(', ')}`);
};

const describe = (tree: Tree): string => {
  switch (tree.kind) {
    case 'list':
      return 'a list';
    case 'map':
      return 'a map';
    case 'scalar':
      if (tree.value === null) return 'nothing (it is left empty)';
      return typeof tree.value === 'string' ? quoted(tree.value) : String(tree.value);
  }
};

const wrongValue = (tree: Tree, path: Path): Problem => {
  const expected = expectationAt(path);
  const takes = expected?.takes ?? 'another value';
  const found = find(tree, path);
  if (found === undefined) {
    return at(START, path, `${dotted(path)} is missing; write "${dotted(path)}: ${takes}"`);
  }
  const scalar = found.value.kind === 'scalar' ? found.value.value : null;
  const written = scalar === null ? '' : String(scalar);
  const hint = expected?.hint?.(scalar) ?? null;
  const suggestion = hint?.suggestion ?? nearest(written, expected?.words ?? []);
  const because = hint?.because === undefined ? '' : ` (${hint.because})`;
  return at(
    found.value.at,
    path,
    `${dotted(path)} takes ${takes}, not ${describe(found.value)}${because}`,
    suggestion,
  );
};

const problemsOf = (tree: Tree, issue: z.core.$ZodIssue): readonly Problem[] => {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(tree, path, key));
    case 'invalid_key':
      return [
        at(
          find(tree, path)?.key ?? START,
          path,
          `${quoted(String(path.at(-1)))} cannot be an agent's name: letters, digits, ".", "_" and "-", at most 64, beginning with a letter or digit`,
        ),
      ];
    default:
      return [wrongValue(tree, path)];
  }
};

/** A later version of the format: its other keys cannot be judged, so only this is said. */
export const newerVersion = (tree: Tree): Problem | null => {
  const version = find(tree, ['version'])?.value;
  if (version?.kind !== 'scalar' || typeof version.value !== 'number') return null;
  if (!Number.isInteger(version.value) || version.value < 2) return null;
  const number = String(version.value);
  return at(
    version.at,
    ['version'],
    `version ${number} of the policy format is newer than this App knows (1): it needs a release of Agent Policy that reads version ${number}`,
  );
};

/** What the schema found, at the places where it was written. Deterministic; not sorted. */
export const schemaProblems = (tree: Tree, error: z.ZodError): readonly Problem[] =>
  error.issues.flatMap((issue) => problemsOf(tree, issue));

/** Keys that only an organization's file may have, in a repository's. */
export const scopeProblems = (tree: Tree): readonly Problem[] =>
  ORG_ONLY.flatMap((key) => {
    const place = find(tree, [key])?.key;
    return place === undefined
      ? []
      : [
          at(
            place,
            [key],
            `${key} is only for an organization's file (.github/agent-policy.yml in the owner's .github repository); remove it here`,
          ),
        ];
  });

/** By place, then by path and message: the same file gives the same list. */
export const sorted = (problems: readonly Problem[]): readonly Problem[] => {
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return [...problems].sort(
    (a, b) => a.line - b.line || a.column - b.column || order(a.path, b.path) || order(a.message, b.message),
  );
};

/** One thing found twice (by the reader and by the schema, at one place and path) is told once, as the reader says it. */
export const unique = (problems: readonly Problem[]): readonly Problem[] => {
  const seen = new Set<string>();
  return problems.filter(({ line, column, path }) => {
    const key = JSON.stringify([line, column, path]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};

/** A file made to have thousands of problems has thousands of annotations; people mend the first ones first. */
const MOST_PROBLEMS = 200;

/** The first problems, and one entry that stands for all of the others. */
export const capped = (problems: readonly Problem[]): readonly Problem[] => {
  const next = problems[MOST_PROBLEMS];
  if (next === undefined) return problems;
  const rest = problems.length - MOST_PROBLEMS;
  return [
    ...problems.slice(0, MOST_PROBLEMS),
    {
      line: next.line,
      column: next.column,
      path: '',
      message: rest === 1 ? 'and 1 more problem here' : `and ${String(rest)} more problems from here on`,
      standsFor: rest,
    },
  ];
};

/** How many problems a list tells of, those that its last entry stands for among them. */
export const countOf = (problems: readonly Problem[]): number =>
  problems.reduce((sum, { standsFor }) => sum + (standsFor ?? 1), 0);
