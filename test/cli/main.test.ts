import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runCli } from '../../src/cli/program.js';
import { unexpected } from '../../src/cli/unexpected.js';
import { build, type Built } from '../built.js';

let built: Built;
let folder: string;
beforeAll(() => {
  built = build();
  folder = mkdtempSync(join(tmpdir(), 'agent-policy-cli-'));
  writeFileSync(join(folder, 'good.yml'), 'version: 1\nmerge: pr\n');
  writeFileSync(join(folder, 'bad.yml'), 'version: 1\nmerge: prr\n');
});
afterAll(() => {
  built.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** The program as a process: what its exit code and its two streams are. */
const start = (...args: string[]): { status: number | null; out: string; err: string } => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(built.folder, 'bin', 'agent-policy.js'), ...args],
    { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] } },
  );
  return { status, out: stdout, err: stderr };
};

/** The same without a process, which takes a second on a busy machine. */
const cli = async (...args: string[]): Promise<{ status: number; out: string; err: string }> => {
  const said = { out: '', err: '' };
  const status = await runCli(args, {
    out: (text) => (said.out += text),
    err: (text) => (said.err += text),
    readFile: (path) => readFileSync(join(folder, path)),
    exists: (path) => existsSync(join(folder, path)),
  });
  return { status, ...said };
};

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

describe('what a person asks for', () => {
  test('--help names the commands and the exit codes; 0', async () => {
    const { status, out, err } = await cli('--help');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
     "Usage: agent-policy [options] [command]

     What a policy file allows coding agents to do on GitHub, and how the App that
     holds them to it is doing.

     Options:
       -V, --version                 print the version
       -h, --help                    print this help

     Commands:
       validate [options] <file...>  check policy files: every problem with its file,
                                     line and column, and what to do about it
       explain [options]             say what an agent may do, and which file, line
                                     and column says so
       simulate [options] <case...>  play cases: events in order, and the effects
                                     that follow, with no network
       doctor [options]              look whether the App can do its work:
                                     credentials, permissions, webhook, clock, store
       deliveries                    what GitHub delivered: list it, show one with
                                     its error, queue it once more
       export [options]              the act log: one row an act, in the order they
                                     were done
       backup [options] <file>       copy the database, whole and consistent, also
                                     while the server runs
       help [command]                print the help of a command

     Exit codes:
       0  all is well
       1  a problem was found, or nothing matched
       2  bad usage, or something that cannot be read
     "
    `);
  });

  test.each([
    'validate',
    'explain',
    'simulate',
    'doctor',
    'deliveries',
    'deliveries list',
    'deliveries show',
    'deliveries replay',
    'export',
    'backup',
  ])('help of %s -> its own; 0', async (name) => {
    const { status, out } = await cli(...name.split(' '), '--help');
    expect(status).toBe(0);
    expect(out).toMatch(new RegExp(`^Usage: agent-policy ${name} `));
    expect(out).toMatch(/^Exit (?:status|codes): 0 /m);
  });

  test.each(['--version', '-V'])('%s -> the version of the package; 0', async (flag) => {
    expect(await cli(flag)).toEqual({ status: 0, out: `${version}\n`, err: '' });
  });
});

describe('usage that is wrong -> 2, said on standard error, without a stack', () => {
  test.each<[string, string[], RegExp]>([
    ['no command', [], /^Usage: agent-policy/],
    [
      'a command that is misspelled',
      ['validat', 'x.yml'],
      /unknown command 'validat'\n\(Did you mean validate\?\)/,
    ],
    ['a command that is none', ['frobnicate'], /unknown command 'frobnicate'/],
    [
      'an option that is misspelled',
      ['validate', '--jsno', 'good.yml'],
      /unknown option '--jsno'\n\(Did you mean --json\?\)/,
    ],
    ['no subcommand', ['deliveries'], /^Usage: agent-policy deliveries/],
    [
      'a subcommand that is misspelled',
      ['deliveries', 'lst'],
      /unknown command 'lst'\n\(Did you mean list\?\)/,
    ],
    ['no file', ['validate'], /missing required argument 'file'/],
    ['a required option left out', ['explain', '--policy', 'good.yml'], /required option '--agent/],
    ['an option without its value', ['explain', '--policy'], /argument missing/],
    [
      'a file that is not there',
      ['validate', 'none.yml'],
      /^none\.yml: cannot be read: there is no such file\. Check the path/,
    ],
    ['a folder', ['validate', '.'], /^\.: cannot be read: it is a folder\. Name the files in it\.\n$/],
    [
      'a policy to explain that is not there',
      ['explain', '--policy', 'none.yml', '--agent', 'claude'],
      /^none\.yml: cannot be read: there is no such file\./,
    ],
    ['a case that is not there', ['simulate', 'none.yml'], /none\.yml/],
    ['help of a command that is none', ['help', 'frobnicate'], /Usage: agent-policy/],
  ])('%s', async (_name, args, said) => {
    const { status, out, err } = await cli(...args);
    expect(err).toMatch(said);
    expect(err).not.toMatch(/^\s+at /m);
    expect({ status, out }).toEqual({ status: 2, out: '' });
  });
});

describe('commands', () => {
  test('the exit code of the process is the status', () => {
    expect(start('validate', 'good.yml')).toEqual({ status: 0, out: 'good.yml: valid\n', err: '' });
    expect(start('validate', 'bad.yml')).toMatchObject({ status: 1, err: '' });
    expect(start('validat', 'bad.yml')).toMatchObject({ status: 2, out: '' });
  });

  test('a valid file -> 0', async () => {
    expect(await cli('validate', 'good.yml')).toEqual({ status: 0, out: 'good.yml: valid\n', err: '' });
  });

  test('a file with a problem -> 1, and its place', async () => {
    const { status, out } = await cli('validate', 'good.yml', 'bad.yml');
    expect(status).toBe(1);
    expect(out).toMatch(/^bad\.yml:2:8: /m);
  });

  test('the worst of several files counts, in any order', async () => {
    expect((await cli('validate', 'none.yml', 'bad.yml', 'good.yml')).status).toBe(2);
    expect((await cli('validate', 'bad.yml', 'none.yml')).status).toBe(2);
    expect((await cli('validate', 'bad.yml', 'good.yml')).status).toBe(1);
  });

  test('explain -> one JSON object an act; 0', async () => {
    const { status, out } = await cli(
      'explain',
      '--policy',
      'good.yml',
      '--agent',
      'claude',
      '--act',
      'pull.merge',
      '--json',
    );
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      agent: 'claude',
      act: 'pull.merge',
      verdict: 'deny',
      value: 'pr',
      line: 2,
    });
  });
});

test('a reader that goes away (| head) ends it without a word', async () => {
  const files = Array.from({ length: 3_000 }, () => 'good.yml');
  const script = join(built.folder, 'bin', 'agent-policy.js');
  const child = spawn(process.execPath, [script, 'validate', ...files], { cwd: folder });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = await once(child, 'close');
  expect({ code, err }).toEqual({ code: 0, err: '' });
});

describe('an error that nobody foresaw', () => {
  const error = new TypeError('x is undefined\n\u001b[2Jin a file');

  test('is one line and how to report it', () => {
    expect(unexpected(error, {})).toBe(
      'agent-policy: unexpected: TypeError: x is undefined [2Jin a file\n' +
        'This is a defect of Agent Policy: please report it, with what AGENT_POLICY_DEBUG=1 prints.\n',
    );
  });

  test('shows its stack where that was asked for', () => {
    expect(unexpected(error, { AGENT_POLICY_DEBUG: '1' })).toMatch(
      /^TypeError: x is undefined[\s\S]+\n {4}at /,
    );
  });

  test.each([undefined, null, 'text', 7])('may be no error at all: %s', (thrown) => {
    expect(unexpected(thrown, { AGENT_POLICY_DEBUG: '1' })).toContain(String(thrown));
  });
});
