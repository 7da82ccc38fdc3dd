import type { Act, ActOf } from '../acts/act.js';
import type { Context } from '../decide/context.js';
import { doerOfMove } from '../decide/doer.js';
import { judgeFilePush, judgeForcedPush, judgeTrunkPush } from '../decide/judge-push.js';
import { firstTelling } from './acts-once.js';
import type { Desk } from './deps.js';
import { gatherForced } from './gather-branch.js';
import { explainedByMerge } from './grace.js';
import { DONE, type JudgedActs, keep, keepAll } from './judged-acts.js';

export type PushedAct = Extract<Act, { forced: boolean }>;

/** A push may be several acts at once: they are one event, told under the first rule it breaks. */
export async function judgePushes(
  acts: readonly PushedAct[],
  context: Context,
  desk: Desk,
  graceOver: boolean,
): Promise<JudgedActs> {
  const [push] = acts;
  if (push === undefined) return DONE;
  const told: boolean[] = [];
  // Each notes in its own row what tells it.
  for (const act of acts) told.push(await firstTelling(act, context.now, desk.ledger));
  if (told[0] !== true) return DONE;
  const doer = doerOfMove(push.actor, push.ref, push.commits, context);
  if (doer === null) return keepAll(acts, context, 'person');
  const forced = acts.filter(
    (act): act is ActOf<'push.force'> | ActOf<'push.trunk'> =>
      act.forced && (act.kind === 'push.force' || act.kind === 'push.trunk'),
  );
  const files = acts.filter(
    (act): act is ActOf<'policy.edit'> | ActOf<'workflow.edit'> =>
      act.kind === 'policy.edit' || (act.kind === 'workflow.edit' && act.trunk),
  );
  const onBranch = acts.filter((act) => act.kind === 'workflow.edit' && !act.trunk);
  const noted = keepAll(onBranch, context, 'allow', doer.agent);
  if (forced.length > 0) {
    const facts = await gatherForced(push, desk);
    return keep(
      [
        ...judgeForcedPush(forced, facts, doer, context),
        ...files.map((act) => judgeFilePush(act, doer, context)),
      ],
      context,
    );
  }
  const trunk = acts.find((act): act is ActOf<'push.trunk'> => act.kind === 'push.trunk');
  if (trunk === undefined) return noted;
  const judged = [
    judgeTrunkPush(trunk, doer, context),
    ...files.map((act) => judgeFilePush(act, doer, context)),
  ];
  if (judged.every(({ verdict }) => verdict === 'allow')) return keep(judged, context);
  if (await explainedByMerge(trunk, desk, graceOver)) return keepAll(acts, context, 'explained', doer.agent);
  return graceOver ? keep(judged, context) : { ...DONE, waits: true };
}
