import { type Delivery, parsePayload } from '../acts/payload.js';
import type { Desk } from './deps.js';

const NOBODY = /^0+$/;

/** Keeps what only this delivery tells and a later decision asks for. Costs no request. */
export async function remember(delivery: Delivery, desk: Desk): Promise<void> {
  if (delivery.name === 'push') await rememberPush(delivery, desk);
  if (delivery.name === 'pull_request') await rememberPull(delivery, desk);
}

async function rememberPush(delivery: Delivery, desk: Desk): Promise<void> {
  const push = parsePayload('push', delivery.payload);
  if (push?.sender == null || !push.ref.startsWith('refs/heads/') || NOBODY.test(push.after)) return;
  const tree = push.head_commit?.tree_id;
  await desk.ledger.savePush({
    ref: push.ref.slice('refs/heads/'.length),
    before: push.before,
    after: push.after,
    by: push.sender,
    at: desk.now(),
    ...(tree === undefined ? {} : { tree }),
  });
}

async function rememberPull(delivery: Delivery, desk: Desk): Promise<void> {
  const payload = parsePayload('pull_request', delivery.payload);
  if (payload?.sender == null) return;
  const { sender, action, pull_request: pull } = payload;
  const memory = await desk.ledger.pull(pull.number);
  const { armedBy, ...unarmed } = memory;
  const { enqueuedBy, ...unqueued } = memory;
  switch (action) {
    case 'synchronize': {
      await desk.ledger.savePush({
        ref: pull.head.ref,
        before: payload.before ?? '',
        after: pull.head.sha,
        by: sender,
        at: desk.now(),
      });
      return;
    }
    case 'auto_merge_enabled':
      return desk.ledger.savePull({ ...memory, armedBy: sender });
    case 'auto_merge_disabled':
      return desk.ledger.savePull(unarmed);
    case 'enqueued':
      return desk.ledger.savePull({ ...memory, enqueuedBy: sender });
    case 'dequeued':
      return desk.ledger.savePull(unqueued);
    case 'edited':
      if (payload.changes?.base === undefined) return;
      return desk.ledger.savePull({ ...memory, baseChangedAt: pull.updated_at });
    default:
      return;
  }
}
