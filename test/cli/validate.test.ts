import { describe, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { registerValidate } from '../../src/cli/validate.js';
import { memoryIo } from './memory-io.js';

const run = (files: Readonly<Record<string, string>>, ...args: readonly string[]) => {
  const io = memoryIo(files);
  const program = new Command().exitOverride().configureOutput({ writeErr: io.err, writeOut: io.out });
  registerValidate(program, io);
  program.parse(['validate', ...args], { from: 'user' });
  return io.result();
};

const GOOD = 'version: 1\nmerge: pr\n';
const BAD = 'version: 1\nforcepush: allow\nmerge: prr\n';

describe('validate', () => {
  test('valid -> says so, 0', () => {
    expect(run({ 'a.yml': GOOD }, 'a.yml')).toEqual({ out: 'a.yml: valid\n', err: '', status: 0 });
  });

  test('invalid -> each problem with its place and a suggestion, 1', () => {
    const { out, status } = run({ 'a.yml': BAD }, 'a.yml');
    expect(out.split('\n').filter((line) => line !== '')).toEqual([
      expect.stringMatching(
        /^a\.yml:2:1: "forcepush" is not a key of a policy file; its keys are version, /u,
      ),
      'a.yml:3:8: merge takes none, pr or merge, not "prr" (did you mean "pr"?)',
    ]);
    expect(status).toBe(1);
  });

  test('unreadable -> says which, why and what to do, 2', () => {
    const { err, status } = run({}, 'none.yml');
    expect(err).toBe(
      'none.yml: cannot be read: there is no such file. Check the path: it counts from the folder that the command runs in.\n',
    );
    expect(status).toBe(2);
  });

  test('several -> all are reported, the worst counts', () => {
    const { out, err, status } = run({ 'a.yml': GOOD, 'b.yml': BAD }, 'b.yml', 'none.yml', 'a.yml');
    expect(out).toContain('b.yml:3:8');
    expect(out).toContain('a.yml: valid');
    expect(err).toContain('none.yml');
    expect(status).toBe(2);
  });

  test('both extensions named -> a problem of each', () => {
    const files = { '.github/agent-policy.yml': GOOD, '.github/agent-policy.yaml': GOOD };
    const { out, status } = run(files, '.github/agent-policy.yml', '.github/agent-policy.yaml');
    expect(out).toContain('.github/agent-policy.yml:1:1: both .github/agent-policy.yml and');
    expect(out).toContain('.github/agent-policy.yaml:1:1: both .github/agent-policy.yml and');
    expect(status).toBe(1);
  });

  test('the other extension beside the file -> a problem', () => {
    const files = { 'agent-policy.yml': GOOD, 'agent-policy.yaml': GOOD };
    const { out, status } = run(files, 'agent-policy.yaml');
    expect(out).toContain('both ./agent-policy.yml and ./agent-policy.yaml are there');
    expect(status).toBe(1);
  });

  test('a key of a later release -> valid, with a note', () => {
    expect(run({ 'a.yml': `${GOOD}report: off\n` }, 'a.yml')).toEqual({
      out:
        'a.yml: valid\n' +
        'a.yml:3:1: note: report is not in this version: it is read and explained, and nothing is done with it yet\n',
      err: '',
      status: 0,
    });
  });

  test('an agent that nobody knows -> a problem', () => {
    const { out, status } = run({ 'a.yml': 'version: 1\nagents: { mycoder: {} }\n' }, 'a.yml');
    expect(out).toContain(
      'a.yml:2:11: no agent of the name "mycoder" is in the catalogue; list its apps or accounts',
    );
    expect(status).toBe(1);
  });

  test.each(['claude', 'copilot', 'codex', 'cursor', 'devin'])('the catalogue knows %s', (name) => {
    expect(run({ 'a.yml': `version: 1\nagents: { ${name}: {} }\n` }, 'a.yml').status).toBe(0);
  });

  test('the built-in automation is in the catalogue', () => {
    const text = 'version: 1\nautomation: [dependabot, renovate, github-actions]\n';
    expect(run({ 'a.yml': text }, 'a.yml').status).toBe(0);
  });

  test('--org -> override and repositories are read; without it they are refused', () => {
    const org = `${GOOD}override: any\n`;
    expect(run({ 'a.yml': org }, '--org', 'a.yml').status).toBe(0);
    expect(run({ 'a.yml': org }, 'a.yml').out).toContain(
      "a.yml:3:1: override is only for an organization's file",
    );
  });

  test('--json -> one object a line', () => {
    const { out, status } = run(
      { 'a.yml': 'version: 1\n\nmerge: prr\n', 'b.yml': GOOD },
      '--json',
      'a.yml',
      'b.yml',
      'c.yml',
    );
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(lines).toEqual([
      {
        file: 'a.yml',
        valid: false,
        problems: [
          {
            line: 3,
            column: 8,
            path: 'merge',
            message: 'merge takes none, pr or merge, not "prr"',
            suggestion: 'pr',
          },
        ],
        notes: [],
      },
      { file: 'b.yml', valid: true, problems: [], notes: [] },
      { file: 'c.yml', valid: false, problems: [], notes: [], error: expect.any(String) },
    ]);
    expect(status).toBe(2);
  });

  test('no file -> bad usage', () => {
    expect(() => run({})).toThrow(/missing required argument/u);
  });

  test('control characters of a file never reach the terminal', () => {
    const text = 'version: 1\n"\\e]0;x\\a\\u202e": 1\nmerge: "\\e[2J"\nagents: { "\\e[1m": {} }\n';
    const { out } = run({ 'a\u001b[2J.yml': text }, 'a\u001b[2J.yml');
    expect(out).toContain('a\\u001b[2J.yml:3:8');
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test('nor do they in JSON, which still says the same', () => {
    const { out } = run({ 'a.yml': 'version: 1\n"\\x9b2J\\u202e\\U000e0041": 1\n' }, '--json', 'a.yml');
    expect(out.trimEnd()).not.toMatch(/[\p{C}]/u);
    expect((JSON.parse(out) as { problems: unknown[] }).problems[0]).toMatchObject({
      path: '\u009b2J\u202e\u{e0041}',
    });
  });
});
