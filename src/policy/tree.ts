/** Where something stands in a file. Both count from 1; a column counts UTF-16 code units, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export type Path = readonly (string | number)[];

/** One key of a map, with the place of the key itself. */
export interface Entry {
  readonly key: Position;
  readonly value: Tree;
}

/** A YAML document as plain data that still knows where each piece was written. Aliases are resolved. */
export type Tree =
  | { readonly kind: 'scalar'; readonly at: Position; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly at: Position; readonly items: readonly Tree[] }
  | { readonly kind: 'map'; readonly at: Position; readonly entries: ReadonlyMap<string, Entry> };

/** The value as JSON would have it. Maps have no prototype, so a key named `__proto__` is a key like any other. */
export const valueOf = (tree: Tree): unknown => {
  switch (tree.kind) {
    case 'scalar':
      return tree.value;
    case 'list':
      return tree.items.map(valueOf);
    case 'map': {
      const value = Object.create(null) as Record<string, unknown>;
      for (const [key, entry] of tree.entries) value[key] = valueOf(entry.value);
      return value;
    }
  }
};

/** What stands at a path, or undefined where nothing does. The key's place is there for a map's entry. */
export const find = (
  tree: Tree,
  path: Path,
): { readonly key?: Position; readonly value: Tree } | undefined => {
  let found: { readonly key?: Position; readonly value: Tree } = { value: tree };
  for (const step of path) {
    const within = found.value;
    if (within.kind === 'map') {
      const entry = within.entries.get(String(step));
      if (entry === undefined) return undefined;
      found = entry;
    } else if (within.kind === 'list') {
      const item = typeof step === 'number' ? within.items[step] : undefined;
      if (item === undefined) return undefined;
      found = { value: item };
    } else {
      return undefined;
    }
  }
  return found;
};

/** No key of a policy is longer (an agent's name has 64 characters), and each problem below a key repeats it. */
const LONGEST_STEP = 80;

const shortened = (step: string): string =>
  step.length > LONGEST_STEP ? `${step.slice(0, LONGEST_STEP)}…` : step;

/** `agents.coder.merge`, `trunk[1]`. For people: a key that is longer than any real one is cut. */
export const dotted = (path: Path): string =>
  path
    .map((step, index) =>
      typeof step === 'number' ? `[${String(step)}]` : `${index === 0 ? '' : '.'}${shortened(step)}`,
    )
    .join('');
