import type { Random } from '../random.js';
import { LARGEST } from './body.js';
import { brokenChunkings, chunkings } from './chunks.js';
import { type Draft, setHeader } from './draft.js';
import { added, type Apply, type Fault, harmless, open, refusing, type Row, unread } from './fault.js';

/** These lines in place of what tells the length of the body. */
const framed =
  (lines: (draft: Draft, random: Random) => readonly string[]): Apply =>
  (draft, random) => {
    draft.framing = { kind: 'raw', lines: lines(draft, random) };
  };

const ending =
  (apply: Apply): Apply =>
  (draft, random, secrets) => {
    apply(draft, random, secrets);
    draft.ends = true;
  };

const lengthOf = ({ body }: Draft): string => `content-length: ${body.length}`;

const CHUNKED = 'transfer-encoding: chunked';

const many = (count: number): Apply => {
  const lines = Array.from({ length: count }, (_, at): [string, string] => [`x-${at}`, '1']);
  return (draft) => {
    draft.headers = [...lines, ...draft.headers];
  };
};

/** What no server may take for a whole request (RFC 9112). */
const UNREADABLE = unread(400, [
  ['header with NUL', added('x-odd', 'a\0b')],
  ['header with a control character', added('x-odd', 'a\x01b')],
  ['header with a bare CR', added('x-odd', 'a\rb')],
  ['header name with a space', added('x odd', 'b')],
  ['header without a name', added('', 'b')],
  ['method in small letters', (draft) => void (draft.method = 'post')],
  ['method nobody knows', (draft) => void (draft.method = 'DELIVER')],
  ['target with a control character', (draft) => void (draft.target += '\x01')],
  ['version 9.9', (draft) => void (draft.version = 'HTTP/9.9')],
  ['version in small letters', (draft) => void (draft.version = 'http/1.1')],
  ['no host', (draft) => setHeader(draft, 'host')],
  ['the length twice', framed((draft) => [lengthOf(draft), lengthOf(draft)])],
  ['two lengths', framed((draft) => [lengthOf(draft), 'content-length: 1'])],
  ['length and chunks', framed((draft) => [lengthOf(draft), CHUNKED])],
  ['chunks and length', framed((draft) => [CHUNKED, lengthOf(draft)])],
  ...['-5', '0x10', '+16', '1e3', '9'.repeat(30), ''].map((length): Row => [
    `length "${length.slice(0, 10)}"`,
    framed(() => [`content-length: ${length}`]),
  ]),
  ...brokenChunkings.map((encode, at): Row => [
    `broken chunks ${at + 1}`,
    ending((draft) => void (draft.framing = { kind: 'chunked', encode })),
  ]),
  ['neither length nor chunks', framed(() => [])],
  ['length nought', framed(() => ['content-length: 0'])],
  [
    'length above the body',
    ending(framed(({ body }, random) => [`content-length: ${body.length + 1 + random.below(1_000)}`])),
  ],
]);

const TOO_MUCH: readonly Fault[] = [
  ...unread(431, [
    ['header of 20 KB', added('x-odd', 'a'.repeat(20_000))],
    ['headers of 40 KB', many(4_000)],
    ['target of 100 KB', (draft) => void (draft.target = `/${'a'.repeat(100_000)}`)],
  ]),
  ...unread(413, [['length above 25 MB', framed(() => [`content-length: ${LARGEST + 1}`])]]),
  ...refusing(417, [['an expectation nobody knows', added('expect', '200-ok')]]),
];

/** The rest of the body is read as the next request, and is none. */
const CUT_SHORT: readonly Fault[] = refusing(401, [
  [
    'length below the body',
    ending(
      framed(({ body }, random) => [`content-length: ${Math.max(0, body.length - 1 - random.below(50))}`]),
    ),
  ],
]).map((fault) => ({ ...fault, statuses: [400, 401], mayClose: true, unframed: true }));

const OPEN = open([
  ['version 2.0', (draft) => void (draft.version = 'HTTP/2.0')],
  ['no version', (draft) => void (draft.version = '')],
  ['bare line feeds', (draft) => void (draft.lineEnd = '\n')],
  ['empty lines before', (draft) => void (draft.prefix = '\r\n\r\n')],
  ['white space before', (draft) => void (draft.prefix = ' ')],
  ['two hosts', added('host', 'elsewhere.example')],
  ['a header over two lines', added('x-odd', 'a\r\n b')],
  ['an upgrade', (draft) => draft.headers.push(['connection', 'upgrade'], ['upgrade', 'h2c'])],
  ['a tunnel', (draft) => void ([draft.method, draft.target] = ['CONNECT', 'localhost:80'])],
  ['the preface of HTTP/2', (draft) => void (draft.prefix = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
  ['what TLS begins with', (draft) => void (draft.prefix = '\x16\x03\x01\x02\x00\x01\x00\x01')],
  ...['gzip, chunked', 'chunked, gzip', 'identity', 'CHUNKED', 'xchunked', 'chunked, chunked'].map(
    (coding): Row => [`transfer coding ${coding}`, framed(() => [`transfer-encoding: ${coding}`])],
  ),
]);

const FINE = harmless([
  [
    'names in odd letters',
    (draft, random) => {
      const odd = (name: string): string =>
        [...name].map((letter) => (random.chance(0.5) ? letter.toUpperCase() : letter)).join('');
      draft.headers = draft.headers.map(([name, value]) => [odd(name), value]);
    },
  ],
  ['another order', (draft) => void draft.headers.sort(([one], [other]) => (one < other ? -1 : 1))],
  [
    'white space around values',
    (draft) => {
      draft.headers = draft.headers.map(([name, value]) => [name, ` \t${value}\t `]);
    },
  ],
  ['500 headers', many(500)],
  ['a cookie of 4 KB', added('cookie', 'c'.repeat(4_000))],
  ['a value beyond ASCII', added('x-odd', '\xe9\xff\x80')],
  ['a body that says it is gzip', added('content-encoding', 'gzip')],
  ['waits for a go', added('expect', '100-continue')],
  ['the last of its connection', added('connection', 'close')],
  ['HTTP/1.0', (draft) => void (draft.version = 'HTTP/1.0')],
  [
    'chunks',
    (draft, random) => void (draft.framing = { kind: 'chunked', encode: random.pick(chunkings(random)) }),
  ],
]);

/** What is odd or wrong about the HTTP around a delivery. */
export const HTTP_FAULTS: readonly (readonly Fault[])[] = [
  UNREADABLE,
  [...TOO_MUCH, ...CUT_SHORT],
  OPEN,
  FINE,
];
