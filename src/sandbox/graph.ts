import type { SandboxAccount } from './accounts.js';
import { type Change, netChanges } from './changes.js';
import { createDepths } from './depths.js';
import { type BlobEntry, createFiles } from './files.js';
import { createRecent } from './recent.js';
import { treeSha } from './shas.js';

export interface CommitNode {
  readonly sha: string;
  readonly parents: readonly string[];
  /** Who GitHub links the commit to; null: nobody. */
  readonly author: SandboxAccount | null;
  readonly name: string;
  readonly email: string;
  readonly message: string;
  readonly at: number;
  readonly changes: readonly Change[];
  /** Made because an event named its sha and nothing more: a push that says what it is may lay it anew. */
  readonly implied: boolean;
  /** A tree id an event laid over. */
  readonly tree?: string;
  readonly verified: boolean;
}

/** Commits and what they hold. Nothing is ever removed: GitHub keeps what no ref reaches. */
export interface Graph {
  readonly commits: ReadonlyMap<string, CommitNode>;
  add(commit: CommitNode): CommitNode;
  /** Changes a commit that stands already, the object itself. */
  amend(
    commit: CommitNode,
    changes: Partial<Pick<CommitNode, 'parents' | 'changes' | 'tree' | 'message'>>,
  ): void;
  get(sha: string): CommitNode | undefined;
  /** The commit with that tree. */
  ofTree(tree: string): CommitNode | undefined;
  /** Whether `sha` is `from` or something it descends from. */
  reaches(from: string, sha: string): boolean;
  mergeBase(a: string, b: string): string | null;
  /** Commits reachable from `head` and not from `base`, parents first. */
  between(base: string, head: string): CommitNode[];
  /** The commit and all it descends from, parents first. */
  history(head: string): readonly CommitNode[];
  /** The commit and all that descends from it. */
  descendants(sha: string): ReadonlySet<string>;
  /** What `between` does to the files, one entry a path. */
  changes(base: string, head: string): Change[];
  /** Every file of a commit. */
  files(sha: string): ReadonlyMap<string, BlobEntry>;
  /** The text of a blob of a commit that was looked at. */
  blob(sha: string): string | undefined;
}

const KEPT_HISTORIES = 4;

export const treeOf = (commit: CommitNode): string => commit.tree ?? treeSha(commit.sha);

const HEAD = 1;
const BASE = 2;

export const createGraph = (shortOf: (sha: string) => string): Graph => {
  const commits = new Map<string, CommitNode>();
  const children = new Map<string, Set<string>>();
  const byTree = new Map<string, string>();
  const depths = createDepths(commits);
  const files = createFiles(commits, shortOf);
  const histories = createRecent<readonly CommitNode[]>(KEPT_HISTORIES);

  const link = ({ sha, parents }: CommitNode): void => {
    for (const parent of parents) {
      const known = children.get(parent);
      if (known === undefined) children.set(parent, new Set([sha]));
      else known.add(sha);
    }
  };
  const unlink = ({ sha, parents }: CommitNode): void => {
    for (const parent of parents) children.get(parent)?.delete(sha);
  };
  /** What was worked out of a commit counts no more, nor, where others are built on it, what was of those. */
  const forget = (sha: string): void => {
    const others = (children.get(sha)?.size ?? 0) > 0;
    depths.forget(sha, others);
    files.forget(sha, others);
    if (others) histories.clear();
    else histories.delete(sha);
  };

  /** Shas reachable from `head` and not from `base`, found level by level, the deepest first. */
  const exclusive = (base: string, head: string): ReadonlySet<string> => {
    const painted = new Map<string, number>();
    const levels = new Map<number, string[]>();
    const found = new Set<string>();
    let deepest = 0;
    let open = 0;
    const paint = (sha: string, color: number): void => {
      const before = painted.get(sha) ?? 0;
      const after = before | color;
      if (after === before || !commits.has(sha)) return;
      painted.set(sha, after);
      if (after === HEAD) open += 1;
      else if (before === HEAD) open -= 1;
      if (before !== 0) return;
      const depth = depths.of(sha);
      deepest = Math.max(deepest, depth);
      const level = levels.get(depth);
      if (level === undefined) levels.set(depth, [sha]);
      else level.push(sha);
    };
    paint(base, BASE);
    paint(head, HEAD);
    for (let depth = deepest; depth > 0 && open > 0; depth -= 1) {
      for (const sha of levels.get(depth) ?? []) {
        const color = painted.get(sha) ?? 0;
        if (color === HEAD) {
          found.add(sha);
          open -= 1;
        }
        for (const parent of commits.get(sha)?.parents ?? []) paint(parent, color);
      }
    }
    return found;
  };

  const between = (base: string, head: string): CommitNode[] => {
    const wanted = exclusive(base, head);
    const ordered: CommitNode[] = [];
    const seen = new Set<string>();
    const walk: { sha: string; entered: boolean }[] = [{ sha: head, entered: false }];
    for (let step = walk.pop(); step !== undefined; step = walk.pop()) {
      const commit = commits.get(step.sha);
      if (commit === undefined || !wanted.has(step.sha)) continue;
      if (step.entered) {
        ordered.push(commit);
      } else if (!seen.has(step.sha)) {
        seen.add(step.sha);
        walk.push({ sha: step.sha, entered: true });
        walk.push(...[...commit.parents].reverse().map((sha) => ({ sha, entered: false })));
      }
    }
    return ordered;
  };

  const history = (head: string): readonly CommitNode[] => {
    const line: CommitNode[] = [];
    let known: readonly CommitNode[] | undefined;
    const seen = new Set<CommitNode>();
    for (let commit = commits.get(head); commit !== undefined && !seen.has(commit);) {
      known = histories.get(commit.sha);
      if (known !== undefined) break;
      seen.add(commit);
      line.push(commit);
      commit = commits.get(commit.parents[0] ?? '');
    }
    if (line.length === 0) return known ?? [];
    const ordered = [...(known ?? [])];
    for (const commit of line.reverse()) ordered.push(...between(commit.parents[0] ?? '', commit.sha));
    histories.set(head, ordered);
    return ordered;
  };

  const reaches = (from: string, sha: string): boolean => {
    if (!commits.has(sha)) return false;
    const least = depths.of(sha);
    const seen = new Set<string>();
    const walk = [from];
    for (let next = walk.pop(); next !== undefined; next = walk.pop()) {
      if (next === sha) return true;
      if (seen.has(next) || !commits.has(next) || depths.of(next) <= least) continue;
      seen.add(next);
      walk.push(...(commits.get(next)?.parents ?? []));
    }
    return false;
  };

  return {
    commits,
    add: (commit) => {
      const before = commits.get(commit.sha);
      if (before !== undefined) unlink(before);
      commits.set(commit.sha, commit);
      link(commit);
      forget(commit.sha);
      const tree = treeOf(commit);
      if (!byTree.has(tree)) byTree.set(tree, commit.sha);
      return commit;
    },
    amend: (commit, changes) => {
      unlink(commit);
      Object.assign(commit, changes);
      link(commit);
      forget(commit.sha);
      if (changes.tree !== undefined && !byTree.has(changes.tree)) byTree.set(changes.tree, commit.sha);
    },
    get: (sha) => commits.get(sha),
    ofTree: (tree) => {
      const commit = commits.get(byTree.get(tree) ?? '');
      return commit !== undefined && treeOf(commit) === tree ? commit : undefined;
    },
    reaches,
    mergeBase: (a, b) => {
      const own = exclusive(a, b);
      const seen = new Set<string>();
      const open = [b];
      for (let next = open.shift(); next !== undefined; next = open.shift()) {
        const commit = commits.get(next);
        if (commit === undefined || seen.has(next)) continue;
        if (!own.has(next)) return next;
        seen.add(next);
        open.push(...commit.parents);
      }
      return null;
    },
    between,
    history,
    descendants: (sha) => {
      const found = new Set<string>();
      const walk = [sha];
      for (let next = walk.pop(); next !== undefined; next = walk.pop()) {
        if (found.has(next)) continue;
        found.add(next);
        walk.push(...(children.get(next) ?? []));
      }
      return found;
    },
    changes: (base, head) => netChanges(between(base, head).map((commit) => commit.changes)),
    files: files.of,
    blob: files.blob,
  };
};
