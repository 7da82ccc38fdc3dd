import { z } from 'zod';
import { policySchema } from './schema.js';

/**
 * The JSON Schema (draft 7, which editors read) of a policy file, made from the schema that reads it. It is never
 * stricter than the reader; the reader is stricter where a rule needs more than one value or a sum.
 */
export const policyJsonSchema = (): Readonly<Record<string, unknown>> => ({
  ...z.toJSONSchema(policySchema, { target: 'draft-7', io: 'input' }),
  title: 'Agent Policy: .github/agent-policy.yml',
});
