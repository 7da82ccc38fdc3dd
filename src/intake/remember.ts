import { type Delivery, parsePayload } from '../acts/payload.js';
import type { Ledger } from '../store/ledger.js';

interface Memory {
  readonly ledger: Ledger;
  /** ISO 8601, UTC. */
  readonly now: string;
}

const NOBODY = /^0+$/;

/** Keeps what only this delivery tells and a later decision asks for. Costs no request. */
export async function remember(delivery: Delivery, memory: Memory): Promise<void> {
  if (delivery.name === 'push') await rememberPush(delivery, memory);
  if (delivery.name === 'pull_request') await rememberPull(delivery, memory);
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
      return memory.ledger.savePull({ ...known, armedBy: sender });
    case 'auto_merge_disabled':
      return memory.ledger.savePull(unarmed);
    case 'enqueued':
      return memory.ledger.savePull({ ...known, enqueuedBy: sender });
    case 'dequeued':
      return memory.ledger.savePull(unqueued);
    case 'edited':
      if (payload.changes?.base === undefined) return;
      return memory.ledger.savePull({ ...known, baseChangedAt: pull.updated_at });
    default:
      return;
  }
}
