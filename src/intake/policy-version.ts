import { loadPolicyFile, type PolicyFile } from '../policy/load.js';
import type { Problem } from '../policy/policy.js';
import type { PolicyMemory } from '../store/ledger.js';

/** The two names a policy file may have. Git tells letters apart, so only these. */
export const POLICY_NAMES: ReadonlySet<string> = new Set([
  '.github/agent-policy.yml',
  '.github/agent-policy.yaml',
]);

/** GitHub gave no answer. `retryAfter`: milliseconds it asks to wait; left out: it does not say. */
export interface Unanswered {
  readonly why: string;
  readonly transient: boolean;
  readonly retryAfter?: number;
}

/** What one place says: a file that loads, none, or no answer. */
export type Version =
  | { readonly kind: 'file'; readonly file: PolicyFile }
  | { readonly kind: 'none' }
  | ({ readonly kind: 'unreadable' } & Unanswered);

/** Why a version on the default branch is not the one in force. */
export type Rejected =
  | { readonly kind: 'invalid'; readonly path: string; readonly problems: readonly Problem[] }
  | { readonly kind: 'by-agent'; readonly path: string }
  /** It could not be looked at: the last version known is in force, and nothing is said of the newest. */
  | ({ readonly kind: 'unread' } & Unanswered);

export const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A remembered version; one without text stands for "there was none". */
export function versionOf(memory: PolicyMemory, scope: 'repo' | 'org'): Version {
  const file = parseKnown(memory, scope);
  return file === null ? { kind: 'none' } : { kind: 'file', file };
}

/** A version that was in force once loads again; an empty one stands for "a person took the file away". */
export function parseKnown(memory: PolicyMemory, scope: 'repo' | 'org'): PolicyFile | null {
  if (memory.text === '') return null;
  const loaded = loadPolicyFile(memory.text, memory.path, scope);
  return loaded.kind === 'valid' ? loaded.file : null;
}
