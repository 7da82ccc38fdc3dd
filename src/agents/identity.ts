import type { Account } from '../acts/act.js';

/** How much a piece of evidence is worth. Only `certain` may loosen anything. */
export type Tier = 'certain' | 'strong' | 'indicative' | 'weak';

export type EvidenceClass =
  | 'account-id'
  | 'app-id'
  | 'declared-account'
  | 'declared-deploy-key'
  | 'signed-commit'
  | 'commit-identity'
  | 'trailer'
  | 'pr-marker'
  | 'branch'
  | 'label'
  | 'title';

export interface Evidence {
  readonly class: EvidenceClass;
  readonly tier: Tier;
  /** The agent's name: the policy's where it lists the agent, else the catalogue's. */
  readonly agent: string;
  /** Where it was seen, as a path into the payload or REST answer: `pull_request.user.id`. */
  readonly field: string;
  /** What was seen there: an account id, an e-mail address, a trailer line. Agent-controlled text: render it inert. */
  readonly value: string;
  readonly sha?: string;
}

/** Who an account is to this policy. No account is ever called "human": without evidence it is `undisclosed`. */
export type Identity =
  | {
      readonly kind: 'agent';
      readonly agent: string;
      readonly shared: boolean;
      readonly evidence: Evidence;
      readonly account: Account;
    }
  | { readonly kind: 'automation'; readonly name: string; readonly account: Account }
  | { readonly kind: 'unknown-bot'; readonly name: string; readonly account: Account }
  /** GitHub's own: a workflow's token, the merge queue. Who is behind it must be resolved before judging. */
  | { readonly kind: 'platform'; readonly name: 'github-actions' | 'merge-queue'; readonly account: Account }
  /** This App's own bot account. */
  | { readonly kind: 'self'; readonly account: Account }
  | { readonly kind: 'undisclosed'; readonly account: Account };

/** One agent with all the evidence for it, strongest first. */
export interface AttributedAgent {
  readonly agent: string;
  readonly tier: Tier;
  readonly evidence: readonly Evidence[];
}

/** The agents an act or a PR is theirs, strongest first: a set, since several may have had a hand in it. */
export interface Attribution {
  readonly outcome: 'agent' | 'likely-agent' | 'automation' | 'undisclosed';
  readonly agents: readonly AttributedAgent[];
}
