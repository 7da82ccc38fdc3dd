import type { Account } from '../acts/act.js';
import { type Delivery, parsePayload, type PayloadOf } from '../acts/payload.js';
import type { Ledger, PullMemory, PushRow } from '../store/ledger.js';
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

interface Told {
  readonly payload: PayloadOf<'pull_request'>;
  readonly sender: Account;
  readonly known: PullMemory;
  readonly memory: Memory;
  /** Keeps what an intent has become. A late or repeated telling must not bring back one that was taken back since. */
  readonly intent: (pull: PullMemory) => Promise<void> | undefined;
}

/** What is kept of a PR, by the action that tells it. */
const OF_PULLS: ReadonlyMap<string, (told: Told) => Promise<void> | undefined> = new Map([
  ['synchronize', ({ payload, sender, memory }: Told) => rememberMove(payload, sender, memory)],
  ['auto_merge_enabled', ({ intent, known, sender }: Told) => intent({ ...known, armedBy: sender })],
  ['auto_merge_disabled', ({ intent, known: { armedBy, ...unarmed } }: Told) => intent(unarmed)],
  ['enqueued', ({ intent, known, sender }: Told) => intent({ ...known, enqueuedBy: sender })],
  [
    'dequeued',
    // The queue tells of a merge as a leaving too: who put the PR there is who merged it.
    ({ intent, payload, known: { enqueuedBy, ...unqueued } }: Told) =>
      MERGED.has(payload.reason ?? '') ? undefined : intent(unqueued),
  ],
  [
    'edited',
    ({ payload: { changes, pull_request: pull }, known, memory }: Told) =>
      changes?.base === undefined
        ? undefined
        : memory.ledger.savePull({ ...known, baseChangedAt: pull.updated_at }),
  ],
]);

/** Deliveries of GitHub's that memory keeps something of, whether a rule is triggered by them or not. */
const REMEMBERED: ReadonlySet<string> = new Set([
  'push',
  ...[...OF_PULLS.keys()].map((action) => `pull_request.${action}`),
]);

/** Whether something is kept of a delivery, by its name and action alone: then a later decision may ask for it. */
export const isRemembered = (name: string, action: string | null): boolean =>
  REMEMBERED.has(action === null ? name : `${name}.${action}`);

/** What is remembered, by name or by name and action: `push`, `pull_request.enqueued`. */
export const rememberedEvents = (): readonly string[] => [...REMEMBERED];

async function rememberPull(delivery: Delivery, memory: Memory): Promise<void> {
  const payload = parsePayload('pull_request', delivery.payload);
  const keep = OF_PULLS.get(payload?.action ?? '');
  if (payload?.sender == null || keep === undefined) return;
  const { sender, pull_request: pull } = payload;
  const known = await memory.ledger.pull(pull.number);
  const late = known.toldAt !== undefined && Date.parse(pull.updated_at) < Date.parse(known.toldAt);
  const intent = (become: PullMemory): Promise<void> | undefined =>
    late ? undefined : memory.ledger.savePull({ ...become, toldAt: pull.updated_at });
  await keep({ payload, sender, known, memory, intent });
}
