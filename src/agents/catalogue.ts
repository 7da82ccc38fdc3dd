import { COPILOT } from './catalogue/copilot.js';
import type { CatalogueEntry } from './catalogue/entry.js';
import { INDEPENDENTS } from './catalogue/independents.js';
import { OTHERS } from './catalogue/others.js';
import { ANTHROPIC, GOOGLE, OPENAI } from './catalogue/vendors.js';

export type { CatalogueAccount, CatalogueEntry, CatalogueKind } from './catalogue/entry.js';

/** Every product the App knows by itself. Where several share a mark that tells none apart, the first one gets it. */
export const CATALOGUE: readonly CatalogueEntry[] = [
  ...COPILOT,
  ...ANTHROPIC,
  ...OPENAI,
  ...GOOGLE,
  ...INDEPENDENTS,
  ...OTHERS,
];

/** The names a policy may use: families (`claude`) first, then ids of single entries (`claude-code`). No name twice. */
export function catalogueNames(): readonly string[] {
  return [...new Set([...CATALOGUE.map((entry) => entry.family), ...CATALOGUE.map((entry) => entry.id)])];
}

/** The entry with exactly this id; null where there is none, also for a family of several. */
export function catalogueEntry(id: string): CatalogueEntry | null {
  return CATALOGUE.find((entry) => entry.id === id) ?? null;
}

/** What a name brings along: one entry for an id, all of a family for its name, none for any other word. */
export function catalogueEntries(name: string): readonly CatalogueEntry[] {
  return CATALOGUE.filter((entry) => entry.id === name || entry.family === name);
}
