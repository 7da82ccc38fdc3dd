import type { ReasonCode } from '../../decide/reasons.js';

/** Who has to do something about a reason before the check can pass. */
export type Turn = 'agent' | 'person' | 'author' | 'nobody' | 'anybody';

export interface ReasonLabel {
  /** A few words for titles, after a colon. */
  readonly short: string;
  readonly heading: string;
  readonly turn: Turn;
}

export const REASON_LABELS: Readonly<Record<ReasonCode, ReasonLabel>> = {
  'needs-person': {
    short: 'an approval',
    heading: 'An approval by a person is awaited',
    turn: 'person',
  },
  'head-changed': {
    short: 'a look at what changed since the approval',
    heading: 'The approval was given for another state of this pull request',
    turn: 'person',
  },
  'agent-approval': {
    short: "an agent's approval does not count",
    heading: "An agent's approval does not count here",
    turn: 'person',
  },
  'review-dismissed': {
    short: 'a review was dismissed',
    heading: 'A review was dismissed by an agent',
    turn: 'person',
  },
  'changes-requested': {
    short: 'a person asked for changes',
    heading: 'A person asked for changes',
    turn: 'agent',
  },
  'level-none': {
    short: 'the policy lets it commit and not open pull requests',
    heading: 'Pull requests are not for this agent',
    turn: 'agent',
  },
  suspended: { short: 'suspended', heading: 'The agent is suspended in this repository', turn: 'person' },
  'policy-edit': {
    short: 'the policy file is changed',
    heading: 'The policy file is changed',
    turn: 'person',
  },
  'policy-invalid': {
    short: 'the policy file does not load',
    heading: 'The policy file does not load',
    turn: 'author',
  },
  'protected-path': {
    short: 'a protected path is changed',
    heading: 'A protected path is changed',
    turn: 'person',
  },
  'protected-path-unknown': {
    short: 'too many files to look through',
    heading: 'Not all changed files could be looked at',
    turn: 'person',
  },
  'unknown-bot': {
    short: 'a bot that the policy does not list',
    heading: 'A bot that the policy does not list',
    turn: 'person',
  },
  limit: { short: 'over a limit', heading: 'A limit of the policy is reached', turn: 'agent' },
  duplicate: {
    short: 'the same change as another pull request',
    heading: 'Another pull request has the same content',
    turn: 'agent',
  },
  person: { short: "a person's pull request", heading: "A person's pull request", turn: 'nobody' },
  'within-policy': { short: 'within policy', heading: 'Within policy', turn: 'nobody' },
  automation: {
    short: 'automation',
    heading: 'Automation, which the policy leaves alone',
    turn: 'nobody',
  },
  waived: { short: 'waived by a person', heading: 'Waived by a person', turn: 'nobody' },
  unreadable: {
    short: 'GitHub could not be read',
    heading: 'Not decided: GitHub could not be read',
    turn: 'anybody',
  },
};
