import { z } from 'zod';
import type { Effect, EscalationKey, FactRow } from '../decide/effects.js';
import type { EscalationMemory } from '../store/ledger.js';
import { escalationBody, escalationTitle } from '../words/escalation.js';
import { marker } from '../words/marker.js';
import { sameFact } from '../words/plain-row.js';
import { sealFacts } from '../words/sealed-facts.js';
import type { EscalationView } from '../words/views.js';
import { createOnce } from './create-once.js';
import { RequestFailure } from './failure.js';
import { createOurs, escalationMarkerId, isRecent, latestOf, type OurIssue } from './ours.js';
import { at, isoNow, unchanged, type Outcome, type PerformContext } from './perform-context.js';
import { keyText } from './port.js';

/** Rows an issue keeps; later ones are counted. */
const ROWS = 50;
const answer = z.object({
  number: z.number(),
  state: z.enum(['open', 'closed']),
  closed_at: z.string().nullish(),
});
type Answer = z.infer<typeof answer>;

const recent = (context: PerformContext, closedAt: string | null | undefined): boolean =>
  typeof closedAt === 'string' && isRecent(closedAt, context.clock.now());

/** Our issue with that key: the open one, else the one closed last, as long as it may be opened again. */
const findIssue = async (context: PerformContext, key: EscalationKey): Promise<OurIssue | null> =>
  latestOf(await createOurs(context).issues(), key, context.clock.now());

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

const bodyOf = async (
  context: PerformContext,
  memory: Pick<EscalationMemory, 'key' | 'rows' | 'more' | 'state' | 'mentions'>,
  suspended: boolean,
): Promise<string> => {
  const { key, rows, more, mentions } = memory;
  const id = escalationMarkerId(context.repository.id, key);
  const [secret] = context.markerSecrets;
  const suspensions = await context.ledger.suspensions();
  const mine = suspensions.find(
    (one) => one.agent === key.agent && one.key !== null && keyText(one.key) === keyText(key),
  );
  const suspension = mine === undefined ? null : { since: mine.since, cause: mine.cause };
  const { line } = sealFacts('issue', id, { rows, more, mentions, suspension }, secret);
  const view: EscalationView = { ...memory, mention: context.escalate.mention, suspended };
  return escalationBody(view, context.place, `${line}\n${marker('issue', id, secret)}`);
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

/** What an issue that was found on GitHub tells of itself. */
const memoryOf = ({ key, number, state, closedAt, facts }: OurIssue): EscalationMemory => ({
  key,
  issue: number,
  state,
  rows: facts?.rows ?? [],
  more: facts?.more ?? 0,
  closedAt,
  mentions: facts?.mentions ?? [],
});

/**
 * One issue a key: a row is added where it is open; where it was closed within seven days it is opened again with its
 * rows; else a new one is made. One that is found on GitHub is taken over with its rows.
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
  const isToldIn = (before: EscalationMemory | undefined): before is EscalationMemory =>
    before?.state === 'open' &&
    before.rows.some((one) => sameFact(one, row)) &&
    mentions.every((number) => before.mentions.includes(number));
  if (isToldIn(memory) && (known !== null || context.dryRun)) return unchanged;

  const after = (before: EscalationMemory | undefined): Omit<EscalationMemory, 'issue'> =>
    isToldIn(before) ? before : withRow(before, key, row, mentions);
  const done = async (
    next: Omit<EscalationMemory, 'issue'>,
    issue: number | null,
    word: 'open' | 'row',
    hint: string,
  ): Promise<Outcome> => {
    await context.ledger.saveEscalation({ ...next, issue });
    return { kind: 'done', line: `issue ${keyText(key)} ${word}`, ...(hint === '' ? {} : { hint }) };
  };
  const next = after(memory);
  if (context.dryRun) return done(next, known, memory?.state === 'open' ? 'row' : 'open', '');

  const body = await bodyOf(context, next, suspended);
  if (known !== null) {
    const reopen = memory?.state === 'closed';
    const edited = await edit(
      context,
      known,
      reopen ? { body, state: 'open', state_reason: 'reopened' } : { body },
    );
    if (edited?.state === 'open') return done(next, known, reopen ? 'open' : 'row', '');
    // Closed meanwhile, and nobody told us yet.
    if (edited !== null && recent(context, edited.closed_at)) {
      await edit(context, known, { state: 'open', state_reason: 'reopened' });
      return done(next, known, 'open', '');
    }
  }
  let hint = '';
  const issue = await createOnce<{ readonly number: number; readonly found: OurIssue | null }>(context, {
    key: `issue:${keyText(key)}`,
    find: async () => {
      const found = await findIssue(context, key);
      return found === null ? null : { number: found.number, found };
    },
    create: async () => {
      const title = escalationTitle({ ...next, mention: null, suspended });
      const { number } = await create(context, title, body, (note) => (hint = note));
      return { number, found: null };
    },
  });
  const { number, found } = issue.value;
  if (issue.kind === 'made' || found === null) return done(next, number, 'open', hint);
  const before = memoryOf(found);
  const whole = after(before);
  if (isToldIn(before)) {
    await context.ledger.saveEscalation({ ...whole, issue: number });
    return { kind: 'unchanged', hint: 'found on GitHub' };
  }
  const open = found.state === 'open';
  const news = await bodyOf(context, whole, suspended);
  await edit(
    context,
    number,
    open ? { body: news } : { body: news, state: 'open', state_reason: 'reopened' },
  );
  return done(whole, number, open ? 'row' : 'open', 'found on GitHub');
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
    const body = await bodyOf(context, closed, false);
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
