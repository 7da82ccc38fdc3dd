import type { Books, StoryPull } from './books.js';
import { suspendedAgents } from './books.js';
import { HONEST, MERGER, PEOPLE, ROGUES } from './cast.js';
import { compare, type Difference } from './difference.js';
import type { Breach } from './moment.js';
import type { Seen, SeenTable } from './seen.js';

type Report = (expected: string, seen: string, about?: readonly Breach[]) => void;

/** Everything in which one repository on GitHub is not as the story says it has to be. */
export const verifyGitHub = (books: Books, seen: Seen): readonly Difference[] => {
  const found: Difference[] = [];
  const report: Report = (expected, saw, about = []) =>
    found.push({
      where: `${books.owner}/${books.name}`,
      expected,
      seen: saw,
      deliveries: about.flatMap((breach) => books.toldBy.get(breach) ?? []),
    });
  verifyIssues(books, seen, report);
  verifyComments(books, seen, report);
  verifyRemedies(books, seen, report);
  verifyChecks(books, seen, report);
  return found;
};

const groupedBy = <K>(breaches: readonly Breach[], keyOf: (breach: Breach) => K | null): Map<K, Breach[]> => {
  const groups = new Map<K, Breach[]>();
  for (const breach of breaches) {
    const key = keyOf(breach);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), breach]);
  }
  return groups;
};

const holds = (row: string, breach: Breach): boolean => breach.row.every((part) => part.test(row));
const spelled = (breach: Breach): string => breach.row.map((part) => part.source).join(' and ');

/** One row for each breach, and none beside. Rows that only a number stands for can only be counted. */
const verifyRows = (what: string, table: SeenTable, breaches: readonly Breach[], report: Report): void => {
  const rows = table.rows.length + table.more;
  if (rows !== breaches.length)
    report(`${what} #${table.number} with ${breaches.length} rows`, `${rows} rows`, breaches);
  if (table.more > 0) return;
  for (const breach of breaches) {
    const count = table.rows.filter((row) => holds(row, breach)).length;
    if (count !== 1)
      report(`one row with ${spelled(breach)} in ${what} #${table.number}`, `${count}`, [breach]);
  }
  for (const row of table.rows)
    if (!breaches.some((breach) => holds(row, breach)))
      report(`no row in ${what} #${table.number} that nothing led to`, row, breaches);
};

function verifyIssues(books: Books, seen: Seen, report: Report): void {
  const expected = groupedBy(books.breaches, ({ key }) => key);
  for (const [key, breaches] of expected) {
    const issues = seen.issues.filter((issue) => issue.key === key);
    const [issue] = issues;
    if (issue === undefined || issues.length > 1 || issue.state !== 'open')
      report(
        `one open issue ${key}`,
        issues.map(({ number, state }) => `#${number} ${state}`).join(', ') || 'none',
        breaches,
      );
    if (issue !== undefined) verifyRows(`issue ${key}`, issue, breaches, report);
  }
  for (const { key, number } of seen.issues)
    if (!expected.has(key)) report('no issue that nothing led to', `#${number} ${key}`);
}

function verifyComments(books: Books, seen: Seen, report: Report): void {
  const expected = groupedBy(books.breaches, ({ comment }) => comment);
  for (const [number, breaches] of expected) {
    const comments = seen.comments.filter((comment) => comment.number === number);
    if (comments.length !== 1) report(`one comment of ours on #${number}`, `${comments.length}`, breaches);
    const [comment] = comments;
    if (comment !== undefined) verifyRows('comment', comment, breaches, report);
  }
  for (const { number, rows } of seen.comments)
    if (!expected.has(number))
      report(`no comment of ours on #${number}`, rows.join(' ') || 'one without rows');
}

function verifyRemedies(books: Books, seen: Seen, report: Report): void {
  const lists = [
    ['backup ref', books.breaches.flatMap(({ backup }) => (backup === null ? [] : [backup])), seen.backups],
    [
      'revert of #',
      books.breaches.flatMap(({ revert }) => (revert === null ? [] : [`${revert}`])),
      seen.reverts.map(String),
    ],
    ['closed issue #', [], seen.closed.filter((number) => books.reopened.has(number)).map(String)],
    ['armed auto-merge of #', [], seen.armed.map(String)],
  ] as const;
  for (const [what, expected, saw] of lists)
    for (const one of compare(expected, saw))
      report(
        `${one.expected} × ${what} ${one.thing}`,
        `${one.seen}`,
        books.breaches.filter(({ backup, revert }) => backup === one.thing || `${revert}` === one.thing),
      );
}

type Expected = 'success' | 'failure' | 'action_required';

/** What the newest check of an open PR's head has to say. */
const conclusionFor = (pull: StoryPull, suspended: ReadonlySet<string>): Expected => {
  const agents = [...HONEST, MERGER, ...ROGUES].filter(
    ({ name, login }) => login === pull.author || pull.pushers.has(name),
  );
  if (agents.length === 0) return 'success';
  if (agents.some(({ name }) => suspended.has(name))) return 'failure';
  const mayMerge = agents.every((agent) => agent === MERGER);
  return mayMerge || pull.approved === pull.head ? 'success' : 'action_required';
};

function verifyChecks(books: Books, seen: Seen, report: Report): void {
  const suspended = suspendedAgents(books);
  for (const pull of books.pulls.values()) {
    if (pull.state === 'closed') continue;
    const expected = conclusionFor(pull, suspended);
    const runs = seen.checks.get(books.sha(pull.head)) ?? [];
    const newest = runs.at(-1)?.conclusion ?? 'none';
    const whose = PEOPLE.some((person) => person === pull.author) ? "a person's" : "an agent's";
    if (newest !== expected) report(`check ${expected} on ${whose} #${pull.number}`, newest);
  }
  for (const [sha, runs] of seen.checks)
    for (const [index, run] of runs.entries()) {
      const before = runs[index - 1];
      if (before?.conclusion === run.conclusion && before.text === run.text)
        report(
          `no two check runs that say the same on ${sha}`,
          `${run.conclusion}, run ${index + 1} of ${runs.length}`,
        );
    }
}
