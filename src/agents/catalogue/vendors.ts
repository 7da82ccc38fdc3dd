import { SESSION_LOG } from './copilot.js';
import { coAuthor, entry, noreply } from './entry.js';
import type { CatalogueEntry } from './entry.js';
import {
  AIBLAME,
  AIDEV,
  AITTRIBUTOR,
  AUDIT,
  CLAUDE_ACTION,
  NODE_ID,
  SURVEY_IDS,
  SURVEY_REGISTRY,
} from './sources.js';

/** `🤖 Generated with [Claude Code](…)`, with the link, without it, or in italics. */
const CLAUDE_CODE_LINE = /^(?:🤖 ?)?[_*]?Generated (?:with|by) \[?Claude Code\b/iu;

export const ANTHROPIC: readonly CatalogueEntry[] = [
  entry({
    id: 'claude-github-app',
    name: "claude[bot], Anthropic's GitHub App (claude-code-action, Code Review)",
    vendor: 'Anthropic',
    family: 'claude',
    kind: 'coding',
    accounts: [
      {
        id: 209825114,
        type: 'Bot',
        logins: ['claude[bot]'],
        appSlug: 'claude',
        sources: [CLAUDE_ACTION, SURVEY_REGISTRY, SURVEY_IDS],
      },
    ],
    commitEmails: [
      '209825114+claude[bot]@users.noreply.github.com',
      'claude[bot]@users.noreply.github.com',
      '41898282+claude[bot]@users.noreply.github.com',
    ],
    branches: [/^claude\//],
    prBody: [CLAUDE_CODE_LINE],
    notes: [
      "41898282 is the id of github-actions[bot]: the action's default, so GitHub links those commits to that account.",
      'Given a `github_token`, the action acts as that token.',
    ],
  }),
  entry({
    id: 'claude-on-github',
    name: 'Claude as an agent inside GitHub',
    vendor: 'Anthropic and GitHub',
    family: 'claude',
    kind: 'coding',
    accounts: [
      {
        id: 242468646,
        type: 'Bot',
        logins: ['Claude', 'anthropic-code-agent[bot]'],
        appSlug: 'anthropic-code-agent',
        sources: [SURVEY_REGISTRY, AUDIT, NODE_ID],
      },
    ],
    commitEmails: ['242468646+claude@users.noreply.github.com'],
    sharedTrailers: [SESSION_LOG],
    branches: [/^claude\//],
  }),
  entry({
    id: 'claude-code',
    name: "Claude Code (terminal, desktop, web) on the owner's credentials",
    vendor: 'Anthropic',
    family: 'claude',
    kind: 'coding',
    commitEmails: ['noreply@anthropic.com'],
    trailers: [
      coAuthor('no-?reply@anthropic\\.com'),
      /^claude-session:\s*https:\/\/claude\.ai\/code\/\S+\s*$/i,
      /^https:\/\/claude\.ai\/code\/session_\w+\s*$/i,
    ],
    prBody: [
      CLAUDE_CODE_LINE,
      // Without an address it must be the product's name and nothing more: Claude is a first name too.
      /^co-authored-by:\s*claude(?: code)?(?:\s*mailto:no-?reply@anthropic\.com)?\s*$/i,
    ],
    prLinks: [/https:\/\/claude\.ai\/code\/session_\w{8,64}/],
    branches: [/^claude\//],
    sources: [AIDEV, CLAUDE_ACTION, AUDIT, AIBLAME],
    notes: [
      "GitHub links noreply@anthropic.com to the User `claude` (81847): a person's account, which is no evidence.",
      'Every mark can be switched off (`attribution` in its settings).',
    ],
  }),
];

export const OPENAI: readonly CatalogueEntry[] = [
  entry({
    id: 'codex-cloud',
    name: 'OpenAI Codex cloud',
    vendor: 'OpenAI',
    family: 'codex',
    kind: 'coding',
    accounts: [
      {
        id: 199175422,
        type: 'Bot',
        logins: ['chatgpt-codex-connector[bot]'],
        appSlug: 'chatgpt-codex-connector',
        sources: [SURVEY_IDS, AUDIT],
      },
    ],
    prBody: [/^Generated with \[Codex\]/],
    prLinks: [/https:\/\/chatgpt\.com\/codex\/(?:cloud\/)?tasks\/task_\w{6,64}/],
    branches: [/^codex\//],
    labels: ['codex'],
    titles: [/^\[codex\] /i],
    notes: [
      "The account reviews and comments; PRs and commits are the user's own (2,686 of 2,686 PRs in AIDev-pop).",
      "46.5% of those PRs carry the task's address; of 6,659 commits 11 carry any trailer of Codex.",
    ],
  }),
  entry({
    id: 'codex-on-github',
    name: 'Codex as an agent inside GitHub',
    vendor: 'OpenAI and GitHub',
    family: 'codex',
    kind: 'coding',
    accounts: [
      {
        id: 242516109,
        type: 'Bot',
        logins: ['Codex', 'openai-code-agent[bot]'],
        appSlug: 'openai-code-agent',
        sources: [SURVEY_REGISTRY, AUDIT, NODE_ID],
      },
    ],
    commitEmails: ['242516109+codex@users.noreply.github.com'],
    sharedTrailers: [SESSION_LOG],
    branches: [/^codex\//],
  }),
  entry({
    id: 'codex-cli',
    name: 'Codex CLI and codex-action',
    vendor: 'OpenAI',
    family: 'codex',
    kind: 'coding',
    commitEmails: ['codex@openai.com', 'noreply@openai.com', 'codex@example.com'],
    trailers: [
      /^co-authored-by:\s*(?:(?:openai|chatgpt)[ -])?codex\b[^<>\n]*<[^<>@\s]*@(?:openai\.com|agent|local)>\s*$/i,
      /^(?:ai-agent|signed-off-by|assisted-by):\s*(?:openai )?codex(?:[ -]cli)?(?:\s*<[^<>\n]*>)?\s*$/i,
    ],
    branches: [/^codex\//],
    sources: [SURVEY_REGISTRY, AUDIT, AIBLAME],
    notes: [
      'The trailer is asked for in the prompt and can be left blank (openai/codex#11617).',
      "codex-action runs with a workflow's token and so acts as github-actions[bot].",
    ],
  }),
];

export const GOOGLE: readonly CatalogueEntry[] = [
  entry({
    id: 'jules',
    name: 'Jules',
    vendor: 'Google',
    kind: 'coding',
    accounts: [
      {
        id: 161369871,
        type: 'Bot',
        logins: ['google-labs-jules[bot]'],
        appSlug: 'google-labs-jules',
        sources: [SURVEY_REGISTRY, SURVEY_IDS],
      },
    ],
    commitEmails: ['161369871+google-labs-jules[bot]@users.noreply.github.com'],
    trailers: [coAuthor(noreply(161369871, 'google-labs-jules[bot]'))],
    prBody: [/^[_*]?PR created automatically by Jules\b/],
    prLinks: [/https:\/\/jules\.google(?:\.com)?\/task\/\w{4,64}/],
    branches: [/^jules-[0-9]{10,24}-[0-9a-f]{6,40}$/, /^[^\s]{1,200}-[0-9]{17,20}$/],
    labels: ['jules'],
  }),
  entry({
    id: 'gemini-code-assist',
    name: 'Gemini Code Assist',
    vendor: 'Google',
    family: 'gemini',
    kind: 'review',
    accounts: [
      {
        id: 176961590,
        type: 'Bot',
        logins: ['gemini-code-assist[bot]'],
        appSlug: 'gemini-code-assist',
        sources: [AIDEV, SURVEY_IDS],
      },
    ],
    trailers: [coAuthor(noreply(176961590, 'gemini-code-assist[bot]'))],
    trailerTier: 'weak',
    notes: ['Its trailer says that a person accepted a suggestion.'],
  }),
  entry({
    id: 'gemini-cli',
    name: 'Gemini CLI and its action',
    vendor: 'Google',
    family: 'gemini',
    kind: 'coding',
    commitEmails: ['gemini-cli-agent@google.com', '218195315+gemini-cli@users.noreply.github.com'],
    trailers: [coAuthor('gemini-cli-agent@google\\.com'), coAuthor(noreply(218195315, 'gemini-cli'))],
    sources: [AIBLAME, AITTRIBUTOR],
    notes: [
      "The action acts as github-actions[bot] or as the operator's own App.",
      "gemini-cli@google.com is the author of a private shadow repository and never stands in a user's history.",
    ],
  }),
];
