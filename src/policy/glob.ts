import picomatch from 'picomatch';

/** Wildcards in one path segment, and `**` in one pattern: what keeps matching fast on names that agents choose. */
export const MOST_STARS = 3;
/** GitHub's file systems end a name at 255 bytes; nobody's ordinary path is longer than 1,024 characters. */
const LONGEST_SEGMENT = 255;
const LONGEST_NAME = 1_024;

export type GlobCase = 'case' | 'nocase';

/** Why a pattern cannot be used, or null. */
export const globProblem = (pattern: string): string | null => {
  const segments = pattern.split('/');
  const doubles = segments.filter((segment) => segment === '**').length;
  const stars = segments.map((segment) => (segment === '**' ? 0 : (segment.match(/\*/gu)?.length ?? 0)));
  if (doubles > MOST_STARS) return `a pattern has at most ${String(MOST_STARS)} "**"`;
  if (stars.some((count) => count > MOST_STARS)) {
    return `a pattern has at most ${String(MOST_STARS)} "*" between two slashes`;
  }
  if ((pattern.match(/\{/gu)?.length ?? 0) > MOST_STARS) {
    return `a pattern has at most ${String(MOST_STARS)} lists in braces`;
  }
  return null;
};

// Parentheses and | stand for themselves (folders like `app/(shop)` are common); picomatch would read groups.
const literalGroups = (pattern: string): string => pattern.replace(/[()|]/gu, '\\$&');

type Matcher = (name: string) => boolean;

const compile = (pattern: string, letters: GlobCase): Matcher => {
  const matches = picomatch(literalGroups(pattern), {
    dot: true,
    noextglob: true,
    nonegate: true,
    // `s`: a file's name may hold a line break, and `**` must not end there.
    flags: letters === 'nocase' ? 'is' : 's',
    windows: false,
  });
  return (name) => pattern === name || matches(name);
};

const compiled: Record<GlobCase, WeakMap<readonly string[], readonly Matcher[]>> = {
  case: new WeakMap(),
  nocase: new WeakMap(),
};

const matchersOf = (patterns: readonly string[], letters: GlobCase): readonly Matcher[] => {
  const known = compiled[letters].get(patterns);
  if (known !== undefined) return known;
  const matchers = patterns.map((pattern) => compile(pattern, letters));
  compiled[letters].set(patterns, matchers);
  return matchers;
};

/**
 * Whether a name matches one of the patterns (`*`, `**`, `?`, `[abc]`, `{a,b}`; `*` ends at a slash; a dot is a
 * character like any other). A name longer than any real one matches: what cannot be judged is not let through.
 * The list must not be changed afterwards: its patterns are compiled once.
 */
export const matchesAny = (patterns: readonly string[], name: string, letters: GlobCase): boolean => {
  if (patterns.length === 0) return false;
  const odd =
    name.length > LONGEST_NAME || name.split('/').some((segment) => segment.length > LONGEST_SEGMENT);
  return odd || matchersOf(patterns, letters).some((matches) => matches(name));
};
