import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { code, inert } from '../../src/words/inert.js';
import { hostile, liveNodes, nodes, parse } from './gfm.js';

describe('inert', () => {
  test.each([
    ['a mention', 'ping @everyone', 'ping ＠everyone'],
    ['a team', '@acme/platform', '＠acme/platform'],
    ['an e-mail address', 'mail a.b@example.com', 'mail a.b＠example.com'],
    ['a reference to an issue', 'closes #12', 'closes ＃12'],
    ['a reference into another repository', 'acme/widgets#12', 'acme/widgets＃12'],
    ['the other form of a reference', 'GH-12 and gh-13', 'GH‑12 and gh‑13'],
    ['an HTML tag', '<img src=x onerror=y>', '‹img src=x onerror=y›'],
    ['a comment of ours', '<!-- agent-policy:issue:eA:00 -->', '‹!-- agent-policy:issue:eA:00 --›'],
    ['an entity that stands for an @', '&#64;everyone &commat;x', '＆＃64;everyone ＆commat;x'],
    ['a link', '[ok](https://evil.example)', '[ok］(https:∕∕evil.example)'],
    ['an image', '![x](http://a)', '![x］(http:∕∕a)'],
    ['a bare address', 'see http://a.b and www.a.b', 'see http:∕∕a.b and www․a.b'],
    ['emphasis', '**a** _b_ ~~c~~', '∗∗a∗∗ ＿b＿ ∼∼c∼∼'],
    ['code', '`rm`', 'ˋrmˋ'],
    ['mathematics', '$x$', '＄x＄'],
    ['a table', 'a | b', 'a ¦ b'],
    ['a backslash before what we write next', 'a\\', 'a⧵'],
    ['several lines', 'a\r\n\n# b\u2028c', 'a ＃ b c'],
    ['controls', 'a\u0000b\u001b[31mc', 'ab[31mc'],
    ['direction overrides', 'a\u202Eb\u2066c\u200Fd\u061Ce', 'abcde'],
    ['zero-width and tag characters', 'a\u200Bb\uFEFFc\u{E0041}d\u2060e\u00ADf', 'abcdef'],
    ['a mention hidden by a zero-width character', '@\u200Beveryone', '＠everyone'],
    ['half a surrogate pair', 'a\uD800b', 'a\uFFFDb'],
    ['a command at the start', '/agent-policy resume alpha done', '∕agent-policy resume alpha done'],
    ['a list at the start', '- a', '‑ a'],
    ['a numbered list at the start', '1. a', '1․ a'],
    ['a tower of marks', `a${'\u0301'.repeat(40)}`, `a${'\u0301'.repeat(3)}`],
  ])('%s is shown and does nothing', (_, text, shown) => {
    expect(inert(text)).toBe(shown);
  });

  test.each([
    'feat: read the policy (once), then decide',
    'release/2.x',
    'src/words/my_file.ts',
    '[codex] Füge größere Tests hinzu — 修正 é',
    'A & B: 50% "quoted", it\'s fine!',
    '👍 🇩🇪',
  ])('ordinary text stays as it is: %s', (text) => {
    expect(inert(text)).toBe(text);
  });

  test('a long text is cut, and says so', () => {
    expect(inert('a'.repeat(300), 10)).toBe(`${'a'.repeat(9)}…`);
    expect(inert('a'.repeat(10), 10)).toBe('a'.repeat(10));
  });

  test('a cut falls between characters', () => {
    expect(inert('👍'.repeat(20), 4)).toBe('👍👍👍…');
  });

  test('300 KB cost no time', () => {
    const before = performance.now();
    expect([...inert('@<!-- '.repeat(50_000))].length).toBeLessThanOrEqual(200);
    expect(performance.now() - before).toBeLessThan(500);
  });

  test('whatever comes in, GitHub markdown sees text and nothing else', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = inert(text);
        expect(liveNodes(`Title: ${shown} (by somebody).`)).toEqual([]);
        expect(liveNodes(`| a | b |\n|---|---|\n| ${shown} | ${shown} |`)).toEqual([]);
        expect(liveNodes(shown)).toEqual([]);
        expect(shown).not.toMatch(
          /[@<>`|\p{Cc}\p{Cf}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u,
        );
        expect([...shown].length).toBeLessThanOrEqual(200);
      }),
      { numRuns: 500 },
    );
  });

  test('what is inert stays as it is when it is made inert again', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(inert(inert(text))).toBe(inert(text));
      }),
    );
  });

  test('a row has the cells we wrote, whatever is in them', () => {
    fc.assert(
      fc.property(hostile, hostile, (left, right) => {
        const text = `| a | b |\n|---|---|\n| ${inert(left)} | ${code(right)} |`;
        const found = nodes(parse(text));
        expect(found.filter((node) => node.type === 'tableCell')).toHaveLength(4);
        expect(found.filter((node) => node.type === 'inlineCode')).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });
});

describe('code', () => {
  test.each([
    ['a path is exact', 'pkg/__init__.py', '`pkg/__init__.py`'],
    ["a bot's login is exact", 'alpha-agent[bot]', '`alpha-agent[bot]`'],
    ['a glob is exact', 'release/*', '`release/*`'],
    ['a mention is shown and calls nobody', 'fix-@everyone-<!--x-->', '`fix-＠everyone-‹!--x--›`'],
    ['a backtick does not end it', 'a`b', '`aˋb`'],
    ['a pipe does not end the cell', 'a|b', '`a¦b`'],
    ['nothing is said to be nothing', '\u200B', '`(empty)`'],
  ])('%s', (_, text, shown) => {
    expect(code(text)).toBe(shown);
  });

  test('whatever comes in, it is one code span', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const span = code(text);
        expect(span).toMatch(/^`[^`\n@<>|]+`$/);
        expect(liveNodes(`On ${span}, and so on`, 'inlineCode')).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
