import { createHmac } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { FactRow } from '../../src/decide/effects.js';
import { commentBody } from '../../src/words/comment.js';
import { marker, readMarker } from '../../src/words/marker.js';
import { plainRow, sameFact } from '../../src/words/plain-row.js';
import {
  type CommentFacts,
  type IssueFacts,
  MAX_FACTS_LINE,
  openFacts,
  sealFacts,
} from '../../src/words/sealed-facts.js';
import { COMMENTS, RULES } from './all-texts.js';
import { hostile, nodes, parse } from './gfm.js';
import { MERGE_ROW, place, REASONS, RULE_ROWS } from './make.js';

const SECRET = 'a secret of some length';
const ID = '1/283';
const FACTS: CommentFacts = { rows: [MERGE_ROW], standing: Object.values(REASONS) };
const ISSUE: IssueFacts = {
  rows: RULES.map((rule) => ({ ...MERGE_ROW, ...RULE_ROWS[rule] })),
  more: 3,
  mentions: [12, 13],
  suspension: { since: '2026-11-30T09:00:11.000Z', cause: 'merge-level' },
};

const lineOf = (facts: CommentFacts = FACTS): string => sealFacts('comment', ID, facts, SECRET).line;
const opened = (body: string, secrets: readonly string[] = [SECRET]): CommentFacts | null =>
  openFacts('comment', ID, body, secrets)?.facts ?? null;

/** A line sealed as ours, whatever is in it. */
const sealedLine = (encoded: string): string => {
  const seal = createHmac('sha256', SECRET)
    .update(`agent-policy facts 1\ncomment\n${ID}\n${encoded}`)
    .digest('hex')
    .slice(0, 32);
  return `<!-- agent-policy:facts:${encoded}:${seal} -->`;
};
const packed = (text: string): string => deflateRawSync(text).toString('base64url');

describe('a facts line', () => {
  test('gives back every kind of reason and row', () => {
    expect(opened(`Words.\n\n${lineOf()}\n${marker('comment', ID, SECRET)}`)).toEqual(FACTS);
    const { line } = sealFacts('issue', '1/tag:alpha:tags', ISSUE, SECRET);
    expect(openFacts('issue', '1/tag:alpha:tags', line, [SECRET])?.facts).toEqual(ISSUE);
  });

  test('gives back any row', () => {
    const row = fc.record({
      at: fc.constantFrom('2026-11-30T09:00:11Z', '2026-11-30T09:00:11.123Z'),
      ref: hostile,
      detail: hostile,
      login: hostile,
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (given) => {
        const rows = given.map(({ at, ref, detail, login }): FactRow => ({
          ...MERGE_ROW,
          at,
          who: { id: 1, login, type: 'User' },
          subject: { ref, detail },
        }));
        const read = opened(lineOf({ rows, standing: [] }));
        expect(read?.rows.length).toBe(rows.length);
        for (const [index, one] of rows.entries())
          expect(sameFact(read?.rows[index] ?? MERGE_ROW, one)).toBe(true);
      }),
    );
  });

  test('is one hidden comment, and leaves the marker the last line', () => {
    for (const view of COMMENTS) {
      const end = `${lineOf()}\n${marker('comment', ID, SECRET)}`;
      const body = commentBody(view, place('off'), end);
      expect(readMarker(body, [SECRET])).toEqual({ kind: 'comment', id: ID });
      expect(opened(body)).toEqual(FACTS);
      const html = nodes(parse(body)).filter((node) => node.type === 'html');
      expect(html.map((node) => String(node.value)).join('\n')).toBe(end);
    }
  });

  test('is the same for the same facts, whatever order their keys are in', () => {
    const turned = Object.fromEntries(Object.entries(MERGE_ROW).reverse()) as unknown as FactRow;
    expect(lineOf({ standing: [], rows: [turned] })).toBe(lineOf({ rows: [MERGE_ROW], standing: [] }));
  });

  test('holds no secret and no more of a text than is shown', () => {
    const token = `ghp_${'a'.repeat(36)}`;
    const rows = [{ ...MERGE_ROW, subject: { detail: `${token} ${'x'.repeat(1_000)}`, path: token } }];
    const [row] = opened(lineOf({ rows, standing: [] }))?.rows ?? [];
    expect(row?.subject.path).toBe('(hidden: GitHub token)');
    expect(row?.subject.detail?.startsWith('(hidden: GitHub token) xxx')).toBe(true);
    expect(row?.subject.detail?.length).toBeLessThan(200);
  });
});

describe('a facts line that would be too long', () => {
  // What hardly compresses.
  const noise = (seed: number, length: number): string => {
    let text = '';
    for (let part = 0; text.length < length; part += 1)
      text += createHmac('sha256', `${seed}`).update(`${part}`).digest('base64');
    return text.slice(0, length);
  };
  const rowsOf = (count: number, noisy: number): readonly FactRow[] =>
    Array.from({ length: count }, (_, index) => ({
      ...MERGE_ROW,
      subject: { pull: index, ref: 'main', detail: noise(index, noisy) },
    }));

  test('loses the details of the oldest rows first', () => {
    const line = lineOf({ rows: rowsOf(150, 200), standing: FACTS.standing });
    const read = opened(line);
    expect(line.length).toBeLessThanOrEqual(MAX_FACTS_LINE);
    expect(read?.standing).toEqual(FACTS.standing);
    expect(read?.rows.map(({ subject }) => subject.pull)).toEqual(Array.from({ length: 150 }, (_, at) => at));
    const detailed = read?.rows.filter(({ subject }) => subject.detail !== undefined) ?? [];
    expect(detailed).toEqual(rowsOf(150, 200).slice(-20));
  });

  test('long reasons go before rows do', () => {
    const paths = Array.from({ length: 3_000 }, (_, index) => noise(index, 40));
    const standing = [{ code: 'protected-path' as const, paths }];
    expect(opened(lineOf({ rows: rowsOf(10, 10), standing }))).toMatchObject({ standing: [] });
    expect(opened(lineOf({ rows: rowsOf(10, 10), standing }))?.rows).toHaveLength(10);
  });

  test('then rows: the first and the latest stay, and an issue counts the others', () => {
    const rows = rowsOf(2_000, 10).map((row) => ({
      ...row,
      subject: { ...row.subject, after: noise(Number(row.subject.pull), 40) },
    }));
    const { line } = sealFacts('issue', '1/x', { ...ISSUE, rows, more: 5 }, SECRET);
    const read = openFacts('issue', '1/x', line, [SECRET])?.facts;
    expect(line.length).toBeLessThanOrEqual(MAX_FACTS_LINE);
    expect(read?.rows[0]?.subject.pull).toBe(0);
    expect(read?.rows.at(-1)?.subject.pull).toBe(1_999);
    expect((read?.rows.length ?? 0) + (read?.more ?? 0)).toBe(2_005);
  });
});

describe('is no line of ours', () => {
  const line = lineOf();
  const [, encoded = ''] = /facts:([^:]+):/.exec(line) ?? [];
  test.each<[string, string]>([
    ['none', 'Words.'],
    ['another secret', sealFacts('comment', ID, FACTS, 'guessed').line],
    ['another comment', sealFacts('comment', '1/284', FACTS, SECRET).line],
    ['another repository', sealFacts('comment', '2/283', FACTS, SECRET).line],
    ['of an issue', sealFacts('issue', ID, ISSUE, SECRET).line],
    [
      'one letter changed',
      line.replace(encoded, `${encoded.slice(0, -1)}${encoded.endsWith('A') ? 'B' : 'A'}`),
    ],
    ['in the middle of a line', `> ${line}`],
    ['no seal', `<!-- agent-policy:facts:${encoded}: -->`],
    ['too long', sealedLine('A'.repeat(16_001))],
  ])('%s', (_, body) => {
    expect(opened(body)).toBeNull();
  });

  test.each<[string, string]>([
    ['is not compressed', sealedLine('AAAA')],
    ['is no JSON', sealedLine(packed('words'))],
    ['has another shape', sealedLine(packed(JSON.stringify({ rows: [{ at: 'yesterday' }], standing: [] })))],
    [
      'knows a rule of another version',
      sealedLine(packed(JSON.stringify({ rows: [{ ...MERGE_ROW, rule: 'x' }], standing: [] }))),
    ],
    ['would be larger than memory', sealedLine(packed('a'.repeat(8 * 1024 * 1024)))],
  ])('sealed by us, and %s -> as if it were not there', (_, body) => {
    expect(body.length).toBeLessThan(MAX_FACTS_LINE);
    expect(opened(body)).toBeNull();
  });

  test('an empty secret opens nothing', () => {
    expect(opened(sealFacts('comment', ID, FACTS, '').line, [''])).toBeNull();
  });

  test('while secrets are rotated both open, and of two lines the last counts', () => {
    const other: CommentFacts = { rows: [], standing: [] };
    expect(opened(line, ['new', SECRET])).toEqual(FACTS);
    expect(opened(`${line}\n${lineOf(other)}`)).toEqual(other);
    expect(opened(`${line}\n${sealFacts('comment', ID, other, 'guessed').line}`)).toBeNull();
  });
});

describe('the same fact', () => {
  const detailed: FactRow = { ...MERGE_ROW, subject: { ...MERGE_ROW.subject, detail: 'x' } };
  const invalid: FactRow = { ...MERGE_ROW, rule: 'policy-invalid', subject: { ref: 'main', after: 'a1' } };
  test.each<[string, boolean, FactRow, FactRow]>([
    ['itself', true, MERGE_ROW, { ...MERGE_ROW }],
    ['at another time', false, MERGE_ROW, { ...MERGE_ROW, at: '2026-11-30T10:00:00Z' }],
    ['of another PR', false, MERGE_ROW, { ...MERGE_ROW, subject: { ...MERGE_ROW.subject, pull: 999 } }],
    ['one of them lost its detail', true, detailed, MERGE_ROW],
    ['two details', false, detailed, { ...detailed, subject: { ...detailed.subject, detail: 'y' } }],
    [
      'one of them without its secrets',
      true,
      { ...detailed, subject: { detail: `ghp_${'b'.repeat(30)}` } },
      plainRow({ ...detailed, subject: { detail: `ghp_${'b'.repeat(30)}` } }),
    ],
    ['a policy file of one push, told twice', true, invalid, { ...invalid, at: '2026-11-30T10:00:00Z' }],
    ['policy files of two pushes', false, invalid, { ...invalid, subject: { ref: 'main', after: 'a2' } }],
  ])('%s -> %s', (_, same, a, b) => {
    expect([sameFact(a, b), sameFact(b, a)]).toEqual([same, same]);
  });
});
