import type { EscalationRule } from '../../decide/reasons.js';

export interface RuleLabel {
  /** For titles: NOUN by AGENT on SUBJECT. */
  readonly noun: string;
  /** Where `by` is not the word. */
  readonly preposition?: 'from';
  /** For titles and sentences where a person's login stands in the key. Says what is, and nothing of who. */
  readonly neutral: string;
  /** What the rule says and what was seen, in a sentence that follows the name of the agent. */
  readonly sentence: string;
  /** What a person can look at and do. */
  readonly next: string;
  /** A breach stays open until a person closes it; a state closes its issue when it is over. */
  readonly kind: 'breach' | 'state';
  /** Our rulesets keep agents from it, where they are in force. */
  readonly prevented?: true;
}

export const RULE_LABELS: Readonly<Record<EscalationRule, RuleLabel>> = {
  'merge-level': {
    noun: 'merge beyond its level',
    neutral: 'a merge beyond the level of an agent',
    sentence: 'merged a pull request that the policy leaves to people.',
    next: 'Look at what was merged. Keep it, or take it out again with a revert.',
    kind: 'breach',
    prevented: true,
  },
  'push-level': {
    noun: 'push beyond its level',
    neutral: 'a push beyond the level of an agent',
    sentence: 'pushed to a branch that the policy keeps for reviewed changes.',
    next: 'Look at what was pushed. Keep it, or revert the commits in a pull request.',
    kind: 'breach',
    prevented: true,
  },
  'force-push': {
    noun: 'force-push',
    neutral: 'a force-push',
    sentence: "rewrote a branch that is not only the agent's own.",
    next: 'Ask those who work on the branch whether something is missing. The old tip is in the table.',
    kind: 'breach',
  },
  'dropped-commits': {
    noun: 'force-push that dropped commits',
    neutral: 'a force-push that dropped commits',
    sentence:
      'rewrote a branch, and commits that others had there, or that were on the trunk, are no longer on it.',
    next: 'Decide whether the old tip comes back; its commit is in the table. Agent Policy rewrites no branch itself.',
    kind: 'breach',
  },
  'branch-delete': {
    noun: 'deleted branch',
    neutral: 'a deleted branch',
    sentence: "deleted a branch that is not only the agent's own.",
    next: 'Decide whether the branch comes back: the commit it stood on is in the table, and a person can create it there again.',
    kind: 'breach',
  },
  tag: {
    noun: 'changed tag',
    neutral: 'a changed tag',
    sentence: 'created, moved or deleted a tag, which the policy leaves to people.',
    next: 'Check what was built or published from the tag, then keep it or correct it.',
    kind: 'breach',
    prevented: true,
  },
  release: {
    noun: 'changed release',
    neutral: 'a changed release',
    sentence: 'published, edited or deleted a release, which the policy leaves to people.',
    next: 'Check the release and who may have taken it already, then keep it or correct it.',
    kind: 'breach',
  },
  'issue-close': {
    noun: 'closed issue',
    neutral: 'a closed issue',
    sentence: 'closed an issue that somebody else opened.',
    next: 'Look at the issues in the table: where one is done, a person closes it.',
    kind: 'breach',
  },
  'review-gate': {
    noun: 'merge past the review gate',
    neutral: 'a merge past the review gate',
    sentence: 'had a part in a merge for which the approvals of people did not stand.',
    next: 'Look at what was merged and who approved it, then keep it or take it out again with a revert.',
    kind: 'breach',
  },
  protection: {
    noun: 'changed protection',
    neutral: 'protection was changed',
    sentence:
      'changed what protects this repository (a ruleset, branch protection, the default branch, a key or a role).',
    next: 'Compare the protection with what it should be, in the settings of the repository.',
    kind: 'breach',
  },
  'check-spoof': {
    noun: 'check in the name of Agent Policy',
    neutral: 'a check in the name of Agent Policy',
    sentence: 'reported a check under the name that only Agent Policy reports.',
    next: 'Find out which App or workflow reports it. Only the check by Agent Policy itself tells the verdict.',
    kind: 'breach',
  },
  'policy-push': {
    noun: 'changed policy file',
    neutral: 'a changed policy file',
    sentence: 'landed a change of the policy file. The last version that a person landed stays in force.',
    next: 'Read the change. A person lands it again if it is wanted, or takes it out.',
    kind: 'breach',
    prevented: true,
  },
  'workflow-push': {
    noun: 'changed workflow that ran',
    neutral: 'a changed workflow that ran',
    sentence: 'changed a workflow file on a branch, and a run started from that push.',
    next: 'Look at what the run did, and which secrets it could read.',
    kind: 'breach',
  },
  'refusal-overridden': {
    noun: 'refusal that was overridden',
    neutral: 'a refusal that was overridden',
    sentence: 'went on with what had been refused on purpose.',
    next: 'Decide whether the refusal was right, and check what was done after it.',
    kind: 'breach',
  },
  'act-unauthorized': {
    noun: 'act beyond the policy in a run',
    neutral: 'an act beyond the policy in a run',
    sentence: 'did something in a run that the policy does not allow. The run reported it itself.',
    next: 'Look at what the run did and decide whether it goes on.',
    kind: 'breach',
  },
  limit: {
    noun: 'limit reached',
    neutral: 'a limit is reached',
    sentence: 'reached a limit of the policy. The newest wait; the older ones are not touched.',
    next: 'Merge or close some, or change the limit in the policy file.',
    kind: 'state',
  },
  'policy-invalid': {
    noun: 'policy file that does not load',
    neutral: 'the policy file does not load',
    sentence:
      'changed the policy file, and it does not load now. The last version that loaded stays in force.',
    next: 'Correct the lines named in the table.',
    kind: 'state',
  },
  quiet: {
    noun: 'nothing heard',
    preposition: 'from',
    neutral: 'nothing heard',
    sentence: 'has not been heard of for longer than the policy expects. It may still be at work.',
    next: 'See whether it still works on this, and whether somebody should take over.',
    kind: 'state',
  },
  'ping-pong': {
    noun: 'many turns without a person',
    neutral: 'many turns without a person',
    sentence: 'took many turns in a row, and no person spoke in between.',
    next: 'Read along and say how it should go on.',
    kind: 'state',
  },
  stuck: {
    noun: 'repeated attempts',
    neutral: 'repeated attempts',
    sentence: 'tries the same again and again with the same result.',
    next: 'See what stands in the way. A few words by a person often help more than the next try.',
    kind: 'state',
  },
  refused: {
    noun: 'turned-down attempts',
    neutral: 'turned-down attempts',
    sentence: 'tried something several times that GitHub turned down each time. Nothing came of it.',
    next: 'See what it was asked to do; the task may need a person, or another level in the policy.',
    kind: 'state',
  },
};
