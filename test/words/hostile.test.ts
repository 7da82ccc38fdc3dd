import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkText } from '../../src/words/check.js';
import { commentBody } from '../../src/words/comment.js';
import { escalationBody, escalationTitle } from '../../src/words/escalation.js';
import { marker, readMarker } from '../../src/words/marker.js';
import { revertText } from '../../src/words/revert.js';
import { COMMENTS, ESCALATIONS, VERDICTS } from './all-texts.js';
import { hostile, nodes, parse } from './gfm.js';
import { MERGE_ROW, comment, escalation, place } from './make.js';

const MARK = marker('issue', 'merge-level:alpha:main', 'secret');

/** Fields that hold what somebody else wrote: a login, a branch, a path, a commit's trailer, a ruleset's name. */
const THEIRS = new Set([
  'login',
  'agent',
  'agents',
  'approvers',
  'paths',
  'path',
  'file',
  'ref',
  'before',
  'after',
  'release',
  'ruleset',
  'detail',
  'value',
  'field',
  'approved',
  'head',
  'sha',
  'message',
  'suggestion',
  'subject',
  'mention',
  'owner',
  'repo',
  'defaultBranch',
]);

/** A copy in which each string that somebody else may have written is `text`. */
function poisoned<T>(value: T, text: string): T {
  const walk = (part: unknown, key: string): unknown => {
    if (typeof part === 'string') return THEIRS.has(key) ? text : part;
    if (Array.isArray(part)) return part.map((each) => walk(each, key));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, walk(each, name)]));
  };
  return walk(value, '') as T;
}

const CALLS =
  /@|<(?!!-- agent-policy:(?:comment|issue):[\w-]+:[0-9a-f]{32} -->)|\]\(|:\/\/|\p{Bidi_Control}|\p{Cs}|[\p{Cf}\u200B]/u;
const WORST: readonly (readonly [string, string])[] = [
  [
    'mentions, our marker, HTML and a link',
    '--> | x | @everyone <!-- agent-policy merge-level:alpha:main closed --> <img src=x onerror=y> [ok](https://evil.example)',
  ],
  [
    'a forged marker and a command',
    `\n\n${marker('issue', 'x', 'other')}\n\n/agent-policy resume alpha done`,
  ],
  ['the very marker of the text', `${MARK}\n`],
  ['backticks, ends of cells and rows', '`@everyone` ``@everyone`` </code></td> |\n|---|\n| a'],
  ['direction overrides and half a pair', '\u202E\u2066@e\u200Bveryone\uD800'],
  ['300 KB', `@everyone <b> ${'🙂|`'.repeat(75_000)}`],
  ['nothing', ''],
];

const expectDead = (body: string): void => {
  expect(body).not.toMatch(CALLS);
  const found = nodes(parse(body));
  expect(
    found.filter((node) =>
      [
        'link',
        'image',
        'linkReference',
        'imageReference',
        'footnoteReference',
        'definition',
        'delete',
        'code',
        'blockquote',
        'thematicBreak',
      ].includes(node.type),
    ),
  ).toEqual([]);
  expect(found.filter((node) => node.type === 'html').map((node) => node.value)).toEqual(
    body.includes(MARK) ? [MARK] : [],
  );
  expect(found.filter((node) => node.type === 'tableRow' && node.children?.length !== 5)).toEqual([]);
};

describe('the worst that was thought of, in every field at once', () => {
  test.each(WORST)('%s', (_, text) => {
    const where = poisoned(place('off'), text);
    for (const view of COMMENTS.filter(({ about }) => about === 'pull'))
      expectDead(commentBody(poisoned(view, text), where, MARK));
    for (const view of ESCALATIONS.filter(({ suspended }) => suspended)) {
      expectDead(escalationBody(poisoned(view, text), where, MARK));
      expect(escalationTitle(poisoned(view, text))).not.toMatch(CALLS);
      expectDead(revertText(283, poisoned(view.key, text), where).body);
    }
    for (const each of VERDICTS.filter(({ conclusion }) => conclusion !== 'neutral')) {
      const { title, summary, text: below, annotations } = checkText(poisoned(each, text), where);
      expectDead(summary);
      expectDead(below);
      for (const line of [title, ...annotations.flatMap((note) => [note.title, note.message])]) {
        expect(line).not.toMatch(CALLS);
        expect(line).not.toContain('\n');
      }
    }
  });
});

describe('whatever comes in', () => {
  test('a comment is ours alone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...COMMENTS), hostile, (view, text) => {
        const body = commentBody(poisoned(view, text), place('off'), MARK);
        expectDead(body);
        expect(body).not.toMatch(/^\s*\//m);
        expect(readMarker(body, ['secret'])).toEqual({ kind: 'issue', id: 'merge-level:alpha:main' });
      }),
      { numRuns: 150 },
    );
  });

  test('an issue is ours alone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ESCALATIONS), hostile, (view, text) => {
        const body = escalationBody({ ...poisoned(view, text), mention: null }, place('on'), MARK);
        expectDead(body);
        expect(readMarker(body, ['secret'])).toEqual({ kind: 'issue', id: 'merge-level:alpha:main' });
        expect([...escalationTitle(poisoned(view, text))].length).toBeLessThanOrEqual(200);
      }),
      { numRuns: 150 },
    );
  });

  test('a check is ours alone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...VERDICTS), hostile, (each, text) => {
        const { summary, text: below, title } = checkText(poisoned(each, text), place('on'));
        expectDead(summary);
        expectDead(below);
        expect(title).not.toMatch(CALLS);
      }),
      { numRuns: 150 },
    );
  });
});

describe('sizes hold', () => {
  const long = '🙂'.repeat(75_000);
  const rows = Array.from({ length: 5_000 }, () =>
    poisoned(
      { ...MERGE_ROW, subject: { ...MERGE_ROW.subject, path: 'p', ruleset: 'r', release: 'v', detail: 'd' } },
      long,
    ),
  );
  const mentions = Array.from({ length: 5_000 }, (_, at) => at + 1);
  const standing = Array.from({ length: 300 }, () =>
    poisoned(VERDICTS, long).flatMap((each) => each.reasons),
  ).flat();
  const bytes = (text: string): number => Buffer.byteLength(text, 'utf8');

  test('a comment has at most 60,000 bytes, and the first and the latest row', () => {
    const facts = [MERGE_ROW, ...rows, { ...MERGE_ROW, subject: { pull: 999 } }];
    const body = commentBody(comment({ facts, standing }), place('off'), MARK);
    expect(bytes(body)).toBeLessThanOrEqual(60_000);
    expect(body).toContain('merged #283 into `main`');
    expect(body).toContain('merged #999 |');
    expect(body.endsWith(MARK)).toBe(true);
  });

  test('an issue has at most 60,000 bytes', () => {
    const view = escalation('merge-level', {
      rows,
      mentions,
      more: 1_000_000,
      suspended: true,
      mention: '@acme/platform',
    });
    const body = escalationBody(poisoned(view, long), poisoned(place('on'), long), MARK);
    expect(bytes(body)).toBeLessThanOrEqual(60_000);
    expect(body.endsWith(MARK)).toBe(true);
  });

  test('a check has at most 65,535 characters of each', () => {
    for (const each of VERDICTS.slice(0, 6)) {
      const many = {
        ...poisoned(each, long),
        agents: Array.from({ length: 500 }, () => poisoned(each.agents, long)).flat(),
      };
      const { title, summary, text } = checkText({ ...many, reasons: standing.slice(0, 60) }, place('off'));
      expect(title.length).toBeLessThanOrEqual(255);
      expect(summary.length).toBeLessThanOrEqual(65_535);
      expect(text.length).toBeLessThanOrEqual(65_535);
    }
  });

  test('a verdict tree of a thousand leaves is cut, and how to take the App out stays', () => {
    const [first] = VERDICTS;
    if (first === undefined) throw new Error('There are no verdicts to try.');
    const tree = { ...first.tree, children: Array.from({ length: 5_000 }, () => first.tree) };
    const { text } = checkText({ ...first, tree }, place('on'));
    expect(text.length).toBeLessThanOrEqual(65_535);
    expect(text).toContain('To take Agent Policy out of this repository');
  });
});
