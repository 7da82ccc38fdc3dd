import { z } from 'zod';
import { DURATION, milliseconds } from './policy/duration.js';

/** The groups that .env.example and docs/configuration.md show, in this order. */
export const SETTING_GROUPS = ['App', 'Server', 'Store', 'GitHub', 'Policy', 'Log', 'Development'] as const;

/** One environment variable: what it means, what it may hold, and what holds when it is left out. */
export interface Setting {
  readonly name: string;
  readonly group: (typeof SETTING_GROUPS)[number];
  readonly meaning: string;
  /** What it may hold, to stand after "Set it to". */
  readonly holds: string;
  /** What holds when it is unset, in words; null: it must be set. */
  readonly default: string | null;
  /** What .env.example shows. */
  readonly example: string;
  /** Its value is never printed. */
  readonly secret: boolean;
  readonly form: z.ZodType;
}

/** Probot's stand-in where no secret is set; everybody knows it, so anybody can sign with it. */
const KNOWN_SECRET = 'development';

const urlOf = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/** What is wrong with an address that tokens are sent to; null: nothing. */
const wrongBase = (text: string): string | null => {
  const at = urlOf(text);
  if (at === null) return 'is not a URL';
  if (at.username !== '' || at.password !== '' || at.search !== '' || at.hash !== '')
    return 'must hold no user name, password, query or fragment';
  if (at.protocol !== 'https:' && !(at.protocol === 'http:' && isLoopback(at.hostname)))
    return 'must begin with https:// (http:// only on this machine), since tokens are sent to it';
  return null;
};

const base = z
  .string()
  .check((check) => {
    const message = wrongBase(check.value);
    if (message !== null) check.issues.push({ code: 'custom', input: check.value, message });
  })
  .transform((text) => text.replace(/\/+$/, ''));

const flag = z
  .enum(['true', 'false', '1', '0'], 'is neither true nor false')
  .transform((text) => text === 'true' || text === '1');

const duration = z
  .string()
  .regex(DURATION, 'is not a duration such as 30d, 12h, 45m or 10s')
  .transform(milliseconds);

const secret = z
  .string()
  .refine((text) => text === text.trim(), 'begins or ends with white space')
  .refine((text) => text !== KNOWN_SECRET, `is "${KNOWN_SECRET}", which anybody can sign with`);

/** Every variable this App reads. .env.example and docs/configuration.md are held in step with it by a test. */
export const SETTINGS = {
  APP_ID: {
    group: 'App',
    meaning: 'The App ID, from the settings page of the App.',
    holds: 'the number GitHub shows as App ID',
    default: null,
    example: '123456',
    secret: false,
    form: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, 'is not a number')
      .transform(Number),
  },
  PRIVATE_KEY: {
    group: 'App',
    meaning:
      'The private key of the App: the text of its .pem file (real line breaks, or written as \\n), or its base64.',
    holds: 'the text of the .pem file',
    default: 'PRIVATE_KEY_PATH names the file instead',
    example: '',
    secret: true,
    form: z.string(),
  },
  PRIVATE_KEY_PATH: {
    group: 'App',
    meaning: 'The file that holds the private key. PRIVATE_KEY wins where both are set.',
    holds: 'the path of the .pem file',
    default: 'PRIVATE_KEY holds the key instead',
    example: './agent-policy.private-key.pem',
    secret: false,
    form: z.string(),
  },
  WEBHOOK_SECRET: {
    group: 'App',
    meaning:
      'The webhook secret of the App. Without one the server refuses to start: anybody could sign a delivery.',
    holds: 'a long random text, the same as on the settings page of the App',
    default: null,
    example: '',
    secret: true,
    form: secret,
  },
  WEBHOOK_SECRET_PREVIOUS: {
    group: 'App',
    meaning: 'The secret before this one, still accepted while you change it. Remove it afterwards.',
    holds: 'the webhook secret in use before',
    default: 'only WEBHOOK_SECRET is accepted',
    example: '',
    secret: true,
    form: secret,
  },
  PORT: {
    group: 'Server',
    meaning: 'The port to listen on; 0 takes any free one.',
    holds: 'a port from 0 to 65535',
    default: '3000',
    example: '3000',
    secret: false,
    form: z
      .string()
      .regex(/^\d{1,5}$/, 'is not a number')
      .transform(Number)
      .refine((port) => port <= 65_535, 'is above 65535'),
  },
  HOST: {
    group: 'Server',
    meaning:
      'The address to listen on. localhost takes connections from this machine only; in a container, or without a proxy in front, set 0.0.0.0.',
    holds: 'a host name or address',
    default: 'localhost',
    example: 'localhost',
    secret: false,
    form: z.string().regex(/^[\w.:-]+$/, 'is not a host name or address'),
  },
  WEBHOOK_PATH: {
    group: 'Server',
    meaning: 'The path GitHub delivers to. The webhook URL of the App ends in it.',
    holds: 'a path that begins with /',
    default: '/api/github/webhooks',
    example: '/api/github/webhooks',
    secret: false,
    form: z.string().regex(/^\/[\w./~-]*$/, 'is not a path that begins with /'),
  },
  NODE_ENV: {
    group: 'Server',
    meaning:
      'production logs JSON and refuses what is for development only. What is neither development nor test counts as production.',
    holds: 'production or development',
    default: 'development',
    example: 'production',
    secret: false,
    form: z.string(),
  },
  AGENT_POLICY_STORE: {
    group: 'Store',
    meaning:
      'The SQLite file that holds what the App remembers; it is made when it is not there. Files beside it with its name (-wal, -shm, .lock) belong to it. On a disk of this machine, never on a network share.',
    holds: 'the path of a file',
    default: './agent-policy.db',
    example: './agent-policy.db',
    secret: false,
    form: z.string().refine((path) => !path.startsWith(':'), 'is not a file: what is not stored is lost'),
  },
  AGENT_POLICY_KEEP_BODIES: {
    group: 'Store',
    meaning:
      'How long the payloads of deliveries are kept. A delivery without its payload cannot be replayed; dead letters keep theirs.',
    holds: 'a duration from 1d on, such as 30d',
    default: '30d',
    example: '30d',
    secret: false,
    form: duration.refine((ms) => ms >= milliseconds('1d'), 'is shorter than a day'),
  },
  AGENT_POLICY_KEEP_ACTS: {
    group: 'Store',
    meaning:
      'How long acts are kept. Whose branch or issue it is, and what a limit counts, is told from them.',
    holds: 'a duration from 30d on, such as 365d',
    default: '365d',
    example: '365d',
    secret: false,
    form: duration.refine((ms) => ms >= milliseconds('30d'), 'is shorter than 30 days'),
  },
  GITHUB_API_URL: {
    group: 'GitHub',
    meaning:
      'The REST API of your GitHub. On an Enterprise Server: https://HOST/api/v3. Taken as it stands; nothing is appended.',
    holds: 'the https:// address of the API',
    default: 'https://api.github.com',
    example: 'https://api.github.com',
    secret: false,
    form: base,
  },
  GITHUB_HTML_URL: {
    group: 'GitHub',
    meaning: 'Where people see your GitHub, for links.',
    holds: 'an https:// address',
    default: 'follows from GITHUB_API_URL',
    example: 'https://github.com',
    secret: false,
    form: base,
  },
  AGENT_POLICY_REQUEST_TIMEOUT: {
    group: 'GitHub',
    meaning: 'How long GitHub has to answer one request before it counts as not answered.',
    holds: 'a duration such as 30s',
    default: '30s',
    example: '30s',
    secret: false,
    form: duration.refine((ms) => ms <= milliseconds('5m'), 'is longer than five minutes'),
  },
  AGENT_POLICY_DEFAULT: {
    group: 'Policy',
    meaning:
      "The operator's layer under every policy file: the level of an agent where no file names one. It makes no repository take part that has no policy file.",
    holds: 'none, pr or merge',
    default: 'the built-in level, pr',
    example: 'pr',
    secret: false,
    form: z.enum(['none', 'pr', 'merge'], 'is not a level'),
  },
  AGENT_POLICY_DRY_RUN: {
    group: 'Policy',
    meaning: 'true: nothing is written to GitHub; the log says what would have been.',
    holds: 'true or false',
    default: 'false',
    example: 'false',
    secret: false,
    form: flag,
  },
  AGENT_POLICY_KILL_SWITCH: {
    group: 'Policy',
    meaning:
      'true: deliveries are answered with 503, and nothing is done or remembered. Once it is off again, the App asks GitHub for those of the last three days. Where our check is required on a branch, pull requests wait meanwhile.',
    holds: 'true or false',
    default: 'false',
    example: 'false',
    secret: false,
    form: flag,
  },
  AGENT_POLICY_MARKER_SECRET: {
    group: 'Policy',
    meaning:
      'Signs the hidden markers by which the App finds its own comments and issues again. Markers signed before it was set stay valid as long as the webhook secret does.',
    holds: 'a random text of 16 characters or more',
    default: 'derived from WEBHOOK_SECRET',
    example: '',
    secret: true,
    form: secret.refine((text) => text.length >= 16, 'is shorter than 16 characters'),
  },
  LOG_LEVEL: {
    group: 'Log',
    meaning: 'The least severe line that is logged. Tokens, keys and payloads are logged at none.',
    holds: 'trace, debug, info, warn, error, fatal or silent',
    default: 'info',
    example: 'info',
    secret: false,
    form: z.enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'is not a level the log knows',
    ),
  },
  LOG_FORMAT: {
    group: 'Log',
    meaning: 'pretty for people, json for machines.',
    holds: 'pretty or json',
    default: 'json where NODE_ENV is production, else pretty',
    example: 'json',
    secret: false,
    form: z.enum(['pretty', 'json'], 'is neither pretty nor json'),
  },
  WEBHOOK_PROXY_URL: {
    group: 'Development',
    meaning:
      'A smee.io channel whose deliveries are forwarded to this server, on a machine that GitHub cannot reach. Refused in production.',
    holds: 'the https:// address of a channel',
    default: 'no channel',
    example: 'https://smee.io/your-channel',
    secret: true,
    form: z.string().refine((text) => urlOf(text)?.protocol === 'https:', 'is not an https:// URL'),
  },
  AGENT_POLICY_DEBUG: {
    group: 'Development',
    meaning: 'true: the command line prints the stack of an unexpected error.',
    holds: 'true or false',
    default: 'false',
    example: 'false',
    secret: false,
    form: flag,
  },
} satisfies Record<string, Omit<Setting, 'name'>>;

export type SettingName = keyof typeof SETTINGS;

const isName = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name);

export const SETTING_NAMES: readonly SettingName[] = Object.keys(SETTINGS).filter(isName);
