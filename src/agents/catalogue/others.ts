import { entry } from './entry.js';
import type { CatalogueEntry } from './entry.js';
import { PUBLIC_COMMITS, QUEUE_PAYLOAD, SURVEY_REGISTRY, WEBHOOK_EXAMPLES } from './sources.js';

/** Accounts that are no coding agents: bots that keep things up to date, and GitHub's own. */
export const OTHERS: readonly CatalogueEntry[] = [
  entry({
    id: 'dependabot',
    name: 'Dependabot',
    vendor: 'GitHub',
    kind: 'automation',
    accounts: [
      {
        id: 49699333,
        type: 'Bot',
        logins: ['dependabot[bot]'],
        appSlug: 'dependabot',
        sources: [PUBLIC_COMMITS],
      },
    ],
    commitEmails: ['49699333+dependabot[bot]@users.noreply.github.com'],
    branches: [/^dependabot\//],
    notes: ["Its label `dependencies` stands on people's PRs too and is no evidence."],
  }),
  entry({
    id: 'renovate',
    name: 'Renovate',
    vendor: 'Mend',
    kind: 'automation',
    accounts: [
      {
        id: 29139614,
        type: 'Bot',
        logins: ['renovate[bot]'],
        appSlug: 'renovate',
        sources: [WEBHOOK_EXAMPLES],
      },
    ],
    commitEmails: ['29139614+renovate[bot]@users.noreply.github.com'],
    branches: [/^renovate\//],
    notes: ['Hosted by oneself it has another account: list that login under `automation`.'],
  }),
  entry({
    id: 'github-actions',
    name: 'The token of a workflow',
    vendor: 'GitHub',
    kind: 'platform',
    accounts: [
      {
        id: 41898282,
        type: 'Bot',
        logins: ['github-actions[bot]'],
        appSlug: 'github-actions',
        appId: 15368,
        sources: [SURVEY_REGISTRY],
      },
    ],
    commitEmails: ['41898282+github-actions[bot]@users.noreply.github.com'],
    notes: ['Says nothing about who: the workflow file and what started it do.'],
  }),
  entry({
    id: 'merge-queue',
    name: "GitHub's merge queue",
    vendor: 'GitHub',
    kind: 'platform',
    accounts: [
      {
        id: 118344674,
        type: 'Bot',
        logins: ['github-merge-queue[bot]'],
        appSlug: 'github-merge-queue',
        sources: [QUEUE_PAYLOAD],
      },
    ],
    notes: ['Sender and pusher of every merge of a queue: who enqueued is the actor.'],
  }),
];
