import { describe, expect, test } from '@jest/globals';
import { REASON_CODES } from '../../src/decide/reasons.js';
import { commentBody } from '../../src/words/comment.js';
import { marker, readMarker } from '../../src/words/marker.js';
import { MARA, MERGE_ROW, REASONS, comment, place } from './make.js';

const MARK = marker('comment', '283', 'secret');
const OBJECTION = {
  ...MERGE_ROW,
  who: MARA,
  agent: null,
  what: 'objection',
  rule: null,
  origin: null,
  state: 'noted',
} as const;
const CLOSED = {
  ...MERGE_ROW,
  what: 'issue.close',
  subject: { issue: 4 },
  rule: 'issue-close',
  state: 'put-back',
} as const;

describe('the whole comment', () => {
  test.each([
    ['a merge, where GitHub stops nothing', comment(), 'off'],
    ['a merge, where our rulesets are in force', comment(), 'on'],
    [
      'a merge after which an approval was missing',
      comment({ facts: [{ ...MERGE_ROW, rule: 'review-gate' }], standing: [REASONS['agent-approval']] }),
      'on',
    ],
    [
      'auto-merge that was armed and taken off again',
      comment({ facts: [{ ...MERGE_ROW, what: 'auto-merge-armed', state: 'undone' }] }),
      'on',
    ],
    ['an objection after a permitted merge', comment({ facts: [OBJECTION] }), 'on'],
    ['an issue that an agent closed', comment({ number: 4, about: 'issue', facts: [CLOSED] }), 'on'],
    ['cleared, on a pull request', comment({ facts: [], state: 'cleared' }), 'on'],
    ['cleared, on an issue', comment({ about: 'issue', facts: [], state: 'cleared' }), 'on'],
  ] as const)('%s', (_, view, prevention) => {
    expect(commentBody(view, place(prevention), MARK)).toMatchSnapshot();
  });

  test.each(REASON_CODES)('what stands: %s', (code) => {
    expect(
      commentBody(comment({ facts: [], standing: [REASONS[code]] }), place('on'), MARK),
    ).toMatchSnapshot();
  });
});

const COMPLETE = 'opening a pull request *is* completing the task';

describe('what it says', () => {
  test('opening the pull request completes the task, as far as the policy allows', () => {
    expect(commentBody(comment(), place('on'), MARK)).toContain(COMPLETE);
  });

  test.each([
    ['at level none', comment({ facts: [], standing: [REASONS['level-none']] })],
    ['when a person asked for changes', comment({ facts: [], standing: [REASONS['changes-requested']] })],
    ['on an issue', comment({ about: 'issue', facts: [CLOSED] })],
    ['about a permitted merge', comment({ facts: [OBJECTION] })],
  ])('but not %s', (_, view) => {
    expect(commentBody(view, place('on'), MARK)).not.toContain(COMPLETE);
  });

  test('an objection offers a revert and names no rule', () => {
    const body = commentBody(comment({ facts: [OBJECTION] }), place('off'), MARK);
    expect(body).toContain('A revert is on offer');
    expect(body).toContain('`mara` | objected after the merge of #283');
    expect(body).not.toMatch(/merge-level|breach|Detect only/);
  });

  test('where GitHub stops nothing it says so, and where it does it does not', () => {
    expect(commentBody(comment(), place('off'), MARK)).toContain('Detect only');
    expect(commentBody(comment(), place('on'), MARK)).not.toContain('Detect only');
  });

  test('cleared it is one line and the marker', () => {
    const body = commentBody(
      comment({ state: 'cleared', standing: [REASONS['head-changed']] }),
      place('on'),
      MARK,
    );
    expect(body.split('\n').filter((line) => line !== '')).toHaveLength(2);
  });

  test('times are told in UTC, whatever zone they came in', () => {
    const facts = [{ ...MERGE_ROW, at: '2026-11-30T10:00:11.250+01:00' }];
    expect(commentBody(comment({ facts }), place('on'), MARK)).toContain('| 2026-11-30 09:00:11 UTC |');
  });
});

describe('the marker', () => {
  test.each([
    ['open', comment()],
    ['cleared', comment({ state: 'cleared' })],
  ])('%s: is the last line and is found again', (_, view) => {
    const body = commentBody(view, place('on'), MARK);
    expect(body.split('\n').at(-1)).toBe(MARK);
    expect(readMarker(body, ['secret'])).toEqual({ kind: 'comment', id: '283' });
  });
});

describe('many rows', () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => ({
    ...MERGE_ROW,
    subject: { pull: at + 1, ref: 'main' },
  }));

  test('the first and the latest are kept, the others counted', () => {
    const body = commentBody(comment({ facts: rows }), place('on'), MARK);
    expect(body).toContain('merged #1 into');
    expect(body).not.toContain('merged #2 into');
    expect(body).toContain('merged #972 into');
    expect(body).toContain('merged #1000 into');
    expect(body).toContain('Between the first and the second row 970 more are left out.');
    expect(body.match(/\| landed \|/g)).toHaveLength(30);
  });

  test('as many as fit are all shown', () => {
    const body = commentBody(comment({ facts: rows.slice(0, 30) }), place('on'), MARK);
    expect(body.match(/\| landed \|/g)).toHaveLength(30);
    expect(body).not.toContain('left out');
  });
});
