/** What differs: lines that were expected and did not come, and lines that came and were not expected. */
export interface Comparison {
  readonly missing: string[];
  readonly unexpected: string[];
}

/** Effects that may follow an event without being listed. */
const FREE = new Set(['record', 'ruleset']);

const wordsOf = (line: string): readonly string[] => line.trim().split(/\s+/);

const begins = (expected: readonly string[], actual: readonly string[]): boolean =>
  expected.length <= actual.length && expected.every((word, index) => word === actual[index]);

/**
 * Compares the lines of one event with those expected of it: any order, as often as listed. An expected line may
 * end early, by whole words (a list of reasons is one word), so each actual line is given to at most one expected
 * line such that as many as possible are met; exact lines are met first. `record` and `ruleset` lines that were not
 * expected are no fault.
 */
export const compareLines = (expected: readonly string[], actual: readonly string[]): Comparison => {
  const actualWords = actual.map(wordsOf);
  const order = expected
    .map((line, index) => ({ index, words: wordsOf(line) }))
    .sort((a, b) => b.words.length - a.words.length || a.index - b.index);
  const takenBy = new Map<number, number>();

  // One augmenting path of a bipartite matching: place `position`, moving others on where they have a choice.
  const place = (position: number, seen: Set<number>): boolean => {
    const entry = order[position];
    if (entry === undefined) return false;
    for (const [candidate, words] of actualWords.entries()) {
      if (seen.has(candidate) || !begins(entry.words, words)) continue;
      seen.add(candidate);
      const holder = takenBy.get(candidate);
      if (holder === undefined || place(holder, seen)) {
        takenBy.set(candidate, position);
        return true;
      }
    }
    return false;
  };

  const missing = order.filter((_, position) => !place(position, new Set())).map((entry) => entry.index);
  return {
    missing: missing.sort((a, b) => a - b).map((index) => expected[index] ?? ''),
    unexpected: actual.filter((_, index) => !takenBy.has(index) && !FREE.has(actualWords[index]?.[0] ?? '')),
  };
};
