import { z } from 'zod';
import { Commit, MOST_NUMBER, Name } from './event-table.js';
import { ACTIVITY_TYPES } from './world-rows.js';

const Row = z.record(z.string(), z.unknown());
const State = z.enum(['open', 'closed']);

const File = z.strictObject({
  path: z.string().min(1),
  was: z.string().nullable().optional(),
  status: z.enum(['added', 'removed', 'modified', 'renamed']).nullable().optional(),
  mode: z.string().nullable().optional(),
  content: z.string().nullable().optional(),
});

const Pull = z.strictObject({
  author: Name.nullable().optional(),
  base: z.string().nullable().optional(),
  head: z.string().nullable().optional(),
  sha: Name.nullable().optional(),
  state: State.nullable().optional(),
  merged: Name.nullable().optional(),
  body: z.string().nullable().optional(),
  title: z.string().nullable().optional(),
  labels: z.array(z.string()).nullable().optional(),
  files: z
    .array(z.union([z.string().min(1), File]))
    .nullable()
    .optional(),
  reviews: z
    .array(
      z.strictObject({ by: Name, state: z.enum(['approved', 'changes_requested', 'dismissed']), sha: Name }),
    )
    .nullable()
    .optional(),
  fork: z.union([z.boolean(), z.string()]).nullable().optional(),
  auto_merge: Name.nullable().optional(),
  commits: z.array(Commit).nullable().optional(),
});

const Branch = z.strictObject({
  sha: Name.nullable().optional(),
  by: z.array(Name).nullable().optional(),
  protected: z.boolean().nullable().optional(),
});

const Issue = z.strictObject({
  author: Name.nullable().optional(),
  state: State.nullable().optional(),
  labels: z.array(z.string()).nullable().optional(),
  title: z.string().nullable().optional(),
  body: z.string().nullable().optional(),
});

const Ruleset = z.strictObject({
  id: z.number().int().positive().nullable().optional(),
  enforcement: z.enum(['active', 'disabled', 'evaluate']).nullable().optional(),
  rules: z.array(Row).nullable().optional(),
  bypass: z.array(z.unknown()).nullable().optional(),
  ours: z.boolean().nullable().optional(),
});

const named = <T extends z.ZodType>(entry: T) => z.record(z.string(), entry.nullable());
const numbered = <T extends z.ZodType>(entry: T) =>
  z.record(
    z
      .string()
      .regex(/^[1-9]\d*$/, 'is no number')
      .refine((text) => Number(text) <= MOST_NUMBER, `is a larger number than ${MOST_NUMBER}`),
    entry.nullable(),
  );

const Activity = z.looseObject({ activity_type: z.enum(ACTIVITY_TYPES).nullable().optional() });

const WorldFile = z.strictObject({
  pulls: numbered(Pull).nullable().optional(),
  branches: named(Branch).nullable().optional(),
  issues: numbered(Issue).nullable().optional(),
  rulesets: named(Ruleset).nullable().optional(),
  checks: z
    .record(
      z.string(),
      z.array(z.strictObject({ name: z.string(), conclusion: z.string(), app: z.number().int() })),
    )
    .nullable()
    .optional(),
  rule_suites: z.array(Row).nullable().optional(),
  activity: z.array(Activity).nullable().optional(),
  runs: z.array(Row).nullable().optional(),
  tags: z.array(Row).nullable().optional(),
  fail: z
    .array(
      z.strictObject({
        request: z.string().regex(/^[A-Z]+ \//, 'reads like "GET /repos/*/contents/*"'),
        status: z.number().int().min(400).max(599),
        times: z.number().int().positive(),
        done: z.boolean().optional(),
      }),
    )
    .nullable()
    .optional(),
  plan: z.enum(['free', 'team', 'enterprise']).nullable().optional(),
  private: z.boolean().nullable().optional(),
  org_policy: z.string().nullable().optional(),
});

const Expect = z.record(
  z.string().regex(/^[1-9]\d*$/, 'is no event number'),
  z.array(z.string().min(1)).nullable(),
);
const Why = z.string().optional();
const Policy = z.string().nullable().optional();
const Never = z.array(z.string().min(1)).optional();

const Variant = z.strictObject({
  name: z.string().min(1),
  why: Why,
  policy: Policy,
  org_policy: Policy,
  world: WorldFile.nullable().optional(),
  events: z.array(z.unknown()).min(1).optional(),
  expect: Expect.optional(),
  text_never: Never,
});

/** The shape of a case file. Events are looked at one by one afterwards: what they may hold depends on their name. */
export const CaseFile = z.strictObject({
  id: Name,
  title: z.string().min(1),
  source: z
    .union([z.string(), z.array(z.string())])
    .nullable()
    .optional(),
  why: Why,
  policy: Policy,
  org_policy: Policy,
  world: WorldFile.nullable().optional(),
  events: z.array(z.unknown()).min(1),
  expect: Expect.optional(),
  variants: z.array(Variant).optional(),
  text_never: Never,
});

export type CaseFile = z.infer<typeof CaseFile>;
export type VariantFile = NonNullable<CaseFile['variants']>[number];
