import type { Policy } from '../policy/policy.js';
import { isPolicyPath, isProtectedPath, isWorkflowPath } from '../policy/read.js';
import type { FilesFact } from './facts.js';

/** What a PR's files touch that the policy keeps for people. Both names of a rename count, and where a link points. */
export interface Touched {
  readonly policy: readonly string[];
  readonly workflows: readonly string[];
  readonly other: readonly string[];
  /** GitHub lists fewer files than it counts. */
  readonly unknown: { readonly listed: number; readonly changed: number } | null;
}

export function touchedBy(files: FilesFact, policy: Policy): Touched {
  const paths = new Set<string>();
  const linked = new Set<string>();
  for (const file of files.files) {
    paths.add(file.path);
    if (file.previousPath !== undefined && file.status === 'renamed') paths.add(file.previousPath);
    // A link to a protected folder is written through, so the link is as protected as what it points to.
    if (file.linksTo !== undefined && pointsIntoProtected(file.linksTo, policy)) linked.add(file.path);
  }
  const sorted = [...paths].sort();
  const policyFiles = sorted.filter((path) => isPolicyPath(path));
  const workflows = sorted.filter((path) => isWorkflowPath(path) && !isPolicyPath(path));
  const other = sorted.filter(
    (path) =>
      linked.has(path) || (isProtectedPath(policy, path) && !isPolicyPath(path) && !isWorkflowPath(path)),
  );
  return {
    policy: policyFiles,
    workflows,
    other,
    unknown: files.kind === 'partial' ? { listed: files.files.length, changed: files.changed } : null,
  };
}

/** The target itself, or anything under it: a pattern for files also protects the folder that holds them. */
function pointsIntoProtected(target: string, policy: Policy): boolean {
  const path = target.replace(/\/+$/, '');
  return (
    isProtectedPath(policy, path) ||
    isProtectedPath(policy, `${path}/file`) ||
    isPolicyPath(path) ||
    path === '.github' ||
    path === ''
  );
}
