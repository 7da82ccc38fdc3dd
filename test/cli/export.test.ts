import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { constantFrom, assert, asyncProperty, array, record, option, string, integer } from 'fast-check';
import type { ActRow } from '../../src/store/ledger.js';
import { headOf, rowOf } from '../../src/cli/export-row.js';
import { visible } from '../../src/cli/problem-text.js';
import { build } from '../built.js';
import { createMachine, type Machine } from './machine.js';

const alpha = { id: 7, login: 'alpha[bot]', type: 'Bot' } as const;

const act = (key: string, more: Partial<ActRow>): ActRow => ({
  key,
  kind: 'pull.merge',
  actor: alpha,
  agent: 'alpha',
  at: '2026-11-30T09:00:00.000Z',
  tellings: ['pull_request.closed'],
  verdict: 'deny',
  rule: 'merge-level',
  subject: { pull: 12, after: 'a'.repeat(40) },
  ...more,
});

const ACTS: readonly (readonly [number, ActRow])[] = [
  [42, act('merge', { tellings: ['pull_request.closed', 'push'] })],
  [
    42,
    act('tag', {
      kind: 'tag.create',
      actor: { id: 8, login: 'mara', type: 'User' },
      agent: null,
      at: '2026-11-30T09:30:00.000Z',
      verdict: 'person',
      rule: null,
      subject: { ref: '=HYPERLINK("https://x.example","1.0")' },
    }),
  ],
  [
    77,
    act('seen', {
      kind: 'tag.delete',
      actor: null,
      agent: null,
      at: '2026-12-01T00:00:00.000Z',
      verdict: 'unattributed',
      rule: null,
      tellings: ['refs'],
      subject: { ref: 'v1', before: 'b'.repeat(40) },
    }),
  ],
];

const fill = (machine: Machine): Promise<void> =>
  machine.serve(async (store) => {
    const seenAt = '2026-11-30T09:00:00.000Z';
    await store.saveRepository({ id: 42, owner: 'acme', name: 'widgets', installation: 9, seenAt });
    for (const [repository, row] of ACTS) await store.repository(repository).saveAct(row);
  });

describe('export', () => {
  let machine: Machine;
  beforeAll(async () => {
    machine = createMachine();
    await fill(machine);
  });
  afterAll(() => machine.remove());

  test('--format jsonl: one object an act, in the order they were done', async () => {
    const { status, out, err } = await machine.run('export', '--format', 'jsonl');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
     "{"at":"2026-11-30T09:00:00.000Z","repository":{"id":42,"owner":"acme","name":"widgets"},"kind":"pull.merge","actor":{"id":7,"login":"alpha[bot]","type":"Bot"},"agent":"alpha","verdict":"deny","rule":"merge-level","subject":{"pull":12,"after":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},"tellings":["pull_request.closed","push"]}
     {"at":"2026-11-30T09:30:00.000Z","repository":{"id":42,"owner":"acme","name":"widgets"},"kind":"tag.create","actor":{"id":8,"login":"mara","type":"User"},"agent":null,"verdict":"person","rule":null,"subject":{"ref":"=HYPERLINK(\\"https://x.example\\",\\"1.0\\")"},"tellings":["pull_request.closed"]}
     {"at":"2026-12-01T00:00:00.000Z","repository":{"id":77,"owner":null,"name":null},"kind":"tag.delete","actor":null,"agent":null,"verdict":"unattributed","rule":null,"subject":{"ref":"v1","before":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"},"tellings":["refs"]}
     "
    `);
  });

  test('--format csv: the names of the columns, then the same', async () => {
    const { status, out, err } = await machine.run('export', '--format', 'csv');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out.replaceAll('\r\n', '\n')).toMatchInlineSnapshot(`
     "at,repository_id,repository_owner,repository_name,kind,actor_id,actor_login,actor_type,agent,verdict,rule,ref,pull,issue,before,after,tellings
     2026-11-30T09:00:00.000Z,42,acme,widgets,pull.merge,7,alpha[bot],Bot,alpha,deny,merge-level,,12,,,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,pull_request.closed push
     2026-11-30T09:30:00.000Z,42,acme,widgets,tag.create,8,mara,User,,person,,"'=HYPERLINK(""https://x.example"",""1.0"")",,,,,pull_request.closed
     2026-12-01T00:00:00.000Z,77,,,tag.delete,,,,,unattributed,,v1,,,bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,,refs
     "
    `);
    expect(out.split('\r\n')).toHaveLength(5);
  });

  const times = async (...args: string[]): Promise<readonly string[]> => {
    const { out } = await machine.run('export', '--format', 'jsonl', ...args);
    return out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { at: string }).at.slice(5, 16));
  };

  test.each([
    [
      ['--since', '2026-11-30T09:30:00Z'],
      ['11-30T09:30', '12-01T00:00'],
    ],
    [
      ['--since', '2026-11-30T10:00:01+01:00'],
      ['11-30T09:30', '12-01T00:00'],
    ],
    [['--since', '2026-12-01'], ['12-01T00:00']],
    [['--since', '2026-12-02'], []],
    [
      ['--until', '2026-11-30'],
      ['11-30T09:00', '11-30T09:30'],
    ],
    [['--until', '2026-11-30T09:00:00Z'], ['11-30T09:00']],
    [['--since', '2026-11-30T09:30Z', '--until', '2026-11-30'], ['11-30T09:30']],
    [
      ['--repository', 'acme/widgets'],
      ['11-30T09:00', '11-30T09:30'],
    ],
    [['--repository', '77'], ['12-01T00:00']],
  ])('%j', async (args, expected) => {
    expect(await times(...args)).toEqual(expected);
  });

  test.each([
    [[], /required option '--format <format>' not specified/],
    [['--format', 'xml'], /Allowed choices are jsonl, csv/],
    [['--format', 'csv', '--since', 'yesterday'], /It takes a day \(2026-11-30\) or a time with its zone/],
    [['--format', 'csv', '--since', '2026-02-30'], /It takes a day/],
    [['--format', 'csv', '--since', '2026-11-30T09:00:00'], /It takes a day/],
    [['--format', 'csv', '--until', '2026-13-01'], /It takes a day/],
    [['--format', 'csv', '--until', '2026-11-30T25:00Z'], /It takes a day/],
  ])('%j -> 2', async (args, said) => {
    const { status, out, err } = await machine.run('export', ...args);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(said);
  });

  test('a repository nobody saw -> 1, and nothing is written', async () => {
    const { status, out, err } = await machine.run('export', '--format', 'csv', '--repository', 'a/b');
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toContain('no repository "a/b" was seen so far');
  });

  test('no act is no error: a CSV has its head then, and JSON lines are empty', async () => {
    const none = ['--since', '2030-01-01'];
    const csv = await machine.run('export', '--format', 'csv', ...none);
    expect(csv.status).toBe(0);
    expect(csv.out).toMatch(/^at,repository_id,[a-z_,]+\r\n$/);
    expect(await machine.run('export', '--format', 'jsonl', ...none)).toEqual({
      status: 0,
      out: '',
      err: '',
    });
  });

  test('--output writes a file that only its owner reads, whole, and replaces one that is there', async () => {
    const { out: expected } = await machine.run('export', '--format', 'csv');
    for (const before of [false, true]) {
      expect(existsSync(join(machine.folder, 'acts.csv'))).toBe(before);
      const { status, out } = await machine.run('export', '--format', 'csv', '--output', 'acts.csv');
      expect({ status, out }).toEqual({ status: 0, out: '3 acts written to acts.csv\n' });
      expect(readFileSync(join(machine.folder, 'acts.csv'), 'utf8')).toBe(expected);
    }
    expect(statSync(join(machine.folder, 'acts.csv')).mode & 0o777).toBe(0o600);
    expect(readdirSync(machine.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test.each([
    ['no/such/folder.csv', /its folder is not there/],
    ['folder', /it is a folder/],
  ])('--output %s -> 2, and nothing is left', async (file, said) => {
    mkdirSync(join(machine.folder, 'folder'), { recursive: true });
    const { status, out, err } = await machine.run('export', '--format', 'csv', '--output', file);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(said);
    expect(existsSync(join(machine.folder, `${file}.part`))).toBe(false);
  });
});

test('whatever is in an act: both formats tell it, the one as it was, the other behind its apostrophes', async () => {
  const text = string({ unit: 'binary', minLength: 1, maxLength: 12 });
  const row = record({
    login: text,
    agent: option(constantFrom('alpha', '=beta', '-gamma', "'delta")),
    ref: option(text, { nil: undefined }),
    pull: option(integer({ min: 1, max: 9 }), { nil: undefined }),
  });
  await assert(
    asyncProperty(array(row, { minLength: 1, maxLength: 5 }), async (rows) => {
      const machine = createMachine();
      try {
        await machine.serve(async (store) => {
          for (const [index, { login, agent, ref, pull }] of rows.entries())
            await store.repository(1).saveAct(
              act(String(index), {
                actor: { id: index, login, type: 'User' },
                agent,
                subject: { ...(ref === undefined ? {} : { ref }), ...(pull === undefined ? {} : { pull }) },
              }),
            );
        });
        const jsonl = await machine.run('export', '--format', 'jsonl');
        const told = jsonl.out
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Pick<ActRow, 'actor' | 'agent' | 'subject'>);
        expect(
          told.map(({ actor, agent, subject }) => ({
            login: actor?.login,
            agent,
            ref: subject.ref,
            pull: subject.pull,
          })),
        ).toEqual(rows);
        const csv = await machine.run('export', '--format', 'csv');
        const cells: Record<string, string>[] = parse(csv.out, { columns: true, record_delimiter: '\r\n' });
        const whole = (cell: string | undefined): string => (cell ?? '').replace(/^'/, '');
        expect(
          cells.map(({ actor_login, agent, ref, pull }) => [actor_login, agent, ref, pull].map(whole)),
        ).toEqual(
          rows.map(({ login, agent, ref, pull }) => [
            visible(login),
            visible(agent ?? ''),
            visible(ref ?? ''),
            pull === undefined ? '' : String(pull),
          ]),
        );
      } finally {
        machine.remove();
      }
    }),
    { numRuns: 10 },
  );
}, 60_000);

test.each(['jsonl', 'csv'] as const)(
  '%s shows what moves the cursor or turns the text as an escape',
  (format) => {
    const ref = 'a\u001b[2J\u009b1m\u202eb\u2066\u200b\u{e0041}\u2028\u0007z';
    const row = rowOf(format, {
      ...act('x', { subject: { ref } }),
      repository: { id: 1, owner: 'a', name: 'b' },
    });
    expect(headOf(format) + row.trimEnd()).not.toMatch(/[^\P{C}\r\n]|[\p{Zl}\p{Zp}]/u);
    expect(row).toContain(String.raw`a\u001b[2J\u009b1m\u202eb\u2066\u200b\udb40\udc41\u2028\u0007z`);
  },
);

test('a reader that goes away (| head) ends it without a word; 0', async () => {
  const built = build();
  const machine = createMachine();
  try {
    await machine.serve(async (store) => {
      const ledger = store.repository(1);
      for (let from = 0; from < 4_000; from += 500)
        await Promise.all(
          Array.from({ length: 500 }, (_, index) => ledger.saveAct(act(`k${String(from + index)}`, {}))),
        );
    });
    const args = [join(built.folder, 'bin', 'agent-policy.js'), 'export', '--format', 'jsonl'];
    const child = spawn(process.execPath, args, { cwd: machine.folder, env: { PATH: process.env['PATH'] } });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.stdout.once('data', () => child.stdout.destroy());
    expect({ code: (await once(child, 'close'))[0], err }).toEqual({ code: 0, err: '' });
  } finally {
    machine.remove();
    built.remove();
  }
}, 30_000);
