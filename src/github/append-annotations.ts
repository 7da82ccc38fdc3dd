import { z } from 'zod';
import type { Annotation } from '../words/views.js';
import { LOOKS, TRIES } from './create-once.js';
import { RequestFailure } from './failure.js';
import { at, type PerformContext } from './perform-context.js';

/** GitHub takes this many annotations a request, and appends those of later ones. */
export const ANNOTATIONS_A_REQUEST = 50;

const patched = z.object({ id: z.number() });
const counted = z.object({ output: z.object({ annotations_count: z.number().int().min(0) }) });

export interface Appending {
  /** The check run, which is ours. */
  readonly id: number;
  /** GitHub asks for the title and summary with every annotation. */
  readonly output: { readonly title: string; readonly summary: string; readonly text?: string };
  /** All that the run is to have, in their order. */
  readonly annotations: readonly Annotation[];
  /** How many of them it has; null: at least those of the request that made it, so the count is read. */
  readonly given: number | null;
}

type Needs = Pick<PerformContext, 'client' | 'repository' | 'sleep'>;

const countOn = async (context: Needs, id: number): Promise<number> => {
  const run = await context.client.get(
    'GET /repos/{owner}/{repo}/check-runs/{check_run_id}',
    { ...at(context), check_run_id: id },
    counted,
  );
  return run.output.annotations_count;
};

/** How many the run has when a request that was to add to `before` has an answer that leaves that open. */
const countAfter = async (context: Needs, id: number, before: number): Promise<number> => {
  for (const wait of LOOKS) {
    await context.sleep(wait);
    const count = await countOn(context, id);
    if (count > before) return count;
  }
  return before;
};

/**
 * Gives a check run the annotations that it lacks, by fifty. A request that adds some is not repeatable: GitHub would
 * add them again. So each is sent once, and after an answer that leaves open whether it was done, the run's own count
 * says where to go on. Five tries for each fifty; throws the last failure. Returns how many were missing.
 */
export const appendAnnotations = async (
  context: Needs,
  { id, output, annotations, given }: Appending,
): Promise<number> => {
  const first = given ?? Math.max(ANNOTATIONS_A_REQUEST, await countOn(context, id));
  let from = first;
  let attempt = 1;
  while (from < annotations.length) {
    const batch = annotations.slice(from, from + ANNOTATIONS_A_REQUEST);
    let reached = from;
    try {
      await context.client.write(
        'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
        { ...at(context), check_run_id: id, output: { ...output, annotations: batch } },
        patched,
        'once',
      );
      reached = from + batch.length;
    } catch (error) {
      if (!(error instanceof RequestFailure) || !error.transient) throw error;
      if (error.ambiguous) reached = await countAfter(context, id, from);
      if (reached === from) {
        if (attempt === TRIES) throw error;
        if (!error.ambiguous && !(await context.client.pause(error, attempt))) throw error;
      }
    }
    attempt = reached > from ? 1 : attempt + 1;
    from = reached;
  }
  return Math.max(0, annotations.length - first);
};
