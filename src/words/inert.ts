import { redact } from './redact.js';

/**
 * Input beyond this is not looked at: nothing we show is longer than a few hundred characters, and a title of 300 KB
 * should cost no time. UTF-16 units.
 */
const WINDOW = 4_096;

const SPACE = /[\p{Z}\t\n\v\f\r\u0085]+/gu;

/** Controls, bidi controls, zero-width and tag characters, variation selectors, fillers, private use, noncharacters. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Co}\p{Noncharacter_Code_Point}\u2800]/gu;

const LONE_SURROGATE = /\p{Cs}/gu;

/** Three marks on one letter are enough for every script in use; more is a tower that covers the lines above. */
const MARK_TOWER = /(\p{M}{3})\p{M}+/gu;

/**
 * GitHub finds mentions and references in the *rendered* text, so that neither a backslash nor an entity stops one
 * (https://github.com/github/cmark-gfm/issues/181). A look-alike does, in a title, an e-mail and a code span too.
 */
const ALWAYS: Readonly<Record<string, string>> = {
  '@': '＠',
  '<': '‹',
  '>': '›',
  '`': 'ˋ',
  '|': '¦',
};

const EVERYWHERE: readonly (readonly [RegExp, string])[] = [
  [/:\/\//g, ':∕∕'],
  // A link's or an image's middle, a definition's colon.
  [/\](?=[([:])/g, '］'],
  [/(GH)-(?=\d)/gi, '$1‑'],
];

const OUTSIDE_CODE: readonly (readonly [RegExp, string])[] = [
  // At the end, where our own text could complete a link.
  [/\]$/, '］'],
  // An entity may stand for any other character.
  [/&(?=[#A-Za-z]|$)/g, '＆'],
  [/\\/g, '⧵'],
  [/\*/g, '∗'],
  [/~/g, '∼'],
  [/\$/g, '＄'],
  [/#/g, '＃'],
  // Inside a word it is a letter like any other.
  [/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '＿'],
  [/www\./gi, 'www․'],
  // What makes a block, or a command, at the start of a line.
  [/^\//, '∕'],
  [/^-/, '‑'],
  [/^\+/, '＋'],
  [/^=/, '＝'],
  [/^(\d{1,9})\./, '$1․'],
  [/^(\d{1,9})\)/, '$1）'],
];

const replaceAll = (text: string, table: readonly (readonly [RegExp, string])[]): string =>
  table.reduce((done, [pattern, by]) => done.replace(pattern, by), text);

/** One line of characters that can be seen, secrets hidden, at most `max` code points; an ellipsis says it was cut. */
function visible(text: string, max: number): string {
  const line = redact(
    text
      .slice(0, WINDOW)
      .replace(SPACE, ' ')
      .replace(UNSEEN, '')
      .replace(LONE_SURROGATE, '\uFFFD')
      .replace(MARK_TOWER, '$1'),
  )
    .replace(/ {2,}/g, ' ')
    .trim();
  const points = [...line];
  if (points.length <= max && text.length <= WINDOW) return line;
  return `${points
    .slice(0, Math.max(0, max - 1))
    .join('')
    .trimEnd()}…`;
}

const lookAlikes = (text: string): string => text.replace(/[@<>`|]/g, (found) => ALWAYS[found] ?? '');

/**
 * Somebody else's text as one line that means nothing but itself wherever it stands: in GitHub markdown, a table cell,
 * a title, an e-mail. Characters that could call, link, mark up or hide are shown as look-alikes (`@x` → `＠x`), unseen
 * ones are left out, known secrets hidden. At most `max` code points (a title of 200 is read to its end).
 * Why look-alikes and not escapes: docs/decisions/030-inert-text.md.
 */
export function inert(text: string, max = 200): string {
  return replaceAll(lookAlikes(visible(text, max)), [...EVERYWHERE, ...OUTSIDE_CODE]);
}

/**
 * Somebody else's name (login, branch, path) as a code span: exact where that is safe (`__init__.py`), and the
 * characters that matter to GitHub or to whoever reads the raw text still as look-alikes. Never an empty span.
 */
export function code(text: string, max = 120): string {
  const shown = replaceAll(lookAlikes(visible(text, max)), [...EVERYWHERE, [/#(?=\d)/g, '＃']]);
  return `\`${shown === '' ? '(empty)' : shown}\``;
}
