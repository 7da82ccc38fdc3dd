import { z } from 'zod';
import type { Effect, EscalationKey, FactRow } from '../decide/effects.js';
import type { EscalationMemory } from '../store/ledger.js';
import { escalationBody, escalationTitle } from '../words/escalation.js';
import { marker, readMarker } from '../words/marker.js';
import type { EscalationView } from '../words/views.js';
import { createOnce } from './create-once.js';
import { RequestFailure } from './failure.js';
import { at, isOurs, isoNow, unchanged, type Outcome, type PerformContext } from './perform-context.js';
import { keyText } from './port.js';
import { sameRow } from './same-row.js';
import * as shapes from './shapes.js';

/** Rows an issue keeps; later ones are counted. */
const ROWS = 50;
/** Milliseconds: an issue closed longer ago than seven days is history, and a new one is opened. */
const REOPEN_WITHIN = 7 * 24 * 60 * 60 * 1000;

/** The id in the marker of an escalation's issue: of this repository, so that an issue moved here is not ours. */
export const escalationMarkerId = (repositoryId: number, key: EscalationKey): string =>
  `${repositoryId}/${keyText(key)}`;

const answer = z.object({
  number: z.number(),
  state: z.enum(['open', 'closed']),
  closed_at: z.string().nullish(),
});
type Answer = z.infer<typeof answer>;

const recent = (context: PerformContext, closedAt: string | null | undefined): boolean =>
  typeof closedAt === 'string' && context.clock.now() - Date.parse(closedAt) <= REOPEN_WITHIN;

/** Our issue with that key, on all pages: the open one, else the one closed last. */
const findIssue = async (context: PerformContext, key: EscalationKey): Promise<Answer | null> => {
  const all = await context.client.list(
    'GET /repos/{owner}/{repo}/issues',
    { ...at(context), creator: context.app.botLogin, state: 'all' },
    shapes.issue,
  );
  const id = escalationMarkerId(context.repository.id, key);
  const ours = all
    .filter((issue) => {
      if (issue.isPull || !isOurs(context, issue.author.login)) return false;
      const found = readMarker(issue.body, context.markerSecrets);
      return found?.kind === 'issue' && found.id === id;
    })
    .map(({ number, state, closedAt }): Answer => ({ number, state, closed_at: closedAt }))
    .sort((a, b) => Number(b.state === 'open') - Number(a.state === 'open') || b.number - a.number);
  const [first] = ours;
  return first !== undefined && (first.state === 'open' || recent(context, first.closed_at)) ? first : null;
};

/** null: the issue is not there any more. */
const edit = async (
  context: PerformContext,
  number: number,
  change: Readonly<Record<string, unknown>>,
): Promise<Answer | null> => {
  try {
    return await context.client.write(
      'PATCH /repos/{owner}/{repo}/issues/{issue_number}',
      { ...at(context), issue_number: number, ...change },
      answer,
      'repeatable',
    );
  } catch (error) {
    if (error instanceof RequestFailure && (error.status === 404 || error.status === 410)) return null;
    throw error;
  }
};

/** One POST; without assignees and then without labels where GitHub does not take them. */
const create = async (context: PerformContext, title: string, body: string, note: (hint: string) => void) => {
  const { labels, assignees } = context.escalate;
  const forms = [
    { extras: { labels, assignees }, hint: '' },
    { extras: { labels }, hint: 'without assignees: GitHub does not take them' },
    { extras: {}, hint: 'without labels and assignees: GitHub does not take them' },
  ];
  for (const [index, { extras, hint }] of forms.entries()) {
    try {
      const issue = await context.client.write(
        'POST /repos/{owner}/{repo}/issues',
        { ...at(context), title, body, ...extras },
        answer,
        'once',
      );
      if (hint !== '') note(hint);
      return issue;
    } catch (error) {
      const invalid = error instanceof RequestFailure && error.status === 422;
      if (!invalid || index === forms.length - 1) throw error;
    }
  }
  throw new RangeError('There is always a last form.');
};

const viewOf = (
  context: PerformContext,
  memory: Pick<EscalationMemory, 'key' | 'rows' | 'more' | 'state' | 'mentions'>,
  suspended: boolean,
): EscalationView => ({ ...memory, mention: context.escalate.mention, suspended });

const bodyOf = (context: PerformContext, view: EscalationView): string => {
  const seal = marker('issue', escalationMarkerId(context.repository.id, view.key), context.markerSecrets[0]);
  return escalationBody(view, context.place, seal);
};

const withRow = (
  memory: EscalationMemory | undefined,
  key: EscalationKey,
  row: FactRow,
  mentions: readonly number[],
): Omit<EscalationMemory, 'issue'> => {
  const rows = memory?.rows ?? [];
  const full = rows.length >= ROWS;
  return {
    key,
    state: 'open',
    rows: full ? rows : [...rows, row],
    more: (memory?.more ?? 0) + (full ? 1 : 0),
    closedAt: null,
    mentions: [...new Set([...(memory?.mentions ?? []), ...mentions])],
  };
};

/**
 * One issue a key: a row is added where it is open; where it was closed within seven days it is opened again with its
 * rows; else a new one is made.
 */
export const performEscalate = async (
  context: PerformContext,
  { key, row, mentions }: Extract<Effect, { kind: 'escalate' }>,
  suspended: boolean,
): Promise<Outcome> => {
  const saved = await context.ledger.escalation(key);
  const memory =
    saved !== undefined && (saved.state === 'open' || recent(context, saved.closedAt)) ? saved : undefined;
  const known = memory?.issue ?? null;
  const told =
    memory?.state === 'open' &&
    memory.rows.some((one) => sameRow(one, row)) &&
    mentions.every((number) => memory.mentions.includes(number));
  if (told && (known !== null || context.dryRun)) return unchanged;

  const next = told ? memory : withRow(memory, key, row, mentions);
  const view = viewOf(context, next, suspended);
  const done = async (issue: number | null, word: 'open' | 'row', hint: string): Promise<Outcome> => {
    await context.ledger.saveEscalation({ ...next, issue });
    return { kind: 'done', line: `issue ${keyText(key)} ${word}`, ...(hint === '' ? {} : { hint }) };
  };
  if (context.dryRun) return done(known, memory?.state === 'open' ? 'row' : 'open', '');

  const body = bodyOf(context, view);
  if (known !== null) {
    const reopen = memory?.state === 'closed';
    const edited = await edit(
      context,
      known,
      reopen ? { body, state: 'open', state_reason: 'reopened' } : { body },
    );
    if (edited?.state === 'open') return done(known, reopen ? 'open' : 'row', '');
    // Closed meanwhile, and nobody told us yet.
    if (edited !== null && recent(context, edited.closed_at)) {
      await edit(context, known, { state: 'open', state_reason: 'reopened' });
      return done(known, 'open', '');
    }
  }
  let hint = '';
  const issue = await createOnce(context, {
    key: `issue:${keyText(key)}`,
    find: () => findIssue(context, key),
    create: () => create(context, escalationTitle(view), body, (note) => (hint = note)),
  });
  const { number, state } = issue.value;
  if (issue.kind === 'made') return done(number, 'open', hint);
  await edit(
    context,
    number,
    state === 'open' ? { body } : { body, state: 'open', state_reason: 'reopened' },
  );
  return done(number, state === 'open' ? 'row' : 'open', 'found on GitHub');
};

/** Closes the issue about a state that is over. What was never opened is not looked for. */
export const performCloseEscalation = async (
  context: PerformContext,
  { key }: Extract<Effect, { kind: 'close-escalation' }>,
): Promise<Outcome> => {
  const memory = await context.ledger.escalation(key);
  if (memory?.state !== 'open') return unchanged;
  const closed = { ...memory, state: 'closed', closedAt: isoNow(context) } as const;
  if (!context.dryRun) {
    const body = bodyOf(context, viewOf(context, closed, false));
    const gone =
      memory.issue === null ||
      (await edit(context, memory.issue, { body, state: 'closed', state_reason: 'completed' })) === null;
    if (gone) {
      await context.ledger.saveEscalation({ ...closed, issue: null });
      return { kind: 'unchanged', hint: 'the issue is not there any more' };
    }
  }
  await context.ledger.saveEscalation(closed);
  return { kind: 'done', line: `issue ${keyText(key)} close` };
};

/** A person closed the issue of a breach: it is settled, and a later breach within seven days opens it again. */
export const performSettleEscalation = async (
  context: PerformContext,
  { key }: Extract<Effect, { kind: 'settle-escalation' }>,
): Promise<Outcome> => {
  const memory = await context.ledger.escalation(key);
  if (memory?.state === 'open')
    await context.ledger.saveEscalation({ ...memory, state: 'closed', closedAt: isoNow(context) });
  return unchanged;
};

/** The issue of a breach that something else than a person's hand closed: it is opened again. */
export const performReopenEscalation = async (
  context: PerformContext,
  { key }: Extract<Effect, { kind: 'reopen-escalation' }>,
): Promise<Outcome> => {
  const memory = await context.ledger.escalation(key);
  if (memory?.state !== 'open' || memory.issue === null) return unchanged;
  if (!context.dryRun) {
    const edited = await edit(context, memory.issue, { state: 'open', state_reason: 'reopened' });
    if (edited === null) return { kind: 'gave-up', hint: 'the issue is not there any more' };
  }
  return { kind: 'done', line: `issue ${keyText(key)} open` };
};
