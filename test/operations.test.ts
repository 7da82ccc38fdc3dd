import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { STATES } from '../src/cli/deliveries-text.js';
import { rowOf } from '../src/cli/export-row.js';
import { runCli } from '../src/cli/program.js';
import { failureOf } from '../src/github/failure.js';
import { failureOfWork } from '../src/intake/failure-of-work.js';
import { UnreadPayload } from '../src/intake/unread-payload.js';
import { readSettings } from '../src/settings.js';
import type { RecordedAct } from '../src/store/store.js';

const page = readFileSync('docs/operations.md', 'utf8');
const cli = readFileSync('docs/cli.md', 'utf8');
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(`src/${name}`, 'utf8'))
  .join('\n');

/** What stands in code spans in the first column of the table under a heading. */
const firstColumn = (heading: string): readonly string[] => {
  const [, after = ''] = page.split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
};

describe('docs/operations.md', () => {
  const lines = [
    ...page.matchAll(/^(?:\$ )?agent-policy (.+)$/gm),
    ...page.matchAll(/bin\/agent-policy\.js ([a-z].*)$/gm),
    ...cli.matchAll(/^npx agent-policy ((?:doctor|deliveries|export|backup) .+)$/gm),
  ];
  const commands = [...new Set(lines.map(([, line = '']) => line))];
  test('has commands', () => {
    expect(commands.length).toBeGreaterThan(14);
  });

  // `--help` is looked at last: what stands before it must be a command there is, with options there are.
  test.each(commands)('agent-policy %s: there is such a command, with such options', async (line) => {
    let said = '';
    const say = (text: string): void => {
      said += text;
    };
    const words = line.split(' ');
    const command = words.slice(0, words[0] === 'deliveries' ? 2 : 1);
    const io = { out: say, err: say, readFile: () => new Uint8Array(), exists: () => false };
    expect(await runCli([...command, '--help'], io)).toBe(0);
    for (const option of words.filter((word) => word.startsWith('--'))) expect(said).toContain(`  ${option}`);
  });

  test.each(firstColumn('What the log says'))('the log says "%s"', (message) => {
    expect(sources).toContain(message.replace(/…$/, ''));
  });

  /** What `deliveries show` says of each kind of failure. */
  const failures: readonly (readonly [string, string])[] = [
    ...[401, 403, 404, 502, 0].map((status): readonly [string, string] => {
      const error = Object.assign(new Error(), status === 0 ? { status: 500 } : { status, response: {} });
      const failure = failureOf(error, 'GET /repos/acme/widgets/pulls/1', 0);
      return [status === 0 ? 'no answer' : String(status), failureOfWork(failure).why];
    }),
    ['a fault of ours', failureOfWork(new TypeError('x')).why],
    ['a field that cannot be read', failureOfWork(new UnreadPayload('push', 'ref')).why],
    ['no JSON', 'its payload is not a JSON object'],
  ];
  const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const patterns = firstColumn('A delivery that failed').map(
    (text) => new RegExp(`^${text.split(/…|xx/).map(escaped).join('.*')}$`),
  );

  test.each(failures)('a delivery that failed with %s: "%s" is explained', (_name, why) => {
    expect(patterns.filter((pattern) => pattern.test(why))).toHaveLength(1);
  });

  test.each(patterns)('%s is what one says that failed', (pattern) => {
    expect(failures.some(([, why]) => pattern.test(why))).toBe(true);
  });

  test('what is said of a payload is what the worker says', () => {
    expect(sources).toContain("why: 'its payload is not a JSON object'");
  });

  test('the key of the markers is made as the server makes it', () => {
    const [, script = ''] = /^ +node --env-file=\.env -p "(.+)"$/m.exec(page) ?? [];
    const env = {
      APP_ID: '1',
      PRIVATE_KEY: readFileSync('test/fixtures/app-key.pem', 'utf8'),
      WEBHOOK_SECRET: 'the-secret-of-the-hook',
    };
    const result = readSettings(env);
    if (result.kind === 'wrong') throw new Error('settings');
    const { stdout } = spawnSync(process.execPath, ['-p', script], { env, encoding: 'utf8' });
    expect(stdout.trim()).toBe(result.settings.markerSecrets[0]);
  });

  test('every link leads to a file that is there', () => {
    for (const [, target = ''] of page.matchAll(/\]\(([a-z-]+\.md)/g))
      expect(readFileSync(`docs/${target}`, 'utf8')).not.toBe('');
  });

  test('every setting it names is one', () => {
    const configuration = readFileSync('docs/configuration.md', 'utf8');
    for (const [name] of page.matchAll(/\bAGENT_POLICY_[A-Z_]+|\bWEBHOOK_[A-Z_]+/g))
      expect(configuration).toContain(`| \`${name}\``);
  });
});

describe('docs/cli.md', () => {
  test('has the states there are', () => {
    const shown = [...cli.matchAll(/^\| `([a-z]+)` +\| /gm)].map(([, state]) => state);
    expect(shown.filter((state) => STATES.some((known) => known === state)).toSorted()).toEqual(
      STATES.toSorted(),
    );
  });

  test('shows an act as it is exported', () => {
    const [, block = ''] = /^## export\n[\s\S]+?^```json\n([\s\S]+?)^```/m.exec(cli) ?? [];
    const act = JSON.parse(block) as RecordedAct;
    expect(JSON.parse(rowOf('jsonl', act))).toEqual(act);
    expect(Object.keys(JSON.parse(rowOf('jsonl', act)) as object)).toEqual(Object.keys(act));
  });
});
