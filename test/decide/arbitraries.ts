import fc from 'fast-check';
import type { Account } from '../../src/acts/act.js';
import type { FileFact, FilesFact, ReviewFact } from '../../src/decide/facts.js';
import type { PullFacts } from '../../src/decide/judge-pull.js';
import {
  ALPHA,
  ALPHA_TWO,
  BETA,
  INVALID,
  IVO,
  MARA,
  MYSTERY,
  OTTO,
  RAE,
  ROBOT,
  TIA,
  after,
  commit,
  contextOf,
  policyText,
  pullOf,
  suspended,
} from './make.js';

export const PEOPLE = [RAE, MARA, OTTO, TIA, IVO];
export const AGENTS = [ALPHA, ALPHA_TWO, BETA, ROBOT, MYSTERY];

export const PATHS = [
  'src/app.ts',
  'docs/readme.md',
  'AGENTS.md',
  'CODEOWNERS',
  '.github/agent-policy.yml',
  '.github/workflows/ci.yml',
];

export const reviewsBy = (people: readonly Account[], states: readonly ReviewFact['state'][]) =>
  fc
    .array(
      fc.record({
        by: fc.constantFrom(...people),
        state: fc.constantFrom(...states),
        sha: fc.constantFrom('h0', 'h1', null),
        minute: fc.integer({ min: -4, max: 0 }),
      }),
      { maxLength: 8 },
    )
    .map((all) =>
      all.map(({ minute, ...one }, index): ReviewFact => ({ ...one, id: index + 1, at: after(minute) })),
    );

export const STATES = ['approved', 'changes_requested', 'commented', 'dismissed', 'pending'] as const;

const fileOf: fc.Arbitrary<FileFact> = fc.record(
  {
    path: fc.oneof(fc.constantFrom(...PATHS), fc.string()),
    status: fc.constantFrom('added', 'removed', 'modified', 'renamed', 'copied'),
    blob: fc.constant(null),
    previousPath: fc.constantFrom(...PATHS),
    linksTo: fc.constantFrom('', '.github', 'src', 'docs/a'),
  },
  { requiredKeys: ['path', 'status', 'blob'] },
);

export const filesOf: fc.Arbitrary<FilesFact> = fc.oneof(
  fc.array(fileOf, { maxLength: 6 }).map((files) => ({ kind: 'complete' as const, files })),
  fc.array(fileOf, { maxLength: 6 }).map((files) => ({ kind: 'partial' as const, files, changed: 3_400 })),
);

export const MESSAGES = [
  'Work',
  'Fix\n\nCo-authored-by: Claude <noreply@anthropic.com>',
  'Fix\n\nCo-authored-by: Cursor <cursoragent@cursor.com>',
  'Fix\n\nGenerated with [Claude Code](https://claude.com/claude-code)',
];

export const commitsBy = (accounts: readonly Account[]) =>
  fc.uniqueArray(
    fc
      .record({
        sha: fc.constantFrom('c1', 'c2', 'c3', 'c4', 'h1'),
        by: fc.constantFrom(...accounts, null),
        message: fc.oneof(fc.constantFrom(...MESSAGES), fc.string()),
        verified: fc.boolean(),
      })
      .map(({ sha, by, message, verified }) => commit(sha, by, { message, verified })),
    { maxLength: 4, selector: ({ sha }) => sha },
  );

export const limitsOf = fc
  .record({
    authors: fc.array(fc.constantFrom(...AGENTS, ...PEOPLE), { maxLength: 14 }),
    lately: fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 14 }),
    merged: fc.integer({ min: 0, max: 14 }),
  })
  .map(({ authors, lately, merged }): PullFacts['limits'] => ({
    openPulls: authors.map((author, index) => pullOf({ author, number: 270 + index, sha: `p${index}` })),
    openedLately: new Map([['alpha', lately]]),
    mergedLately: new Map([['alpha', merged]]),
    trees: new Map(),
  }));

const REST = [
  '',
  'people: { approvals: 2, approvers: [otto, rae] }\n',
  'people: { gated: true }\nunknown-bots: merge\n',
  'trunk: ["**"]\nprotected-paths: ["**"]\n',
  'limits: { open-pulls: 0, pulls-per-hour: 0, merges-per-day: 0 }\n',
  'acts: { policy.edit: deny, pull.open: deny }\n',
  'automation: []\nmode: observe\n',
];

export const anyContext = fc
  .record({
    level: fc.constantFrom('none', 'pr', 'merge'),
    rest: fc.constantFrom(...REST),
    suspensions: fc.subarray([suspended('alpha'), suspended('beta'), suspended('claude')]),
  })
  .map(({ level, rest, suspensions }) => contextOf(policyText(rest, level), suspensions));

export const policyFileOf = fc.constantFrom(null, null, INVALID);
