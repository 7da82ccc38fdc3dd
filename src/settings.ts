import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { codeOf } from './error-code.js';
import type { Level } from './policy/policy.js';
import { milliseconds } from './policy/duration.js';
import { pemOf } from './private-key.js';
import { SETTING_NAMES, SETTINGS, type SettingName } from './settings-table.js';

/** What the process runs with. `readSettings` makes it once; nothing else reads the environment. */
export interface Settings {
  readonly appId: number;
  /** PEM, PKCS#1 or PKCS#8. */
  readonly privateKey: string;
  /** Current secret first; the one before it stands second while it is rotated. */
  readonly webhookSecrets: readonly [string, ...string[]];
  /** Current secret first: it signs our hidden markers; the others still verify older ones. */
  readonly markerSecrets: readonly [string, ...string[]];
  readonly port: number;
  readonly host: string;
  readonly webhookPath: string;
  readonly webhookProxyUrl: string | null;
  /** Without a slash at its end. */
  readonly apiUrl: string;
  /** Without a slash at its end. */
  readonly htmlUrl: string;
  /** The file of the store. */
  readonly store: string;
  /** Milliseconds. */
  readonly keepBodies: number;
  /** Milliseconds. */
  readonly keepActs: number;
  /** Milliseconds. */
  readonly requestTimeout: number;
  readonly logLevel: z.output<(typeof SETTINGS)['LOG_LEVEL']['form']>;
  readonly logFormat: z.output<(typeof SETTINGS)['LOG_FORMAT']['form']>;
  /** The operator's layer under `merge`; null: the operator says nothing. */
  readonly operatorLevel: Level | null;
  readonly dryRun: boolean;
  readonly killSwitch: boolean;
}

/** One thing wrong with the environment. No part of it holds the value of a variable. */
export interface SettingProblem {
  readonly kind: 'missing' | 'wrong';
  readonly variable: string;
  /** To stand after the variable's name: "is not a number". */
  readonly wrong: string;
  readonly remedy: string;
}

export type SettingsResult =
  | { readonly kind: 'ok'; readonly settings: Settings }
  | { readonly kind: 'wrong'; readonly problems: readonly SettingProblem[] };

export type Environment = Readonly<Record<string, string | undefined>>;

export type EnvironmentResult =
  | { readonly kind: 'ok'; readonly env: Environment }
  | { readonly kind: 'wrong'; readonly problem: SettingProblem };

/** The environment with what `.env` in that folder adds to it; a variable that is set wins over the file. */
export const withEnvFile = (env: Environment, cwd: string): EnvironmentResult => {
  const file = join(cwd, '.env');
  try {
    return { kind: 'ok', env: { ...parseEnv(readFileSync(file, 'utf8')), ...env } };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return { kind: 'ok', env };
    const problem = {
      kind: 'wrong',
      variable: file,
      wrong: `cannot be read (${code})`,
      remedy: 'Run this as the user of the server, or give this user the right to read the file.',
    } as const;
    return { kind: 'wrong', problem };
  }
};

type Values = { readonly [N in SettingName]?: z.output<(typeof SETTINGS)[N]['form']> };

/** The web address of a GitHub, from the address of its API. */
export const htmlUrlOf = (apiUrl: string): string => {
  const at = new URL(apiUrl);
  if (at.hostname === 'api.github.com') return 'https://github.com';
  // GitHub Enterprise Cloud with data residency: api.SUBDOMAIN.ghe.com
  if (at.hostname.endsWith('.ghe.com')) return `${at.protocol}//${at.host.replace(/^api\./, '')}`;
  return at.origin;
};

/** Markers are signed with a key of their own, so that the webhook secret is used for one thing only. */
const markerSecretOf = (webhookSecret: string): string =>
  createHmac('sha256', webhookSecret).update('agent-policy marker 1').digest('hex');

const parse = (env: Environment): { values: Values; problems: SettingProblem[] } => {
  const values: Record<string, unknown> = {};
  const problems: SettingProblem[] = [];
  for (const name of SETTING_NAMES) {
    const text = env[name];
    // A variable that stands empty in a compose file or CI is one that nobody set.
    if (text === undefined || text === '') continue;
    const { form, holds, default: unset } = SETTINGS[name];
    const result = form.safeParse(text);
    if (result.success) {
      values[name] = result.data;
    } else {
      const remedy = `Set it to ${holds}${unset === null ? '' : `, or leave it out (then: ${unset})`}.`;
      problems.push({
        kind: 'wrong',
        variable: name,
        wrong: result.error.issues[0]?.message ?? 'is wrong',
        remedy,
      });
    }
  }
  return { values, problems };
};

/** A switch that is misspelled would be believed to be on: names of ours that we do not know are refused. */
const unknownNames = (env: Environment): SettingProblem[] =>
  Object.keys(env)
    .filter((name) => name.startsWith('AGENT_POLICY_') && !Object.hasOwn(SETTINGS, name))
    .sort()
    .map((name) => {
      const meant = closest(name, SETTING_NAMES);
      return {
        kind: 'wrong',
        variable: name,
        wrong: 'is not a variable of this App',
        remedy:
          distance(name, meant) <= 5
            ? `Did you mean ${meant}?`
            : 'Remove it; docs/configuration.md lists all there are.',
      };
    });

const readKey = (
  values: Values,
  readFile: (path: string) => string,
): { kind: 'key'; pem: string } | { kind: 'problem'; problem: SettingProblem } => {
  const problem = (kind: SettingProblem['kind'], variable: SettingName, wrong: string, remedy: string) => ({
    kind: 'problem' as const,
    problem: { kind, variable, wrong, remedy },
  });
  if (values.PRIVATE_KEY !== undefined) {
    const pem = pemOf(values.PRIVATE_KEY);
    if (pem !== null) return { kind: 'key', pem };
    return problem(
      'wrong',
      'PRIVATE_KEY',
      'is not an RSA private key in PEM form',
      "Paste the whole of the App's .pem file or its base64, or name the file in PRIVATE_KEY_PATH.",
    );
  }
  if (values.PRIVATE_KEY_PATH === undefined) {
    return problem(
      'missing',
      'PRIVATE_KEY',
      'is not set, nor is PRIVATE_KEY_PATH',
      "Generate a private key on the App's settings page and name its file in PRIVATE_KEY_PATH.",
    );
  }
  const remedy = 'Name the .pem file that GitHub gave you, readable by this process.';
  try {
    const pem = pemOf(readFile(values.PRIVATE_KEY_PATH));
    if (pem !== null) return { kind: 'key', pem };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return problem('wrong', 'PRIVATE_KEY_PATH', `names a file that cannot be read (${code})`, remedy);
  }
  return problem(
    'wrong',
    'PRIVATE_KEY_PATH',
    'names a file that holds no RSA private key in PEM form',
    remedy,
  );
};

/** A value that is misspelled must not take protection away. */
const isProduction = ({ NODE_ENV: mode = 'development' }: Values): boolean =>
  mode !== 'development' && mode !== 'test';

/** What only shows when variables are seen together. */
const crossProblems = (env: Environment, values: Values): SettingProblem[] => {
  const problems: SettingProblem[] = [];
  if ((env['GHE_HOST'] ?? '') !== '' && values.GITHUB_API_URL === undefined) {
    problems.push({
      kind: 'wrong',
      variable: 'GHE_HOST',
      wrong: 'is not read here, and deliveries would be answered on github.com',
      remedy: 'Set GITHUB_API_URL=https://HOST/api/v3 as well.',
    });
  }
  if (values.WEBHOOK_PROXY_URL !== undefined && isProduction(values)) {
    problems.push({
      kind: 'wrong',
      variable: 'WEBHOOK_PROXY_URL',
      wrong: 'is set in production',
      remedy: 'Remove it: a public channel is for development; let GitHub deliver to this server itself.',
    });
  }
  return problems;
};

/** Secrets that sign and verify our markers: changing one leaves the markers on GitHub valid. */
const markerSecrets = (
  values: Values,
  webhookSecrets: readonly [string, ...string[]],
): Settings['markerSecrets'] => {
  const [current, ...previous] = webhookSecrets;
  const derived: [string, ...string[]] = [markerSecretOf(current), ...previous.map(markerSecretOf)];
  return values.AGENT_POLICY_MARKER_SECRET === undefined
    ? derived
    : [values.AGENT_POLICY_MARKER_SECRET, ...derived];
};

/**
 * Reads and checks the whole environment. All problems come together, in the order of the table. The only file
 * read is the one PRIVATE_KEY_PATH names.
 */
export const readSettings = (
  env: Environment,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): SettingsResult => {
  const { values, problems } = parse(env);
  problems.push(...unknownNames(env), ...crossProblems(env, values));

  const absent = (variable: SettingName, remedy: string): void => {
    if (problems.every((problem) => problem.variable !== variable))
      problems.push({ kind: 'missing', variable, wrong: 'is not set', remedy });
  };
  if (values.APP_ID === undefined) absent('APP_ID', "Copy the App ID from the App's settings page.");
  if (values.WEBHOOK_SECRET === undefined) {
    absent(
      'WEBHOOK_SECRET',
      "Choose a long random text (`openssl rand -hex 32`) and set the same on the App's settings page.",
    );
  }
  const key = readKey(values, readFile);
  if (key.kind === 'problem') problems.push(key.problem);

  const { APP_ID: appId, WEBHOOK_SECRET: secret } = values;
  if (problems.length > 0 || appId === undefined || secret === undefined || key.kind === 'problem') {
    const order = (name: string): number => {
      const index = SETTING_NAMES.findIndex((known) => known === name);
      return index === -1 ? SETTING_NAMES.length : index;
    };
    return { kind: 'wrong', problems: problems.toSorted((a, b) => order(a.variable) - order(b.variable)) };
  }

  const previous = values.WEBHOOK_SECRET_PREVIOUS;
  const webhookSecrets: [string, ...string[]] = previous === undefined ? [secret] : [secret, previous];
  const apiUrl = values.GITHUB_API_URL ?? 'https://api.github.com';
  return {
    kind: 'ok',
    settings: {
      appId,
      privateKey: key.pem,
      webhookSecrets,
      markerSecrets: markerSecrets(values, webhookSecrets),
      port: values.PORT ?? 3000,
      host: values.HOST ?? 'localhost',
      webhookPath: values.WEBHOOK_PATH ?? '/api/github/webhooks',
      webhookProxyUrl: values.WEBHOOK_PROXY_URL ?? null,
      apiUrl,
      htmlUrl: values.GITHUB_HTML_URL ?? htmlUrlOf(apiUrl),
      store: values.AGENT_POLICY_STORE ?? SETTINGS.AGENT_POLICY_STORE.default,
      keepBodies: values.AGENT_POLICY_KEEP_BODIES ?? milliseconds(SETTINGS.AGENT_POLICY_KEEP_BODIES.default),
      keepActs: values.AGENT_POLICY_KEEP_ACTS ?? milliseconds(SETTINGS.AGENT_POLICY_KEEP_ACTS.default),
      requestTimeout:
        values.AGENT_POLICY_REQUEST_TIMEOUT ?? milliseconds(SETTINGS.AGENT_POLICY_REQUEST_TIMEOUT.default),
      logLevel: values.LOG_LEVEL ?? 'info',
      logFormat: values.LOG_FORMAT ?? (isProduction(values) ? 'json' : 'pretty'),
      operatorLevel: values.AGENT_POLICY_DEFAULT ?? null,
      dryRun: values.AGENT_POLICY_DRY_RUN ?? false,
      killSwitch: values.AGENT_POLICY_KILL_SWITCH ?? false,
    },
  };
};

/** Whether the stack of an unexpected error is printed. */
export const readDebug = (env: Environment): boolean =>
  SETTINGS.AGENT_POLICY_DEBUG.form.safeParse(env['AGENT_POLICY_DEBUG'] ?? '').data ?? false;

/** The file of the store alone, for commands that need no credentials. */
export const readStoreFile = (
  env: Environment,
):
  | { readonly kind: 'ok'; readonly file: string }
  | { readonly kind: 'wrong'; readonly problem: SettingProblem } => {
  const { values, problems } = parse({ AGENT_POLICY_STORE: env['AGENT_POLICY_STORE'] });
  const [problem] = problems;
  return problem === undefined
    ? { kind: 'ok', file: values.AGENT_POLICY_STORE ?? SETTINGS.AGENT_POLICY_STORE.default }
    : { kind: 'wrong', problem };
};
