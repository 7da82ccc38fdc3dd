import { z } from 'zod';
import type { Account, Repository } from './act.js';

/*
 * What we read of GitHub's webhook payloads: the fields a decision needs and no others. Unknown fields are
 * tolerated, since GitHub adds them without notice; `sender` may be missing on push, release and merge_group.
 */

const account = z
  .object({ id: z.number(), login: z.string(), type: z.string().optional() })
  .transform((raw): Account => ({
    id: raw.id,
    login: raw.login,
    type: raw.type === 'Bot' || raw.type === 'Organization' ? raw.type : 'User',
  }));

const repository = z
  .object({
    id: z.number(),
    name: z.string(),
    private: z.boolean().catch(false),
    default_branch: z.string().catch('main'),
    owner: z.object({
      login: z.string().optional(),
      name: z.string().optional(),
      type: z.string().optional(),
    }),
  })
  .transform((raw): Repository => ({
    id: raw.id,
    owner: raw.owner.login ?? raw.owner.name ?? '',
    ownerType: raw.owner.type === 'Organization' ? 'Organization' : 'User',
    name: raw.name,
    defaultBranch: raw.default_branch,
    private: raw.private,
  }));

const nullable = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null);

const side = z.object({
  ref: z.string(),
  sha: z.string(),
  repo: nullable(z.object({ id: z.number(), full_name: z.string() })),
});

export const pullSchema = z.object({
  number: z.number(),
  node_id: z.string().catch(''),
  state: z.enum(['open', 'closed']),
  title: z.string().catch(''),
  body: nullable(z.string()),
  draft: z.boolean().catch(false),
  merged: nullable(z.boolean()),
  merged_at: nullable(z.string()),
  merge_commit_sha: nullable(z.string()),
  merged_by: nullable(account),
  user: nullable(account),
  labels: z.array(z.object({ name: z.string() })).catch([]),
  head: side,
  base: side,
  auto_merge: nullable(z.object({ enabled_by: nullable(account) })),
  changed_files: z.number().optional(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type PullPayload = z.infer<typeof pullSchema>;

const envelope = {
  action: z.string().optional(),
  sender: nullable(account),
  repository: nullable(repository),
  installation: nullable(z.object({ id: z.number() })),
};

const identity = z.object({
  name: nullable(z.string()),
  email: nullable(z.string()),
  username: z.string().optional(),
});

const schemas = {
  any: z.object(envelope),
  pull_request: z.object({
    ...envelope,
    pull_request: pullSchema,
    /** Why it left the merge queue, or why auto-merge was taken off. */
    reason: z.string().optional().catch(undefined),
    before: z.string().optional(),
    after: z.string().optional(),
    changes: z
      .object({
        base: z.object({ ref: z.object({ from: z.string() }) }).optional(),
        body: z.unknown().optional(),
        title: z.unknown().optional(),
      })
      .optional(),
  }),
  pull_request_review: z.object({
    ...envelope,
    pull_request: z.object({ number: z.number() }),
    review: z.object({
      id: z.number(),
      state: z.string(),
      user: nullable(account),
      commit_id: nullable(z.string()),
      submitted_at: nullable(z.string()),
    }),
  }),
  push: z.object({
    ...envelope,
    ref: z.string(),
    before: z.string(),
    after: z.string(),
    created: z.boolean().catch(false),
    deleted: z.boolean().catch(false),
    forced: z.boolean().catch(false),
    head_commit: nullable(z.object({ id: z.string(), tree_id: z.string().optional() })),
    commits: z
      .array(
        z.object({
          id: z.string(),
          message: z.string().catch(''),
          author: identity.optional(),
          added: z.array(z.string()).catch([]),
          modified: z.array(z.string()).catch([]),
          removed: z.array(z.string()).catch([]),
        }),
      )
      .catch([]),
  }),
  ref: z.object({ ...envelope, ref: z.string(), ref_type: z.string() }),
  release: z.object({
    ...envelope,
    release: z.object({
      id: z.number(),
      tag_name: z.string(),
      draft: z.boolean().catch(false),
      updated_at: nullable(z.string()),
      published_at: nullable(z.string()),
    }),
  }),
  issues: z.object({
    ...envelope,
    issue: z.object({
      number: z.number(),
      user: nullable(account),
      closed_at: nullable(z.string()),
      pull_request: z.unknown().optional(),
    }),
  }),
  repository_ruleset: z.object({
    ...envelope,
    repository_ruleset: z.object({ id: z.number(), name: z.string() }),
  }),
  branch_protection_rule: z.object({ ...envelope, rule: z.object({ id: z.number(), name: z.string() }) }),
  deploy_key: z.object({
    ...envelope,
    key: z.object({ id: z.number(), read_only: z.boolean().catch(false) }),
  }),
  repository: z.object({
    ...envelope,
    changes: z.object({ default_branch: z.object({ from: z.string() }).optional() }).optional(),
  }),
  member: z.object({
    ...envelope,
    member: account,
    changes: z
      .object({
        permission: z.object({ to: nullable(z.string()) }).optional(),
        role_name: z.object({ to: nullable(z.string()) }).optional(),
      })
      .optional(),
  }),
  check_run: z.object({
    ...envelope,
    check_run: z.object({
      id: z.number(),
      name: z.string(),
      head_sha: z.string(),
      conclusion: nullable(z.string()),
      app: nullable(z.object({ id: z.number() })),
    }),
  }),
  check_suite: z.object({
    ...envelope,
    check_suite: z.object({ head_sha: z.string(), app: nullable(z.object({ id: z.number() })) }),
  }),
  status: z.object({ ...envelope, id: z.number(), sha: z.string(), context: z.string(), state: z.string() }),
  merge_group: z.object({
    ...envelope,
    merge_group: z.object({
      head_sha: z.string(),
      head_ref: z.string(),
      base_sha: z.string(),
      base_ref: z.string(),
    }),
  }),
} as const;

export type PayloadOf<K extends keyof typeof schemas> = z.infer<(typeof schemas)[K]>;

/** The fields of a payload that its readers use; null when a needed one is missing, as in the oldest samples. */
export function parsePayload<K extends keyof typeof schemas>(kind: K, payload: unknown): PayloadOf<K> | null {
  const parsed = schemas[kind].safeParse(payload);
  return parsed.success ? (parsed.data as PayloadOf<K>) : null;
}

/** Kinds of payloads that are read alike. */
export type PayloadKind = keyof typeof schemas;

/** Where the first field stands that keeps a payload from being read, in the names of our own schemas; null: nowhere. */
export function unreadIn(kind: PayloadKind, payload: unknown): readonly PropertyKey[] | null {
  const parsed = schemas[kind].safeParse(payload);
  return parsed.success ? null : (parsed.error.issues[0]?.path ?? []);
}

/** One webhook after its signature was verified. `id` is the GUID of `X-GitHub-Delivery`, the same on redelivery. */
export interface Delivery {
  readonly id: string;
  readonly name: string;
  readonly payload: unknown;
  /** ISO 8601, UTC: when it happened, where it is told late and somebody knows. */
  readonly happenedAt?: string;
}

export interface Envelope {
  readonly action: string | null;
  readonly sender: Account | null;
  readonly repository: Repository | null;
  readonly installation: number | null;
}

/** What every delivery says of itself. A payload that is no object has an empty envelope. */
export function envelopeOf(delivery: Delivery): Envelope {
  const parsed = parsePayload('any', delivery.payload);
  return {
    action: parsed?.action ?? null,
    sender: parsed?.sender ?? null,
    repository: parsed?.repository ?? null,
    installation: parsed?.installation?.id ?? null,
  };
}
