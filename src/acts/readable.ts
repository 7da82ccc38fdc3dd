import { z } from 'zod';
import { type Delivery, type PayloadKind, unreadIn } from './payload.js';

/** Events whose payload is read, and how. */
const KINDS: ReadonlyMap<string, PayloadKind> = new Map([
  ['pull_request', 'pull_request'],
  ['pull_request_review', 'pull_request_review'],
  ['push', 'push'],
  ['create', 'ref'],
  ['delete', 'ref'],
  ['release', 'release'],
  ['issues', 'issues'],
  ['repository_ruleset', 'repository_ruleset'],
  ['branch_protection_rule', 'branch_protection_rule'],
  ['branch_protection_configuration', 'any'],
  ['deploy_key', 'deploy_key'],
  ['repository', 'repository'],
  ['member', 'member'],
  ['check_run', 'check_run'],
  ['check_suite', 'check_suite'],
  ['merge_group', 'merge_group'],
]);

/** An organization has rulesets of its own, and what tells of them names no repository. */
const WITHOUT_REPOSITORY: ReadonlySet<string> = new Set(['repository_ruleset']);

const somewhere = z.object({ repository: z.object({}) });
const acting = z.object({ action: z.string() });

/** The action of a delivery, whatever else of it can be read; null: it has none, or it is no text. */
export function actionOf(payload: unknown): string | null {
  return acting.safeParse(payload).data?.action ?? null;
}

/**
 * The path of the first field that keeps a delivery from being read, as `pull_request.head.sha`; null where it can be
 * read, and for events that nobody reads. It is made of our own names of fields, never of what stands in the payload.
 */
export function unreadableField({ name, payload }: Pick<Delivery, 'name' | 'payload'>): string | null {
  const kind = KINDS.get(name);
  if (kind === undefined) return null;
  const path = unreadIn(kind, payload);
  if (path !== null) return path.length === 0 ? 'payload' : path.map(String).join('.');
  return WITHOUT_REPOSITORY.has(name) || somewhere.safeParse(payload).success ? null : 'repository';
}
