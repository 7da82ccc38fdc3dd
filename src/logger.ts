import pino, { type DestinationStream, type Logger } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Settings } from './settings.js';
import { SECRET_SHAPES } from './words/secret-shapes.js';

/** Fields in which a payload's or a request's own text comes: whatever is in them, it is not logged. */
const CONTENT = ['payload', 'body', 'title', 'output', 'content', 'variables', 'query', 'headers', 'request'];

const HIDDEN = '[hidden]';

/**
 * The shapes as they stand in JSON, where a line break before a token is the two characters `\n`: the letter is no part
 * of a word.
 */
const SHAPES_IN_JSON = SECRET_SHAPES.map(
  ({ pattern }) =>
    new RegExp(
      pattern.source.replace(/^\\b/, String.raw`(?:\b|(?<=\\[bfnrt])|(?<=\\u[\da-f]{4}))`),
      pattern.flags,
    ),
);

/**
 * A written line (JSON) with secrets hidden, wherever in it they stand, and with control and direction characters
 * made visible: a terminal that shows the log must not obey what a branch name says.
 */
export const safeLine = (line: string, secrets: readonly string[]): string => {
  let safe = line;
  for (const secret of secrets) {
    // A secret of a few letters would blank ordinary words.
    if (secret.length >= 8) safe = safe.replaceAll(JSON.stringify(secret).slice(1, -1), HIDDEN);
  }
  for (const shape of SHAPES_IN_JSON) safe = safe.replace(shape, HIDDEN);
  return (
    safe
      // JSON writes controls as \u00xx: one more backslash, and they are text to whoever parses the line.
      .replace(/\\(?:\\|u(00[01][\da-f]))/gi, (whole, code?: string) =>
        code === undefined ? whole : `\\\\u${code}`,
      )
      .replace(
        /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
        (character) => `\\\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
  );
};

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly status?: number;
  readonly stack?: string;
  readonly errors?: readonly LoggedError[];
}

/** Errors of Octokit and Probot carry the request, its headers and the whole delivery: only these fields pass. */
export const loggedError = (error: unknown, depth = 0): LoggedError => {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'something that is no Error was thrown' };
  const status = 'status' in error && typeof error.status === 'number' ? { status: error.status } : {};
  const stack = error.stack === undefined ? {} : { stack: error.stack };
  const errors =
    error instanceof AggregateError && depth < 3
      ? { errors: error.errors.slice(0, 20).map((inner: unknown) => loggedError(inner, depth + 1)) }
      : {};
  return { type: error.name, message: error.message, ...status, ...stack, ...errors };
};

/** pino-pretty's own stream is asynchronous: what a process says last would be lost. */
const prettyTo = (destination: DestinationStream): DestinationStream => {
  const format = prettyFactory({ ignore: 'pid,hostname', colorize: process.stdout.isTTY });
  return { write: (line) => destination.write(format(line)) };
};

/**
 * The process's one log, handed to Probot and Octokit as well. Written synchronously, so that nothing is lost when
 * the process ends.
 */
export const createLogger = (
  settings: Pick<Settings, 'logLevel' | 'logFormat' | 'privateKey' | 'webhookSecrets' | 'markerSecrets'>,
  destination: DestinationStream = pino.destination({ dest: 1, sync: true }),
): Logger => {
  const secrets = [settings.privateKey, ...settings.webhookSecrets, ...settings.markerSecrets];
  return pino(
    {
      name: 'agent-policy',
      level: settings.logLevel,
      redact: {
        paths: [
          ...CONTENT,
          ...CONTENT.map((name) => `*.${name}`),
          '*.authorization',
          'authorization',
          '*.token',
        ],
        censor: HIDDEN,
      },
      serializers: {
        err: (error: unknown) => loggedError(error),
        error: (error: unknown) => loggedError(error),
      },
      hooks: { streamWrite: (line) => safeLine(line, secrets) },
    },
    settings.logFormat === 'pretty' ? prettyTo(destination) : destination,
  );
};
