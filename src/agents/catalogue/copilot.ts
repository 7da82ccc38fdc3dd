import { coAuthor, entry } from './entry.js';
import type { CatalogueEntry } from './entry.js';
import {
  AIBLAME,
  AIDEV,
  AITTRIBUTOR,
  DISCLOSURE,
  GH_AW,
  NODE_ID,
  SURVEY_IDS,
  SURVEY_REGISTRY,
} from './sources.js';

/** Agents that GitHub hosts end their commits with the address of the session's log; it does not say which agent. */
export const SESSION_LOG = /^agent-logs-url:\s*https:\/\/\S+\s*$/i;

/** Three accounts share this login: without the id in front the address names none of them. */
const copilot = (id: number): string => `${id}\\+copilot@users\\.noreply\\.github\\.com`;

export const COPILOT: readonly CatalogueEntry[] = [
  entry({
    id: 'copilot-cloud-agent',
    name: 'GitHub Copilot cloud agent (once "coding agent")',
    vendor: 'GitHub',
    family: 'copilot',
    kind: 'coding',
    accounts: [
      {
        id: 198982749,
        type: 'Bot',
        logins: ['Copilot', 'copilot-swe-agent[bot]'],
        appSlug: 'copilot-swe-agent',
        sources: [AIDEV, SURVEY_REGISTRY, SURVEY_IDS, NODE_ID],
      },
    ],
    commitEmails: ['198982749+copilot@users.noreply.github.com'],
    trailers: [coAuthor(copilot(198982749))],
    sharedTrailers: [SESSION_LOG],
    prBody: [
      /^(?:<!-- )?START COPILOT CODING AGENT\b/,
      /^💡 You can make Copilot smarter\b/u,
      /^(?:💬 )?Share your feedback on Copilot coding agent\b/u,
      /^(?:✨ )?Let Copilot coding agent set things up\b/u,
    ],
    branches: [/^copilot\//],
    notes: [
      'The login "Copilot" is also the review bot and the co-author account 223556219: only the id tells them apart.',
      "Asked with @copilot on a person's PR, it pushes to that PR's branch.",
      'What an automation of a person starts is attributed to that person.',
    ],
  }),
  entry({
    id: 'copilot-code-review',
    name: 'Copilot code review and Autofix',
    vendor: 'GitHub',
    family: 'copilot',
    kind: 'review',
    accounts: [
      {
        id: 175728472,
        type: 'Bot',
        logins: ['Copilot', 'copilot-pull-request-reviewer[bot]'],
        appSlug: 'copilot-pull-request-reviewer',
        sources: [AIDEV, SURVEY_REGISTRY, DISCLOSURE],
      },
    ],
    trailers: [coAuthor(copilot(175728472))],
    trailerTier: 'weak',
    notes: [
      'Its trailer says that a person accepted a suggestion, not that it wrote the commit.',
      'Since 2026-09-01 (preview) it can give approving reviews.',
    ],
  }),
  entry({
    id: 'copilot-cli',
    name: "Copilot CLI, app and SDK on the user's own credential",
    vendor: 'GitHub',
    family: 'copilot',
    kind: 'coding',
    trailers: [coAuthor(copilot(223556219))],
    sources: [SURVEY_REGISTRY, AIBLAME, AITTRIBUTOR],
  }),
  entry({
    id: 'copilot-vscode',
    name: 'The Copilot co-author setting of VS Code',
    vendor: 'GitHub',
    family: 'copilot',
    kind: 'assist',
    trailers: [/^co-authored-by:\s*(?:github )?copilot\s*<copilot@github\.com>\s*$/i],
    trailerTier: 'weak',
    falseWindow: { from: '2026-04-22', to: '2026-05-06' },
    sources: [SURVEY_REGISTRY, AIBLAME],
    notes: [
      'VS Code 1.117 wrote it without any use of Copilot (microsoft/vscode#314311), and reports go on: weak.',
    ],
  }),
  entry({
    id: 'gh-aw',
    name: 'GitHub Agentic Workflows',
    vendor: 'GitHub',
    kind: 'coding',
    prBody: [/^<!-- gh-aw-(?:workflow|tracker)-id: [^>]+ -->/],
    sources: [GH_AW],
    notes: [
      "Acts as github-actions[bot] or as the operator's own App.",
      'The markers stay with `footer: false`. The visible footer is a block quote like any other and is not looked at.',
    ],
  }),
];
