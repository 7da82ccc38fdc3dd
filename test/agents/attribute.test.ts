import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Account } from '../../src/acts/act.js';
import { attributePull, carriesMarks, gating, strongest } from '../../src/agents/attribute.js';
import type { PullInput } from '../../src/agents/attribute.js';
import { CATALOGUE } from '../../src/agents/catalogue.js';
import type { AttributedAgent, Attribution, Evidence } from '../../src/agents/identity.js';
import type { CommitMarks } from '../../src/agents/marks.js';
import { makeRoster } from '../../src/agents/roster.js';
import type { Roster } from '../../src/agents/roster.js';
import {
  ACTIONS,
  CLAUDE_APP,
  COPILOT,
  CURSOR_USER,
  DEPENDABOT,
  QUEUE,
  RAE,
  SELF,
  WEB_FLOW,
  bot,
  policyOf,
  user,
} from './policy-of.js';
import type { AgentGiven } from './policy-of.js';

const rosterOf = (agents: Record<string, AgentGiven> = {}, automation?: readonly string[]): Roster =>
  makeRoster(policyOf(agents, automation), SELF);
const NEUTRAL = rosterOf();

function pull(given: Partial<PullInput> = {}): PullInput {
  return {
    author: RAE,
    headRef: 'rae/fix',
    sameRepository: true,
    body: 'Fixes the parser.',
    title: 'Fix the parser',
    labels: [],
    commits: [],
    pushers: [],
    createdAt: '2026-11-30T09:00:00Z',
    ...given,
  };
}

interface CommitGiven {
  readonly sha?: string;
  readonly message?: string;
  readonly by?: Account | null;
  readonly email?: string;
  readonly name?: string;
  readonly date?: string;
  readonly committer?: Account | null;
  readonly committerEmail?: string;
  readonly verified?: boolean;
}

function commit(given: CommitGiven = {}): CommitMarks {
  const by = given.by === undefined ? RAE : given.by;
  return {
    sha: given.sha ?? 'a'.repeat(40),
    message: given.message ?? 'fix: x',
    author: {
      name: given.name ?? 'Rae',
      email: given.email ?? 'rae@example.com',
      date: given.date ?? '2026-11-30T08:00:00Z',
      account: by,
    },
    committer: {
      name: 'Rae',
      email: given.committerEmail ?? 'rae@example.com',
      account: given.committer === undefined ? by : given.committer,
    },
    verified: given.verified ?? false,
  };
}

const CLAUDE_TRAILER = 'Co-Authored-By: Claude <noreply@anthropic.com>';
const SESSION_LOG = 'Agent-Logs-Url: https://github.com/acme/widgets/sessions/0f00';

/** `agent claude:certain codex:weak` */
function told({ outcome, agents }: Attribution): string {
  return [outcome, ...agents.map(({ agent, tier }) => `${agent}:${tier}`)].join(' ');
}

function classes(attribution: Attribution): readonly string[] {
  return attribution.agents.flatMap(({ evidence }) => evidence.map((piece) => piece.class));
}

const attribute = (given: Partial<PullInput>, roster = NEUTRAL): string =>
  told(attributePull(roster, pull(given)));

describe('certain: accounts and Apps', () => {
  const coder = rosterOf({ coder: { apps: [1001], accounts: [9001] } });
  test.each<[string, Partial<PullInput>, Roster, string]>([
    ['the author is a catalogue account', { author: COPILOT }, NEUTRAL, 'agent copilot:certain'],
    [
      'the author is a catalogue account of type User',
      { author: CURSOR_USER },
      NEUTRAL,
      'agent cursor:certain',
    ],
    ['the author is a declared account', { author: bot(9001, 'x[bot]') }, coder, 'agent coder:certain'],
    [
      'a person opened it, an agent pushed to it',
      { pushers: [RAE, COPILOT] },
      NEUTRAL,
      'agent copilot:certain',
    ],
    [
      'automation opened it, an agent pushed to it',
      { author: DEPENDABOT, pushers: [CLAUDE_APP] },
      NEUTRAL,
      'agent claude:certain',
    ],
    [
      'we opened it, an agent pushed to it',
      { author: bot(7770, 'agent-policy[bot]'), pushers: [CLAUDE_APP] },
      NEUTRAL,
      'agent claude:certain',
    ],
    [
      'two agents had a hand in it: the author first',
      { author: COPILOT, pushers: [CLAUDE_APP, COPILOT] },
      NEUTRAL,
      'agent copilot:certain claude:certain',
    ],
    ["a declared App on a person's grant", { viaApp: 1001 }, coder, 'agent coder:certain'],
    ["an undeclared App on a person's grant says nothing", { viaApp: 1002 }, coder, 'undisclosed'],
    [
      'a listed single product is told under its id',
      { author: CLAUDE_APP },
      rosterOf({ 'claude-github-app': {} }),
      'agent claude-github-app:certain',
    ],
    ['a bot nobody listed is no agent here', { author: bot(3, 'helper[bot]') }, NEUTRAL, 'undisclosed'],
    [
      "a workflow's token says nothing",
      { author: ACTIONS, pushers: [ACTIONS, QUEUE] },
      NEUTRAL,
      'undisclosed',
    ],
    ['listed automation', { author: DEPENDABOT }, NEUTRAL, 'automation'],
    [
      'automation that is not listed is not left alone',
      { author: DEPENDABOT },
      rosterOf({}, []),
      'undisclosed',
    ],
    ['our own PR', { author: bot(7770, 'agent-policy[bot]') }, NEUTRAL, 'automation'],
    ['a person', {}, NEUTRAL, 'undisclosed'],
  ])('%s', (_rule, given, roster, expected) => {
    expect(attribute(given, roster)).toBe(expected);
  });

  test('the evidence names its place', () => {
    const { agents } = attributePull(NEUTRAL, pull({ author: COPILOT, pushers: [CLAUDE_APP] }));
    expect(agents.flatMap(({ evidence }) => evidence)).toEqual([
      {
        class: 'account-id',
        tier: 'certain',
        agent: 'copilot',
        field: 'pull_request.user.id',
        value: '198982749',
      },
      { class: 'account-id', tier: 'certain', agent: 'claude', field: 'push.sender.id', value: '209825114' },
    ]);
  });
});

describe('commits', () => {
  test.each<[string, CommitGiven, string]>([
    [
      'by an agent, committed and signed by itself',
      { by: COPILOT, verified: true },
      'likely-agent copilot:strong',
    ],
    [
      'by an agent, signed by GitHub',
      { by: COPILOT, committer: WEB_FLOW, verified: true },
      'likely-agent copilot:strong',
    ],
    [
      'by an agent, signed by GitHub, committer not linked',
      { by: COPILOT, committer: null, committerEmail: 'noreply@github.com', verified: true },
      'likely-agent copilot:strong',
    ],
    ['by an agent, not signed', { by: COPILOT }, 'likely-agent copilot:indicative'],
    [
      'by an agent on paper, signed by a person',
      { by: COPILOT, committer: RAE, verified: true },
      'likely-agent copilot:indicative',
    ],
    [
      'by an agent on paper, signed by somebody not linked',
      { by: COPILOT, committer: null, verified: true },
      'likely-agent copilot:indicative',
    ],
    ['by a person, signed', { verified: true }, 'undisclosed'],
    ['by a person, committed by an agent', { committer: CURSOR_USER }, 'likely-agent cursor:indicative'],
    [
      'by an address of an agent',
      { by: null, email: 'CursorAgent@cursor.com' },
      'likely-agent cursor:indicative',
    ],
    [
      "by an address that contains an agent's",
      { by: null, email: 'not-cursoragent@cursor.com' },
      'undisclosed',
    ],
    [
      'committed by an address of an agent',
      { committer: null, committerEmail: 'codex@openai.com' },
      'likely-agent codex:indicative',
    ],
    [
      'by claude-code-action, which GitHub links to its own account',
      { by: ACTIONS, email: '41898282+claude[bot]@users.noreply.github.com' },
      'likely-agent claude:indicative',
    ],
    [
      "by a workflow's token",
      { by: ACTIONS, email: '41898282+github-actions[bot]@users.noreply.github.com', verified: true },
      'undisclosed',
    ],
    ['by User claude under an address of his own', { by: user(81847, 'claude') }, 'undisclosed'],
    ['by a look-alike bot', { by: bot(4, 'Copilot'), verified: true }, 'undisclosed'],
    ["with aider's name", { name: 'Rae (aider)' }, 'likely-agent aider:indicative'],
    ["with aider's name in the middle", { name: 'Rae (aider) Smith' }, 'undisclosed'],
    ["with aider's subject", { message: 'aider: add a test' }, 'likely-agent aider:weak'],
    [
      'by dependabot',
      { by: DEPENDABOT, verified: true, message: `bump\n\n${CLAUDE_TRAILER}` },
      'undisclosed',
    ],
  ])('%s', (_rule, given, expected) => {
    expect(attribute({ commits: [commit(given)] })).toBe(expected);
  });

  test("of a declared machine user in a person's PR are marks, no account evidence", () => {
    const roster = rosterOf({ coder: { accounts: [9003] } });
    const result = attributePull(roster, pull({ commits: [commit({ by: user(9003, 'acme-robot') })] }));
    expect(told(result)).toBe('likely-agent coder:indicative');
    expect(classes(result)).toEqual(['commit-identity', 'commit-identity']);
  });
});

describe('trailers', () => {
  test.each<[string, string, string]>([
    ['at the end', `fix: x\n\n${CLAUDE_TRAILER}`, 'likely-agent claude:indicative'],
    [
      "with a model's name",
      'fix: x\n\nCo-Authored-By: Claude Opus 9 (1M) <noreply@anthropic.com>',
      'likely-agent claude:indicative',
    ],
    [
      'behind a body, with Windows line ends',
      `fix: x\r\n\r\nWhy.\r\n\r\n${CLAUDE_TRAILER}\r\n`,
      'likely-agent claude:indicative',
    ],
    [
      'in the middle, a paragraph of their own, as a squash leaves them',
      `a (#1)\n\n* b\n\n${CLAUDE_TRAILER}\n\n* c`,
      'likely-agent claude:indicative',
    ],
    [
      'beside prose in the last paragraph with a sign-off, as git has it',
      `a\n\nSome words.\nSigned-off-by: R <r@example.com>\n${CLAUDE_TRAILER}`,
      'likely-agent claude:indicative',
    ],
    ['folded', 'a\n\nCo-authored-by: Claude\n <noreply@anthropic.com>', 'likely-agent claude:indicative'],
    ['quoted in a sentence', `docs: why\n\nCommits say ${CLAUDE_TRAILER} at the end.`, 'undisclosed'],
    [
      'quoted on a line of a paragraph of prose',
      `docs: why\n\nCommits end in\n${CLAUDE_TRAILER}\nas they should.`,
      'undisclosed',
    ],
    ['in the subject', CLAUDE_TRAILER, 'undisclosed'],
    ['in the subject, in a sentence', `docs: explain the line ${CLAUDE_TRAILER} in commits`, 'undisclosed'],
    ['block-quoted', `docs: why\n\n> ${CLAUDE_TRAILER}`, 'undisclosed'],
    [
      'of a person whose first name is Claude',
      'a\n\nCo-authored-by: Claude Dupont <claude@example.fr>',
      'undisclosed',
    ],
    ['of an address nobody listed', 'a\n\nCo-authored-by: Alpha <alpha@example.com>', 'undisclosed'],
    [
      'with the address in the name',
      'a\n\nCo-authored-by: "noreply@anthropic.com" <rae@example.com>',
      'undisclosed',
    ],
    ['with a longer address', 'a\n\nCo-authored-by: C <noreply@anthropic.com.example.com>', 'undisclosed'],
    [
      'of a session',
      'a\n\nClaude-Session: https://claude.ai/code/session_01abc',
      'likely-agent claude:indicative',
    ],
    [
      'that are a bare session address',
      'a\n\nhttps://claude.ai/code/session_01abc',
      'likely-agent claude:indicative',
    ],
    [
      'of Cursor as a sign-off',
      'a\n\nSigned-off-by: Cursor Agent <cursoragent@cursor.com>',
      'likely-agent cursor:indicative',
    ],
    ['of Codex', 'a\n\nCo-authored-by: Codex <noreply@openai.com>', 'likely-agent codex:indicative'],
    ['of Codex as AI-Agent', 'a\n\nAI-Agent: Codex', 'likely-agent codex:indicative'],
    ['of somebody called Codex', 'a\n\nSigned-off-by: Codex Smith <cs@example.com>', 'undisclosed'],
    [
      'of Devin',
      'a\n\nCo-authored-by: D <158243242+devin-ai-integration[bot]@users.noreply.github.com>',
      'likely-agent devin:indicative',
    ],
    [
      'of Devin with another id in front',
      'a\n\nCo-authored-by: D <1+devin-ai-integration[bot]@users.noreply.github.com>',
      'undisclosed',
    ],
    [
      'of Copilot CLI',
      'a\n\nCo-authored-by: Copilot <223556219+Copilot@users.noreply.github.com>',
      'likely-agent copilot:indicative',
    ],
    [
      'of Copilot without an id',
      'a\n\nCo-authored-by: Copilot <Copilot@users.noreply.github.com>',
      'undisclosed',
    ],
    [
      "of Copilot's review: a suggestion taken",
      'a\n\nCo-authored-by: Copilot <175728472+Copilot@users.noreply.github.com>',
      'likely-agent copilot:weak',
    ],
    [
      'of CodeRabbit: a fix applied',
      'a\n\nCo-authored-by: coderabbitai[bot] <136622811+coderabbitai[bot]@users.noreply.github.com>',
      'likely-agent coderabbit:weak',
    ],
    ['of VS Code', 'a\n\nCo-authored-by: Copilot <copilot@github.com>', 'likely-agent copilot:weak'],
    ['of Amp', 'a\n\nAmp-Thread-ID: https://ampcode.com/threads/T-1', 'likely-agent amp:indicative'],
    ['of a human reviewer', 'a\n\nReviewed-by: Devin <devin@example.com>', 'undisclosed'],
  ])('%s', (_rule, message, expected) => {
    expect(attribute({ commits: [commit({ message })] })).toBe(expected);
  });

  test.each<[string, string, string]>([
    ['the day before VS Code wrote it without use', '2026-04-21T23:59:59Z', 'likely-agent copilot:weak'],
    ['the first day of it', '2026-04-22T00:00:00Z', 'undisclosed'],
    ['the last day of it', '2026-05-06T23:59:59Z', 'undisclosed'],
    ['the day after', '2026-05-07T00:00:00Z', 'likely-agent copilot:weak'],
    ['a day of it in another zone', '2026-05-07T01:00:00+02:00', 'undisclosed'],
    ['a date that is none', 'yesterday', 'likely-agent copilot:weak'],
  ])("VS Code's trailer on %s", (_rule, date, expected) => {
    const message = 'a\n\nCo-authored-by: Copilot <copilot@github.com>';
    expect(attribute({ commits: [commit({ message, date })] })).toBe(expected);
    expect(attribute({ body: 'Co-authored-by: Copilot <copilot@github.com>', createdAt: date })).toBe(
      expected,
    );
  });
});

describe('a mark that several products leave', () => {
  const logged = commit({ message: `a\n\n${SESSION_LOG}` });
  test.each<[string, Partial<PullInput>, Roster, string]>([
    [
      "is the first one's where nothing else points anywhere",
      { commits: [logged] },
      NEUTRAL,
      'likely-agent copilot:indicative',
    ],
    [
      'is of the author',
      { author: bot(242468646, 'Claude'), commits: [logged] },
      NEUTRAL,
      'agent claude:certain',
    ],
    [
      'is of whom another mark points at',
      { headRef: 'codex/fix', commits: [logged] },
      NEUTRAL,
      'likely-agent codex:indicative',
    ],
    [
      'is of the listed product of a family',
      { headRef: 'claude/fix' },
      rosterOf({ 'claude-code': {} }),
      'likely-agent claude-code:weak',
    ],
    [
      'is of the family where it is listed',
      { headRef: 'claude/fix' },
      rosterOf({ claude: {} }),
      'likely-agent claude:weak',
    ],
    [
      "is of the entry that declares the product's App",
      { headRef: 'copilot/fix' },
      rosterOf({ helper: { apps: ['copilot-swe-agent'] } }),
      'likely-agent helper:weak',
    ],
    [
      'or its account',
      { headRef: 'cursor/fix' },
      rosterOf({ helper: { accounts: [206951365] } }),
      'likely-agent helper:weak',
    ],
    [
      'and of the family where two entries do',
      { headRef: 'cursor/fix' },
      rosterOf({ a: { accounts: [206951365] }, b: { accounts: ['cursoragent'] } }),
      'likely-agent cursor:weak',
    ],
  ])('%s', (_rule, given, roster, expected) => {
    expect(attribute(given, roster)).toBe(expected);
  });
});

describe('the PR itself', () => {
  test.each<[string, Partial<PullInput>, string]>([
    [
      "Claude Code's line",
      { body: 'Why.\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)' },
      'likely-agent claude:indicative',
    ],
    [
      'the line within a sentence',
      { body: 'I did not have this Generated with [Claude Code](x).' },
      'undisclosed',
    ],
    ['the line as an unticked box', { body: '- [ ] Generated with Claude Code' }, 'undisclosed'],
    [
      'the line block-quoted',
      { body: '> 🤖 Generated with [Claude Code](https://claude.com/claude-code)' },
      'undisclosed',
    ],
    ['the line in a fence', { body: '```\n🤖 Generated with [Claude Code](x)\n```' }, 'undisclosed'],
    [
      'the line in a fence within a longer fence',
      { body: '````\n```\nx\n```\nGenerated with Claude Code\n````' },
      'undisclosed',
    ],
    [
      'the line behind a closed fence',
      { body: '```sh\nls\n```\nGenerated with Claude Code' },
      'likely-agent claude:indicative',
    ],
    ['the line in indented code', { body: '    Generated with Claude Code' }, 'undisclosed'],
    [
      'the line in release notes',
      { body: '<details><blockquote>\n\nGenerated with Claude Code\n</blockquote></details>' },
      'undisclosed',
    ],
    [
      'the line behind them',
      { body: '<blockquote>x</blockquote>\nGenerated with Claude Code' },
      'likely-agent claude:indicative',
    ],
    [
      "the line in a template's comment",
      { body: '<!-- say here\nGenerated with Claude Code\n-->\nText' },
      'undisclosed',
    ],
    ['a trailer on a line by itself', { body: `Text\n${CLAUDE_TRAILER}` }, 'likely-agent claude:indicative'],
    ['a trailer without an address', { body: 'Co-authored-by: Claude' }, 'likely-agent claude:indicative'],
    [
      'a trailer with a mail link',
      { body: 'Co-Authored-By: Claude mailto:noreply@anthropic.com' },
      'likely-agent claude:indicative',
    ],
    ['a trailer of a person called Claude', { body: 'Co-authored-by: Claude Monet' }, 'undisclosed'],
    [
      'a trailer in a sentence',
      { body: `Explains why commits say ${CLAUDE_TRAILER} at the end.` },
      'undisclosed',
    ],
    ['a trailer in a code span', { body: `\`${CLAUDE_TRAILER}\`` }, 'undisclosed'],
    ['a trailer block-quoted', { body: `> ${CLAUDE_TRAILER}` }, 'undisclosed'],
    [
      'a Codex task',
      { body: 'see https://chatgpt.com/codex/tasks/task_e_0123456789' },
      'likely-agent codex:indicative',
    ],
    [
      'a Codex task in a code span',
      { body: 'like `https://chatgpt.com/codex/tasks/task_e_0123456789`' },
      'undisclosed',
    ],
    ["Codex's front page", { body: 'see https://chatgpt.com/codex' }, 'undisclosed'],
    [
      'a Devin session',
      { body: 'Link to Devin run: https://app.devin.ai/sessions/0123456789abcdef' },
      'likely-agent devin:indicative',
    ],
    [
      "Copilot's tips",
      { body: '<!-- START COPILOT CODING AGENT TIPS -->' },
      'likely-agent copilot:indicative',
    ],
    [
      'a sentence about Copilot coding agent',
      { body: 'Copilot coding agent could not do this.' },
      'undisclosed',
    ],
    [
      "Cursor's marker",
      { body: '<!-- CURSOR_AGENT_PR_BODY_BEGIN -->\nText' },
      'likely-agent cursor:indicative',
    ],
    [
      "Jules's line",
      {
        body: 'PR created automatically by Jules for task [1](https://jules.google.com/task/1234) started by @rae',
      },
      'likely-agent jules:indicative',
    ],
    [
      "an agentic workflow's marker",
      { body: '<!-- gh-aw-workflow-id: triage -->' },
      'likely-agent gh-aw:indicative',
    ],
    ['a branch', { headRef: 'codex/fix' }, 'likely-agent codex:weak'],
    ['a branch of a fork', { headRef: 'codex/fix', sameRepository: false }, 'undisclosed'],
    ['a branch with the prefix further in', { headRef: 'rae/codex/fix' }, 'undisclosed'],
    ['a branch of automation', { headRef: 'renovate/left-pad' }, 'undisclosed'],
    ["a branch that only has the agent's name", { headRef: 'claude-fix' }, 'undisclosed'],
    ['a label', { labels: ['bug', 'Codex'] }, 'likely-agent codex:weak'],
    ['a label everybody uses', { labels: ['dependencies', 'fix-me'] }, 'undisclosed'],
    ['a title', { title: '[codex] Fix the parser' }, 'likely-agent codex:weak'],
    ['a title that speaks of it', { title: 'Remove [codex] leftovers' }, 'undisclosed'],
    ['prose about an assistant', { body: 'Written with an assistant, reviewed by me.' }, 'undisclosed'],
  ])('%s', (_rule, given, expected) => {
    expect(attribute(given)).toBe(expected);
  });

  test("by automation quotes other people: release notes are no marks, a person's commit is", () => {
    const body = `${CLAUDE_TRAILER}\nhttps://app.devin.ai/sessions/0123456789abcdef`;
    expect(attribute({ author: DEPENDABOT, body, title: '[codex] x', labels: ['codex'] })).toBe('automation');
    const commits = [commit({ message: `fix\n\n${CLAUDE_TRAILER}` })];
    expect(attribute({ author: DEPENDABOT, body, commits })).toBe('likely-agent claude:indicative');
  });

  test('carries marks of automation where the policy lists that as an agent', () => {
    expect(attribute({ headRef: 'renovate/left-pad' }, rosterOf({ renovate: {} }))).toBe(
      'likely-agent renovate:weak',
    );
  });

  test('carries no marks of a reviewer whom the policy leaves alone', () => {
    const commits = [
      commit({ message: 'a\n\nCo-authored-by: c <136622811+coderabbitai[bot]@users.noreply.github.com>' }),
    ];
    expect(attribute({ commits }, rosterOf({}, ['coderabbit']))).toBe('undisclosed');
    expect(attribute({ commits }, rosterOf({}, ['coderabbitai[bot]']))).toBe('undisclosed');
  });
});

describe('the set', () => {
  test('is strongest first, each agent with its evidence strongest first and each piece once', () => {
    const result = attributePull(
      NEUTRAL,
      pull({
        headRef: 'codex/fix',
        body: CLAUDE_TRAILER,
        pushers: [COPILOT],
        commits: [
          commit({ sha: '1'.repeat(40), message: `a\n\n${CLAUDE_TRAILER}` }),
          commit({ sha: '2'.repeat(40), message: `b\n\n${CLAUDE_TRAILER}`, by: CLAUDE_APP, verified: true }),
        ],
      }),
    );
    expect(told(result)).toBe('agent copilot:certain claude:strong codex:weak');
    const claude = result.agents[1]?.evidence ?? [];
    expect(claude.map((piece) => piece.class)).toEqual([
      'signed-commit',
      'commit-identity',
      'trailer',
      'pr-marker',
    ]);
    expect(claude.find((piece) => piece.class === 'trailer')?.sha).toBe('1'.repeat(40));
    expect(strongest(result)?.agent).toBe('copilot');
    expect(gating(result).map(({ agent }) => agent)).toEqual(['claude']);
  });

  test('of nobody has no strongest, and nothing that gates', () => {
    const result = attributePull(NEUTRAL, pull());
    expect(strongest(result)).toBeNull();
    expect(gating(result)).toEqual([]);
  });

  test('weak evidence alone gates nothing', () => {
    const result = attributePull(NEUTRAL, pull({ headRef: 'claude/x', labels: ['codex'] }));
    expect(result.outcome).toBe('likely-agent');
    expect(gating(result)).toEqual([]);
  });

  test('values are cut at 200 characters, never within one', () => {
    const valueOf = (name: string): string => {
      const body = `Co-authored-by: ${name} <noreply@anthropic.com>`;
      return attributePull(NEUTRAL, pull({ body })).agents[0]?.evidence[0]?.value ?? '';
    };
    expect(valueOf('x'.repeat(300))).toBe(`Co-authored-by: ${'x'.repeat(184)}`);
    // One letter before them puts the cut into the middle of a pair.
    expect(valueOf(`x${'🤖'.repeat(120)}`)).toBe(`Co-authored-by: x${'🤖'.repeat(91)}`);
  });

  test('a PR of many commits keeps at most 20 pieces for an agent', () => {
    const commits = Array.from({ length: 250 }, (_, index) =>
      commit({ message: `a\n\nClaude-Session: https://claude.ai/code/session_${index}` }),
    );
    expect(attributePull(NEUTRAL, pull({ commits })).agents[0]?.evidence).toHaveLength(20);
  });
});

describe('what was remembered', () => {
  const piece = (given: Partial<Evidence> & Pick<Evidence, 'class' | 'tier'>): AttributedAgent => {
    const evidence: Evidence = { agent: 'claude', field: 'x', value: 'y', ...given };
    return { agent: evidence.agent, tier: evidence.tier, evidence: [evidence] };
  };
  const remember = (roster: Roster, ...remembered: AttributedAgent[]): string =>
    attribute({ remembered }, roster);

  test.each<[string, Roster, AttributedAgent, string]>([
    [
      'a trailer that was stripped since still stands',
      NEUTRAL,
      piece({ class: 'trailer', tier: 'indicative' }),
      'likely-agent claude:indicative',
    ],
    [
      'under the name the policy has for it now',
      rosterOf({ helper: { accounts: [206951365] } }),
      piece({ agent: 'cursor', class: 'branch', tier: 'weak' }),
      'likely-agent helper:weak',
    ],
    [
      'an App stands while it is declared',
      rosterOf({ coder: { apps: [1001] } }),
      piece({ agent: 'old', class: 'app-id', tier: 'certain', value: '1001' }),
      'agent coder:certain',
    ],
    [
      'and not when it is no longer',
      NEUTRAL,
      piece({ agent: 'coder', class: 'app-id', tier: 'certain', value: '1001' }),
      'undisclosed',
    ],
    [
      "an account stands while it is an agent's",
      rosterOf({ coder: { accounts: [12] } }),
      piece({ class: 'declared-account', tier: 'certain', field: 'pull_request.user.id', value: '12' }),
      'agent coder:certain',
    ],
    [
      "a login taken off the policy is nobody's agent",
      NEUTRAL,
      piece({
        agent: 'coder',
        class: 'declared-account',
        tier: 'certain',
        field: 'pull_request.user.login',
        value: 'otto',
      }),
      'undisclosed',
    ],
    [
      'a login stands while it is declared',
      rosterOf({ coder: { accounts: ['Otto'] } }),
      piece({ class: 'declared-account', tier: 'certain', field: 'pull_request.user.login', value: 'otto' }),
      'agent coder:certain',
    ],
    [
      'an account that is left alone since does not',
      rosterOf({}, ['coderabbit']),
      piece({
        agent: 'coderabbit',
        class: 'account-id',
        tier: 'certain',
        field: 'pull_request.user.id',
        value: '136622811',
      }),
      'undisclosed',
    ],
    [
      'a push does not: its commits may be gone',
      NEUTRAL,
      piece({ class: 'account-id', tier: 'certain', field: 'push.sender.id', value: '209825114' }),
      'undisclosed',
    ],
    [
      'a deploy key stands while its agent is listed',
      rosterOf({ coder: {} }),
      piece({ agent: 'coder', class: 'declared-deploy-key', tier: 'certain', value: '55' }),
      'agent coder:certain',
    ],
    [
      'and not when it is no longer',
      NEUTRAL,
      piece({ agent: 'coder', class: 'declared-deploy-key', tier: 'certain', value: '55' }),
      'undisclosed',
    ],
    ['text never was certain', NEUTRAL, piece({ class: 'trailer', tier: 'certain' }), 'undisclosed'],
    [
      'marks of an agent nobody knows any longer go',
      NEUTRAL,
      piece({ agent: 'coder', class: 'commit-identity', tier: 'indicative' }),
      'undisclosed',
    ],
  ])('%s', (_rule, roster, remembered, expected) => {
    expect(remember(roster, remembered)).toBe(expected);
  });

  test('is told once where it is still seen', () => {
    const first = attributePull(NEUTRAL, pull({ body: CLAUDE_TRAILER }));
    expect(attributePull(NEUTRAL, pull({ body: CLAUDE_TRAILER, remembered: first.agents }))).toEqual(first);
    expect(attributePull(NEUTRAL, pull({ body: '', remembered: first.agents }))).toEqual(first);
  });

  test('is told under one name where the policy has come to list a product of the family', () => {
    const { agents: remembered } = attributePull(NEUTRAL, pull({ body: CLAUDE_TRAILER }));
    const roster = rosterOf({ 'claude-code': {} });
    expect(attribute({ body: CLAUDE_TRAILER, remembered }, roster)).toBe(
      'likely-agent claude-code:indicative',
    );
  });
});

describe('shared: marked', () => {
  const otto = user(12, 'otto');
  const own = rosterOf({ robot: { accounts: [12], shared: 'marked' } });
  const cursor = rosterOf({ cursor: { accounts: [12], shared: 'marked' }, claude: {} });
  test.each<[string, Roster, Partial<PullInput>, string]>([
    ["without marks the login is a person's", own, { author: otto }, 'undisclosed'],
    [
      "with marks of its product it is the agent's",
      cursor,
      { author: otto, headRef: 'cursor/x' },
      'agent cursor:certain',
    ],
    [
      'with marks of another product it is not',
      cursor,
      { author: otto, headRef: 'claude/x' },
      'likely-agent claude:weak',
    ],
    [
      'nor with marks of a product that no entry lists',
      rosterOf({ cursor: { accounts: [12], shared: 'marked' } }),
      { author: otto, headRef: 'claude/x' },
      'likely-agent claude:weak',
    ],
    [
      'an entry without a product takes any mark',
      own,
      { author: otto, body: CLAUDE_TRAILER },
      'agent robot:certain claude:indicative',
    ],
    [
      'but none of another entry',
      rosterOf({ robot: { accounts: [12], shared: 'marked' }, claude: {} }),
      { author: otto, body: CLAUDE_TRAILER },
      'likely-agent claude:indicative',
    ],
    [
      'it counts for who pushed as well',
      cursor,
      { pushers: [otto], headRef: 'cursor/x' },
      'agent cursor:certain',
    ],
    ['and not for who did neither', cursor, { headRef: 'cursor/x' }, 'likely-agent cursor:weak'],
    [
      'its own commits are no marks',
      own,
      { author: otto, commits: [commit({ by: otto, verified: true })] },
      'undisclosed',
    ],
  ])('%s', (_rule, roster, given, expected) => {
    expect(attribute(given, roster)).toBe(expected);
  });

  test('can be asked of a set', () => {
    const { agents } = attributePull(own, pull({ body: CLAUDE_TRAILER }));
    expect(carriesMarks(own, 'robot', agents)).toBe(true);
    expect(carriesMarks(own, 'robot', [])).toBe(false);
    expect(carriesMarks(cursor, 'cursor', agents)).toBe(false);
  });
});

describe('whatever stands in a PR of a person', () => {
  const markers = [
    CLAUDE_TRAILER,
    SESSION_LOG,
    'https://app.devin.ai/sessions/0123456789abcdef',
    '🤖 Generated with [Claude Code](https://claude.ai/code)',
    'performed_via_github_app: 1001',
    '```',
    '<!--',
    '\n\n',
  ];
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.oneof(fc.constantFrom(...markers), fc.string()), { maxLength: 8 })
      .map((parts) => parts.join('\n')),
  );
  const ids = CATALOGUE.flatMap(({ accounts }) => accounts.flatMap(({ id }) => (id === null ? [] : [id])));
  const names = CATALOGUE.flatMap(({ accounts }) => accounts.flatMap(({ logins }) => logins));
  const person = fc.record({
    id: fc.integer({ min: 10_000_000 }).filter((id) => !ids.includes(id)),
    login: fc.oneof(fc.string(), fc.constantFrom(...names, 'coder')),
    type: fc.constant('User' as const),
  });
  const emails = CATALOGUE.flatMap(({ commitEmails }) => commitEmails);
  const anyCommit = fc.record({
    sha: fc.constant('b'.repeat(40)),
    message: text,
    author: fc.record({
      name: text,
      email: fc.oneof(fc.string(), fc.constantFrom(...emails)),
      date: fc.oneof(fc.string(), fc.constant('2026-04-30T00:00:00Z')),
      account: fc.constantFrom<Account | null>(null, RAE, COPILOT, CLAUDE_APP, ACTIONS, DEPENDABOT),
    }),
    committer: fc.record({
      name: text,
      email: fc.oneof(fc.string(), fc.constantFrom(...emails)),
      account: fc.constantFrom<Account | null>(null, RAE, COPILOT, WEB_FLOW),
    }),
    verified: fc.boolean(),
  });
  const rosters = fc.constantFrom(
    NEUTRAL,
    rosterOf({ claude: {}, copilot: {}, coder: { apps: [1001], accounts: [9001, 'the-coder'] } }),
  );

  test("it never is an agent's PR for certain, and every value is short", () => {
    fc.assert(
      fc.property(
        rosters,
        fc.record({
          author: person,
          headRef: fc.oneof(text, fc.constant('claude/x')),
          sameRepository: fc.boolean(),
          body: text,
          title: text,
          labels: fc.array(text, { maxLength: 3 }),
          commits: fc.array(anyCommit, { maxLength: 3 }),
          pushers: fc.array(person, { maxLength: 2 }),
          createdAt: fc.string(),
        }),
        (roster, input) => {
          const { outcome, agents } = attributePull(roster, input);
          expect(['likely-agent', 'undisclosed']).toContain(outcome);
          expect(outcome === 'undisclosed').toBe(agents.length === 0);
          for (const { agent, tier, evidence } of agents) {
            expect(tier).not.toBe('certain');
            expect(evidence.length).toBeGreaterThan(0);
            expect(evidence.every((piece) => piece.agent === agent && piece.value.length <= 200)).toBe(true);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test.each<[string, Partial<PullInput>]>([
    ['a body of one line', { body: `Co-authored-by: ${'codex'.repeat(20_000)}` }],
    ['a body of white space', { body: `Co-authored-by: claude${' '.repeat(100_000)}x` }],
    ['a body of angle brackets', { body: `Co-authored-by: ${'<'.repeat(100_000)}` }],
    ['a body of backticks', { body: '`a'.repeat(50_000) }],
    ['a body of comment openings', { body: '<!--'.repeat(25_000) }],
    ['a body of near-markers', { body: 'https://app.devin.ai/sessions/\n'.repeat(3_300) }],
    ['a body of trailers', { body: 'Co-authored-by: claude          x\n'.repeat(3_000) }],
    [
      'a message of one folded trailer',
      { commits: [commit({ message: `a\n\nSigned-off-by: x\n${' y\n'.repeat(33_000)}` })] },
    ],
    ['a message of short trailers', { commits: [commit({ message: `a\n\n${'a: b\n'.repeat(20_000)}` })] }],
    ['a message of paragraphs', { commits: [commit({ message: 'a: b\n\n'.repeat(17_000) })] }],
    ['a branch of digits', { headRef: `x-${'1'.repeat(100_000)}` }],
    ['a branch of dashes', { headRef: '-'.repeat(100_000) }],
    ['a title', { title: '[codex]'.repeat(14_000) }],
    ['a name', { commits: [commit({ name: '(aider)'.repeat(14_000) + 'x' })] }],
  ])('100 KB cost little: %s', (_rule, given) => {
    const before = performance.now();
    attributePull(NEUTRAL, pull(given));
    expect(performance.now() - before).toBeLessThan(1_000);
  });
});
