import type { BreachCode, LimitName, Reason, ReasonCode, SuspensionView } from '../decide/reasons.js';
import type { Problem } from '../policy/policy.js';
import { countOf } from '../policy/problems.js';
import { code, inert } from './inert.js';
import { REASON_LABELS } from './labels/reasons.js';
import { RULE_LABELS } from './labels/rules.js';
import { commit, listed, login, marksText, plural, position, utc } from './names.js';

/** One reason in words: what and why; then what to do and by whom ('' where there is nothing to do). */
export interface ReasonWords {
  readonly code: ReasonCode;
  readonly heading: string;
  readonly what: string;
  readonly next: string;
}

/** Agents named one by one. */
export const MAX_AGENTS = 8;

const LIMIT_WORDS: Readonly<Record<LimitName, (max: number) => string>> = {
  'open-pulls': (max) => `${plural(max, 'pull request')} open at once`,
  'pulls-per-hour': (max) => `${plural(max, 'pull request')} opened in an hour`,
  'merges-per-day': (max) => `${plural(max, 'merge')} in a day`,
};

const LIMIT_NEXT: Readonly<Record<LimitName, string>> = {
  'open-pulls': 'The oldest go first: when one of them is merged or closed, it is the turn of this one.',
  'pulls-per-hour': 'Fewer at a time: a person decides which of them are wanted now.',
  'merges-per-day': 'It can wait until tomorrow, or a person merges it.',
};

const causeText = (cause: BreachCode | 'pause', by: SuspensionView['by']): string =>
  cause === 'pause' ? `${by === null ? 'a person' : login(by)} paused it` : RULE_LABELS[cause].noun;

const suspensionText = (view: SuspensionView): string =>
  `${code(view.agent)} is suspended since ${utc(view.since)} (${causeText(view.cause, view.by)}${
    view.issue === null ? '' : `, #${view.issue}`
  }).`;

/** A problem as a line: where, what, and what was probably meant. */
export const problemText = (problem: Problem): string =>
  `line ${problem.line}, column ${problem.column}: ${inert(problem.message, 300)}${
    problem.suggestion === undefined ? '' : ` Did you mean ${code(problem.suggestion, 80)}?`
  }`;

function needsPerson(reason: Extract<Reason, { code: 'needs-person' }>): [string, string] {
  const who =
    reason.approvers === null
      ? 'anybody with write access'
      : listed(
          reason.approvers.map((approver) => login(approver)),
          'or',
        );
  const count = `Approvals by people on this head: ${reason.given} of ${reason.approvals}.`;
  if (reason.marks.length > 0) {
    return [
      `A person's login opened this pull request, and it carries marks of ${marksText(reason.marks)}. The policy asks that another person looks at such a pull request first. ${count}`,
      `Another person (${who}, not an agent, not the author, not somebody who pushed to it) reviews it and approves this head.`,
    ];
  }
  return [
    `An agent made this pull request, and the policy leaves merging it to people. Opening it completes the task as far as the policy allows, and nothing in it has to change for that. ${count}`,
    `A person (${who}, not an agent, not the author, not somebody who pushed to it) reviews it and approves this head.`,
  ];
}

function headChanged(reason: Extract<Reason, { code: 'head-changed' }>): [string, string] {
  const by = reason.by.length === 0 ? '' : ` by ${listed(reason.by.map(login))}`;
  const what = reason.base
    ? `The approval was given for ${commit(reason.approved)} against another base; the base was changed${by}.`
    : `The approval was given for ${commit(reason.approved)}. The head is now ${commit(reason.head)}, pushed${by}.`;
  return [
    `${what} An approval counts for what the person saw.`,
    'A person looks at the present state and approves it, or says what should change.',
  ];
}

function policyInvalid(reason: Extract<Reason, { code: 'policy-invalid' }>): [string, string] {
  const shown = reason.problems.slice(0, 20).map((problem) => `\n- ${problemText(problem)}`);
  const more = countOf(reason.problems) - shown.length;
  return [
    `${code(reason.path)} does not load, so it could not take effect as it is written. The policy in force stays in force.\n${shown.join('')}${
      more > 0 ? `\n- and ${more} more` : ''
    }`,
    'Whoever changed the file corrects these lines.',
  ];
}

function sentences(reason: Reason): [what: string, next: string] {
  switch (reason.code) {
    case 'needs-person':
      return needsPerson(reason);
    case 'head-changed':
      return headChanged(reason);
    case 'agent-approval':
      return [
        `${listed(reason.by.map(login))} approved. The policy counts approvals by people, so this one stands beside them and changes nothing.`,
        'A person reviews the pull request and approves this head.',
      ];
    case 'review-dismissed':
      return [
        `${login(reason.by)} dismissed the review of ${login(reason.reviewer)}. The policy leaves dismissing reviews to people, so this waits for another review.`,
        `${login(reason.reviewer)} or another person reviews again.`,
      ];
    case 'changes-requested':
      return [
        `${listed(reason.by.map(login))} asked for changes, and the policy lets a person's objection stand until it is answered.`,
        'The author answers the review with a change. It is over when the same person approves, or when a person dismisses the review.',
      ];
    case 'level-none':
      return [
        `The policy gives ${listed(reason.agents.map((agent) => code(agent)))} the level ${code('none')}: commit, and open no pull request (${position(reason.origin)}).`,
        'The agent leaves its work on the branch and says where it is: that completes the task as far as the policy allows. A person decides what becomes of it.',
      ];
    case 'suspended':
      return [
        `${reason.agents.slice(0, MAX_AGENTS).map(suspensionText).join(' ')} Until a person lifts that, ${reason.agents.length === 1 ? 'its' : 'their'} pull requests wait.`,
        'A person with maintain or admin decides when that is. There is nothing to fix in this pull request for that.',
      ];
    case 'policy-edit':
      return [
        `This pull request changes ${listed(reason.paths.map((path) => code(path)))}, and an agent had a part in it. Agents do not set their own rules; the policy of the default branch stays in force meanwhile.`,
        'A person reads the change and approves this head, or the change to the policy is taken out.',
      ];
    case 'policy-invalid':
      return policyInvalid(reason);
    case 'protected-path':
      return [
        `This pull request changes ${listed(reason.paths.map((path) => code(path)))}. The policy lists ${reason.paths.length === 1 ? 'it as a protected path' : 'them as protected paths'}: a person looks at each change there by an agent.`,
        'A person reviews it and approves this head.',
      ];
    case 'protected-path-unknown':
      return [
        `GitHub lists ${reason.listed} of ${reason.changed} changed files, so a protected path may be among the others.`,
        'A person reviews it and approves this head, or the change comes in smaller pull requests.',
      ];
    case 'unknown-bot':
      return [
        `The policy lists ${listed(reason.bots.map(login))} neither as an agent nor as automation (${position(reason.origin)}).`,
        `A person adds it to ${code('agents')} or to ${code('automation')} in the policy file, or closes this pull request.`,
      ];
    case 'limit':
      return [
        `${code(reason.agent)} is over what the policy allows: ${LIMIT_WORDS[reason.limit](reason.max)} (${position(reason.origin)}).`,
        LIMIT_NEXT[reason.limit],
      ];
    case 'duplicate':
      return [
        `#${reason.of} is older and has the very same content.`,
        'One of the two is enough: the author or a person closes the other.',
      ];
    case 'person':
      return reason.marks.length === 0
        ? ['Opened by a person: nothing waits for this check. Thank you for the pull request.', '']
        : [
            `This pull request carries marks of ${marksText(reason.marks)}; by policy that is noted and nothing waits.`,
            '',
          ];
    case 'within-policy':
      return reason.approvedBy.length === 0
        ? ['The policy lets this pull request pass as it is.', '']
        : [
            `Approved on this head by ${listed(reason.approvedBy.map(login))}. The policy asks for nothing more.`,
            '',
          ];
    case 'automation':
      return [
        `${login(reason.account)} counts as automation and not as a coding agent. The policy leaves it alone.`,
        '',
      ];
    case 'waived':
      return [
        `${login(reason.by)} decided that this pull request passes without ${listed(reason.codes.map((waived) => code(waived)))}. That holds for this head and this base.`,
        '',
      ];
    case 'unreadable':
      return [
        `GitHub gave no answer about ${inert(reason.what)}, and without it nothing was decided. What protects this repository stays as it was.`,
        'Re-run this check. If that does not help, whoever runs Agent Policy looks at its access to this repository.',
      ];
  }
}

/** A reason in words. Everything that came from elsewhere in it is inert. */
export function reasonWords(reason: Reason): ReasonWords {
  const [what, next] = sentences(reason);
  return { code: reason.code, heading: REASON_LABELS[reason.code].heading, what, next };
}
