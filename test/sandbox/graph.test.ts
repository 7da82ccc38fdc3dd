import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CommitNode, createGraph, type Graph } from '../../src/sandbox/graph.js';

/** The same questions, answered the long way: whole sets, nothing kept. */
const reachable = (graph: Graph, sha: string): ReadonlySet<string> => {
  const seen = new Set<string>();
  const open = [sha];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const commit = graph.get(next);
    if (commit === undefined || seen.has(next)) continue;
    seen.add(next);
    open.push(...commit.parents);
  }
  return seen;
};

const parentsFirst = (graph: Graph, wanted: ReadonlySet<string>, head: string): readonly string[] => {
  const ordered: string[] = [];
  const visit = (sha: string): void => {
    if (!wanted.has(sha) || ordered.includes(sha)) return;
    for (const parent of graph.get(sha)?.parents ?? []) visit(parent);
    ordered.push(sha);
  };
  visit(head);
  return ordered;
};

const between = (graph: Graph, base: string, head: string): readonly string[] => {
  const known = reachable(graph, base);
  return parentsFirst(graph, new Set([...reachable(graph, head)].filter((sha) => !known.has(sha))), head);
};

const filesOf = (graph: Graph, sha: string): Readonly<Record<string, string>> => {
  const line: CommitNode[] = [];
  for (let commit = graph.get(sha); commit !== undefined; commit = graph.get(commit.parents[0] ?? ''))
    line.unshift(commit);
  const files: Record<string, string> = {};
  for (const { path, content } of line.flatMap((commit) => commit.changes)) files[path] = content ?? '';
  return files;
};

interface Step {
  readonly kind: 'add' | 'amend parents' | 'amend files' | 'ask';
  /** Picks of commits: of the parents, or of what is amended or asked for. */
  readonly picks: readonly number[];
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind']>('add', 'add', 'add', 'amend parents', 'amend files', 'ask'),
    picks: fc.array(fc.nat(200), { minLength: 1, maxLength: 3 }),
  }),
  { minLength: 4, maxLength: 40 },
);

const node = (sha: string, parents: readonly string[], content: string): CommitNode => ({
  sha,
  parents,
  author: null,
  name: 'n',
  email: 'e',
  message: sha,
  at: 0,
  changes: [{ path: `file-${sha.length % 3}`, status: 'added', content }],
  implied: false,
  verified: false,
});

const play = (graph: Graph, given: readonly Step[], ask: (a: string, b: string) => void): void => {
  const shas: string[] = [];
  const pick = (number: number): string => shas[number % Math.max(1, shas.length)] ?? 'nothing';
  for (const [index, { kind, picks }] of given.entries()) {
    const [first = 0, second = 1] = picks;
    const commit = graph.get(pick(first));
    if (kind === 'add' || commit === undefined) {
      const sha = `c${'x'.repeat(index % 5)}${index}`;
      graph.add(node(sha, [...new Set(shas.length === 0 ? [] : picks.map(pick))], `of ${index}`));
      shas.push(sha);
    } else if (kind === 'amend parents') {
      const parent = pick(second);
      if (!reachable(graph, parent).has(commit.sha))
        graph.amend(commit, { parents: [...new Set([...commit.parents, parent])] });
    } else if (kind === 'amend files') {
      graph.amend(commit, { changes: [{ path: 'file-0', status: 'modified', content: `anew ${index}` }] });
    } else {
      ask(commit.sha, pick(second));
    }
  }
  for (const a of shas.slice(-4)) for (const b of [...shas.slice(0, 4), 'nothing']) ask(a, b);
};

const everyQuestion = (answer: (graph: Graph, a: string, b: string) => readonly [unknown, unknown]): void => {
  fc.assert(
    fc.property(steps, (given) => {
      const graph = createGraph((sha) => sha);
      play(graph, given, (a, b) => {
        for (const [from, to] of [
          [a, b],
          [b, a],
        ] as const) {
          const [quick, long] = answer(graph, from, to);
          expect(quick).toEqual(long);
        }
      });
    }),
    { numRuns: 300 },
  );
};

describe('what is asked of any graph, while commits are added and amended', () => {
  test('whether one reaches the other', () => {
    everyQuestion((graph, a, b) => [graph.reaches(a, b), reachable(graph, a).has(b)]);
  });
  test('what one has that the other has not, parents first', () => {
    everyQuestion((graph, a, b) => [graph.between(a, b).map(({ sha }) => sha), between(graph, a, b)]);
  });
  test('all that one descends from, parents first', () => {
    everyQuestion((graph, a) => [graph.history(a).map(({ sha }) => sha), between(graph, '', a)]);
  });
  test('all that descends from one', () => {
    everyQuestion((graph, a) => {
      const after = [...graph.commits.keys()].filter((sha) => reachable(graph, sha).has(a));
      return [[...graph.descendants(a)].filter((sha) => graph.commits.has(sha)).sort(), after.sort()];
    });
  });
  test('a merge base is of both, and there is one where they have anything in common', () => {
    everyQuestion((graph, a, b) => {
      const common = [...reachable(graph, a)].filter((sha) => reachable(graph, b).has(sha));
      const base = graph.mergeBase(a, b);
      return [base === null ? common.length === 0 : common.includes(base), true];
    });
  });
  test('the files of one', () => {
    everyQuestion((graph, a) => [
      Object.fromEntries([...graph.files(a)].map(([path, { content }]) => [path, content])),
      filesOf(graph, a),
    ]);
  });
});

test('a commit that is its own ancestor ends no question', () => {
  const graph = createGraph((sha) => sha);
  graph.add(node('a', ['b'], ''));
  graph.add(node('b', ['a'], ''));
  expect(typeof graph.reaches('a', 'b')).toBe('boolean');
  expect(graph.history('a').length).toBeGreaterThan(0);
  expect(graph.files('a').size).toBeGreaterThan(0);
});
