import type { Act, ActOf } from '../acts/act.js';
import { closedByKeyword } from '../acts/read-issue.js';
import { type Judged, toldByCheck } from '../decide/breach.js';
import type { Context } from '../decide/context.js';
import { type Doer, doerOf, doerOfMove } from '../decide/doer.js';
import type { Effect, JudgedAct } from '../decide/effects.js';
import { judgeBranchDelete } from '../decide/judge-branch.js';
import { judgeIntent, judgeMerge } from '../decide/judge-merge.js';
import {
  judgeDismissal,
  judgeIssueClose,
  judgeProtection,
  judgeRelease,
  judgeTag,
} from '../decide/judge-other.js';
import { judgeFilePush, judgeForcedPush, judgeTrunkPush } from '../decide/judge-push.js';
import type { ActRow, PullMemory } from '../store/ledger.js';
import { firstTelling, rowOf } from './acts-once.js';
import type { Desk } from './deps.js';
import { gatherClose } from './gather-close.js';
import { gatherDeleted, gatherForced } from './gather-branch.js';
import { gatherMerge, mergerOf } from './gather-merge.js';
import { explainedByMerge, valueIsOpen } from './grace.js';

/** What judging the acts of one delivery came to. */
export interface JudgedActs {
  readonly judged: readonly Judged[];
  readonly effects: readonly Effect[];
  /** Acts that break no rule by themselves. */
  readonly told: readonly JudgedAct[];
  /** True when the delivery must be judged again once its grace is over. */
  readonly waits: boolean;
  /** What the ledger keeps once the effects are done: what failed half-way is judged again, whole. */
  readonly keep: Kept;
}

export interface Kept {
  readonly acts: readonly ActRow[];
  readonly pulls: readonly PullMemory[];
  readonly done: readonly string[];
}

const NO_MEMORY: Kept = { acts: [], pulls: [], done: [] };
const DONE: JudgedActs = { judged: [], effects: [], told: [], waits: false, keep: NO_MEMORY };

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
  const results = [await judgePushes(pushes, context, desk, graceOver)];
  for (const act of others) results.push(await judgeOneAct(act, context, desk, graceOver));
  return {
    judged: await Promise.all(
      results.flatMap(({ judged }) => judged).map((one) => atItsTime(one, context, desk)),
    ),
    effects: results.flatMap(({ effects }) => effects),
    told: results.flatMap(({ told }) => told),
    waits: results.some(({ waits }) => waits),
    keep: together(results.map((result) => result.keep)),
  };
}

/** An act that is judged again because something failed keeps the time it was first told at: its row is the same row. */
async function atItsTime(one: Judged, context: Context, desk: Desk): Promise<Judged> {
  if (one.verdict === 'allow' || one.at !== context.now) return one;
  const seen = await desk.ledger.act(one.act.key);
  return seen?.unfinished === true ? { ...one, at: seen.at } : one;
}

const together = (all: readonly Kept[]): Kept => ({
  acts: all.flatMap(({ acts }) => acts),
  pulls: all.flatMap(({ pulls }) => pulls),
  done: all.flatMap(({ done }) => done),
});

type PushedAct = Extract<Act, { forced: boolean }>;

/** A push may be several acts at once: they are one event, told under the first rule it breaks. */
async function judgePushes(
  acts: readonly PushedAct[],
  context: Context,
  desk: Desk,
  graceOver: boolean,
): Promise<JudgedActs> {
  const [push] = acts;
  if (push === undefined) return DONE;
  if (!(await firstTelling(push, context.now, desk.ledger))) return DONE;
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
  const merger = await mergerOf(act, memory, context, desk);
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

function keep(judged: readonly Judged[], context: Context): JudgedActs {
  const acts = judged.map((one) =>
    rowOf(one.act, context.now, one.verdict, one.doer.agent, one.verdict === 'deny' ? one.rule : null),
  );
  return { ...DONE, judged, keep: { ...NO_MEMORY, acts } };
}

function keepAll(
  acts: readonly Act[],
  context: Context,
  verdict: 'person' | 'explained' | 'allow',
  agent: Doer['agent'] | null = null,
): JudgedActs {
  return {
    ...DONE,
    keep: { ...NO_MEMORY, acts: acts.map((act) => rowOf(act, context.now, verdict, agent, null)) },
  };
}
