import { z } from 'zod';
import type { Evidence } from '../agents/identity.js';
import type { Reason, ReasonCode, SuspensionView } from '../decide/reasons.js';
import type { Problem } from '../policy/policy.js';
import { account, breachCode, origin, reasonCode } from './row-shape.js';

const evidence: z.ZodType<Evidence> = z.object({
  class: z.enum([
    'account-id',
    'app-id',
    'declared-account',
    'declared-deploy-key',
    'signed-commit',
    'commit-identity',
    'trailer',
    'pr-marker',
    'branch',
    'label',
    'title',
  ]),
  tier: z.enum(['certain', 'strong', 'indicative', 'weak']),
  agent: z.string(),
  field: z.string(),
  value: z.string(),
  sha: z.string().exactOptional(),
});

const problem: z.ZodType<Problem> = z.object({
  line: z.number(),
  column: z.number(),
  path: z.string(),
  message: z.string(),
  suggestion: z.string().exactOptional(),
  standsFor: z.number().exactOptional(),
});

const suspension: z.ZodType<SuspensionView> = z.object({
  agent: z.string(),
  since: z.string(),
  cause: z.union([breachCode, z.literal('pause')]),
  issue: z.number().nullable(),
  by: account.nullable(),
});

const coded = <C extends ReasonCode, S extends z.ZodRawShape>(code: C, shape: S) =>
  z.object({ code: z.literal(code), ...shape });

const texts = z.array(z.string());
const accounts = z.array(account);

/** One shape a code, so that a new code does not compile without one. */
const SHAPES = {
  'needs-person': coded('needs-person', {
    approvals: z.number(),
    given: z.number(),
    approvers: texts.nullable(),
    marks: z.array(evidence),
  }),
  'head-changed': coded('head-changed', {
    by: accounts,
    approved: z.string(),
    head: z.string(),
    base: z.boolean(),
  }),
  'agent-approval': coded('agent-approval', { by: accounts }),
  'review-dismissed': coded('review-dismissed', { by: account, reviewer: account }),
  'changes-requested': coded('changes-requested', { by: accounts }),
  'level-none': coded('level-none', { agents: texts, origin }),
  suspended: coded('suspended', { agents: z.array(suspension) }),
  'policy-edit': coded('policy-edit', { paths: texts }),
  'policy-invalid': coded('policy-invalid', { path: z.string(), problems: z.array(problem) }),
  'protected-path': coded('protected-path', { paths: texts }),
  'protected-path-unknown': coded('protected-path-unknown', { listed: z.number(), changed: z.number() }),
  'unknown-bot': coded('unknown-bot', { bots: accounts, origin }),
  limit: coded('limit', {
    agent: z.string(),
    limit: z.enum(['open-pulls', 'pulls-per-hour', 'merges-per-day']),
    max: z.number(),
    origin,
  }),
  duplicate: coded('duplicate', { of: z.number() }),
  person: coded('person', { marks: z.array(evidence) }),
  'within-policy': coded('within-policy', { approvedBy: accounts }),
  automation: coded('automation', { account }),
  waived: coded('waived', { codes: z.array(reasonCode), by: account }),
  unreadable: coded('unreadable', { what: z.string() }),
} satisfies { readonly [C in ReasonCode]: z.ZodType<Extract<Reason, { code: C }>> };

/** A reason of a check or comment, read back. */
export const reason: z.ZodType<Reason> = z.union(Object.values(SHAPES));
