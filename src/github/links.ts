import { posix } from 'node:path';

/**
 * A PR's list of files does not tell modes. The blob of a symbolic link is its target without a newline, so a file
 * whose whole new side may be such a blob has to be looked up in the tree.
 */
export interface ListedFile {
  readonly status: string;
  readonly additions: number;
  readonly patch?: string | undefined;
}

/** Linux's PATH_MAX: no link's target is longer. */
const LONGEST_TARGET = 4096;
/** A target may hold newlines, but hardly this many. */
const TARGET_LINES = 4;
const NO_NEWLINE = '\\ No newline at end of file';

/** The whole new side of a patch when it ends without a newline and nothing of the old side is kept; else null. */
const wholeWithoutNewline = (patch: string): string | null => {
  const lines = patch.split('\n');
  const added: string[] = [];
  let ended = false;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('@@')) {
      // One hunk whose new side begins at line 1 is the whole file.
      if (index > 0 || !/^@@ -\d+(?:,\d+)? \+1(?:,\d+)? @@/.test(line)) return null;
    } else if (line.startsWith('+')) added.push(line.slice(1));
    else if (line.startsWith(' ')) return null;
    else if (line === NO_NEWLINE) ended = lines[index - 1]?.startsWith('+') ?? false;
  }
  return ended && added.length > 0 ? added.join('\n') : null;
};

/**
 * True when only the tree can tell whether the file is a link. Where GitHub gives no patch (a pure rename, a change of
 * mode, a diff too big to show) the count of added lines decides.
 */
export const mayBeLink = ({ status, additions, patch }: ListedFile): boolean => {
  if (status === 'removed' || status === 'unchanged') return false;
  if (patch === undefined) return additions === 0 ? status !== 'added' : additions <= TARGET_LINES;
  const whole = wholeWithoutNewline(patch);
  return whole !== null && whole.length <= LONGEST_TARGET;
};

/** The target of a link by the patch that shows its blob; null where the patch does not show it whole. */
export const linkTarget = (patch: string): string | null => wholeWithoutNewline(patch);

/**
 * Where the link at `path` points to, from the root, `.` and `..` taken out. A target outside of the repository keeps
 * its leading `..` or `/`. Links on the way are not followed: each of them is a file of its own.
 */
export const resolveLink = (path: string, target: string): string =>
  target.startsWith('/')
    ? posix.normalize(target)
    : posix.join(posix.dirname(path), target).replace(/(?<=.)\/$/, '');
