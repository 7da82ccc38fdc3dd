import type { Policy } from '../policy/policy.js';
import { holds, holdsProtected, isPolicyPath, isProtectedPath, isWorkflowPath } from '../policy/read.js';
import type { FilesFact } from './facts.js';

/**
 * What a PR's files touch that a policy may keep for people. Both names of a rename count; a symbolic link counts as
 * what it points to, since it is written through. A path stands in one list only.
 */
export interface Touched {
  readonly policy: readonly string[];
  readonly workflows: readonly string[];
  readonly other: readonly string[];
  /** GitHub lists fewer files than it counts. */
  readonly unknown: { readonly listed: number; readonly changed: number } | null;
}

type Keeper = 'policy' | 'workflows' | 'other';

const WORKFLOWS = '.github/workflows';
const POLICY = '.github/agent-policy.yml';

export function touchedBy(files: FilesFact, policy: Policy): Touched {
  const kept = new Map<string, Keeper>();
  for (const file of files.files) {
    const names =
      file.status === 'renamed' && file.previousPath !== undefined
        ? [file.path, file.previousPath]
        : [file.path];
    for (const name of names) keep(kept, name, keeperOf(name, policy));
    if (file.linksTo !== undefined && !kept.has(file.path))
      keep(kept, file.path, keeperOfTarget(file.linksTo, policy));
  }
  const of = (keeper: Keeper): readonly string[] =>
    [...kept]
      .filter(([, by]) => by === keeper)
      .map(([path]) => path)
      .sort();
  return {
    policy: of('policy'),
    workflows: of('workflows'),
    other: of('other'),
    unknown: files.kind === 'partial' ? { listed: files.files.length, changed: files.changed } : null,
  };
}

function keep(kept: Map<string, Keeper>, path: string, keeper: Keeper | null): void {
  if (keeper !== null) kept.set(path, keeper);
}

function keeperOf(path: string, policy: Policy): Keeper | null {
  if (isPolicyPath(path)) return 'policy';
  if (isWorkflowPath(path)) return 'workflows';
  return isProtectedPath(policy, path) ? 'other' : null;
}

/** What may be written through a link: the file it points to, or anything in the folder. */
function keeperOfTarget(target: string, policy: Policy): Keeper | null {
  const path = target.replace(/\/+$/, '');
  if (holdsProtected(policy, path)) return 'other';
  if (holds(path, POLICY) || isPolicyPath(path)) return 'policy';
  return holds(path, WORKFLOWS) || isWorkflowPath(path) ? 'workflows' : null;
}
