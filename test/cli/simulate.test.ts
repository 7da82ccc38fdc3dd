import { describe, expect, test } from '@jest/globals';
import type { Played, PlayedEvent } from '../../src/cli/play.js';
import { runCli } from '../../src/cli/program.js';
import { playedText } from '../../src/cli/simulate.js';
import type { Case } from '../../src/sandbox/case.js';
import { parseCase } from '../../src/sandbox/parse-case.js';
import { memoryIo } from './memory-io.js';

/** What a terminal would act on, or what would hide: everything but the line breaks between lines. */
const RAW = /[^\P{C}\n]/u;

const ESCAPES = String.raw`id: "X\e[31m"
title: "\e]0;pwned\x07 \u009b31m \u202e evil"
events:
  - delete: {by: alpha, ref: "main\e[31m\u009b\n9. forged", ref_type: branch}
expect: { 1: ["check \e[31m"] }
variants:
  - { name: "v\e[2J", expect: { 1: [] } }
`;
const GOOD = 'id: GOOD\ntitle: nothing happens\nevents: [restart]\n';
const FAULTY = 'id: F\ntitle: t\nevents:\n  - push: { by: alpha, ref: main }\n';

const simulate = async (files: Readonly<Record<string, string>>, ...options: readonly string[]) => {
  const io = memoryIo(files);
  const status = await runCli(['simulate', ...options, ...Object.keys(files)], io);
  return { ...io.result(), status };
};

describe('a case moves no cursor', () => {
  test('played: id, title and effects are escaped, line by line', async () => {
    const { out, err, status } = await simulate({ 'x.yml': ESCAPES });
    expect({ err, status }).toEqual({ err: '', status: 0 });
    expect(out).not.toMatch(RAW);
    expect(out.split('\n').slice(0, 4)).toEqual([
      String.raw`X\u001b[31m: \u001b]0;pwned\u0007 \u009b31m \u202e evil`,
      '1. delete',
      '     record branch-delete',
      String.raw`     issue branch-delete:alpha:main\u001b[31m\u009b\u000a9. forged open`,
    ]);
    expect(out).toContain(String.raw`X\u001b[31m (v\u001b[2J): `);
  });

  test('compared: so is what is missing and what is too much', async () => {
    const { out, status } = await simulate({ 'x.yml': ESCAPES }, '--check');
    expect(status).toBe(1);
    expect(out).not.toMatch(RAW);
    expect(out.split('\n').slice(0, 4)).toEqual([
      String.raw`differs X\u001b[31m`,
      '  1. delete',
      String.raw`     - check \u001b[31m`,
      String.raw`     + issue branch-delete:alpha:main\u001b[31m\u009b\u000a9. forged open`,
    ]);
  });

  test('as JSON: escaped as JSON has it, and the same text once read', async () => {
    const { out } = await simulate({ 'x.yml': ESCAPES }, '--check', '--json');
    expect(out).not.toMatch(RAW);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatchObject({ case: 'X\u001b[31m', variant: null, n: 1, event: 'delete' });
    expect(lines[1]).toMatchObject({ holds: false, differences: [{ missing: ['check \u001b[31m'] }] });
    expect(lines[2]).toMatchObject({ variant: 'v\u001b[2J' });
  });

  test('an event nobody knows, and a file of such a name', async () => {
    const files = { '\u001b[31m.yml': `${FAULTY}  - "\\e[31mfoo\\nbar": {}\n`.replace(/.*push.*\n/, '') };
    const { out, err, status } = await simulate(files);
    expect({ out, status }).toEqual({ out: '', status: 2 });
    expect(err).not.toMatch(RAW);
    expect(err.split('\n')[0]).toBe(String.raw`\u001b[31m.yml:4:5: unknown event "\u001b[31mfoo\u000abar"`);
  });

  test('a file that is not there', async () => {
    const io = memoryIo({});
    expect(await runCli(['simulate', '\u001b[31m.yml'], io)).toBe(2);
    expect(io.result().err).not.toMatch(RAW);
    expect(io.result().err).toContain(String.raw`\u001b[31m.yml: cannot be read: `);
  });

  test('errors, and why something waits: of several lines each is indented', () => {
    const [one] = parseCase(GOOD, 'x.yml');
    const event: PlayedEvent = {
      n: 1,
      title: 'push',
      lines: [],
      acts: [],
      errors: ['no\u001b[31m\r\n2. forged', 'twice'],
      putOff: ['later\u009b'],
    };
    const played: Played = { events: [event], written: [], requests: [], unknownEndpoints: [] };
    expect(playedText(one as Case, played, null)).toBe(
      [
        'GOOD: nothing happens',
        '1. push',
        String.raw`     error: no\u001b[31m`,
        '            2. forged',
        '     error: twice',
        String.raw`     put off: later\u009b`,
        '',
      ].join('\n'),
    );
    const difference = { n: 1, title: 'p\u001b', missing: [], unexpected: [], errors: event.errors };
    expect(playedText(one as Case, played, [difference])).toBe(
      [
        'differs GOOD',
        String.raw`  1. p\u001b`,
        String.raw`     error: no\u001b[31m`,
        '            2. forged',
        '     error: twice',
        '',
      ].join('\n'),
    );
  });

  test('a text that must never be written', async () => {
    const [one] = parseCase(`${GOOD}text_never: ["\\e[2J"]\n`, 'x.yml');
    const differences = [{ n: 0, title: 'text_never', missing: [], unexpected: ['\u001b[2J'], errors: [] }];
    const played: Played = { events: [], written: [], requests: [], unknownEndpoints: [] };
    expect(playedText(one as Case, played, differences)).toContain(String.raw`     + \u001b[2J`);
  });
});

describe('a case at fault', () => {
  test('is told with its place and what to do, and the files after it are played: 2', async () => {
    const { out, err, status } = await simulate({ 'a.yml': FAULTY, 'b.yml': GOOD });
    expect(out).toBe('GOOD: nothing happens\n1. restart\n');
    expect(err).toBe(
      'a.yml:4:5: a push to main needs after, or commits\n' +
        '  add "after: h2" or "commits: [{ sha: h2 }]"; for a branch that goes, "deleted: true"\n',
    );
    expect(status).toBe(2);
  });

  test('counts more than a case that differs, in any order', async () => {
    const differs = `${GOOD}expect: { 1: [suspend alpha] }\n`;
    expect((await simulate({ 'a.yml': FAULTY, 'b.yml': differs }, '--check')).status).toBe(2);
    expect((await simulate({ 'b.yml': differs, 'a.yml': FAULTY }, '--check')).status).toBe(2);
    expect((await simulate({ 'b.yml': differs, 'c.yml': GOOD }, '--check')).status).toBe(1);
  });

  test('one that cannot be read does not stop the next either', async () => {
    const io = memoryIo({ 'b.yml': GOOD });
    expect(await runCli(['simulate', '--check', 'none.yml', 'b.yml'], io)).toBe(2);
    expect(io.result().out).toBe('holds   GOOD\n');
  });
});
