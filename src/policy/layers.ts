import { PRESETS } from './defaults.js';
import { originOf, type PolicyFile } from './load.js';
import type { Level } from './policy.js';
import type { PolicyContent } from './schema.js';
import { type Override, type Said, type Sayings, settle } from './settle.js';
import type { Order } from './strictness.js';
import type { Path } from './tree.js';

export interface Resolving {
  readonly repo: PolicyFile | null;
  readonly org: PolicyFile | null;
  readonly override: Override;
  readonly operator: Level | null;
  readonly preset: Said<'solo' | 'team' | 'open-source'> | null;
}

export type Read<T> = (content: PolicyContent) => T | undefined;

export const saidBy = <T>(file: PolicyFile | null, path: Path, read: Read<T>): readonly Said<T>[] => {
  const value = file === null ? undefined : read(file.content);
  return file === null || value === undefined ? [] : [{ value, origin: originOf(file, path) }];
};

export const sayings = <T>(
  at: Resolving,
  path: Path,
  read: Read<T>,
  rest: readonly Said<T>[] = [],
): Sayings<T> => ({
  repo: saidBy(at.repo, path, read),
  org: saidBy(at.org, path, read),
  rest,
});

export const fromPreset = <T>(
  at: Resolving,
  read: (preset: (typeof PRESETS)['team']) => T,
): readonly Said<T>[] => {
  if (at.preset === null) return [];
  return [{ value: read(PRESETS[at.preset.value]), origin: { ...at.preset.origin, layer: 'preset' } }];
};

/** The plain value of a key for which nobody asks where it came from. */
export const plain = <T>(at: Resolving, path: Path, read: Read<T>, builtIn: T, order: Order<T>): T =>
  settle(sayings(at, path, read), builtIn, order, at.override).value;

export const levelRest = (at: Resolving): readonly Said<Level>[] => [
  ...(at.operator === null ? [] : [{ value: at.operator, origin: { layer: 'operator' as const } }]),
  ...fromPreset(at, (preset) => preset.merge),
];

export const union = <T>(...lists: readonly (readonly T[] | undefined)[]): readonly T[] => [
  ...new Set(lists.flatMap((list) => list ?? [])),
];
