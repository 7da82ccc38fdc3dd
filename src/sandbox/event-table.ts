import { z } from 'zod';
import { durationMs, isAt } from './instant.js';

/** Short shas such as `12` are numbers to YAML; they are names here. */
export const Name = z.union([z.string().min(1), z.number().int().nonnegative()]).transform(String);
const Count = z.number().int().positive();
/** GitHub counts issues and PRs in 32 bits. */
export const MOST_NUMBER = 2_147_483_647;
const Numbered = Count.max(MOST_NUMBER, `is a larger number than GitHub gives: ${MOST_NUMBER} at most`);
/** More deliveries of one event show nothing new, and each costs a signed request. */
const MOST_TIMES = 1_000;
const tooMany = `too many: ${MOST_TIMES} deliveries of one event at most`;
const Texts = z.record(z.string(), z.string());
const Open = z.record(z.string(), z.unknown());

export const Commit = z.strictObject({
  sha: Name,
  author: Name.optional(),
  message: z.string().optional(),
  added: z.array(z.string()).optional(),
  modified: z.array(z.string()).optional(),
  removed: z.array(z.string()).optional(),
});

export const Duration = z
  .string()
  .refine((text) => durationMs(text) !== undefined, 'is no duration: write 90s, 10m, 1h');

const COMMON = {
  by: Name.optional(),
  at: z.string().refine(isAt, 'is no time: write +11s, +1m, +1h or a time of day like "22:16:21"').optional(),
  via_app: Count.optional(),
  drop: z.boolean().optional(),
  payload: Open.optional(),
  times: Count.max(MOST_TIMES, tooMany).optional(),
  repeat_for: z
    .array(z.union([z.string(), z.number()]))
    .min(1)
    .max(MOST_TIMES, tooMany)
    .optional(),
  alternate: z.array(Name).min(1).max(MOST_TIMES, tooMany).optional(),
};

const RUN = { run: Count, path: z.string().optional(), sha: Name.optional(), name: z.string().optional() };
const CHECK = {
  sha: Name,
  name: z.string().optional(),
  conclusion: z.string().optional(),
  app: Count.optional(),
};

interface Family {
  /** null: the event has no action. */
  readonly actions: readonly string[] | null;
  readonly keys: z.ZodObject;
}

const family = (actions: string | null, keys: z.ZodRawShape): Family => ({
  actions: actions === null ? null : actions.split(' '),
  keys: z.strictObject({ ...COMMON, ...keys }),
});

/** Every webhook a case may send: its actions and its keys, beside those common to all. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  pull_request: family(
    'opened reopened closed synchronize edited ready_for_review converted_to_draft auto_merge_enabled ' +
      'auto_merge_disabled enqueued dequeued review_requested review_request_removed labeled unlabeled assigned ' +
      'unassigned locked unlocked',
    {
      pull: Numbered,
      sha: Name.optional(),
      merged: Name.optional(),
      label: z.string().optional(),
      base: z.string().optional(),
      title: z.string().optional(),
      body: z.string().optional(),
      reason: z.string().optional(),
      reviewer: Name.optional(),
    },
  ),
  push: family(null, {
    ref: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
    before: Name.optional(),
    after: Name.optional(),
    forced: z.boolean().optional(),
    created: z.boolean().optional(),
    deleted: z.boolean().optional(),
    commits: z.array(Commit).optional(),
    content: Texts.optional(),
  }),
  create: family(null, { ref: z.string().min(1), ref_type: z.enum(['branch', 'tag']), sha: Name.optional() }),
  delete: family(null, { ref: z.string().min(1), ref_type: z.enum(['branch', 'tag']) }),
  release: family('created edited published unpublished prereleased released deleted', {
    tag: Name,
    name: z.string().optional(),
    body: z.string().optional(),
  }),
  issues: family('opened closed reopened edited labeled unlabeled assigned unassigned locked unlocked', {
    issue: Numbered,
    reason: z.enum(['completed', 'not_planned', 'duplicate', 'reopened']).optional(),
    label: z.string().optional(),
    title: z.string().optional(),
    body: z.string().optional(),
  }),
  issue_comment: family('created edited deleted', {
    on: Numbered,
    body: z.string().optional(),
    comment: Count.optional(),
  }),
  pull_request_review: family('submitted edited dismissed', {
    pull: Numbered,
    state: z.enum(['approved', 'changes_requested', 'commented', 'dismissed']).optional(),
    sha: Name.optional(),
    body: z.string().optional(),
  }),
  check_run: family('created completed rerequested requested_action', {
    ...CHECK,
    fingerprint: z.string().optional(),
    action: z.string().optional(),
  }),
  check_suite: family('completed requested rerequested', CHECK),
  workflow_run: family('requested in_progress completed', { ...RUN, conclusion: z.string().optional() }),
  workflow_job: family('queued waiting in_progress completed', {
    ...RUN,
    conclusion: z.string().optional(),
    step: z.string().optional(),
  }),
  status: family(null, { sha: Name, name: z.string(), conclusion: z.string() }),
  merge_group: family('checks_requested destroyed', {
    pulls: z.array(Numbered).min(1),
    sha: Name,
    reason: z.enum(['merged', 'invalidated', 'dequeued']).optional(),
  }),
  repository_ruleset: family('created edited deleted', {
    name: z.string().min(1),
    changes: Open.optional(),
    enforcement: z.enum(['active', 'disabled', 'evaluate']).optional(),
    bypass: z.array(z.unknown()).optional(),
    rules: z.array(Open).optional(),
  }),
  branch_protection_rule: family('created edited deleted', {
    name: z.string().min(1),
    changes: Open.optional(),
  }),
};

/** `pull_request.opened`, `push`, …: what may stand as the key of an event. */
export const EVENT_KEYS: readonly string[] = [
  ...Object.entries(FAMILIES).flatMap(([name, { actions }]) =>
    actions === null ? [name] : actions.map((action) => `${name}.${action}`),
  ),
  'redeliver',
  'tick',
  'restart',
];
