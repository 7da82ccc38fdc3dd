import type { Change } from './changes.js';
import type { CommitNode } from './graph.js';
import { createRecent } from './recent.js';
import { blobSha } from './shas.js';

export interface BlobEntry {
  readonly content: string;
  readonly mode: string;
}

/** What commits hold, made of what each changes. */
export interface Files {
  /** Every file of a commit; none where it is unknown. */
  of(sha: string): ReadonlyMap<string, BlobEntry>;
  /** The text of a blob that a commit looked at before holds. */
  blob(sha: string): string | undefined;
  /** Forgets what was made of a commit; of all, where others are built on it. */
  forget(sha: string, others: boolean): void;
}

const REGULAR = '100644';
/** Commits that are asked for again and again: the tip of the trunk, the head and the base of a PR. */
const KEPT = 24;

/** A YAML file that a case changes without saying how still loads: only a comment is new in it. */
const textFor = (change: Change, before: BlobEntry | undefined, commit: string): string => {
  if (change.content !== undefined) return change.content;
  if (before !== undefined && /\.ya?ml$/.test(change.path))
    return `${before.content.replace(/\n?$/, '\n')}# changed at ${commit}\n`;
  return `${change.path} at ${commit}\n`;
};

export const createFiles = (
  commits: ReadonlyMap<string, CommitNode>,
  shortOf: (sha: string) => string,
): Files => {
  const kept = createRecent<ReadonlyMap<string, BlobEntry>>(KEPT);
  const blobs = new Map<string, string>();

  const apply = (files: Map<string, BlobEntry>, commit: CommitNode): void => {
    for (const change of commit.changes) {
      const before = files.get(change.was ?? change.path);
      if (change.was !== undefined) files.delete(change.was);
      if (change.status === 'removed') {
        files.delete(change.path);
        continue;
      }
      const renamedOnly = change.status === 'renamed' && change.content === undefined && before !== undefined;
      const content = renamedOnly ? before.content : textFor(change, before, shortOf(commit.sha));
      files.set(change.path, { content, mode: change.mode ?? before?.mode ?? REGULAR });
      blobs.set(blobSha(content), content);
    }
  };

  /** The first parents of a commit, newest first, up to one whose files are kept. */
  const lineOf = (sha: string): { line: CommitNode[]; from: ReadonlyMap<string, BlobEntry> | undefined } => {
    const line: CommitNode[] = [];
    const seen = new Set<string>();
    let from: ReadonlyMap<string, BlobEntry> | undefined;
    for (let commit = commits.get(sha); commit !== undefined && !seen.has(commit.sha);) {
      from = kept.get(commit.sha);
      if (from !== undefined) break;
      seen.add(commit.sha);
      line.push(commit);
      const parent = commit.parents[0];
      commit = parent === undefined ? undefined : commits.get(parent);
    }
    return { line, from };
  };

  return {
    of: (sha) => {
      const { line, from } = lineOf(sha);
      if (line.length === 0) return from ?? new Map();
      const files = new Map(from);
      for (const commit of line.reverse()) apply(files, commit);
      kept.set(sha, files);
      return files;
    },
    blob: (sha) => blobs.get(sha),
    forget: (sha, others) => (others ? kept.clear() : kept.delete(sha)),
  };
};
