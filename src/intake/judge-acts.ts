import type { Act, ActOf } from '../acts/act.js';
import { closedByKeyword } from '../acts/read-issue.js';
import { toldByCheck } from '../decide/breach.js';
import type { Context } from '../decide/context.js';
import { type Doer, doerOf, doerOfMove } from '../decide/doer.js';
import { judgeBranchDelete } from '../decide/judge-branch.js';
import { judgeIntent, judgeMerge } from '../decide/judge-merge.js';
import {
  judgeDismissal,
  judgeIssueClose,
  judgeProtection,
  judgeRelease,
  judgeTag,
} from '../decide/judge-other.js';
import type { PullMemory } from '../store/ledger.js';
import { standingOf } from './act-rows.js';
import { firstTelling, rowOf } from './acts-once.js';
import type { Desk } from './deps.js';
import { gatherClose } from './gather-close.js';
import { gatherDeleted } from './gather-branch.js';
import { gatherMerge, mergerOf } from './gather-merge.js';
import { valueIsOpen } from './grace.js';
import { judgePushes, type PushedAct } from './judge-pushes.js';
import { DONE, type JudgedActs, keep, keepAll, keptTogether } from './judged-acts.js';

/**
 * Judges what a delivery tells. `graceOver`: it waited long enough, so what no merge explains now is judged as it
 * stands. Acts of people are kept in the ledger as facts, and judged by nobody.
 */
export async function judgeActs(
  acts: readonly Act[],
  context: Context,
  desk: Desk,
  graceOver: boolean,
): Promise<JudgedActs> {
  const pushes = acts.filter((act): act is PushedAct => 'forced' in act);
  const others = acts.filter((act) => !('forced' in act));
  const [push] = pushes;
  const results =
    push === undefined
      ? []
      : [await judgePushes(pushes, await atItsTime(push, context, desk), desk, graceOver)];
  for (const act of others)
    results.push(await judgeOneAct(act, await atItsTime(act, context, desk), desk, graceOver));
  return {
    judged: results.flatMap(({ judged }) => judged),
    effects: results.flatMap(({ effects }) => effects),
    told: results.flatMap(({ told }) => told),
    waits: results.some(({ waits }) => waits),
    keep: keptTogether(results.map((result) => result.keep)),
  };
}

/**
 * An act that is judged again because something failed keeps the time it was first told at: its row is the same row.
 * What began since, a suspension for this very act above all, does not count.
 */
async function atItsTime(act: Act, context: Context, desk: Desk): Promise<Context> {
  const row = rowOf(act, context.now, 'allow', null, null);
  const { own: seen } = await standingOf(row, desk.ledger);
  if (seen?.unfinished !== true) return context;
  const then = Date.parse(seen.at);
  const suspensions = context.suspensions.filter(({ since }) => Date.parse(since) < then);
  return { ...context, now: seen.at, suspensions };
}

async function judgeOneAct(act: Act, context: Context, desk: Desk, graceOver: boolean): Promise<JudgedActs> {
  const now = context.now;
  if (act.kind === 'pull.merge' && act.intent === null) return judgeLanded(act, context, desk);
  const doer = await doerOfAct(act, context, desk);
  if (
    act.kind === 'issue.close' &&
    doer !== null &&
    !graceOver &&
    (await valueIsOpen(act, doer, context, desk))
  ) {
    return { ...DONE, waits: true };
  }
  if (!(await firstTelling(act, now, desk.ledger))) return DONE;
  if (doer === null) return keepAll([act], context, 'person');
  switch (act.kind) {
    case 'pull.merge': {
      const { judged, effects } = judgeIntent(act, doer, context);
      return { ...keep([judged], context), effects };
    }
    case 'branch.delete':
      return keep([judgeBranchDelete(act, await gatherDeleted(act, desk), doer, context)], context);
    case 'tag.create':
    case 'tag.move':
    case 'tag.delete':
      return keep([judgeTag(act, doer, context)], context);
    case 'release.publish':
    case 'release.edit':
    case 'release.delete':
      return keep([judgeRelease(act, doer, context)], context);
    case 'protection.edit':
      return keep([judgeProtection(act, doer, context)], context);
    case 'issue.close': {
      const { facts, used } = await gatherClose(act, doer, desk);
      const kept = keep([judgeIssueClose(act, facts, doer, context)], context);
      return { ...kept, keep: { ...kept.keep, done: used } };
    }
    case 'review.dismiss':
      return keep(
        (await isAgentsPull(act.pull, context, desk)) ? [judgeDismissal(act, doer, context)] : [],
        context,
      );
    case 'pull.open':
      return { ...keepAll([act], context, 'allow', doer.agent), told: [toldByCheck(act, doer, context)] };
    case 'review.approve': {
      const onAgents = await isAgentsPull(act.pull, context, desk);
      const told = onAgents ? [toldByCheck(act, doer, context)] : [];
      return { ...keepAll([act], context, 'allow', doer.agent), told };
    }
    case 'push.trunk':
    case 'push.force':
    case 'policy.edit':
    case 'workflow.edit':
      return keepAll([act], context, 'allow', doer.agent);
  }
}

/** Who did an act, by the marks of the branch or PR it was done to where the login is a person's as well. */
async function doerOfAct(act: Act, context: Context, desk: Desk): Promise<Doer | null> {
  switch (act.kind) {
    case 'branch.delete':
      return doerOfMove(act.actor, act.ref, [], context);
    case 'pull.open':
    case 'pull.merge':
    case 'review.approve':
    case 'review.dismiss':
      return doerOf(act.actor, context, (await desk.ledger.pull(act.pull)).evidence);
    default:
      return doerOf(act.actor, context);
  }
}

/** A merge that landed: by whoever asked for it, which for the queue is who put the PR there. */
async function judgeLanded(act: ActOf<'pull.merge'>, context: Context, desk: Desk): Promise<JudgedActs> {
  if (!(await firstTelling(act, context.now, desk.ledger))) return DONE;
  const memory = await desk.ledger.pull(act.pull);
  // Judged again, it is by whom it was: what was armed or queued is forgotten by then.
  const known = memory.merge !== undefined && memory.merge.sha === act.mergeSha ? memory.merge.by : null;
  const merger = known ?? (await mergerOf(act, memory, context, desk));
  const told = { ...act, actor: merger };
  const doer = doerOf(merger, context, memory.evidence);
  const judged =
    doer === null ? null : judgeMerge(told, await gatherMerge(told, doer, context, desk), doer, context);
  const repository = `${desk.repository.owner}/${desk.repository.name}`;
  const pull: PullMemory = {
    ...withoutIntent(memory),
    // GitHub closes by keyword on a merge to the default branch alone.
    closes: act.base === desk.repository.defaultBranch ? closedByKeyword(act.body, repository) : [],
    merge: {
      verdict: judged?.verdict ?? 'person',
      by: merger,
      agent: doer?.agent ?? null,
      at: act.at ?? context.now,
      sha: act.mergeSha ?? '',
    },
  };
  const kept = judged === null ? keepAll([told], context, 'person') : keep([judged], context);
  return { ...kept, keep: { ...kept.keep, pulls: [pull] } };
}

const withoutIntent = ({ armedBy, enqueuedBy, ...memory }: PullMemory): PullMemory => memory;

/** Reviews are acts on an agent's PR only. The author is enough to tell, or the agents seen in it before. */
async function isAgentsPull(number: number, context: Context, desk: Desk): Promise<boolean> {
  const memory = await desk.ledger.pull(number);
  if (memory.evidence?.some(({ tier }) => tier === 'certain') === true) return true;
  const pull = await desk.facts.pull(number);
  return doerOf(pull.author, context, memory.evidence) !== null;
}
