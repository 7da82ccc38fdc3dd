import { type Document, LineCounter, parseDocument, type YAMLParseError } from 'yaml';
import { CaseError, Unplayable } from './case-error.js';
import { CaseFile, type VariantFile } from './case-schema.js';
import type { Case, CaseEvent, World } from './case.js';
import { timeAfter } from './event-time.js';
import { type Fault, faultOfCase, faultsOf, type Places, placesOf } from './fault.js';
import { checkValues } from './fit.js';
import { CASE_START_MS } from './instant.js';
import { parseEvent } from './parse-event.js';
import { asRecord, isRecord, layOver, type Json } from './records.js';

/** What applies to a case without `policy`, verbatim (docs/simulate.md). */
export const DEFAULT_POLICY = `version: 1
merge: pr
agents:
  alpha: { apps: [1001], accounts: [9001] }
  beta: { apps: [1002], accounts: [9002] }
  robot: { accounts: [9003] }
people: { approvals: 1, approvers: [otto, mara, rae] }
escalate: { assignees: [mara] }
`;

type Path = readonly PropertyKey[];

const eventsOf = (
  entries: readonly unknown[],
  under: Path,
  fault: Fault,
  place: Places,
): readonly CaseEvent[] => {
  const events: CaseEvent[] = [];
  let now = CASE_START_MS;
  for (const [index, entry] of entries.entries()) {
    const path = [...under, index];
    const event: CaseEvent = { ...parseEvent(entry, path, fault), position: place(path) };
    if (event.kind === 'redeliver') {
      const before = events[event.event - 1];
      if (before?.kind !== 'deliver') {
        const why = before === undefined ? 'is not before this one' : 'is no delivery';
        throw fault(
          path,
          `redeliver: event ${event.event} ${why}`,
          'name an earlier event that GitHub delivered, from 1',
        );
      }
    }
    now = advance(event, now, path, fault);
    events.push(event);
  }
  return events;
};

/** The time after an event; what is wrong with it is told where the event says it. */
const advance = (event: CaseEvent, now: number, path: Path, fault: Fault): number => {
  try {
    return timeAfter(event, now);
  } catch (error) {
    if (!(error instanceof Unplayable)) throw error;
    const where = event.kind === 'deliver' ? [event.title, 'at'] : ['tick'];
    throw fault([...path, ...where], `${event.title}: ${error.problem}`, error.hint);
  }
};

const expectOf = (
  expect: Readonly<Record<string, readonly string[] | null>> | undefined,
  count: number,
  under: Path,
  fault: Fault,
): Record<number, readonly string[]> => {
  const result: Record<number, readonly string[]> = {};
  for (const [number, lines] of Object.entries(expect ?? {})) {
    if (Number(number) > count) {
      throw fault([...under, number], `there is no event ${number}`, `this case has ${count} events`, 'key');
    }
    result[Number(number)] = lines ?? [];
  }
  return result;
};

const withoutNullFields = (entry: unknown): unknown =>
  isRecord(entry) ? Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null)) : entry;

/** In an entry of the world (`pulls: {9: {merged: null}}`) null takes a key away; an entry that is null itself stays so. */
const withoutNulls = (world: Json): World => {
  const entries = (value: unknown, each: (entry: unknown) => unknown): unknown =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, each(entry)]))
      : value;
  const pull = (entry: unknown): unknown => {
    const { files } = asRecord(entry);
    const bare = withoutNullFields(entry);
    return isRecord(bare) && Array.isArray(files) ? { ...bare, files: files.map(withoutNullFields) } : bare;
  };
  const laid: Record<string, unknown> = { ...world };
  for (const key of ['branches', 'issues', 'rulesets']) {
    if (key in laid) laid[key] = entries(laid[key], withoutNullFields);
  }
  if ('pulls' in laid) laid['pulls'] = entries(laid['pulls'], pull);
  return laid;
};

/** The parser's message ends with the place and shows the line; both are told apart from it. */
const yamlProblem = ({ code, message }: YAMLParseError): string => {
  if (code === 'NON_STRING_KEY') return 'a key is a word, not a list or a mapping';
  if (message.startsWith('Maximum call stack')) return 'this is nested more deeply than any case';
  return message.replace(/(?: at line \d+, column \d+)?:?\s*(?:\n[^]*)?$/, '');
};

/**
 * A case file → the case itself, then each of its variants, ready to run. A variant's `world` is merged deeply over
 * the case's (lists replace lists, null takes away); its `policy`, `events` and `expect` replace. Without a `policy`
 * the default policy applies; `policy: null` is a repository without one. Throws `CaseError` for anything else.
 */
export const parseCase = (text: string, file: string): Case[] => {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: true,
    stringKeys: true,
    logLevel: 'error',
  });
  const broken = document.errors[0];
  if (broken !== undefined) {
    const { line, col } = broken.linePos?.[0] ?? { line: 1, col: 1 };
    throw new CaseError(file, line, col, yamlProblem(broken), 'mend the YAML at this place');
  }
  const place = placesOf(file, document, lines);
  const fault = faultsOf(place);
  const raw = plainOf(document, fault);
  checkValues(raw, [], fault);
  const shape = CaseFile.safeParse(raw);
  if (!shape.success) {
    throw faultOfCase(shape.error, fault);
  }
  const given = shape.data;
  const worldOf = (variant: VariantFile | undefined): World => {
    const org = (of: { org_policy?: string | null | undefined } | undefined) =>
      of?.org_policy === undefined ? undefined : { org_policy: of.org_policy };
    const layers = [given.world ?? undefined, org(given), variant?.world ?? undefined, org(variant)];
    return withoutNulls(asRecord(layers.reduce<unknown>(layOver, {})));
  };
  const events = eventsOf(given.events, ['events'], fault, place);
  const base = (variant: VariantFile | undefined, path: Path): Case => {
    const own =
      variant?.events === undefined ? events : eventsOf(variant.events, [...path, 'events'], fault, place);
    const expectPath = variant?.expect === undefined ? ['expect'] : [...path, 'expect'];
    const policy = variant?.policy === undefined ? given.policy : variant.policy;
    return {
      id: given.id,
      variant: variant?.name ?? null,
      title: given.title,
      policy: policy === undefined ? DEFAULT_POLICY : policy,
      world: worldOf(variant),
      events: own,
      expect: expectOf(variant?.expect ?? given.expect, own.length, expectPath, fault),
      textNever: [...(given.text_never ?? []), ...(variant?.text_never ?? [])],
    };
  };
  return [
    base(undefined, []),
    ...(given.variants ?? []).map((variant, index) => base(variant, ['variants', index])),
  ];
};

const plainOf = (document: Document, fault: Fault): unknown => {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw fault(
      [],
      error instanceof Error ? error.message : 'cannot be read',
      'write the value itself where the alias stands',
    );
  }
};
