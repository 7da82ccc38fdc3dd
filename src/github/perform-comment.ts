import { createHash } from 'node:crypto';

import type { Effect, FactRow } from '../decide/effects.js';
import { commentBody } from '../words/comment.js';
import { marker, readMarker } from '../words/marker.js';
import { createOnce } from './create-once.js';
import { RequestFailure } from './failure.js';
import { at, isOurs, unchanged, type Outcome, type PerformContext } from './perform-context.js';
import { sameRow } from './same-row.js';
import * as shapes from './shapes.js';

/** The id in the marker of our comment: of this repository and this number, so that a copy elsewhere is not ours. */
export const commentMarkerId = (repositoryId: number, number: number): string => `${repositoryId}/${number}`;

interface Comment {
  readonly id: number;
  readonly body: string;
}

/** Ours by creator and by seal: the oldest, should there be two. */
const findComment = async (context: PerformContext, number: number): Promise<Comment | null> => {
  const all = await context.client.list(
    'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
    { ...at(context), issue_number: number },
    shapes.comment,
  );
  const id = commentMarkerId(context.repository.id, number);
  const ours = all.find((comment) => {
    if (!isOurs(context, comment.user.login)) return false;
    const found = readMarker(comment.body, context.markerSecrets);
    return found?.kind === 'comment' && found.id === id;
  });
  return ours ?? null;
};

/** False when the comment is not there any more. */
const edit = async (context: PerformContext, id: number, body: string): Promise<boolean> => {
  try {
    await context.client.write(
      'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
      { ...at(context), comment_id: id, body },
      shapes.comment,
      'repeatable',
    );
    return true;
  } catch (error) {
    if (error instanceof RequestFailure && (error.status === 404 || error.status === 410)) return false;
    throw error;
  }
};

/** Edits our comment where it is known, finds or makes it where it is not; answers its id. */
const upsert = async (
  context: PerformContext,
  number: number,
  known: number | null,
  body: string,
): Promise<number> => {
  if (known !== null && (await edit(context, known, body))) return known;
  const comment = await createOnce(context, {
    key: `comment:${number}`,
    find: () => findComment(context, number),
    create: () =>
      context.client.write(
        'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
        { ...at(context), issue_number: number, body },
        shapes.comment,
        'once',
      ),
  });
  if (comment.kind === 'there' && comment.value.body !== body)
    await context.client.write(
      'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
      { ...at(context), comment_id: comment.value.id, body },
      shapes.comment,
      'repeatable',
    );
  return comment.value.id;
};

const withFacts = (facts: readonly FactRow[], add: readonly FactRow[]): readonly FactRow[] => [
  ...facts,
  ...add.filter((row) => !facts.some((fact) => sameRow(fact, row))),
];

/**
 * Our one comment on a PR or issue: made when there is something to say, edited in place, shrunk to a line when
 * nothing stands any more, made again when somebody deleted it and there is news.
 */
export const performComment = async (
  context: PerformContext,
  effect: Extract<Effect, { kind: 'comment' }>,
): Promise<Outcome> => {
  const { number, about } = effect;
  const memory = await context.ledger.comment(number);
  const facts = withFacts(memory?.facts ?? [], effect.add ?? []);
  const standing = effect.standing ?? memory?.standing ?? [];
  const state = facts.length > 0 || standing.length > 0 ? 'open' : 'cleared';
  const known = memory?.id ?? null;
  // Nothing to say, and nothing was ever said on GitHub.
  if (state === 'cleared' && (memory === undefined || (known === null && !context.dryRun))) return unchanged;

  const seal = marker('comment', commentMarkerId(context.repository.id, number), context.markerSecrets[0]);
  const body = commentBody({ number, about, facts, standing, state }, context.place, seal);
  const hash = createHash('sha256').update(body).digest('hex');
  if (memory?.hash === hash && (context.dryRun || known !== null)) {
    await context.ledger.saveComment({ ...memory, facts, standing, state });
    return unchanged;
  }
  const id = context.dryRun ? known : await upsert(context, number, known, body);
  await context.ledger.saveComment({ number, id, facts, standing, state, hash });
  return { kind: 'done', line: `comment ${number} ${state}` };
};
