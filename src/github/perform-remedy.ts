import { z } from 'zod';
import type { Effect, EscalationKey } from '../decide/effects.js';
import { revertText } from '../words/revert.js';
import { createOnce } from './create-once.js';
import { RequestFailure } from './failure.js';
import { at, isOurs, isoNow, unchanged, type Outcome, type PerformContext } from './perform-context.js';
import * as shapes from './shapes.js';

/** Backup refs stand among the branches, where people find them (docs/decisions/041-backup-refs.md). */
export const BACKUP_PREFIX = 'agent-policy-backup/';

type Of<K extends Effect['kind']> = Extract<Effect, { kind: K }>;

const hasStatus = (error: unknown, ...statuses: readonly number[]): error is RequestFailure =>
  error instanceof RequestFailure && statuses.includes(error.status);

/** Auto-merge off, or out of the merge queue. GitHub refuses (422) where there is nothing to undo. */
export const performDisarm = async (
  context: PerformContext,
  effect: Of<'disarm-auto-merge'> | Of<'dequeue'>,
): Promise<Outcome> => {
  const done: Outcome = { kind: 'done', line: `${effect.kind} ${effect.pull}` };
  if (context.dryRun) return done;
  try {
    if (effect.kind === 'dequeue')
      await context.client.mutate(
        'dequeuePullRequest',
        { id: effect.nodeId },
        'clientMutationId',
        z.unknown(),
        'repeatable',
      );
    else
      await context.client.mutate(
        'disablePullRequestAutoMerge',
        { pullRequestId: effect.nodeId },
        'clientMutationId',
        z.unknown(),
        'repeatable',
      );
    return done;
  } catch (error) {
    if (hasStatus(error, 404, 422)) return { kind: 'unchanged', hint: error.hint };
    throw error;
  }
};

/** The escalation a merge led to, in the same batch or before; null: nothing was broken by it. */
const breachOf = async (
  context: PerformContext,
  pull: number,
  batch: readonly Effect[],
): Promise<EscalationKey | null> => {
  const now = batch.find((effect) => effect.kind === 'escalate' && effect.row.subject.pull === pull);
  if (now?.kind === 'escalate') return now.key;
  const before = await context.ledger.escalations('merge-level');
  return before.find(({ rows }) => rows.some((row) => row.subject.pull === pull))?.key ?? null;
};

/** Once a PR. A revert that GitHub cannot make (a conflict) is not asked for again. */
export const performRevert = async (
  context: PerformContext,
  effect: Of<'revert-pull'>,
  batch: readonly Effect[],
): Promise<Outcome> => {
  const { pull, nodeId } = effect;
  const done: Outcome = { kind: 'done', line: `revert-pull ${pull}` };
  const key = `revert-pull:${pull}`;
  if (await context.ledger.done(key)) return unchanged;
  if (context.dryRun) return done;
  const { title, body } = revertText(pull, await breachOf(context, pull, batch), context.place);
  const find = async () => {
    const newest = await context.client.get(
      'GET /repos/{owner}/{repo}/pulls',
      { ...at(context), state: 'all', sort: 'created', direction: 'desc', per_page: 100 },
      z.array(shapes.pull),
    );
    const ours = newest.find(({ fact }) => isOurs(context, fact.author.login) && fact.title === title);
    return ours === undefined ? null : { number: ours.fact.number };
  };
  const create = async () => {
    const { revertPullRequest } = await context.client.mutate(
      'revertPullRequest',
      { pullRequestId: nodeId, title, body, draft: true },
      'revertPullRequest { number }',
      z.object({ revertPullRequest: z.object({ number: z.number() }) }),
      'once',
    );
    return revertPullRequest;
  };
  try {
    const revert = await createOnce(context, { key, find, create });
    await context.ledger.saveDone(key);
    return revert.kind === 'made' ? done : { kind: 'unchanged', hint: 'found on GitHub' };
  } catch (error) {
    if (!(error instanceof RequestFailure) || error.transient) throw error;
    await context.ledger.saveDone(key);
    return { kind: 'gave-up', hint: error.hint };
  }
};

/** 409: the run is over already. */
export const performCancelRun = async (
  context: PerformContext,
  { run }: Of<'cancel-run'>,
): Promise<Outcome> => {
  const done: Outcome = { kind: 'done', line: `cancel-run ${run}` };
  if (context.dryRun) return done;
  try {
    await context.client.write(
      'POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel',
      { ...at(context), run_id: run },
      z.unknown(),
      'repeatable',
    );
    return done;
  } catch (error) {
    if (hasStatus(error, 404, 409)) return { kind: 'unchanged', hint: error.hint };
    throw error;
  }
};

/** Once an issue, ever: who closes it a second time is not fought. */
export const performReopenIssue = async (
  context: PerformContext,
  { issue }: Of<'reopen-issue'>,
): Promise<Outcome> => {
  const done: Outcome = { kind: 'done', line: `reopen-issue ${issue}` };
  const key = `reopen-issue:${issue}`;
  if (await context.ledger.done(key)) return unchanged;
  if (context.dryRun) return done;
  const place = { ...at(context), issue_number: issue };
  try {
    const { state } = await context.client.get(
      'GET /repos/{owner}/{repo}/issues/{issue_number}',
      place,
      shapes.issue,
    );
    if (state === 'open') {
      // A process that died between the two writes opened it.
      if ((await context.ledger.effect(key))?.state === 'making') await context.ledger.saveDone(key);
      return { kind: 'unchanged', hint: 'it is open' };
    }
    await context.ledger.noteEffect(key, { state: 'making', at: isoNow(context) });
    await context.client.write(
      'PATCH /repos/{owner}/{repo}/issues/{issue_number}',
      { ...place, state: 'open', state_reason: 'reopened' },
      z.object({ number: z.number() }),
      'repeatable',
    );
    await context.ledger.saveDone(key);
    return done;
  } catch (error) {
    if (hasStatus(error, 404, 410)) return { kind: 'gave-up', hint: error.hint };
    throw error;
  }
};

/** 422: the login may not review here, or is the PR's author. */
export const performRequestReview = async (
  context: PerformContext,
  { pull, login }: Of<'re-request-review'>,
): Promise<Outcome> => {
  const done: Outcome = { kind: 'done', line: `re-request-review ${pull} ${login}` };
  if (context.dryRun) return done;
  try {
    await context.client.write(
      'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
      { ...at(context), pull_number: pull, reviewers: [login] },
      z.object({ number: z.number() }),
      'repeatable',
    );
    return done;
  } catch (error) {
    if (hasStatus(error, 422)) return { kind: 'gave-up', hint: error.hint };
    throw error;
  }
};

const refSha = async (context: PerformContext, name: string): Promise<string | null> => {
  try {
    const { object } = await context.client.get(
      'GET /repos/{owner}/{repo}/git/ref/{ref}',
      { ...at(context), ref: `heads/${BACKUP_PREFIX}${name}` },
      z.object({ object: z.object({ sha: z.string() }) }),
    );
    return object.sha;
  } catch (error) {
    if (hasStatus(error, 404)) return null;
    throw error;
  }
};

/** Once a commit. A branch of that name on another commit is left alone, and the whole sha is the name. */
export const performBackupRef = async (
  context: PerformContext,
  { sha }: Of<'backup-ref'>,
): Promise<Outcome> => {
  const done: Outcome = { kind: 'done', line: `backup-ref ${sha}` };
  const key = `backup-ref:${sha}`;
  if (await context.ledger.done(key)) return unchanged;
  if (context.dryRun) return done;
  for (const name of [sha.slice(0, 12), sha]) {
    const find = () => refSha(context, name);
    const create = async () => {
      const { object } = await context.client.write(
        'POST /repos/{owner}/{repo}/git/refs',
        { ...at(context), ref: `refs/heads/${BACKUP_PREFIX}${name}`, sha },
        z.object({ object: z.object({ sha: z.string() }) }),
        'once',
      );
      return object.sha;
    };
    try {
      const ref = await createOnce(context, { key: `backup-ref:${name}`, find, create });
      if (ref.value !== sha) continue;
      await context.ledger.saveDone(key);
      return ref.kind === 'made' ? done : { kind: 'unchanged', hint: 'found on GitHub' };
    } catch (error) {
      if (error instanceof RequestFailure && error.known === 'already-exists') {
        if ((await find()) !== sha) continue;
        await context.ledger.saveDone(key);
        return { kind: 'unchanged', hint: 'found on GitHub' };
      }
      if (hasStatus(error, 422))
        return {
          kind: 'gave-up',
          hint: error.known === 'no-such-commit' ? 'GitHub has collected the commit' : error.hint,
        };
      throw error;
    }
  }
  return { kind: 'gave-up', hint: 'both names for it are taken by other branches' };
};
