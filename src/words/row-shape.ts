import { z } from 'zod';
import { ACT_KINDS } from '../acts/act.js';
import type { FactRow } from '../decide/effects.js';
import { BREACH_CODES, type EscalationRule, REASON_CODES } from '../decide/reasons.js';
import { RULE_LABELS } from './labels/rules.js';

export const account = z.object({
  id: z.number(),
  login: z.string(),
  type: z.enum(['User', 'Bot', 'Organization']),
});

export const origin = z.object({
  layer: z.enum(['repo', 'org', 'operator', 'preset', 'built-in']),
  file: z.string().exactOptional(),
  line: z.number().exactOptional(),
  column: z.number().exactOptional(),
});

export const breachCode = z.enum(BREACH_CODES);
export const reasonCode = z.enum(REASON_CODES);
const rules: readonly string[] = Object.keys(RULE_LABELS);
export const isRule = (text: string): text is EscalationRule => rules.includes(text);
const escalationRule = z.custom<EscalationRule>((value) => typeof value === 'string' && isRule(value));

const subject = z.object({
  pull: z.number().exactOptional(),
  issue: z.number().exactOptional(),
  ref: z.string().exactOptional(),
  before: z.string().exactOptional(),
  after: z.string().exactOptional(),
  release: z.string().exactOptional(),
  ruleset: z.string().exactOptional(),
  path: z.string().exactOptional(),
  detail: z.string().exactOptional(),
});

/** A row of a fact table, read back. */
export const factRow: z.ZodType<FactRow> = z.object({
  at: z.iso.datetime({ offset: true }),
  who: account.nullable(),
  agent: z.string().nullable(),
  what: z.enum([
    ...ACT_KINDS,
    'auto-merge-armed',
    'enqueued',
    'check-reported',
    'objection',
    'standing',
  ] as const),
  subject,
  rule: z.union([escalationRule, reasonCode]).nullable(),
  origin: origin.nullable(),
  state: z.enum(['landed', 'undone', 'waiting', 'put-back', 'noted']),
});
