import type { SandboxAccount } from './accounts.js';

/** What a commit does to one path, against its first parent. */
export interface Change {
  readonly path: string;
  readonly was?: string;
  readonly status: 'added' | 'modified' | 'removed' | 'renamed';
  /** Git's file mode; `120000` is a symbolic link, whose content is its target. */
  readonly mode?: string;
  readonly content?: string;
}

export interface CommitNode {
  readonly sha: string;
  parents: string[];
  /** Who GitHub links the commit to; null: nobody. */
  author: SandboxAccount | null;
  name: string;
  email: string;
  message: string;
  readonly at: number;
  changes: Change[];
  /** Made because an event named its sha and nothing more: a push that says what it is may lay it anew. */
  implied: boolean;
  /** A tree id an event laid over. */
  tree?: string;
  verified: boolean;
}

export interface BlobEntry {
  readonly content: string;
  readonly mode: string;
}

/** Commits and what they hold. Nothing is ever removed: GitHub keeps what no ref reaches. */
export interface Graph {
  readonly commits: ReadonlyMap<string, CommitNode>;
  add(commit: CommitNode): CommitNode;
  get(sha: string): CommitNode | undefined;
  /** The commit and everything it descends from. */
  reachable(sha: string): ReadonlySet<string>;
  mergeBase(a: string, b: string): string | null;
  /** Commits reachable from `head` and not from `base`, parents first. */
  between(base: string, head: string): CommitNode[];
  /** What `between` does to the files, one entry a path. */
  changes(base: string, head: string): Change[];
  /** Every file of a commit. */
  files(sha: string): Map<string, BlobEntry>;
}

const REGULAR = '100644';

/** A YAML file that a case changes without saying how still loads: only a comment is new in it. */
const textFor = (change: Change, before: BlobEntry | undefined, commit: string): string => {
  if (change.content !== undefined) return change.content;
  if (before !== undefined && /\.ya?ml$/.test(change.path))
    return `${before.content.replace(/\n?$/, '\n')}# changed at ${commit}\n`;
  return `${change.path} at ${commit}\n`;
};

/** Two changes of one path, one after the other, as one; null: they undo each other. */
const joined = (first: Change | undefined, next: Change): Change | null => {
  if (first === undefined) return next;
  if (next.status === 'removed') return first.status === 'added' ? null : { ...next };
  if (first.status === 'added') return { ...next, status: 'added' };
  if (first.status === 'renamed')
    return { ...next, status: 'renamed', ...(first.was === undefined ? {} : { was: first.was }) };
  return first.status === 'removed' ? { ...next, status: 'modified' } : next;
};

/** Changes of many commits, oldest first, as one list in order of path. */
export const netChanges = (lists: readonly (readonly Change[])[]): Change[] => {
  const net = new Map<string, Change>();
  for (const change of lists.flat()) {
    const origin = change.was === undefined ? undefined : net.get(change.was);
    if (change.was !== undefined) net.delete(change.was);
    const whole: Change = origin?.status === 'added' ? { ...change, status: 'added' } : change;
    const result = joined(net.get(whole.path), whole);
    if (result === null) net.delete(whole.path);
    else net.set(whole.path, result);
  }
  return [...net.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
};

export const createGraph = (shortOf: (sha: string) => string): Graph => {
  const commits = new Map<string, CommitNode>();

  const reachable = (sha: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const open = [sha];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const commit = commits.get(next);
      if (commit === undefined || seen.has(next)) continue;
      seen.add(next);
      open.push(...commit.parents);
    }
    return seen;
  };

  const between = (base: string, head: string): CommitNode[] => {
    const known = reachable(base);
    const ordered: CommitNode[] = [];
    const seen = new Set<string>();
    const walk: { sha: string; entered: boolean }[] = [{ sha: head, entered: false }];
    for (let step = walk.pop(); step !== undefined; step = walk.pop()) {
      const commit = commits.get(step.sha);
      if (commit === undefined || known.has(step.sha)) continue;
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

  return {
    commits,
    add: (commit) => {
      commits.set(commit.sha, commit);
      return commit;
    },
    get: (sha) => commits.get(sha),
    reachable,
    mergeBase: (a, b) => {
      const known = reachable(a);
      const seen = new Set<string>();
      const open = [b];
      for (let next = open.shift(); next !== undefined; next = open.shift()) {
        if (known.has(next)) return next;
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(...(commits.get(next)?.parents ?? []));
      }
      return null;
    },
    between,
    changes: (base, head) => netChanges(between(base, head).map((commit) => commit.changes)),
    files: (sha) => {
      const line: CommitNode[] = [];
      const seen = new Set<string>();
      for (let commit = commits.get(sha); commit !== undefined && !seen.has(commit.sha);) {
        seen.add(commit.sha);
        line.unshift(commit);
        const parent = commit.parents[0];
        commit = parent === undefined ? undefined : commits.get(parent);
      }
      const files = new Map<string, BlobEntry>();
      for (const commit of line) {
        for (const change of commit.changes) {
          const before = files.get(change.was ?? change.path);
          if (change.was !== undefined) files.delete(change.was);
          if (change.status === 'removed') files.delete(change.path);
          else {
            const renamedOnly =
              change.status === 'renamed' && change.content === undefined && before !== undefined;
            files.set(change.path, {
              content: renamedOnly ? before.content : textFor(change, before, shortOf(commit.sha)),
              mode: change.mode ?? before?.mode ?? REGULAR,
            });
          }
        }
      }
      return files;
    },
  };
};
