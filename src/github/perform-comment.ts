import { createHash } from 'node:crypto';
import type { Effect, FactRow } from '../decide/effects.js';
import type { CommentMemory } from '../store/ledger.js';
import { commentBody } from '../words/comment.js';
import { marker } from '../words/marker.js';
import { sameFact } from '../words/plain-row.js';
import { type SealedFacts, sealFacts } from '../words/sealed-facts.js';
import { createOnce } from './create-once.js';
import { RequestFailure } from './failure.js';
import { commentMarkerId, createOurs, type OurComment } from './ours.js';
import { at, unchanged, type Outcome, type PerformContext } from './perform-context.js';
import * as shapes from './shapes.js';

type Content = Pick<CommentMemory, 'facts' | 'standing' | 'state'>;

/** A body and what tells it from others. */
interface Rendered {
  readonly body: string;
  readonly hash: string;
}

/**
 * What a body says to people and to us. The facts line counts by what is in it: compressed, the same facts are other
 * bytes with another version of zlib.
 */
export const contentHash = (body: string, { line, json }: SealedFacts): string =>
  createHash('sha256')
    .update(body.replace(line, () => json))
    .digest('hex');

const render = (
  context: PerformContext,
  number: number,
  about: 'pull' | 'issue',
  content: Content,
): Rendered => {
  const id = commentMarkerId(context.repository.id, number);
  const [secret] = context.markerSecrets;
  const { facts, standing, state } = content;
  const sealed = sealFacts('comment', id, { rows: facts, standing }, secret);
  const end = `${sealed.line}\n${marker('comment', id, secret)}`;
  const body = commentBody({ number, about, facts, standing, state }, context.place, end);
  return { body, hash: contentHash(body, sealed) };
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

/** Made, or found where a process that died, or a database that is gone, had made it. */
const makeOrFind = async (
  context: PerformContext,
  number: number,
  body: string,
): Promise<{ readonly id: number; readonly found: OurComment | null }> => {
  const ours = createOurs(context);
  const comment = await createOnce<{ readonly id: number; readonly found: OurComment | null }>(context, {
    key: `comment:${number}`,
    find: async () => {
      const found = await ours.comment(number);
      return found === null ? null : { id: found.id, found };
    },
    create: async () => {
      const { id } = await context.client.write(
        'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
        { ...at(context), issue_number: number, body },
        shapes.comment,
        'once',
      );
      return { id, found: null };
    },
  });
  return comment.kind === 'there' ? comment.value : { ...comment.value, found: null };
};

const withFacts = (facts: readonly FactRow[], add: readonly FactRow[]): readonly FactRow[] => [
  ...facts,
  ...add.filter((row) => !facts.some((fact) => sameFact(fact, row))),
];

const stateOf = ({ facts, standing }: Omit<Content, 'state'>): Content['state'] =>
  facts.length > 0 || standing.length > 0 ? 'open' : 'cleared';

/**
 * Our one comment on a PR or issue: made when there is something to say, edited in place, shrunk to a line when
 * nothing stands any more, made again when somebody deleted it and there is news. One that is found is taken over with
 * its rows.
 */
export const performComment = async (
  context: PerformContext,
  { number, about, add = [], standing }: Extract<Effect, { kind: 'comment' }>,
): Promise<Outcome> => {
  const memory = await context.ledger.comment(number);
  const contentWith = (before: Omit<Content, 'state'>): Content => {
    const content = { facts: withFacts(before.facts, add), standing: standing ?? before.standing };
    return { ...content, state: stateOf(content) };
  };
  const save = (id: number | null, content: Content, hash: string): Promise<void> =>
    context.ledger.saveComment({ number, id, ...content, hash });

  const content = contentWith(memory ?? { facts: [], standing: [] });
  const known = memory?.id ?? null;
  // Nothing to say, and nothing was ever said on GitHub.
  if (content.state === 'cleared' && (memory === undefined || (known === null && !context.dryRun)))
    return unchanged;

  const { body, hash } = render(context, number, about, content);
  const done = (state: Content['state']): Outcome => ({ kind: 'done', line: `comment ${number} ${state}` });
  if (memory?.hash === hash && (context.dryRun || known !== null)) {
    await save(known, content, hash);
    return unchanged;
  }
  if (context.dryRun || (known !== null && (await edit(context, known, body)))) {
    await save(known, content, hash);
    return done(content.state);
  }
  const { id, found } = await makeOrFind(context, number, body);
  if (found === null) {
    await save(id, content, hash);
    return done(content.state);
  }
  const before = found.facts;
  const merged = contentWith({
    facts: withFacts(before?.rows ?? [], content.facts),
    standing: memory?.standing ?? before?.standing ?? [],
  });
  const whole = render(context, number, about, merged);
  const same = found.sealed !== null && contentHash(found.body, found.sealed) === whole.hash;
  if (!same) await edit(context, id, whole.body);
  await save(id, merged, whole.hash);
  return same ? { kind: 'unchanged', hint: 'found on GitHub' } : done(merged.state);
};
