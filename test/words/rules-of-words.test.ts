import { describe, expect, test } from '@jest/globals';
import { checkText } from '../../src/words/check.js';
import { commentBody } from '../../src/words/comment.js';
import { escalationBody, escalationTitle } from '../../src/words/escalation.js';
import { revertText } from '../../src/words/revert.js';
import type { Place } from '../../src/words/views.js';
import { COMMENTS, ESCALATIONS, PLACES, VERDICTS } from './all-texts.js';
import { nodes, parse } from './gfm.js';
import { place } from './make.js';

const MARK = '<!-- agent-policy:issue:eA:0123456789abcdef0123456789abcdef -->';

const checks = (where: Place): readonly string[] =>
  VERDICTS.flatMap((each) => {
    const { title, summary, text } = checkText(each, where);
    return [title, summary, text];
  });
const comments = (where: Place): readonly string[] => COMMENTS.map((view) => commentBody(view, where, MARK));
const issues = (where: Place): readonly string[] =>
  ESCALATIONS.map((view) => escalationBody(view, where, MARK));
const titles = ESCALATIONS.map(escalationTitle);
const reverts = (where: Place): readonly string[] =>
  [null, ...ESCALATIONS.map((view) => view.key)].flatMap((key) => Object.values(revertText(283, key, where)));

const bodies = (where: Place): readonly string[] => [...comments(where), ...issues(where), ...reverts(where)];
const all = (where: Place): readonly string[] => [...checks(where), ...bodies(where), ...titles];
const everything = PLACES.flatMap(all);

test('there is something to hold the rules against', () => {
  expect(everything.length).toBeGreaterThan(400);
  expect(everything.filter((text) => text.includes('merge-level')).length).toBeGreaterThan(10);
});

describe('about people and agents', () => {
  test.each([
    /\bfalse(ly)?\b/i,
    /\b(lie|lies|lied|lying)\b/i,
    /\bclaim(s|ed|ing)?\b/i,
    /\bhuman\b/i,
    /\b(guilty|cheat|malicious|rogue|violat)/i,
  ])('no text says %s', (word) => {
    expect(everything.filter((text) => word.test(text))).toEqual([]);
  });
});

describe('a reader of commands', () => {
  test('finds no command in a comment, an issue or a pull request', () => {
    expect(PLACES.flatMap(bodies).filter((text) => /^\s*\/|\/agent-policy \w/m.test(text))).toEqual([]);
  });

  test('finds nobody called', () => {
    expect(everything.filter((text) => text.includes('@'))).toEqual([]);
  });

  test('finds no instruction to an agent', () => {
    const asks = /\b(please fix|fix this|implement this|try again|address (this|the|these))\b/i;
    expect(everything.filter((text) => asks.test(text))).toEqual([]);
  });

  test('finds no way past', () => {
    const ways = /(bypass|work ?around|instead push|push directly|another branch|force-push it|disable the)/i;
    expect(PLACES.flatMap(bodies).filter((text) => ways.test(text))).toEqual([]);
  });
});

describe('what GitHub stops', () => {
  const promises =
    /GitHub (itself )?(refuses|stops|blocks|prevents)|\b(is|are|was|were) (prevented|blocked)\b|rulesets? .* (is|are) in force|does not let (it|them) through/i;

  test('is never said where our rulesets are not in force', () => {
    expect(all(place('off')).filter((text) => promises.test(text))).toEqual([]);
  });

  test('is said where they are', () => {
    expect(all(place('on')).filter((text) => promises.test(text)).length).toBeGreaterThan(50);
  });

  test('where it stops nothing, each check that is not for a person says detect only', () => {
    const texts = VERDICTS.filter((each) => each.reasons.every((reason) => reason.code !== 'person')).map(
      (each) => checkText(each, place('off')).text,
    );
    expect(texts.filter((text) => !text.includes('detect only: ') && !text.includes('detect only.'))).toEqual(
      [],
    );
    expect(texts.length).toBeGreaterThan(30);
  });

  test('no ruleset is named to be deleted where there is none', () => {
    expect(checks(place('off')).filter((text) => text.includes('agent-policy/gates'))).toEqual([]);
    expect(
      VERDICTS.map((each) => checkText(each, place('on')).text).filter(
        (text) => !text.includes('`agent-policy/gates`'),
      ),
    ).toEqual([]);
  });
});

describe('as markdown', () => {
  const written = [...comments(place('off')), ...issues(place('on'))].map((body) => nodes(parse(body)));
  const BLOCKS = [
    'root',
    'paragraph',
    'text',
    'heading',
    'strong',
    'emphasis',
    'inlineCode',
    'list',
    'listItem',
    'table',
    'tableRow',
    'tableCell',
    'html',
  ];

  test('each body is made of plain blocks, and its only HTML is the marker', () => {
    for (const found of written) {
      expect(found.map((node) => node.type).filter((type) => !BLOCKS.includes(type))).toEqual([]);
      expect(found.filter((node) => node.type === 'html').map((node) => node.value)).toEqual([MARK]);
    }
  });

  test('each row of a table has its five cells', () => {
    const rows = written.flat().filter((node) => node.type === 'tableRow');
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter((row) => row.children?.length !== 5)).toEqual([]);
  });

  test('nothing is left over from a value that was not there', () => {
    expect(
      everything.filter((text) => /undefined|null|NaN|\[object|``|\( *\)| {2,}\S.*\|/.test(text)),
    ).toEqual([]);
  });
});

test('within what GitHub takes', () => {
  for (const each of VERDICTS) {
    const { title, summary, text } = checkText(each, place('on'));
    expect(title.length).toBeLessThanOrEqual(255);
    expect(summary.length + text.length).toBeLessThanOrEqual(65_535);
    expect(summary).not.toBe('');
  }
  expect(titles.filter((title) => title.length > 200)).toEqual([]);
});
