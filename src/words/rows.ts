import type { ActSubject, FactRow } from '../decide/effects.js';
import { code, inert } from './inert.js';
import { ACT_VERBS, STATE_LABELS } from './labels/acts.js';
import { commit, login, position, utc } from './names.js';

/** How a text names a PR or issue of the repository: `#12`, or with the repository where it may stand elsewhere. */
export type Numbered = (number: number) => string;

const HEAD = ['| When | Who | What | Rule | State |', '|---|---|---|---|---|'];

/** An agent by the policy's name and its login; a person by the login alone. */
export function who(row: FactRow): string {
  if (row.agent === null) return row.who === null ? 'GitHub does not say' : login(row.who);
  const account = row.who !== null && row.who.login !== row.agent ? ` (${login(row.who)})` : '';
  return `agent ${code(row.agent)}${account}`;
}

/** Acts after which nothing points at the old commit any more: whoever brings it back needs all of its id. */
const LOSING: readonly FactRow['what'][] = ['push.force', 'branch.delete', 'tag.move', 'tag.delete'];

const commits = (what: FactRow['what'], subject: ActSubject): string => {
  const after = subject.after === undefined ? undefined : commit(subject.after);
  const before =
    subject.before === undefined
      ? undefined
      : LOSING.includes(what)
        ? code(subject.before, 40)
        : commit(subject.before);
  if (before === undefined) return after ?? '';
  return after === undefined ? `was ${before}` : `${before} → ${after}`;
};

/** What was done to what: ``merged #283 into `main` (was `1a2b3c4`): detail``. */
export function what(row: FactRow, numbered: Numbered): string {
  const { subject } = row;
  const number = subject.pull ?? subject.issue;
  const names = [subject.release, subject.ruleset, subject.path].flatMap((name) =>
    name === undefined ? [] : [code(name)],
  );
  const preposition = row.what === 'pull.merge' ? 'into ' : 'on ';
  const things = [
    ACT_VERBS[row.what],
    ...(number === undefined ? [] : [numbered(number)]),
    ...names,
    ...(subject.ref === undefined
      ? []
      : [`${number === undefined && names.length === 0 ? '' : preposition}${code(subject.ref)}`]),
  ].filter((thing) => thing !== '');
  const shas = commits(row.what, subject);
  const act = `${things.join(' ')}${shas === '' ? '' : ` (${shas})`}`.trim();
  const detail = inert(subject.detail ?? '');
  if (act === '' || detail === '') return act === '' && detail === '' ? 'as it stands' : `${act}${detail}`;
  return `${act}: ${detail}`;
}

const rule = (row: FactRow): string =>
  [row.rule === null ? '' : code(row.rule), row.origin === null ? '' : position(row.origin)]
    .filter((part) => part !== '')
    .join(', ') || 'none';

const line = (row: FactRow, numbered: Numbered): string =>
  `| ${[utc(row.at), who(row), what(row, numbered), rule(row), STATE_LABELS[row.state]].join(' | ')} |`;

export const bytes = (text: string): number => Buffer.byteLength(text, 'utf8');

export interface TableLimits {
  /** Bytes of UTF-8 the table may take, the line about left-out rows included. */
  readonly bytes: number;
  readonly rows: number;
  /** Rows that the caller has left out already. */
  readonly more: number;
}

/** The sentence about rows left out, at its longest. */
const MORE_ROOM = 120;

/**
 * The fact table: when, who, what, rule, state. Where not all rows fit, the first stays (how it began) and as many of
 * the latest as there is room for, and a line below says how many are left out.
 */
export function table(rows: readonly FactRow[], numbered: Numbered, limits: TableLimits): string {
  const [first, ...rest] = rows;
  if (first === undefined) return '';
  const start = line(first, numbered);
  const room = limits.bytes - bytes([...HEAD, start].join('\n')) - MORE_ROOM;
  const latest: string[] = [];
  let used = 0;
  for (const row of rest.slice(Math.max(0, rest.length - limits.rows + 1)).reverse()) {
    const next = line(row, numbered);
    used += bytes(next) + 1;
    if (used > room) break;
    latest.unshift(next);
  }
  const left = rest.length - latest.length;
  const notes = [
    left > 0
      ? `Between the first and the second row ${left} more ${left === 1 ? 'is' : 'are'} left out.`
      : '',
    limits.more > 0 ? `And ${limits.more} more, which the table does not hold.` : '',
  ].filter((note) => note !== '');
  return [...HEAD, start, ...latest, ...(notes.length === 0 ? [] : ['', notes.join(' ')])].join('\n');
}
