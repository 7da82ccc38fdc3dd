import { type Document, isMap, isNode, isScalar, isSeq, type LineCounter, type Node } from 'yaml';
import type { z } from 'zod';
import { CaseError } from './case-error.js';
import type { CasePosition } from './case.js';
import { CaseFile } from './case-schema.js';
import { didYouMean } from './did-you-mean.js';
import { asRecord } from './records.js';

type Path = readonly PropertyKey[];

/** Reports a fault at a place of the file. The place is the key itself where `atKey` says so, else its value. */
export type Fault = (path: Path, problem: string, hint: string, atKey?: 'key' | 'value') => CaseError;

/** The key and the value a step leads to. Keys that YAML reads as numbers (`1:`) are met by their text. */
const stepInto = (parent: unknown, step: PropertyKey): { readonly key?: Node; readonly value?: Node } => {
  if (isSeq(parent)) {
    const value = parent.items[Number(step)];
    return isNode(value) ? { value } : {};
  }
  if (!isMap(parent)) return {};
  const pair = parent.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step));
  return {
    ...(isNode(pair?.key) ? { key: pair.key } : {}),
    ...(isNode(pair?.value) ? { value: pair.value } : {}),
  };
};

/** Where a path of the file leads to; as far as it goes, where it leads to nothing. */
export type Places = (path: Path, atKey?: 'key' | 'value') => CasePosition;

export const placesOf =
  (file: string, document: Document, lines: LineCounter): Places =>
  (path, atKey = 'value') => {
    let place: Node | null = document.contents;
    let value: Node | undefined = document.contents ?? undefined;
    for (const [index, step] of path.entries()) {
      const found = stepInto(value, step);
      const last = index === path.length - 1;
      const next = last && atKey === 'key' ? found.key : (found.value ?? found.key);
      if (next === undefined) break;
      place = next;
      value = found.value;
    }
    const { line, col } = lines.linePos(place?.range?.[0] ?? 0);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };

/** Faults of one file, placed by their path in it. */
export const faultsOf =
  (place: Places): Fault =>
  (path, problem, hint, atKey) => {
    const { file, line, column } = place(path, atKey);
    return new CaseError(file, line, column, problem, hint);
  };

/** The first fault zod found, as a fault of the file. */
export const faultOfShape = (
  error: z.ZodError,
  under: Path,
  choices: readonly string[],
  fault: Fault,
): CaseError => {
  const issue = error.issues[0];
  if (issue === undefined) return fault(under, 'is not a case', 'see docs/simulate.md');
  const path = [...under, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    return fault([...path, key], `unknown key "${key}"`, didYouMean(key, choices), 'key');
  }
  const where = path.length === 0 ? 'the case' : path.map(String).join('.');
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  if (missing) return fault(path.slice(0, -1), `"${where}" is missing`, `add ${String(path.at(-1))}: …`);
  const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return fault(path, `${where}: ${message}`, 'see docs/simulate.md for what may stand here');
};

const keysAt = (path: Path): readonly string[] => {
  let schema: unknown = CaseFile;
  for (const step of path) {
    schema = childOf(schema, step);
  }
  const bare = bareOf(schema);
  return Object.keys(asRecord(asRecord(bare)['shape']));
};

const bareOf = (schema: unknown): unknown => {
  let bare = schema;
  for (;;) {
    const definition = asRecord(asRecord(bare)['def']);
    if (definition['type'] === 'optional' || definition['type'] === 'nullable')
      bare = definition['innerType'];
    else if (definition['type'] === 'union' && Array.isArray(definition['options']))
      bare = definition['options'].at(-1);
    else return bare;
  }
};

const childOf = (schema: unknown, step: PropertyKey): unknown => {
  const bare = asRecord(bareOf(schema));
  const definition = asRecord(bare['def']);
  if (definition['type'] === 'array') return definition['element'];
  if (definition['type'] === 'record') return definition['valueType'];
  return asRecord(bare['shape'])[String(step)];
};

/** The first fault zod found in the case as a whole (its events are looked at one by one). */
export const faultOfCase = (error: z.ZodError, fault: Fault): CaseError =>
  faultOfShape(error, [], keysAt(error.issues[0]?.path ?? []), fault);
