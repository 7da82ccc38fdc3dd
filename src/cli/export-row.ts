import type { RecordedAct } from '../store/store.js';
import { csvRecord } from './export-csv.js';
import { jsonLine, visible } from './problem-text.js';

export const FORMATS = ['jsonl', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** An act as JSON. Times are ISO 8601, UTC; what is not known is null. */
const actJson = (act: RecordedAct) => ({
  at: act.at,
  repository: act.repository,
  kind: act.kind,
  actor: act.actor,
  agent: act.agent,
  verdict: act.verdict,
  rule: act.rule,
  subject: act.subject,
  tellings: act.tellings,
});

/** The columns of the CSV, each with what stands in it. */
const COLUMNS: readonly (readonly [string, (act: RecordedAct) => string | number | null])[] = [
  ['at', ({ at }) => at],
  ['repository_id', ({ repository }) => repository.id],
  ['repository_owner', ({ repository }) => repository.owner],
  ['repository_name', ({ repository }) => repository.name],
  ['kind', ({ kind }) => kind],
  ['actor_id', ({ actor }) => actor?.id ?? null],
  ['actor_login', ({ actor }) => actor?.login ?? null],
  ['actor_type', ({ actor }) => actor?.type ?? null],
  ['agent', ({ agent }) => agent],
  ['verdict', ({ verdict }) => verdict],
  ['rule', ({ rule }) => rule],
  ['ref', ({ subject }) => subject.ref ?? null],
  ['pull', ({ subject }) => subject.pull ?? null],
  ['issue', ({ subject }) => subject.issue ?? null],
  ['before', ({ subject }) => subject.before ?? null],
  ['after', ({ subject }) => subject.after ?? null],
  ['tellings', ({ tellings }) => tellings.join(' ')],
];

/** What stands before the first act: the names of the columns, or nothing. */
export const headOf = (format: Format): string =>
  format === 'csv' ? csvRecord(COLUMNS.map(([name]) => name)) : '';

/** A cell that is safe on a terminal too: a name of somebody's must not move its cursor. */
const seen = (value: string | number | null): string | number | null =>
  typeof value === 'string' ? visible(value) : value;

/** One act, with its line break. */
export const rowOf = (format: Format, act: RecordedAct): string =>
  format === 'csv' ? csvRecord(COLUMNS.map(([, value]) => seen(value(act)))) : jsonLine(actJson(act));
