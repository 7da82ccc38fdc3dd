import { type Delivery, parsePayload } from '../acts/payload.js';
import type { Ledger } from '../store/ledger.js';
import { noteUnattributed } from './unattributed.js';

interface Memory {
  readonly ledger: Ledger;
  /** ISO 8601, UTC. */
  readonly now: string;
}

const NOBODY = /^0+$/;
const MERGED: ReadonlySet<string> = new Set(['MERGE', 'ALREADY_MERGED']);

/** Keeps what only this delivery tells and a later decision asks for. Costs no request. */
export async function remember(delivery: Delivery, memory: Memory): Promise<void> {
  const at = { ...memory, now: delivery.happenedAt ?? memory.now };
  if (delivery.name === 'push') await rememberPush(delivery, at);
  if (delivery.name === 'pull_request') await rememberPull(delivery, at);
  await noteUnattributed(delivery, memory.ledger, at.now);
}

async function rememberPush(delivery: Delivery, memory: Memory): Promise<void> {
  const push = parsePayload('push', delivery.payload);
  if (push?.sender == null || !push.ref.startsWith('refs/heads/') || NOBODY.test(push.after)) return;
  const tree = push.head_commit?.tree_id;
  await memory.ledger.savePush({
    ref: push.ref.slice('refs/heads/'.length),
    before: push.before,
    after: push.after,
    by: push.sender,
    at: memory.now,
    ...(tree === undefined ? {} : { tree }),
  });
}

async function rememberPull(delivery: Delivery, memory: Memory): Promise<void> {
  const payload = parsePayload('pull_request', delivery.payload);
  if (payload?.sender == null) return;
  const { sender, action, pull_request: pull } = payload;
  const known = await memory.ledger.pull(pull.number);
  const { armedBy, ...unarmed } = known;
  const { enqueuedBy, ...unqueued } = known;
  // A late or repeated telling must not bring back an intent that was taken back since.
  const late = known.toldAt !== undefined && Date.parse(pull.updated_at) < Date.parse(known.toldAt);
  const told = { toldAt: pull.updated_at };
  switch (action) {
    case 'synchronize': {
      await memory.ledger.savePush({
        ref: pull.head.ref,
        before: payload.before ?? '',
        after: pull.head.sha,
        by: sender,
        at: memory.now,
      });
      return;
    }
    case 'auto_merge_enabled':
      return late ? undefined : memory.ledger.savePull({ ...known, ...told, armedBy: sender });
    case 'auto_merge_disabled':
      return late ? undefined : memory.ledger.savePull({ ...unarmed, ...told });
    case 'enqueued':
      return late ? undefined : memory.ledger.savePull({ ...known, ...told, enqueuedBy: sender });
    case 'dequeued':
      // The queue tells of a merge as a leaving too: who put the PR there is who merged it.
      return late || MERGED.has(payload.reason ?? '')
        ? undefined
        : memory.ledger.savePull({ ...unqueued, ...told });
    case 'edited':
      if (payload.changes?.base === undefined) return;
      return memory.ledger.savePull({ ...known, baseChangedAt: pull.updated_at });
    default:
      return;
  }
}
