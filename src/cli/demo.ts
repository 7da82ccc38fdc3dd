import type { Case } from '../sandbox/case.js';
import { createSandbox } from '../sandbox/create.js';
import { CASE_START_MS, instantOf } from '../sandbox/instant.js';
import { parseCase } from '../sandbox/parse-case.js';
import type { Sandbox, Written } from '../sandbox/sandbox.js';
import { terminalText } from '../words/terminal.js';
import { DEMO_CASE } from './demo-case.js';
import { playCase, type PlayedEvent } from './play.js';

type Print = (line?: string) => void;

/** Plays the three unattended merges on a GitHub in memory: without the App, then with it. Needs nothing and ends by itself. */
export async function demo(print: Print): Promise<void> {
  const [three] = parseCase(DEMO_CASE, 'demo');
  if (three === undefined) throw new Error('The demo holds no case.');
  print('Agent Policy, on a GitHub in memory: nothing leaves this machine.');
  heading(print, '1. Without the App');
  print(
    'An agent works through a list, unattended. Its instructions say: merge each before starting the next.',
  );
  print();
  await withoutTheApp(three, print);
  heading(print, '2. With the App: detect only');
  print('The repository now has .github/agent-policy.yml:');
  print();
  for (const line of (three.policy ?? '').trimEnd().split('\n')) print(`    ${line}`);
  print();
  print(
    '`merge: pr` lets the agent open pull requests and leaves merging to people. GitHub itself refuses nothing in',
  );
  print('this run: the App sees each merge after it happened, and says so at once.');
  print();
  const played = await playCase(three);
  for (const event of played.events) tell(event, print);
  const failed = played.events.flatMap(({ errors }) => errors);
  if (failed.length > 0) throw new Error(failed.join('\n'));
  texts(played.written, print);
}

function heading(print: Print, text: string): void {
  print();
  print(text);
  print('='.repeat(text.length));
  print();
}

/** The same events, and nobody listens. What landed is read back from the sandbox, as anybody would from GitHub. */
async function withoutTheApp(three: Case, print: Print): Promise<void> {
  let now = CASE_START_MS;
  const sandbox = createSandbox({
    world: three.world,
    policy: null,
    clock: { now: () => now },
    webhookSecret: 'unused',
    events: three.events,
  });
  for (const event of three.events) {
    if (event.kind !== 'deliver') continue;
    const { at } = event.keys;
    now = instantOf(typeof at === 'string' ? at : undefined, now);
    sandbox.deliver(event, 0);
  }
  const merged = await read(sandbox, '/repos/acme/widgets/pulls?state=closed&sort=created&direction=asc');
  const issue = await read(sandbox, '/repos/acme/widgets/issues/82');
  for (const pull of list(merged)) {
    print(
      `  #${text(pull, 'number')} "${text(pull, 'title')}" was merged to main at ${time(text(pull, 'merged_at'))}.`,
    );
  }
  print(`  Issue #82 is ${text(issue, 'state')}.`);
  print();
  print(`${list(merged).length} merges and a closed issue. Nobody was asked, and nobody was told.`);
}

async function read(sandbox: Sandbox, path: string): Promise<unknown> {
  const response = await sandbox.fetch(`https://api.github.com${path}`);
  if (!response.ok) throw new Error(`The sandbox answered ${response.status} to ${path}.`);
  return response.json();
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown, key: string): string =>
  typeof value === 'object' && value !== null && key in value
    ? String((value as Record<string, unknown>)[key])
    : '';
const time = (iso: string): string => iso.slice(11, 19);

const EVENT_WORDS: Readonly<Record<string, string>> = {
  'pull_request.opened': 'The agent opens a pull request.',
  'pull_request.closed': 'The agent merges it.',
  'issues.closed': 'The merge closes an issue that a person had opened.',
  push: 'GitHub tells of the same merge as a push.',
};

const LINE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^check (\S+) success/, 'check on $1: success'],
  [/^check (\S+) action_required (\S+)/, 'check on $1: waiting for a person ($2)'],
  [/^check (\S+) failure (\S+)/, 'check on $1: failure ($2)'],
  [/^record (\S+)/, 'ledger: a breach of $1'],
  [/^comment (\d+) open/, 'comment on #$1'],
  [/^issue (\S+) open/, 'issue opened for people: $1'],
  [/^issue (\S+) row/, 'a row added to that issue: $1'],
  [/^suspend (\S+)/, '$1 is suspended here until a person lifts it'],
  [/^revert-pull (\d+)/, 'a draft pull request that reverts #$1, for a person to decide on'],
  [/^reopen-issue (\d+)/, 'issue #$1 opened again'],
];

function tell({ n, title, lines }: PlayedEvent, print: Print): void {
  print(`  ${String(n).padStart(2)}. ${EVENT_WORDS[title] ?? title}`);
  if (lines.length === 0) print('        nothing to add');
  for (const line of lines) {
    const known = LINE_WORDS.find(([pattern]) => pattern.test(line));
    print(`        ${known === undefined ? line : line.replace(known[0], known[1])}`);
  }
}

/** The texts as a person reads them. An issue or comment is edited in place, so its last version is shown. */
function texts(written: readonly Written[], print: Print): void {
  const about = (request: RegExp, field: string): readonly string[] =>
    written.filter((one) => request.test(one.request) && one.field === field).map(({ text }) => text);
  const issueTitle = about(/^POST .*\/issues$/, 'title').find((title) => title.includes('merge')) ?? '';
  const issueBody = about(/\/issues(\/\d+)?$/, 'body').filter((body) => body.includes('#152'));
  const checks = about(/check-runs/, 'output.title').map((title, index) => ({
    title,
    summary: about(/check-runs/, 'output.summary')[index] ?? '',
  }));
  const [waiting] = checks;
  const held = checks.at(-1);
  const shown: readonly (readonly [string, string])[] = [
    [
      'The check on the first pull request, as it was opened',
      `${waiting?.title ?? ''}\n\n${waiting?.summary ?? ''}`,
    ],
    ['The comment on it, once it was merged', about(/\/issues\/150\/comments$/, 'body').at(-1) ?? ''],
    ['The issue, after the third merge', `${issueTitle}\n\n${issueBody.at(-1) ?? ''}`],
    [
      'The check on the third pull request: the agent is suspended',
      `${held?.title ?? ''}\n\n${held?.summary ?? ''}`,
    ],
  ];
  for (const [title, body] of shown) {
    heading(print, title);
    for (const line of terminalText(body).split('\n')) print(`    ${line}`.trimEnd());
  }
}
