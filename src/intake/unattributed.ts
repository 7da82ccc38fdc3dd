import { z } from 'zod';
import { ACT_KINDS } from '../acts/act.js';
import type { Delivery } from '../acts/payload.js';
import type { ActRow, Ledger } from '../store/ledger.js';
import { aside, comesRound } from './act-rows.js';

/** Not an event of GitHub's: a sweep saw what was done, and GitHub does not say who did it. */
export const UNATTRIBUTED = 'agent-policy.unattributed';

const BY_SWEEP = 'sweep';

const noted = z.object({
  key: z.string(),
  kind: z.enum(ACT_KINDS),
  subject: z.object({
    ref: z.string().optional(),
    pull: z.number().optional(),
    before: z.string().optional(),
    after: z.string().optional(),
  }),
});

const payload = z.object({
  acts: z.array(noted),
  /** A row of the same key that is older tells an earlier act. ISO 8601, UTC. */
  since: z.string(),
});

/** What is known of an act nobody is known for. */
export type Noted = z.infer<typeof noted>;
export type UnattributedPayload = z.infer<typeof payload>;

/** Keeps what was done by nobody known, unless a webhook has told it meanwhile. It accuses nobody and costs no request. */
export async function noteUnattributed(delivery: Delivery, ledger: Ledger, at: string): Promise<void> {
  if (delivery.name !== UNATTRIBUTED) return;
  const parsed = payload.safeParse(delivery.payload);
  if (!parsed.success) return;
  for (const { key, kind, subject } of parsed.data.acts) {
    const seen = await ledger.act(key);
    if (seen !== undefined && (!comesRound(kind) || Date.parse(seen.at) >= Date.parse(parsed.data.since)))
      continue;
    const row: ActRow = {
      key,
      kind,
      actor: null,
      agent: null,
      at,
      tellings: [BY_SWEEP],
      deliveries: [delivery.id],
      verdict: 'unattributed',
      rule: null,
      subject: definedOf(subject),
    };
    // An earlier act of the key, by somebody above all, keeps its row.
    const rows = [...(seen === undefined ? [] : [aside(seen)]), row];
    await ledger.saveTogether(rows.map((one) => ({ kind: 'act', row: one })));
  }
}

const definedOf = ({ ref, pull, before, after }: Noted['subject']): ActRow['subject'] => ({
  ...(ref === undefined ? {} : { ref }),
  ...(pull === undefined ? {} : { pull }),
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});
