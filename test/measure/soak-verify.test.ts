import { describe, expect, test } from '@jest/globals';
import { createRandom } from '../../src/measure/random.js';
import { type Books, createBooks } from '../../src/measure/soak/books.js';
import * as breaches from '../../src/measure/soak/breaches.js';
import type { Scene } from '../../src/measure/soak/moment.js';
import { personsPull } from '../../src/measure/soak/scenes.js';
import type { Seen } from '../../src/measure/soak/seen.js';
import { verifyGitHub } from '../../src/measure/soak/verify-github.js';
import { verifyPatience } from '../../src/measure/soak/verify-patience.js';
import { createShas } from '../../src/sandbox/shas.js';

const shas = createShas();

/** A repository in which one agent merged its own PR, one dropped a person's commits, and a person has a PR open. */
const told = (): Books => {
  const books = createBooks({
    id: 1,
    owner: 'acme',
    name: 'widgets',
    installation: 5,
    // Of everything that is drawn, the first: no second push, a branch without a PR, a PR that stays open.
    random: {
      ...createRandom('verify'),
      unit: () => 0,
      below: () => 0,
      chance: () => false,
      pick: ([one]) => one,
    },
    sha: (short) => shas.full(short),
    passed: () => false,
  });
  const play = (scene: Scene): void => [...scene].forEach(() => undefined);
  play(breaches.mergesItsOwn(books));
  play(breaches.rewritesTwenty(books));
  play(personsPull({ ...books, random: { ...books.random, chance: () => true } }));
  return books;
};

const TIME = '2026-11-30 09:00 UTC';

/** What GitHub shows where everything is as the story says. */
const right = (books: Books): Seen => {
  const rowOf = (what: string): string => `| ${TIME} | agent | ${what} | rule | landed |`;
  const dropped = books.breaches.filter(({ rule }) => rule === 'dropped-commits');
  const [merge] = books.breaches;
  if (merge === undefined) throw new Error('no breach');
  const mergeRow = rowOf('merged #1 into `main`');
  return {
    issues: [
      { key: 'merge-level:rho:main', number: 101, state: 'open', rows: [mergeRow], more: 0 },
      ...dropped.map(({ key, act }, index) => ({
        key: key ?? '',
        number: 102 + index,
        state: 'open' as const,
        rows: [rowOf(`force-pushed \`${act.ref ?? ''}\` (\`${act.before ?? ''}\` → \`1234567\`)`)],
        more: 0,
      })),
    ],
    comments: [{ number: 1, rows: [mergeRow], more: 0 }],
    checks: new Map([[shas.full('pull-2'), [{ conclusion: 'success', text: 'Nothing to do' }]]]),
    backups: dropped.flatMap(({ backup }) => (backup === null ? [] : [backup])),
    reverts: [1],
    armed: [],
    closed: [],
  };
};

const first = <T>(items: readonly T[]): T => {
  const [one] = items;
  if (one === undefined) throw new Error('none');
  return one;
};

const doubled = <T>(items: readonly T[]): readonly T[] => [...items, first(items)];

test('everything is as the story says', () => {
  const books = told();
  expect(books.breaches).toHaveLength(21);
  expect(verifyGitHub(books, right(books))).toEqual([]);
});

describe('what is not as the story says is told, with what was expected', () => {
  test.each<[string, (seen: Seen) => Partial<Seen>, RegExp]>([
    ['an issue that is missing', ({ issues }) => ({ issues: issues.slice(1) }), /one open issue merge-level/],
    [
      'an issue that is there twice',
      ({ issues }) => ({ issues: doubled(issues) }),
      /one open issue merge-level/,
    ],
    [
      'an issue that is closed',
      ({ issues }) => ({ issues: [{ ...first(issues), state: 'closed' }, ...issues.slice(1)] }),
      /one open issue merge-level/,
    ],
    [
      'an issue that nothing led to',
      ({ issues }) => ({ issues: [...issues, { ...first(issues), key: 'tag:rho:tags' }] }),
      /no issue that nothing led to/,
    ],
    [
      'a row that is missing',
      ({ issues }) => ({ issues: [{ ...first(issues), rows: [] }, ...issues.slice(1)] }),
      /issue merge-level:rho:main #101 with 1 rows/,
    ],
    [
      'a row that is there twice',
      ({ issues }) => ({
        issues: [{ ...first(issues), rows: doubled(first(issues).rows) }, ...issues.slice(1)],
      }),
      /one row with #1/,
    ],
    [
      'a row that is counted and not shown',
      ({ issues }) => ({ issues: [{ ...first(issues), more: 1 }, ...issues.slice(1)] }),
      /with 1 rows/,
    ],
    ['a comment that is missing', () => ({ comments: [] }), /one comment of ours on #1/],
    [
      'a comment that is there twice',
      ({ comments }) => ({ comments: doubled(comments) }),
      /one comment of ours/,
    ],
    [
      'a comment where nothing happened',
      ({ comments }) => ({ comments: [...comments, { number: 2, rows: [], more: 0 }] }),
      /no comment of ours on #2/,
    ],
    ['a backup ref that is missing', ({ backups }) => ({ backups: backups.slice(1) }), /1 × backup ref/],
    ['a revert that is missing', () => ({ reverts: [] }), /1 × revert of # 1/],
    ['a revert that is there twice', () => ({ reverts: [1, 1] }), /1 × revert of # 1/],
    ['auto-merge that stayed armed', () => ({ armed: [2] }), /0 × armed auto-merge of # 2/],
    ["a person's PR without a check", () => ({ checks: new Map() }), /check success on a person's #2/],
    [
      "a person's PR that is held",
      () => ({ checks: new Map([[shas.full('pull-2'), [{ conclusion: 'failure', text: '' }]]]) }),
      /check success on a person's #2/,
    ],
    [
      'a check run that says the same again',
      ({ checks }) => ({ checks: new Map([...checks].map(([sha, runs]) => [sha, doubled(runs)])) }),
      /no two check runs that say the same/,
    ],
  ])('%s', (_name, change, expected) => {
    const books = told();
    const seen = right(books);
    const found = verifyGitHub(books, { ...seen, ...change(seen) });
    expect(found.map((one) => one.expected).join('\n')).toMatch(expected);
  });

  test('an issue a person needs, closed by an agent and not opened again', () => {
    const books = told();
    books.reopened.add(9);
    const found = verifyGitHub(books, { ...right(books), closed: [9, 10] });
    expect(found.map(({ expected, seen }) => `${expected}: ${seen}`)).toEqual(['0 × closed issue # 9: 1']);
  });

  test('it names the webhooks that told it', () => {
    const books = told();
    books.toldBy.set(first(books.breaches), ['guid-1', 'guid-2']);
    const [found] = verifyGitHub(books, { ...right(books), reverts: [] });
    expect(found?.deliveries).toEqual(['guid-1', 'guid-2']);
  });
});

describe('requests while told to wait', () => {
  const one = {
    request: 'GET /app',
    identity: 'app:777',
    kind: 'secondary' as const,
    at: 2_500,
    toldAt: 2_000,
    until: 3_000,
  };
  test('are differences', () => {
    expect(verifyPatience([one], [])).toHaveLength(1);
    expect(verifyPatience([one], [1_900, 5_000])).toHaveLength(1);
  });
  test('are none where the process died with the answer unread', () => {
    expect(verifyPatience([one], [2_100])).toEqual([]);
  });
});
