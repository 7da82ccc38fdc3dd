import { describe, expect, test } from '@jest/globals';
import { createLogger, loggedError, safeLine } from '../src/logger.js';

const SECRET = 'the-secret-"of"-the-hook';

/** What a log writes, line by line. */
const written = (
  logFormat: 'json' | 'pretty',
  log: (logger: ReturnType<typeof createLogger>) => void,
): string => {
  let text = '';
  const settings = {
    logLevel: 'trace' as const,
    logFormat,
    privateKey: '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n',
    webhookSecrets: [SECRET] as const,
    markerSecrets: ['marker-secret-of-ours'] as const,
  };
  log(
    createLogger(settings, {
      write: (line: string) => {
        text += line;
      },
    }),
  );
  return text;
};

const bell = String.fromCharCode(7);
const escape = String.fromCharCode(27);
const backslash = String.fromCharCode(92);
const override = String.fromCharCode(0x202e);

describe.each(['json', 'pretty'] as const)('a log in %s', (format) => {
  test.each<[string, string]>([
    ['our webhook secret, quotes and all', SECRET],
    ['our marker secret', 'marker-secret-of-ours'],
    ['a token of an installation', `ghs_${'a1'.repeat(20)}`],
    [
      'a token of an installation that carries a JWT',
      `ghs_1001_eyJhbGciOiJSUzI1NiJ9.${'e5-_'.repeat(20)}.${'f6'.repeat(20)}`,
    ],
    ['a key of an agent', `sk-ant-api03-${'g7'.repeat(20)}`],
    ['a personal token', `ghp_${'b2'.repeat(20)}`],
    ['a fine-grained token', `github_pat_${'c3'.repeat(20)}`],
    ['a JWT', `eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxMDAxIn0.${'d4'.repeat(20)}`],
    ['a private key', '-----BEGIN PRIVATE KEY-----\nZTU=\n-----END PRIVATE KEY-----'],
    ['half a private key', '-----BEGIN PRIVATE KEY-----\nZTU='],
  ])('hides %s, in a message, a field and an error', (_name, secret) => {
    const text = written(format, (log) => {
      log.info(`before ${secret} after`);
      log.child({ name: 'octokit' }).info({ somewhere: { deep: secret } }, 'field');
      log.error({ err: new Error(`no: ${secret}`) }, 'error');
      for (const before of ['\n', '\t', escape]) log.info(`in a line of its own:${before}${secret}`);
    });
    for (const part of [secret, JSON.stringify(secret).slice(1, -1), secret.slice(-12)]) {
      expect(text).not.toContain(part);
    }
    expect(text).toContain('before [hidden]');
  });

  test.each(['payload', 'body', 'title', 'output', 'headers', 'request', 'variables'])(
    'never shows what comes as %s',
    (name) => {
      const text = written(format, (log) => {
        log.debug({ [name]: { text: 'words of a stranger' } }, 'outer');
        log.debug({ event: { id: 'd-1', [name]: 'words of a stranger' } }, 'inner');
      });
      expect(text).toContain('d-1');
      expect(text).not.toContain('stranger');
    },
  );

  test('an error brings its message and status, not its request or payload', () => {
    const error = Object.assign(new Error('Not Found'), {
      status: 404,
      request: { headers: { authorization: 'bearer words-of-a-stranger' } },
      event: { payload: 'words-of-a-stranger' },
    });
    const text = written(format, (log) => {
      log.error(error);
      log.error({ err: new AggregateError([error], 'two failed') });
    });
    expect(text).toContain('Not Found');
    expect(text).toContain('404');
    expect(text).not.toContain('words-of-a-stranger');
  });

  test('nothing a stranger named moves the cursor of a terminal', () => {
    const text = written(format, (log) => log.info(`branch ${escape}[2J${bell}${override}x`));
    const controls = [...text].filter((character) => character !== '\n' && /[\p{Cc}\p{Cf}]/u.test(character));
    expect(controls).toEqual([]);
    expect(text).toContain('[2J');
  });
});

test('a line stays one JSON object, and a backslash that was there keeps its meaning', () => {
  const message = `C:${backslash}u001b ${escape} "quoted"\nnext`;
  const line = written('json', (log) => log.info(message));
  expect(JSON.parse(line)).toMatchObject({ msg: `C:${backslash}u001b ${backslash}u001b "quoted"\nnext` });
});

test('a password in a URL is hidden, and addresses in several fields are no password', () => {
  expect(safeLine('{"msg":"https://me:hunter2@host/x"}', [])).toBe('{"msg":"https://[hidden]@host/x"}');
  const line = '{"url":"http://localhost:3000","mail":"a@b","path":"b@c"}';
  expect(safeLine(line, [])).toBe(line);
});

test('a secret of a few letters does not blank ordinary words', () => {
  expect(safeLine('{"msg":"a cat"}', ['a'])).toBe('{"msg":"a cat"}');
});

test.each([undefined, null, 'text', { message: 'x' }])('what is thrown may be no error: %j', (thrown) => {
  expect(loggedError(thrown)).toEqual({
    type: typeof thrown,
    message: 'something that is no Error was thrown',
  });
});

test('errors within errors end somewhere', () => {
  const endless = new AggregateError([], 'around');
  endless.errors.push(endless);
  expect(JSON.stringify(loggedError(endless)).match(/around/g)?.length).toBeLessThan(20);
});
