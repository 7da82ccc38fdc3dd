import type { Account } from '../../src/acts/act.js';
import type { Evidence } from '../../src/agents/identity.js';
import type { FactRow } from '../../src/decide/effects.js';
import type { CheckVerdict, EscalationRule, Reason, ReasonCode } from '../../src/decide/reasons.js';
import type { Origin } from '../../src/policy/policy.js';
import type { CommentView, EscalationView, Place } from '../../src/words/views.js';

export const FILE = '.github/agent-policy.yml';
export const LINE_2: Origin = { layer: 'repo', file: FILE, line: 2, column: 8 };
export const SHA_1 = '1a2b3c4d5e6f70819203a4b5c6d7e8f901234567';
export const SHA_2 = '89abcdef0123456789abcdef0123456789abcdef';

export const user = (login: string, id = 13): Account => ({ id, login, type: 'User' });
export const ALPHA: Account = { id: 9001, login: 'alpha-agent[bot]', type: 'Bot' };
export const MARA = user('mara', 11);
export const RAE = user('rae', 13);

export const place = (prevention: Place['prevention']): Place => ({
  htmlUrl: 'https://github.com',
  owner: 'acme',
  repo: 'widgets',
  defaultBranch: 'main',
  prevention,
});

export const TRAILER: Evidence = {
  class: 'trailer',
  tier: 'indicative',
  agent: 'codex',
  field: 'commits[0].message',
  value: 'Co-authored-by: Codex <noreply@openai.com>',
};

/** One reason of each code, as a repository would have them. */
export const REASONS: { readonly [C in ReasonCode]: Extract<Reason, { code: C }> } = {
  'needs-person': {
    code: 'needs-person',
    approvals: 1,
    given: 0,
    approvers: ['otto', '@acme/platform'],
    marks: [],
  },
  'head-changed': { code: 'head-changed', by: [ALPHA], approved: SHA_1, head: SHA_2, base: false },
  'agent-approval': { code: 'agent-approval', by: [{ id: 9002, login: 'beta-agent[bot]', type: 'Bot' }] },
  'review-dismissed': { code: 'review-dismissed', by: ALPHA, reviewer: RAE },
  'changes-requested': { code: 'changes-requested', by: [RAE] },
  'level-none': { code: 'level-none', agents: ['alpha'], origin: LINE_2 },
  suspended: {
    code: 'suspended',
    agents: [{ agent: 'alpha', since: '2026-11-30T09:00:11Z', cause: 'merge-level', issue: 500, by: null }],
  },
  'policy-edit': { code: 'policy-edit', paths: [FILE] },
  'policy-invalid': {
    code: 'policy-invalid',
    path: FILE,
    problems: [
      { line: 2, column: 8, path: 'merge', message: 'Unknown value "prr".', suggestion: 'pr' },
      { line: 5, column: 3, path: 'agents.coder.app', message: 'Unknown key "app".', suggestion: 'apps' },
    ],
  },
  'protected-path': { code: 'protected-path', paths: ['.github/CODEOWNERS', 'pkg/__init__.py'] },
  'protected-path-unknown': { code: 'protected-path-unknown', listed: 3000, changed: 4121 },
  'unknown-bot': {
    code: 'unknown-bot',
    bots: [{ id: 77, login: 'new-thing[bot]', type: 'Bot' }],
    origin: { layer: 'built-in' },
  },
  limit: {
    code: 'limit',
    agent: 'alpha',
    limit: 'open-pulls',
    max: 10,
    origin: { layer: 'org', file: FILE, line: 9, column: 11 },
  },
  duplicate: { code: 'duplicate', of: 12 },
  person: { code: 'person', marks: [] },
  'within-policy': { code: 'within-policy', approvedBy: [MARA] },
  automation: { code: 'automation', account: { id: 49699333, login: 'dependabot[bot]', type: 'Bot' } },
  waived: { code: 'waived', codes: ['needs-person'], by: MARA },
  unreadable: { code: 'unreadable', what: 'the policy file' },
};

const FAILURES: readonly ReasonCode[] = [
  'changes-requested',
  'level-none',
  'suspended',
  'policy-invalid',
  'unknown-bot',
  'limit',
  'duplicate',
];
const SUCCESSES: readonly ReasonCode[] = ['person', 'within-policy', 'automation', 'waived'];

const conclusionOf = (code: ReasonCode): CheckVerdict['wouldBe'] => {
  if (FAILURES.includes(code)) return 'failure';
  return SUCCESSES.includes(code) ? 'success' : 'action_required';
};

const STATUS = { failure: 'fails', action_required: 'waits', success: 'holds' } as const;

/** A verdict with these reasons, the conclusion their first one has. */
export function verdict(
  reasons: readonly [Reason, ...Reason[]],
  over: Partial<CheckVerdict> = {},
): CheckVerdict {
  const wouldBe = conclusionOf(reasons[0].code);
  return {
    sha: SHA_2,
    conclusion: wouldBe,
    wouldBe,
    reasons,
    agents:
      reasons[0].code === 'person' || reasons[0].code === 'automation'
        ? []
        : [{ agent: 'alpha', tier: 'certain', level: 'pr', origin: LINE_2 }],
    pulls: [283],
    tree: {
      rule: 'pulls',
      status: STATUS[wouldBe],
      reasons: [],
      children: [
        { rule: 'attribution', status: 'holds', reasons: [], children: [] },
        { rule: 'approvals', status: STATUS[wouldBe], reasons, children: [] },
        { rule: 'limits', status: 'not-asked', reasons: [], children: [] },
      ],
    },
    ...over,
  };
}

export const MERGE_ROW: FactRow = {
  at: '2026-11-30T09:00:11Z',
  who: ALPHA,
  agent: 'alpha',
  what: 'pull.merge',
  subject: { pull: 283, ref: 'main', after: SHA_1 },
  rule: 'merge-level',
  origin: LINE_2,
  state: 'landed',
};

export const comment = (over: Partial<CommentView> = {}): CommentView => ({
  number: 283,
  about: 'pull',
  facts: [MERGE_ROW],
  standing: [],
  state: 'open',
  ...over,
});

/** What an escalation under each rule would hold as its first row. */
export const RULE_ROWS: Readonly<Record<EscalationRule, Partial<FactRow>>> = {
  'merge-level': {},
  'push-level': { what: 'push.trunk', subject: { ref: 'main', before: SHA_1, after: SHA_2 } },
  'force-push': { what: 'push.force', subject: { ref: 'rae/fix', before: SHA_1, after: SHA_2 } },
  'dropped-commits': { what: 'push.force', subject: { ref: 'main', before: SHA_1, after: SHA_2 } },
  'branch-delete': { what: 'branch.delete', subject: { ref: 'rae/fix', before: SHA_1 } },
  tag: { what: 'tag.move', subject: { ref: 'v1', before: SHA_1, after: SHA_2 } },
  release: { what: 'release.publish', subject: { release: 'v1.2.0' } },
  'issue-close': { what: 'issue.close', subject: { issue: 4 }, state: 'put-back' },
  'review-gate': { what: 'review.dismiss', subject: { pull: 40 } },
  protection: {
    what: 'protection.edit',
    subject: { ruleset: 'agent-policy/gates', detail: 'enforcement disabled' },
    state: 'put-back',
  },
  'check-spoof': { what: 'check-reported', subject: { pull: 12, after: SHA_2 } },
  'policy-push': { what: 'policy.edit', subject: { path: FILE, ref: 'main', after: SHA_2 } },
  'workflow-push': {
    what: 'workflow.edit',
    subject: { path: '.github/workflows/ci.yml', ref: 'alpha/ci', after: SHA_2 },
  },
  'refusal-overridden': {
    what: 'standing',
    subject: { detail: 'exit 2, then the same command without the guard' },
  },
  'act-unauthorized': { what: 'pull.merge', subject: { pull: 90 }, state: 'noted' },
  limit: { what: 'pull.open', subject: { pull: 11 }, state: 'waiting' },
  'policy-invalid': {
    what: 'standing',
    who: MARA,
    agent: null,
    subject: { path: FILE, after: SHA_2, detail: 'line 2, column 8: Unknown value "prr".' },
    state: 'noted',
  },
  quiet: { what: 'standing', subject: { pull: 71, detail: 'nothing heard for 45 minutes' }, state: 'noted' },
  'ping-pong': { what: 'standing', subject: { pull: 27, detail: '12 turns' }, state: 'noted' },
  stuck: {
    what: 'standing',
    subject: { pull: 90, detail: 'the same check failed three times in the same way' },
    state: 'noted',
  },
  refused: { what: 'standing', subject: { ref: 'main', detail: '3 pushes' }, state: 'noted' },
};

const SUBJECTS: Partial<Readonly<Record<EscalationRule, string>>> = {
  'force-push': 'rae/fix',
  'branch-delete': 'rae/fix',
  tag: 'tags',
  release: 'releases',
  'issue-close': 'issues',
  limit: 'pulls',
  'check-spoof': '12',
  'workflow-push': 'alpha/ci',
  quiet: '71',
  'ping-pong': '27',
  stuck: '90',
};

const AGENTS: Partial<Readonly<Record<EscalationRule, string>>> = {
  'policy-invalid': 'mara',
  'ping-pong': 'alpha+beta',
};

export const escalation = (rule: EscalationRule, over: Partial<EscalationView> = {}): EscalationView => ({
  key: { rule, agent: AGENTS[rule] ?? 'alpha', subject: SUBJECTS[rule] ?? 'main' },
  rows: [{ ...MERGE_ROW, rule, ...RULE_ROWS[rule] }],
  more: 0,
  state: 'open',
  mention: null,
  mentions: [],
  suspended: false,
  ...over,
});
