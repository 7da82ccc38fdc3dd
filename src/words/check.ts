import type { CheckVerdict, Reason } from '../decide/reasons.js';
import type { Problem } from '../policy/policy.js';
import { countOf } from '../policy/problems.js';
import { code, inert } from './inert.js';
import { REASON_LABELS } from './labels/reasons.js';
import { plural, position, TIER_WORDS } from './names.js';
import { MAX_AGENTS, reasonWords } from './reason.js';
import { shelves, wayOut } from './shelves.js';
import { treeText } from './tree.js';
import type { Annotation, CheckText, Place } from './views.js';

/** GitHub's limit for `output.summary` and `output.text` each, in characters. */
const MAX_TEXT = 65_535;
const MAX_TITLE = 255;
/** Four requests' worth: a file with more problems than that is better read with `agent-policy validate`. */
const MAX_ANNOTATIONS = 200;
/** GitHub's limits for one annotation are 255 characters of title and 64 KB of message. */
const MAX_MESSAGE = 1_000;

/** Whole lines of a text as long as they fit, then `last`. */
function cut(text: string, max: number, last: string): string {
  if (text.length <= max) return text;
  const room = max - last.length - 2;
  const end = text.lastIndexOf('\n', room);
  return `${text.slice(0, end > 0 ? end : room).trimEnd()}\n\n${last}`;
}

/** Reasons of a failure that are about what an agent has to change, as against what a person decides. */
function failureTitle(reason: Reason): string {
  const { short, turn } = REASON_LABELS[reason.code];
  switch (turn) {
    case 'agent':
      return `An agent must change something: ${short}`;
    case 'author':
      return reason.code === 'policy-invalid'
        ? `The policy file does not load: ${plural(countOf(reason.problems), 'problem')} to correct`
        : `Something to correct: ${short}`;
    case 'person':
    case 'anybody':
    case 'nobody':
      return reason.code === 'suspended'
        ? 'Suspended: a person decides when this agent goes on'
        : `A person must decide: ${short}`;
  }
}

const waitingTitle = (reason: Reason): string => {
  if (reason.code === 'unreadable') return 'Not decided: GitHub could not be read; run this check again';
  const waiting = 'Nothing to fix; waiting for a person';
  return reason.code === 'needs-person' ? waiting : `${waiting}: ${REASON_LABELS[reason.code].short}`;
};

function title(verdict: CheckVerdict): string {
  const [first, ...more] = verdict.reasons;
  if (first === undefined) return 'Agent Policy';
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  switch (verdict.wouldBe) {
    case 'success':
      return REASON_LABELS[first.code].heading;
    case 'failure':
      return `${failureTitle(first)}${rest}`;
    case 'action_required':
      return `${waitingTitle(first)}${rest}`;
  }
}

/** Who lifts a suspension, and how: by closing the issue that told of it. */
const liftText = (reason: Extract<Reason, { code: 'suspended' }>): string =>
  reason.agents
    .slice(0, MAX_AGENTS)
    .map(
      ({ issue }) =>
        `To lift it, a person with maintain or admin closes ${
          issue === null ? 'the issue that tells of it' : `#${issue}`
        } by hand when it is dealt with.`,
    )
    .filter((text, index, all) => all.indexOf(text) === index)
    .join(' ');

function section(reason: Reason): string {
  const words = reasonWords(reason);
  const next = reason.code === 'suspended' ? `${words.next} ${liftText(reason)}` : words.next;
  return [
    `### ${words.heading}`,
    words.what,
    ...(next === '' ? [] : [`**Next:** ${next}`]),
    `Reason code: \`${words.code}\``,
  ].join('\n\n');
}

const agentsText = (verdict: CheckVerdict): string =>
  verdict.agents.length === 0
    ? ''
    : [
        '### Agents of this pull request',
        verdict.agents
          .slice(0, MAX_AGENTS)
          .map(
            ({ agent, tier, level, origin }) =>
              `- ${code(agent)}: level \`${level}\` (${position(origin)}). Evidence: ${TIER_WORDS[tier]}.`,
          )
          .join('\n'),
      ].join('\n\n');

const observed = (verdict: CheckVerdict): string =>
  `Observe mode: this check is the one thing written, and nothing waits for it. It would be \`${verdict.wouldBe}\`.`;

const annotation =
  (path: string) =>
  (problem: Problem): Annotation => ({
    path,
    start_line: problem.line,
    end_line: problem.line,
    start_column: problem.column,
    end_column: problem.column,
    annotation_level: 'failure',
    title: inert(`Agent Policy: ${problem.path === '' ? 'policy file' : problem.path}`, MAX_TITLE),
    message: `${inert(problem.message, MAX_MESSAGE)}${
      problem.suggestion === undefined ? '' : ` Did you mean "${inert(problem.suggestion, 80)}"?`
    }`,
  });

const annotations = (reasons: readonly Reason[]): readonly Annotation[] =>
  reasons
    .flatMap((reason) =>
      reason.code === 'policy-invalid'
        ? reason.problems.slice(0, MAX_ANNOTATIONS).map(annotation(reason.path))
        : [],
    )
    .slice(0, MAX_ANNOTATIONS);

/**
 * The output of a check run: what to do (title), why and by whom (summary), the verdict tree and what this check does
 * and does not do (text). A person's pull request gets one line. Holds nothing that changes while the verdict does
 * not: the same verdict gives the same text, to the byte. Title at most 255 characters, summary and text 65,535 each.
 */
export function checkText(verdict: CheckVerdict, place: Place): CheckText {
  const observing = verdict.conclusion === 'neutral';
  const heading = title(verdict);
  const quiet = verdict.wouldBe === 'success' && verdict.reasons.every((reason) => reason.code === 'person');
  const parts = quiet
    ? verdict.reasons.map((reason) => reasonWords(reason).what)
    : [...verdict.reasons.map(section), agentsText(verdict)];
  const text = quiet
    ? [wayOut(place)]
    : [
        '### How it was decided',
        treeText(verdict.tree),
        '### What this check does',
        ...shelves(place, 'this merge'),
        wayOut(place),
      ];
  return {
    title: [...(observing ? `Would be ${verdict.wouldBe}: ${heading}` : heading)]
      .slice(0, MAX_TITLE)
      .join(''),
    summary: cut(
      [...(observing ? [observed(verdict)] : []), ...parts].filter((part) => part !== '').join('\n\n'),
      MAX_TEXT,
      'The rest is left out: it is longer than GitHub takes.',
    ),
    text: cut(text.join('\n\n'), MAX_TEXT, wayOut(place)),
    annotations: annotations(verdict.reasons),
  };
}
