import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** What the App asks of GitHub, or what it was given: permission → access, and the events it hears. */
export interface Grants {
  readonly permissions: Readonly<Record<string, string>>;
  readonly events: readonly string[];
}

const shape = z.object({
  default_permissions: z.record(z.string(), z.string()),
  default_events: z.array(z.string()),
  hook_attributes: z.object({ url: z.string() }),
});

/** The manifest of this version, which is part of the package. */
export const readManifest = (): Grants & { readonly hookUrl: string } => {
  const text = readFileSync(new URL('../../app.yml', import.meta.url), 'utf8');
  const manifest = shape.parse(parse(text));
  return {
    permissions: manifest.default_permissions,
    events: manifest.default_events,
    hookUrl: manifest.hook_attributes.url,
  };
};

const RANKS: Readonly<Record<string, number>> = { read: 1, write: 2, admin: 3 };

const rankOf = (access: string | undefined): number => (access === undefined ? 0 : (RANKS[access] ?? 0));

/** What of `wanted` is not in `given`, as it stands in app.yml: `checks: write`, `event push`. */
export const missingFrom = (given: Grants, wanted: Grants): readonly string[] => [
  ...Object.entries(wanted.permissions)
    .filter(([name, access]) => rankOf(given.permissions[name]) < rankOf(access))
    .map(([name, access]) => `${name}: ${access}`),
  ...wanted.events.filter((event) => !given.events.includes(event)).map((event) => `event ${event}`),
];

/** What of the two both have: the lower access, the events in both. */
export const inBoth = (one: Grants, other: Grants): Grants => ({
  permissions: Object.fromEntries(
    Object.entries(one.permissions)
      .map(([name, access]): [string, string | undefined] => {
        const theirs = other.permissions[name];
        return [name, rankOf(theirs) < rankOf(access) ? theirs : access];
      })
      .filter((entry): entry is [string, string] => entry[1] !== undefined),
  ),
  events: one.events.filter((event) => other.events.includes(event)),
});
