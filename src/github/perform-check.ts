import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Effect } from '../decide/effects.js';
import { checkText } from '../words/check.js';
import type { CheckText } from '../words/views.js';
import { ANNOTATIONS_A_REQUEST, appendAnnotations } from './append-annotations.js';
import { createOnce } from './create-once.js';
import { at, isoNow, unchanged, type Outcome, type PerformContext } from './perform-context.js';
import { CHECK_NAME } from './read-facts.js';
import * as shapes from './shapes.js';

/** Beyond these nobody reads on, and each fifty more cost a write. */
const MAX_ANNOTATIONS = 1000;

const made = z.object({ id: z.number() });

interface Sent {
  readonly id: number;
  /** Annotations it carries; null: it was found, and may have a part of them. */
  readonly given: number | null;
}

/** Everything a reader of the check sees; an equal hash means there is nothing new to say. */
const hashOf = (conclusion: string, text: CheckText): string =>
  createHash('sha256')
    .update(JSON.stringify([conclusion, text.title, text.summary, text.text, text.annotations]))
    .digest('hex');

/** Our runs on a head, newest first. */
const ourRuns = async (context: PerformContext, sha: string) => {
  const runs = await context.client.list(
    'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
    { ...at(context), ref: sha, check_name: CHECK_NAME, filter: 'latest', app_id: context.app.id },
    shapes.checkRun,
    'check_runs',
  );
  return runs.filter((run) => run.app?.id === context.app.id).sort((a, b) => b.id - a.id);
};

/** Whether a run of ours is the one that is asked for, beside saying the same. */
type Wanted = (run: z.infer<typeof shapes.checkRun>) => boolean;

/** The latest check run of ours on a head, when it says just this and is the one that is asked for. */
const findRun = async (
  context: PerformContext,
  sha: string,
  hash: string,
  wanted: Wanted,
): Promise<Sent | null> => {
  const [latest] = await ourRuns(context, sha);
  return latest?.status === 'completed' && latest.external_id === hash && wanted(latest)
    ? { id: latest.id, given: null }
    : null;
};

/**
 * The answer to a re-request: a run later than the one there is, or the one by which a process that died meanwhile
 * answered the same delivery. GitHub tells times in whole seconds.
 */
const freshRun = async (context: PerformContext, sha: string, key: string): Promise<Wanted> => {
  const note = await context.ledger.effect(key);
  if (note !== undefined) {
    const since = Math.floor(Date.parse(note.at) / 1000) * 1000;
    return ({ completed_at: at }) => Date.parse(at ?? '') >= since;
  }
  const [latest] = await ourRuns(context, sha);
  return ({ id }) => id > (latest?.id ?? 0);
};

interface Run {
  readonly sha: string;
  readonly conclusion: string;
  readonly text: CheckText;
  readonly hash: string;
  /** As the making of it is noted. */
  readonly key: string;
  readonly wanted: Wanted;
}

const send = async (context: PerformContext, { sha, conclusion, text, hash, key, wanted }: Run) => {
  const { title, summary } = text;
  // An empty text would show as an empty section.
  const output = { title, summary, ...(text.text === '' ? {} : { text: text.text }) };
  const annotations = text.annotations.slice(0, MAX_ANNOTATIONS);
  const firsts = annotations.slice(0, ANNOTATIONS_A_REQUEST);
  const { kind, value } = await createOnce(context, {
    key,
    find: () => findRun(context, sha, hash, wanted),
    create: async (): Promise<Sent> => {
      const run = await context.client.write(
        'POST /repos/{owner}/{repo}/check-runs',
        {
          ...at(context),
          name: CHECK_NAME,
          head_sha: sha,
          status: 'completed',
          conclusion,
          completed_at: isoNow(context),
          external_id: hash,
          output: { ...output, annotations: firsts },
        },
        made,
        'once',
      );
      return { id: run.id, given: firsts.length };
    },
  });
  // A delivery that failed between two requests is given again, and finds the run with a part of what it is to have.
  const added =
    annotations.length > firsts.length
      ? await appendAnnotations(context, { id: value.id, output, annotations, given: value.given })
      : 0;
  return { id: value.id, new: kind === 'made' || added > 0 };
};

/**
 * A check run, if it would say something else than the last one on that head. A completed run is never changed: other
 * content is another run, and the latest counts. Its `external_id` is the hash of its content. A re-request (`fresh`)
 * is answered with a run of its own, whatever the last one said.
 */
export const performCheck = async (
  context: PerformContext,
  { verdict, fresh }: Extract<Effect, { kind: 'check' }>,
): Promise<Outcome> => {
  const { sha, conclusion } = verdict;
  const reasons = verdict.reasons.map(({ code }) => code);
  const text = checkText(verdict, context.place);
  const hash = hashOf(conclusion, text);
  const known = await context.ledger.check(sha);
  // Id 0: a dry run noted it and nothing was sent.
  if (fresh !== true && known?.hash === hash && (context.dryRun || known.id !== 0)) {
    await context.ledger.saveCheck({ ...known, pulls: verdict.pulls });
    return unchanged;
  }
  const key = fresh === true ? `check:${sha}:fresh:${context.delivery ?? ''}` : `check:${sha}:${hash}`;
  const run = context.dryRun
    ? null
    : await send(context, {
        sha,
        conclusion,
        text,
        hash,
        key,
        wanted: fresh === true ? await freshRun(context, sha, key) : () => true,
      });
  await context.ledger.saveCheck({
    sha,
    conclusion,
    reasons,
    pulls: verdict.pulls,
    hash,
    id: run?.id ?? 0,
  });
  if (run?.new === false) return { kind: 'unchanged', hint: 'found on GitHub' };
  return { kind: 'done', line: `check ${sha} ${conclusion} ${reasons.join(',')}` };
};
