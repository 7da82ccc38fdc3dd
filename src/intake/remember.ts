import type { Account } from '../acts/act.js';
import { type Delivery, parsePayload, type PayloadOf } from '../acts/payload.js';
import type { Ledger, PushRow } from '../store/ledger.js';
import { noteUnattributed } from './unattributed.js';

interface Memory {
  readonly ledger: Ledger;
  /** ISO 8601, UTC. */
  readonly now: string;
}

const NOBODY = /^0+$/;
const MERGED: ReadonlySet<string> = new Set(['MERGE', 'ALREADY_MERGED']);

/**
 * The `ref` that moves of a head branch are kept under. `fork`: id of the repository it is in; null: ours. No branch
 * has a colon in its name.
 */
export const headBranchOf = (ref: string, fork: number | null): string =>
  fork === null ? ref : `${fork}:${ref}`;

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
    told: 'push',
    ...(tree === undefined ? {} : { tree }),
  });
}

/** A moved head. A fork's branch may have the name of one of ours, and is another branch. */
async function rememberMove(
  { before, repository, pull_request: { head } }: PayloadOf<'pull_request'>,
  by: Account,
  { ledger, now }: Memory,
): Promise<void> {
  if (repository === null || head.repo === null) return;
  const ref = headBranchOf(head.ref, head.repo.id === repository.id ? null : head.repo.id);
  const row: PushRow = { ref, before: before ?? '', after: head.sha, by, at: now };
  // What the push itself told stays: this tells less.
  const told = (await ledger.pushes(ref)).some(
    (push) =>
      push.told === 'push' && push.before === row.before && push.after === row.after && push.by.id === by.id,
  );
  if (!told) await ledger.savePush(row);
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
    case 'synchronize':
      return rememberMove(payload, sender, memory);
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
