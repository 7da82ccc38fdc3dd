import type { Act, PushAct } from './act.js';
import { type Delivery, parsePayload, type PayloadOf } from './payload.js';

const BRANCH = 'refs/heads/';
const TAG = 'refs/tags/';
const NOBODY = /^0+$/;

/** Which branch names the policy calls trunk, and which paths are the policy's own or a workflow's. */
export interface PushReading {
  readonly isTrunk: (branch: string) => boolean;
  readonly isPolicyPath: (path: string) => boolean;
  readonly isWorkflowPath: (path: string) => boolean;
}

/**
 * Acts a push tells: on a trunk `push.trunk` (and `push.force` when it is forced, always both), elsewhere only a
 * forced one; deletions; tags. The policy's own file counts on a trunk, where a push may put it in force; a workflow
 * file counts on any branch, since GitHub runs it from there.
 */
export function readPush(delivery: Delivery, reading: PushReading): readonly Act[] {
  const payload = parsePayload('push', delivery.payload);
  if (payload?.sender == null) return [];
  if (payload.ref.startsWith(TAG)) return readTagPush(payload, payload.ref.slice(TAG.length));
  if (!payload.ref.startsWith(BRANCH)) return [];
  const ref = payload.ref.slice(BRANCH.length);
  const actor = payload.sender;
  const trunk = reading.isTrunk(ref);
  if (payload.deleted) {
    return [
      {
        kind: 'branch.delete',
        key: `branch.delete:${ref}`,
        telling: 'push',
        pair: true,
        actor,
        ref,
        tip: payload.before,
        trunk,
      },
    ];
  }
  if (NOBODY.test(payload.after)) return [];
  const push: PushAct = {
    key: `push:${ref}:${payload.before}:${payload.after}`,
    telling: 'push',
    pair: false,
    actor,
    ref,
    before: payload.before,
    after: payload.after,
    forced: payload.forced,
    commits: payload.commits.map(({ id, message, author, added, modified, removed }) => ({
      sha: id,
      message,
      author: { name: author?.name ?? '', email: author?.email ?? '' },
      paths: [...added, ...modified, ...removed],
    })),
  };
  const touches = (test: (path: string) => boolean) => push.commits.some(({ paths }) => paths.some(test));
  return [
    ...(trunk ? [{ ...push, key: `push.trunk:${push.key}`, kind: 'push.trunk' as const }] : []),
    ...(payload.forced
      ? [{ ...push, key: `push.force:${push.key}`, kind: 'push.force' as const, trunk }]
      : []),
    ...(trunk && touches(reading.isPolicyPath)
      ? [{ ...push, key: `policy.edit:${push.key}`, kind: 'policy.edit' as const }]
      : []),
    ...(touches(reading.isWorkflowPath)
      ? [{ ...push, key: `workflow.edit:${push.key}`, kind: 'workflow.edit' as const, trunk }]
      : []),
  ];
}

function readTagPush(payload: PayloadOf<'push'>, ref: string): readonly Act[] {
  if (payload.sender === null) return [];
  const told = { telling: 'push', pair: true, actor: payload.sender, ref };
  if (payload.deleted)
    return [{ ...told, kind: 'tag.delete', key: `tag.delete:${ref}`, sha: payload.before }];
  if (payload.created || NOBODY.test(payload.before)) {
    return [{ ...told, kind: 'tag.create', key: `tag.create:${ref}`, sha: payload.after }];
  }
  return [
    {
      ...told,
      pair: false,
      kind: 'tag.move',
      key: `tag.move:${ref}:${payload.before}:${payload.after}`,
      sha: payload.before,
    },
  ];
}

/** `create` and `delete` tell of tags and branches without a sha; the push of the same ref has it. */
export function readRef(delivery: Delivery, reading: PushReading): readonly Act[] {
  const payload = parsePayload('ref', delivery.payload);
  if (payload?.sender == null) return [];
  const { ref, sender: actor } = payload;
  const told = { telling: delivery.name, pair: true, actor, ref };
  if (payload.ref_type === 'tag') {
    const kind = delivery.name === 'create' ? 'tag.create' : 'tag.delete';
    return [{ ...told, kind, key: `${kind}:${ref}`, sha: null }];
  }
  if (payload.ref_type === 'branch' && delivery.name === 'delete') {
    return [
      { ...told, kind: 'branch.delete', key: `branch.delete:${ref}`, tip: null, trunk: reading.isTrunk(ref) },
    ];
  }
  return [];
}
