/** A JSON object whose values nobody has looked at yet. */
export type Json = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asRecord = (value: unknown): Json => (isRecord(value) ? value : {});

/**
 * `over` laid over `under`, deeply: objects merge key by key; lists, scalars and null replace. Neither is changed.
 * Keys that could reach a prototype are left out.
 */
export const layOver = (under: unknown, over: unknown): unknown => {
  if (over === undefined) return under;
  if (!isRecord(under) || !isRecord(over)) return over;
  const merged: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') continue;
    merged[key] = layOver(merged[key], value);
  }
  return merged;
};

/** As `layOver`, for two objects. */
export const layOverRecord = (under: Json, over: unknown): Json =>
  isRecord(over) ? asRecord(layOver(under, over)) : under;

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
