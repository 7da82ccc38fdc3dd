import { MAX_BODY } from './comment.js';
import { code, inert } from './inert.js';
import { RULE_LABELS } from './labels/rules.js';
import { listed, reference } from './names.js';
import { bytes, table } from './rows.js';
import { RULESETS, shelves } from './shelves.js';
import type { EscalationView, Place } from './views.js';

const MAX_TITLE = 200;
/** Rows of the table; the view counts the ones beyond. */
const MAX_ROWS = 50;
/** Open PRs named one by one. */
const MAX_PULLS = 50;

/** `@login` or `@org/team`, as GitHub allows them. Anything else in the policy's key mentions nobody. */
const MENTION = /^@?([A-Za-z\d](?:[A-Za-z\d-]{0,38})(?:\/[A-Za-z\d][\w.-]{0,99})?)$/;

/**
 * Whether the name in the key is a person's login. A row names an agent where there is one, and a policy file that
 * does not load concerns whoever pushed it.
 */
const aboutPerson = (view: EscalationView): boolean =>
  view.key.rule === 'policy-invalid' ||
  (view.rows.length > 0 && view.rows.every((row) => row.agent === null));

/** Subjects that stand for a whole kind of thing, and say nothing that the rule does not. */
const WHOLES: readonly string[] = ['tags', 'releases', 'issues', 'pulls'];

/** Whether the subject is the number of a PR that a row is about (it may be a run's). */
const isPull = (view: EscalationView): boolean =>
  view.rows.some((row) => String(row.subject.pull ?? '') === view.key.subject);

/**
 * `Agent Policy: merge beyond its level by alpha on main`; where a person is meant, what is and where:
 * `Agent Policy: the policy file does not load on main (mara)`. At most 200 code points, inert. The issue is found by
 * its marker, never by this.
 */
export function escalationTitle(view: EscalationView): string {
  const { noun, neutral, preposition = 'by' } = RULE_LABELS[view.key.rule];
  const agent = inert(view.key.agent, 60);
  const subject = inert(view.key.subject, 80);
  const where = WHOLES.includes(view.key.subject)
    ? ''
    : ` on ${isPull(view) ? 'pull request ' : ''}${subject}`;
  const words = aboutPerson(view)
    ? `${neutral}${where} (${agent})`
    : `${noun} ${preposition} ${agent}${where}`;
  return [...`Agent Policy: ${words}`].slice(0, MAX_TITLE).join('');
}

function subjectText(view: EscalationView, place: Place): string {
  if (WHOLES.includes(view.key.subject)) return '';
  return ` **Where:** ${isPull(view) ? reference(place, Number(view.key.subject)) : code(view.key.subject)}.`;
}

function personText(view: EscalationView): string {
  const subject = code(view.key.subject);
  const person = code(view.key.agent);
  switch (view.key.rule) {
    case 'policy-invalid':
      return `The policy file on ${subject} does not load since a change that ${person} pushed. The last version that loaded stays in force meanwhile, so there is time to put it right.`;
    case 'protection':
      return view.rows.some((row) => row.state === 'put-back')
        ? `${person} changed what protects ${subject}, and Agent Policy put its own part back once. If the change is wanted, the policy file is the place to say so.`
        : `${person} changed what protects ${subject}. People may do that; this is a reminder, so that it is not forgotten.`;
    default:
      return `For the record, on ${subject}: ${RULE_LABELS[view.key.rule].neutral} (${person}).`;
  }
}

function opening(view: EscalationView, place: Place): string {
  if (aboutPerson(view)) return personText(view);
  const agents = view.key.rule === 'ping-pong' ? view.key.agent.split('+') : [view.key.agent];
  return `The ${agents.length === 1 ? 'agent' : 'agents'} ${listed(agents.map((agent) => code(agent)))} ${
    RULE_LABELS[view.key.rule].sentence
  }${subjectText(view, place)}`;
}

function doneText(view: EscalationView, place: Place): readonly string[] {
  const putBack = view.rows.some((row) => row.state === 'put-back')
    ? ['**What was done.** Where the table says put back, Agent Policy put it back, once.']
    : [];
  if (!view.suspended) return putBack;
  return [
    ...putBack,
    `**Suspended.** ${code(view.key.agent)} is suspended in this repository: its level is held at \`none\`, and the checks of its open pull requests say so.`,
    place.prevention === 'on'
      ? 'While it is suspended, `agent-policy/actors` does not let it through: GitHub refuses its merges to the trunk and its tags.'
      : 'Detect only: GitHub does not refuse a later merge by itself here. Whatever lands becomes a row above.',
  ];
}

function nextText(view: EscalationView): string {
  const label = RULE_LABELS[view.key.rule];
  const end =
    label.kind === 'state' || aboutPerson(view)
      ? 'This issue closes by itself when that is over.'
      : `When it is dealt with, a person with maintain or admin closes this issue by hand${
          view.suspended ? '; that lifts the suspension' : ''
        }. Closed in another way (by a commit, a pull request, an App or a shared login) it is opened again.`;
  return `**What a person can do.** ${label.next} ${end}`;
}

function pullsText(view: EscalationView, place: Place): readonly string[] {
  const pulls = [...new Set(view.mentions)].filter((number) => Number.isSafeInteger(number) && number > 0);
  if (pulls.length === 0) return [];
  return [
    `**Open pull requests it touches:** ${listed(
      pulls.map((number) => reference(place, number)),
      'and',
      MAX_PULLS,
    )}.`,
  ];
}

function mentionText(mention: string | null): readonly string[] {
  const name = mention === null ? null : (MENTION.exec(mention)?.[1] ?? null);
  return name === null ? [] : [`For @${name}, as the policy asks.`];
}

const shelvesText = (view: EscalationView, place: Place): readonly string[] =>
  RULE_LABELS[view.key.rule].kind === 'breach' && !aboutPerson(view)
    ? [
        '**What Agent Policy does here**',
        shelves(place, 'such an act')
          .map((line) => `- ${line}`)
          .join('\n'),
        ...(place.prevention === 'on'
          ? [
              `That this landed although the rulesets ${RULESETS} are in force is worth a look at who may go around them.`,
            ]
          : []),
      ]
    : [];

/**
 * The issue of an escalation: what happened in a sentence, the table, which PRs it touches, what was done, what GitHub
 * refuses here and what it does not, what a person can do, and the one mention the policy asks for. The marker is the
 * last line. At most 60,000 bytes of UTF-8.
 */
export function escalationBody(view: EscalationView, place: Place, marker: string): string {
  const closed =
    view.state === 'closed'
      ? ['**Closed.** Kept for the record. It is opened again if the same happens within seven days.']
      : [];
  const before = [...closed, opening(view, place)];
  const after = [
    ...pullsText(view, place),
    ...doneText(view, place),
    ...(view.state === 'closed' ? [] : [nextText(view)]),
    ...shelvesText(view, place),
    ...mentionText(view.mention),
    marker,
  ];
  const facts = table(view.rows, (number) => reference(place, number), {
    bytes: MAX_BODY - bytes([...before, '', ...after].join('\n\n')),
    rows: MAX_ROWS,
    more: view.more,
  });
  return [...before, ...(facts === '' ? [] : [facts]), ...after].join('\n\n');
}
