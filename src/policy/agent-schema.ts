import { z } from 'zod';
import type { ActKind } from '../acts/act.js';
import { ACT_KINDS } from '../acts/act.js';
import {
  ID,
  LOGIN,
  SLUG,
  either,
  expecting,
  idHint,
  list,
  map,
  switchHint,
  type Hint,
  type Written,
  words,
} from './shapes.js';

export const levels = ['none', 'pr', 'merge'] as const;
export const LEVEL = words(
  levels,
  'none: commits only. pr: opens pull requests, never merges. merge: may merge to the trunk.',
);
export const ON_EVIDENCE = words(
  ['note', 'gate'],
  "A pull request by a person's login that carries an agent's marks. note: it passes and the marks are named. gate: it waits for another person.",
);

/** The acts for which there is something that "only this agent made". */
export const OWN_ACTS = ['push.force', 'branch.delete', 'issue.close'] as const satisfies readonly ActKind[];
type OwnAct = (typeof OWN_ACTS)[number];
export const mayBeOwn = (kind: ActKind): kind is OwnAct => OWN_ACTS.some((own) => own === kind);

const ownHint = (written: Written): Hint | null =>
  written === 'own'
    ? {
        because: `own is only for ${either(OWN_ACTS)}: of nothing else can be told that only this agent made it`,
      }
    : null;

const plainAct = words(['allow', 'deny'], 'allow or deny this act.', ownHint);
const ownAct = words(['allow', 'own', 'deny'], 'own: only what this agent alone made.');

type ActShape = { [K in ActKind]: z.ZodOptional<K extends OwnAct ? typeof ownAct : typeof plainAct> };

const actShape = Object.fromEntries(
  ACT_KINDS.map((kind) => [kind, (mayBeOwn(kind) ? ownAct : plainAct).optional()]),
) as ActShape;

export const ACTS = expecting(
  z.strictObject(actShape),
  'What single acts are, whatever the level says. What is left out follows from the level.',
  { takes: 'a map of acts, such as { push.force: deny }' },
);

export const AGENT = map(
  {
    apps: list(
      expecting(z.union([ID, z.string().regex(SLUG)]), 'A GitHub App id or slug.', {
        takes: 'an App id (a number) or an App slug',
        hint: idHint,
      }),
      'App ids or slugs',
      'GitHub Apps this agent acts as.',
    ).optional(),
    accounts: list(
      expecting(z.union([ID, z.string().regex(LOGIN)]), 'A numeric account id or an exact login.', {
        takes: 'an account id (a number) or an exact login',
        hint: idHint,
      }),
      'account ids or logins',
      'Accounts this agent acts as. An id survives a rename, a login does not.',
    ).optional(),
    'deploy-keys': list(
      expecting(ID, 'A deploy key id.', { takes: 'a deploy key id (a number)', hint: idHint }),
      'deploy key ids',
      'Deploy keys this agent pushes with.',
    ).optional(),
    shared: expecting(
      z.union([z.boolean(), z.literal('marked')]),
      "true: these accounts are also a person's and are judged as the agent. marked: only where the agent's marks are.",
      { takes: 'true, false or marked', words: ['true', 'false', 'marked'], hint: switchHint },
    ).optional(),
    merge: LEVEL.optional(),
    'on-evidence': ON_EVIDENCE.optional(),
    acts: ACTS.optional(),
  },
  'One agent. A name of the catalogue brings its accounts along.',
  '{ accounts: [9003], merge: pr }, or {} where there is nothing to add',
);
