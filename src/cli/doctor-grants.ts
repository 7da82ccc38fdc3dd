import { z } from 'zod';
import { listed, plural } from '../words/names.js';
import { fail, ok, warn, type Finding } from './doctor-finding.js';
import { inBoth, missingFrom, type Grants } from './doctor-manifest.js';

const permissions = z
  .record(z.string(), z.string().optional())
  .transform((raw) =>
    Object.fromEntries(
      Object.entries(raw).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  );

export const appShape = z.object({
  id: z.number(),
  slug: z.string(),
  html_url: z.string().catch(''),
  permissions,
  events: z.array(z.string()),
});
export type App = z.output<typeof appShape>;

export const installationShape = z.object({
  id: z.number(),
  account: z
    .object({ login: z.string().optional(), slug: z.string().optional(), type: z.string().optional() })
    .nullable(),
  html_url: z.string().catch(''),
  permissions,
  events: z.array(z.string()),
  suspended_at: z.string().nullish(),
});
export type Installation = z.output<typeof installationShape>;

const MANY = 30;

const named = (items: readonly string[]): string => listed(items, 'and', MANY);

const whoOf = ({ account, id }: Installation): string =>
  account?.login ?? account?.slug ?? `installation ${String(id)}`;

/** What the App itself was given on its settings page, held against app.yml. */
export const appFindings = (app: App, wanted: Grants): readonly Finding[] => {
  const missing = missingFrom(app, wanted);
  const surplus = missingFrom(wanted, app);
  const where = "on the App's settings page, under Permissions & events";
  if (missing.length === 0 && surplus.length === 0)
    return [ok('permissions', 'the App has what app.yml lists, and nothing more')];
  return [
    ...(missing.length === 0
      ? []
      : [
          fail(
            'permissions',
            `the App lacks ${named(missing)}`,
            `Add them ${where}; every owner who installed it must accept them then`,
          ),
        ]),
    ...(surplus.length === 0
      ? []
      : [
          warn(
            'permissions',
            `the App has more than this version uses: ${named(surplus)}`,
            `Take that away ${where}`,
          ),
        ]),
  ];
};

/** What concerns members of an organization is nothing a person's own account could grant. */
const forAccount = (installation: Installation, wanted: Grants): Grants => {
  if (installation.account?.type !== 'User') return wanted;
  const { members: _, ...others } = wanted.permissions;
  return { permissions: others, events: wanted.events.filter((event) => event !== 'member') };
};

/** What each owner has accepted, of what the App has and app.yml lists. */
export const installationFindings = (
  installations: readonly Installation[],
  app: Grants,
  wanted: Grants,
): readonly Finding[] => {
  if (installations.length === 0)
    return [
      warn(
        'installations',
        'the App is installed nowhere',
        'Install it on a repository, from its settings page',
      ),
    ];
  const findings: Finding[] = [];
  let whole = 0;
  for (const installation of installations) {
    const page = installation.html_url === '' ? '' : ` at ${installation.html_url}`;
    const missing = missingFrom(installation, forAccount(installation, inBoth(wanted, app)));
    if (typeof installation.suspended_at === 'string') {
      findings.push(
        warn(
          'installations',
          `${whoOf(installation)} has suspended the App: nothing comes from there`,
          `An owner can lift that${page}`,
        ),
      );
    } else if (missing.length > 0) {
      findings.push(
        fail(
          'installations',
          `${whoOf(installation)} has not accepted ${named(missing)}`,
          `An owner accepts the new permissions${page}`,
        ),
      );
    } else {
      whole += 1;
    }
  }
  if (whole > 0) findings.unshift(ok('installations', `${plural(whole, 'installation')} granted all of it`));
  return findings;
};
