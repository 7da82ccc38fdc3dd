import { z } from 'zod';
import { levels, LEVEL, ON_EVIDENCE, ACTS, AGENT } from './agent-schema.js';
import {
  AGENT_NAME,
  BRANCH,
  FULL_NAME,
  GLOB,
  LABEL,
  LOGIN,
  MENTION,
  TEAM,
  WORKFLOW,
  duration,
  expecting,
  idHint,
  list,
  map,
  pattern,
  quotedNumberHint,
  text,
  truth,
  whole,
  words,
} from './shapes.js';

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
