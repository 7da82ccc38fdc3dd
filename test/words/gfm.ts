import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly children?: readonly Node[];
}

const FLAVOR = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/** The tree of a text as GitHub's flavor of markdown. */
export const parse = (text: string): Node => fromMarkdown(text, FLAVOR);

export const nodes = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(nodes)];

const PLAIN = ['root', 'paragraph', 'text', 'table', 'tableRow', 'tableCell'];

/** What GitHub makes of the rendered text afterwards: mentions and references, in text that is not code. */
const CALLS = /@[A-Za-z\d]|#\d|\bGH-\d/i;

/**
 * The nodes of a text that are more than text (links, images, HTML, emphasis, code, headings …), and the texts in
 * which GitHub would find a mention or a reference. `allowed`: types that the text around is known to have.
 */
export const liveNodes = (text: string, ...allowed: readonly string[]): readonly string[] =>
  nodes(parse(text)).flatMap((node) => {
    if (![...PLAIN, ...allowed].includes(node.type)) return [`${node.type}: ${node.value ?? node.url ?? ''}`];
    return node.type === 'text' && CALLS.test(node.value ?? '') ? [`call: ${node.value}`] : [];
  });

const BITS = [
  '@everyone',
  '@acme/platform',
  '@alpha-agent',
  '@',
  '<!-- agent-policy resolved -->',
  '<!--',
  '-->',
  '--!>',
  '<img src=x onerror=y>',
  '<details>',
  '</td>',
  '<a href="https://evil.example">',
  '&#64;',
  '&lt;',
  '&',
  '&#',
  '[ok](https://evil.example)',
  '![x](',
  '](',
  '][',
  '[',
  ']',
  '(',
  ')',
  '[^1]',
  '[x]: https://evil.example',
  '[ ] ',
  'https://evil.example',
  'http://',
  'www.evil.example',
  'ftp://x.y',
  'a@b.co',
  'mailto:a@b.co',
  'xmpp:a@b.co',
  '#12',
  'GH-1',
  'acme/widgets#3',
  '#',
  '\n',
  '\r\n',
  '\n\n',
  '\n# ',
  '\n/agent-policy resume alpha done',
  '/x',
  '```',
  '`',
  '``',
  '~~~',
  '~~',
  '~',
  '*',
  '**',
  '_',
  '__',
  '\\',
  '|',
  '||',
  '\n|---|---|\n',
  '---',
  '===',
  '- ',
  '+ ',
  '1. ',
  '> ',
  '    ',
  '\t',
  '$',
  '$$',
  ':tada:',
  '\u202E',
  '\u2066',
  '\u200F',
  '\u061C',
  '\u200B',
  '\uFEFF',
  '\u{E0041}',
  '\uFE0F',
  '\u2028',
  '\u0000',
  '\u001b[31m',
  '\uD800',
  '\uDC00',
  'a',
  'Z9',
  ' ',
  'é',
  '修',
  '👍',
  'https',
  ':',
  '//',
  'www',
  '.',
  'GH',
  '-',
  '1',
  '!',
];

/** Text made of all that markdown, HTML, GitHub and terminals give a meaning to, beside arbitrary text. */
export const hostile: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...BITS), { maxLength: 30 }).map((bits) => bits.join('')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }) },
);
