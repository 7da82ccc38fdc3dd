import { type Apply, type Fault, harmless, refusing, replaced, type Row, type Secrets } from './fault.js';
import { headerOf, setHeader, signatureOf } from './draft.js';

const GUID = 'x-github-delivery';
const EVENT = 'x-github-event';
const SIGNATURE = 'x-hub-signature-256';
const TYPE = 'content-type';

const respelled =
  (name: string, spell: (value: string) => string): Apply =>
  (draft) =>
    setHeader(draft, name, spell(headerOf(draft, name)));

const twice =
  (name: string): Apply =>
  (draft) =>
    setHeader(draft, name, headerOf(draft, name), headerOf(draft, name));

const GUIDS = refusing(400, [
  ['GUID missing', replaced(GUID)],
  ['GUID empty', replaced(GUID, '')],
  ['GUID too long', respelled(GUID, (guid) => guid.padEnd(65, '0'))],
  ['GUID huge', replaced(GUID, 'a'.repeat(5_000))],
  ['GUID of two words', respelled(GUID, (guid) => `${guid} ${guid}`)],
  ['GUID of a sweep', respelled(GUID, (guid) => `activity:1:${guid.slice(-8)}`)],
  ['GUID with a quote', replaced(GUID, "' or 1=1 --")],
  ['GUID with a path', replaced(GUID, '../../etc/passwd')],
  ['GUID beyond ASCII', replaced(GUID, '\xe9\xff')],
  ['GUID twice', twice(GUID)],
  ['two GUIDs', (draft) => setHeader(draft, GUID, headerOf(draft, GUID), 'another')],
]);

const EVENTS = refusing(400, [
  ['event missing', replaced(EVENT)],
  ['event empty', replaced(EVENT, '')],
  ['event in capitals', respelled(EVENT, (event) => event.toUpperCase())],
  ['event of our own', replaced(EVENT, 'agent-policy.recheck')],
  ['event too long', replaced(EVENT, 'p'.repeat(65))],
  ['event with a digit', replaced(EVENT, 'push2')],
  ['event beyond ASCII', replaced(EVENT, 'pus\xe9')],
  ['two events', replaced(EVENT, 'push', 'pull_request')],
]);

/** Deliveries no rule listens to: some GitHub sends, some nobody does. */
const UNHEARD: readonly [string, ...string[]] = [
  'ping',
  'star',
  'issue_comment',
  'workflow_run',
  'installation',
  '__proto__',
  'constructor',
  'hasownproperty',
  'p',
  'a_name_of_sixty_four_letters_that_no_event_of_github_has_or_had_',
];

const IGNORED: readonly Fault[] = [
  {
    kind: 'event nobody listens to',
    fate: 'ignored',
    statuses: [202],
    apply: (draft, random) => setHeader(draft, EVENT, random.pick(UNHEARD)),
  },
];

const signedWith =
  (secret: (secrets: Secrets) => string): Apply =>
  (draft, _random, secrets) =>
    setHeader(draft, SIGNATURE, signatureOf(draft.body, secret(secrets)));

const signature = (spell: (value: string) => string): Apply => respelled(SIGNATURE, spell);

const SIGNATURES = refusing(401, [
  ['signature missing', replaced(SIGNATURE)],
  ['signature empty', replaced(SIGNATURE, '')],
  ['another secret', signedWith(({ current }) => `${current}x`)],
  ['no secret', signedWith(() => '')],
  ["Probot's stand-in secret", signedWith(() => 'development')],
  [
    'SHA-1 alone',
    (draft, _random, { current }) => {
      setHeader(draft, SIGNATURE);
      setHeader(draft, 'x-hub-signature', signatureOf(draft.body, current, 'sha1'));
    },
  ],
  [
    'SHA-1 in its place',
    (draft, _random, { current }) => setHeader(draft, SIGNATURE, signatureOf(draft.body, current, 'sha1')),
  ],
  ['signature truncated', signature((value) => value.slice(0, -1))],
  ['signature longer', signature((value) => `${value}0`)],
  ['signature in capitals', signature((value) => value.toUpperCase())],
  ['signature without its name', signature((value) => value.slice('sha256='.length))],
  ['signature of no hex', replaced(SIGNATURE, `sha256=${'z'.repeat(64)}`)],
  ['signature beyond ASCII', replaced(SIGNATURE, `sha256=${'\xe9'.repeat(64)}`)],
  ['signature of zeros', replaced(SIGNATURE, `sha256=${'0'.repeat(64)}`)],
  ['signature twice', twice(SIGNATURE)],
  [
    'a wrong signature before the right one',
    (draft) => setHeader(draft, SIGNATURE, `sha256=${'0'.repeat(64)}`, headerOf(draft, SIGNATURE)),
  ],
  [
    'one digit of the signature',
    signature((value) => value.slice(0, -1) + (value.endsWith('0') ? '1' : '0')),
  ],
  [
    'signature of another body',
    (draft) => {
      draft.body = Buffer.concat([draft.body, Buffer.from(' ')]);
    },
  ],
  [
    'one bit of the body',
    (draft, random) => {
      const body = Buffer.from(draft.body);
      const at = random.below(body.length);
      body[at] = (body[at] ?? 0) ^ (1 << random.below(8));
      draft.body = body;
    },
  ],
]);

const TYPES = refusing(415, [
  ['type missing', replaced(TYPE)],
  ['type empty', replaced(TYPE, '')],
  ['type of a form', replaced(TYPE, 'application/x-www-form-urlencoded')],
  ['type of text', replaced(TYPE, 'text/plain')],
  ['type that begins alike', replaced(TYPE, 'application/jsonx')],
  ['type of a patch', replaced(TYPE, 'application/json-patch+json')],
  ['two types in one', replaced(TYPE, 'text/html, application/json')],
]);

const BODIES = refusing(400, [
  [
    'no body',
    (draft, _random, { current }) => {
      draft.body = Buffer.alloc(0);
      setHeader(draft, SIGNATURE, signatureOf(draft.body, current));
    },
  ],
]);

const METHODS = refusing(
  405,
  ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'].map((method): Row => [
    `method ${method}`,
    (draft) => void (draft.method = method),
  ]),
);

/** Anything but the path the App is registered with, an address in full too: no proxy sends that to a server. */
const TARGETS = refusing(
  404,
  [
    '/',
    '//api/github/webhooks',
    '/api/github/webhooks/',
    '/api/github/webhooks%00',
    '/api/github/webhookS',
    '/api/github/../github/webhooks',
    '/api/github',
    'http://localhost/api/github/webhooks',
    'http://github.com/',
    '/probot',
    '/.env',
  ].map((target): Row => [`target ${target}`, (draft) => void (draft.target = target)]),
);

const FINE = harmless([
  ['the previous secret', signedWith(({ previous }) => previous)],
  ['a wrong SHA-1 beside the right SHA-256', replaced('x-hub-signature', `sha1=${'0'.repeat(40)}`)],
  ['GUID of 64 characters', respelled(GUID, (guid) => guid.padEnd(64, '_'))],
  ['GUID that is no UUID', respelled(GUID, (guid) => `d${guid.replaceAll('-', '')}`)],
  ['type with a charset', replaced(TYPE, 'application/json; charset=utf-8')],
  ['type in odd letters', replaced(TYPE, 'Application/JSON ;v=1')],
  ['a second type', replaced(TYPE, 'application/json', 'text/plain')],
  ['a query', (draft) => void (draft.target += '?a=1&b=/api/../..')],
]);

/** What is odd or wrong about a delivery, where the HTTP around it is sound. */
export const DELIVERY_FAULTS: readonly (readonly Fault[])[] = [
  GUIDS,
  EVENTS,
  IGNORED,
  SIGNATURES,
  TYPES,
  BODIES,
  METHODS,
  TARGETS,
  FINE,
];
