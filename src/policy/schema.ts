import { z } from 'zod';
import type { ActKind } from '../acts/act.js';
import { ACT_KINDS } from '../acts/act.js';
import { DURATION, milliseconds } from './duration.js';
import { globProblem } from './glob.js';

/** What a value of a schema is, in words for whoever wrote another one. */
export interface Expectation {
  /** `none, pr or merge`: completes "merge takes …". */
  readonly takes: string;
  /** The words it may be, for "did you mean". */
  readonly words?: readonly string[];
  /** A better word for one that is nearly right, or why this one cannot be. */
  readonly hint?: (written: Written) => Hint | null;
}

/** A scalar as YAML reads it. */
export type Written = string | number | boolean | null;

export interface Hint {
  readonly because?: string;
  readonly suggestion?: string;
}

export const expectations = z.registry<Expectation>();

/** `none, pr or merge` */
const either = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

const expecting = <S extends z.ZodType>(schema: S, about: string, expectation: Expectation): S => {
  const described = schema.describe(about);
  expectations.add(described, expectation);
  return described;
};

const words = <const W extends readonly [string, ...string[]]>(
  list: W,
  about: string,
  hint?: Expectation['hint'],
) =>
  expecting(z.enum(list), about, {
    takes: either(list),
    words: list,
    ...(hint === undefined ? {} : { hint }),
  });

const SWITCHES: Readonly<Record<string, string>> = { yes: 'true', on: 'true', no: 'false', off: 'false' };

const switchHint = (written: Written): Hint | null => {
  if (typeof written !== 'string') return null;
  const suggestion = SWITCHES[written.toLowerCase()];
  return suggestion === undefined ? null : { suggestion };
};

const truth = (about: string) =>
  expecting(z.boolean(), about, { takes: 'true or false', words: ['true', 'false'], hint: switchHint });

const quotedNumberHint = (written: Written): Hint | null =>
  typeof written === 'string' && /^\d{1,9}$/u.test(written)
    ? { because: 'write it without quotes', suggestion: written }
    : null;

const whole = (from: number, to: number, about: string) =>
  expecting(z.int().min(from).max(to), about, {
    takes: `a whole number from ${String(from)} to ${String(to)}`,
    hint: quotedNumberHint,
  });

const list = <S extends z.ZodType>(items: S, takes: string, about: string, longest = 200) =>
  expecting(z.array(items).max(longest), about, { takes: `a list of ${takes} (at most ${String(longest)})` });

/** Capped at the largest number JavaScript counts exactly; GitHub's ids are far below. */
const ID = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

const LOGIN = /^(?![0-9]+$)[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?$/;
const SLUG = /^(?![0-9]+$)[A-Za-z0-9][A-Za-z0-9-]{0,99}$/;
const TEAM = /^@[A-Za-z0-9][A-Za-z0-9_-]{0,99}\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const MENTION = /^@[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\/[A-Za-z0-9][A-Za-z0-9._-]{0,99})?$/;
const FULL_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;
/** No colon: agent names stand in the keys of escalations, between colons. */
export const AGENT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const WORKFLOW = /^[^\\\p{Cc}]{1,255}$/u;
const LABEL = /^[^\p{Cc}]{1,50}$/u;
/** Neither negated nor absolute; no backslash; no slash at the end (a folder is `docs/**`). */
const GLOB = /^(?![!/])(?!\.\/)[^\\\p{Cc}]{0,199}[^\\/\p{Cc}]$/u;
const BRANCH = /^(?![!/])(?!\.\/)(?!refs\/)[^\\\s\p{Cc}:^]{0,199}[^\\/\s\p{Cc}:^]$/u;

const idHint = (written: Written): Hint | null => {
  if (typeof written !== 'string') return null;
  if (/^\d+$/u.test(written))
    return { because: 'an id is a number: write it without quotes', suggestion: written };
  return written.startsWith('@') && LOGIN.test(written.slice(1)) ? { suggestion: written.slice(1) } : null;
};

const globHint = (written: Written): Hint | null => {
  if (typeof written !== 'string') return null;
  const tidy = written.replace(/^(?:\.?\/)+/u, '').replace(/^refs\/(?:heads|tags)\//u, '');
  if (written.startsWith('!')) return { because: 'a pattern cannot be negated; list what is meant' };
  if (/\\/u.test(written)) return { because: 'folders are parted by "/"' };
  if (tidy !== written && GLOB.test(tidy)) return { suggestion: tidy };
  if (tidy.endsWith('/')) return { suggestion: `${tidy}**` };
  const because = globProblem(written);
  return because === null ? null : { because };
};

const pattern = (shape: RegExp, what: string) => {
  const schema = z
    .string()
    .regex(shape)
    .refine((written) => globProblem(written) === null);
  return expecting(schema, `${what} or a glob: *, **, ?, [abc], {a,b}.`, {
    takes: `${what} or a glob`,
    hint: globHint,
  });
};

const text = (shape: RegExp, about: string, takes: string, hint?: Expectation['hint']) =>
  expecting(z.string().regex(shape), about, { takes, ...(hint === undefined ? {} : { hint }) });

const duration = (from: string, to: string, about: string) => {
  const schema = z
    .string()
    .regex(DURATION)
    .refine((written) => {
      const length = milliseconds(written);
      return length >= milliseconds(from) && length <= milliseconds(to);
    });
  return expecting(schema, `${about} From ${from} to ${to}.`, {
    takes: `a duration from ${from} to ${to}, such as 30s, 45m, 6h or 1d`,
  });
};

const levels = ['none', 'pr', 'merge'] as const;
const LEVEL = words(
  levels,
  'none: commits only. pr: opens pull requests, never merges. merge: may merge to the trunk.',
);
const ON_EVIDENCE = words(
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

const ACTS = expecting(
  z.strictObject(actShape),
  'What single acts are, whatever the level says. What is left out follows from the level.',
  { takes: 'a map of acts, such as { push.force: deny }' },
);

const map = <S extends z.ZodRawShape>(shape: S, about: string, sample: string) =>
  expecting(z.strictObject(shape), about, { takes: `a map, such as ${sample}` });

const AGENT = map(
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

const LIMIT = (about: string) =>
  expecting(z.union([z.int().min(0).max(10_000), z.literal('unlimited')]), about, {
    takes: 'a whole number from 0 to 10000 or unlimited',
    words: ['unlimited'],
    hint: quotedNumberHint,
  });

const globs = (about: string) => list(pattern(GLOB, 'a path'), 'paths or globs', about);

export const policySchema = map(
  {
    version: expecting(z.literal(1), 'The version of this format.', { takes: '1', hint: quotedNumberHint }),
    mode: words(
      ['off', 'observe', 'enforce'],
      'off: nothing is done. observe: a neutral check says what would be. enforce: in force.',
      (written) => (written === true || written === 'on' ? { suggestion: 'enforce' } : null),
    ).optional(),
    preset: words(['solo', 'team', 'open-source'], 'Fills what this file leaves out.').optional(),
    merge: LEVEL.optional(),
    'on-evidence': ON_EVIDENCE.optional(),
    agents: expecting(z.record(z.string().regex(AGENT_NAME), AGENT), 'The agents, by name.', {
      takes: 'a map of agents by name, such as { claude: {} }',
    }).optional(),
    trunk: list(
      pattern(BRANCH, 'a branch name'),
      'branch names or globs',
      'The protected branches. Left out or empty: the default branch. ~DEFAULT_BRANCH names it among others.',
    ).optional(),
    acts: ACTS.optional(),
    people: map(
      {
        approvals: whole(0, 10, "Approvals that an agent's pull request needs at level pr.").optional(),
        approvers: list(
          text(
            new RegExp(`${LOGIN.source}|${TEAM.source}`),
            'A login or @org/team.',
            'a login or @org/team',
            idHint,
          ),
          'logins or @org/team',
          'Whose approval counts. Left out: anyone with write who is not an agent. Empty: nobody.',
        ).optional(),
        gated: truth('true: the rulesets hold people too.').optional(),
      },
      'People: who approves, and whether rulesets hold them.',
      '{ approvals: 1 }',
    ).optional(),
    'protected-paths': globs(
      'An agent change to one of these waits for a person, at every level. Empty: none.',
    ).optional(),
    automation: list(
      text(
        LOGIN,
        'A catalogue name, or an exact bot login such as acme-sync[bot].',
        'a catalogue name or an exact bot login',
        idHint,
      ),
      'catalogue names or exact bot logins',
      'Bots that are no coding agents and are left alone. Empty: none.',
    ).optional(),
    'unknown-bots': words(levels, 'The level of a bot account that nobody listed.').optional(),
    limits: map(
      {
        'open-pulls': LIMIT('Open pull requests an agent may have at once.').optional(),
        'pulls-per-hour': LIMIT('Pull requests an agent may open in an hour.').optional(),
        'merges-per-day': LIMIT('Merges an agent may make in 24 hours.').optional(),
      },
      'Limits for each agent.',
      '{ open-pulls: 10 }',
    ).optional(),
    runs: map(
      {
        workflows: list(
          text(WORKFLOW, 'The path of a workflow.', 'the path of a workflow'),
          'workflow paths',
          'Workflows whose runs are an agent at work.',
        ).optional(),
        quiet: duration('1m', '7d', 'How long a run may show nothing before it is called quiet.').optional(),
        max: duration('1m', '35d', 'How long a run may take.').optional(),
        steps: whole(1, 50_000, 'How many steps a run may take.').optional(),
        'on-stuck': words(['report', 'cancel'], 'What is done with a run that is stuck.').optional(),
        ladder: truth('true: a note first and a stop after. false: a stop at once.').optional(),
      },
      'Agent runs.',
      '{ quiet: 45m, max: 6h }',
    ).optional(),
    enforce: map(
      {
        with: words(
          ['rulesets', 'branch-protection', 'nothing'],
          'What makes GitHub refuse: rulesets, branch protection (older Enterprise Servers), or nothing (detect only).',
        ).optional(),
      },
      'Prevention.',
      '{ with: rulesets }',
    ).optional(),
    remedies: map(
      {
        'restore-ruleset': truth('Put our rulesets back when somebody changed them.').optional(),
        'disarm-auto-merge': truth('Take back auto-merge that an agent armed against its level.').optional(),
        'backup-refs': truth('Keep commits that a forced push or a deletion would lose.').optional(),
        'revert-pull': words(
          ['propose', 'off'],
          'propose: a draft pull request that reverts what should not have landed.',
          (written) => (typeof written === 'boolean' ? { suggestion: written ? 'propose' : 'off' } : null),
        ).optional(),
        'reopen-issue': truth('Open an issue again, once, that an agent should not have closed.').optional(),
        suspend: truth(
          'Hold an agent at level none after an irreversible breach, until a person lifts it.',
        ).optional(),
      },
      'What is done after a breach.',
      '{ revert-pull: propose }',
    ).optional(),
    escalate: map(
      {
        labels: list(
          text(LABEL, 'A label, at most 50 characters.', 'a label of 1 to 50 characters'),
          'labels',
          'Labels of an escalation.',
          20,
        ).optional(),
        assignees: list(
          text(LOGIN, 'A login.', 'a login', idHint),
          'logins',
          'Who is assigned to an escalation.',
          10,
        ).optional(),
        mention: text(
          MENTION,
          'The one login or team that an escalation mentions.',
          '@login or @org/team, in quotes',
          (written) =>
            typeof written === 'string' && MENTION.test(`@${written}`)
              ? { suggestion: `"@${written}"` }
              : null,
        ).optional(),
        repository: text(
          FULL_NAME,
          'Another repository that takes the escalations.',
          'the name of a repository, owner/name',
        ).optional(),
      },
      'Where and to whom escalations go.',
      '{ assignees: [mara] }',
    ).optional(),
    report: words(['weekly', 'off'], 'One issue, edited in place, of what agents merged.').optional(),
    advise: words(
      ['off', 'agents-md'],
      'agents-md: keep a section of AGENTS.md in step by pull request.',
    ).optional(),
    override: words(
      ['tighten', 'any'],
      'Organization file only. tighten: a repository may only be stricter. any: it may also be looser.',
    ).optional(),
    repositories: map(
      {
        include: list(
          pattern(GLOB, 'a repository name'),
          'repository names or globs',
          'Only these.',
        ).optional(),
        exclude: list(
          pattern(GLOB, 'a repository name'),
          'repository names or globs',
          'Not these.',
        ).optional(),
      },
      'Organization file only. The repositories this file is for. Left out: all.',
      '{ include: ["web-*"] }',
    ).optional(),
  },
  'What coding agents may do in this repository.',
  '{ version: 1, merge: pr }',
);

/** A policy file as written: nothing filled in. */
export type PolicyContent = z.infer<typeof policySchema>;
export type AgentContent = NonNullable<PolicyContent['agents']>[string];

/** Keys that have a meaning only in an organization's file. */
export const ORG_ONLY: readonly string[] = ['override', 'repositories'];
