import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { fill } from './filled.js';
import { createMachine, type Machine } from './machine.js';

const states = (machine: Machine): Promise<Record<number, string>> =>
  machine.serve(async ({ inbox }) =>
    Object.fromEntries((await inbox.list({ limit: 100 })).map(({ id, state }) => [id, state])),
  );

describe('deliveries replay', () => {
  let machine: Machine;
  beforeEach(async () => {
    machine = createMachine();
    await fill(machine);
  });
  afterEach(() => machine.remove());

  test('a dead, a waiting and a done one, by id or GUID -> queued; 0', async () => {
    const { status, out, err } = await machine.run('deliveries', 'replay', '1', 'guid-2', '4');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toBe(
      '1 (guid-1): queued again; it was dead\n' +
        '2 (guid-2): queued again; it was waiting\n' +
        '4 (guid-4): queued again; it was done\n' +
        '3 deliveries queued. A running server takes them up within seconds; where none runs, its next start does.\n',
    );
    expect(await states(machine)).toMatchObject({ 1: 'queued', 2: 'queued', 4: 'queued' });
  });

  test('one that is queued already -> 0, and nothing changes', async () => {
    expect(await machine.run('deliveries', 'replay', '3')).toEqual({
      status: 0,
      out: '3 (guid-3): is queued already\n',
      err: '',
    });
  });

  test('one that is not there, and one whose body is gone -> 1; the others are queued all the same', async () => {
    const { status, out, err } = await machine.run('deliveries', 'replay', '99', '6', 'guid-lost', '1');
    expect(status).toBe(1);
    expect(out).toMatch(/^1 \(guid-1\): queued again; it was dead\n1 delivery queued\./);
    expect(err).toMatch(/^agent-policy: there is no delivery "99"\./);
    expect(err).toContain(
      '6 (guid-old) is not queued: its body is not kept any more (AGENT_POLICY_KEEP_BODIES).',
    );
    expect(err).toContain('5 (guid-lost) is not queued: GitHub was asked to send it again');
    expect(await states(machine)).toMatchObject({ 1: 'queued', 5: 'expected', 6: 'done' });
  });

  test('--dead -> all of them, oldest first; then there is none, and 1', async () => {
    await machine.serve(({ inbox }) =>
      inbox.bury(3, { attempts: 8, at: '2026-11-30T10:00:00.000Z', error: 'x' }),
    );
    const { status, out } = await machine.run('deliveries', 'replay', '--dead');
    expect(status).toBe(0);
    expect(out).toMatch(/^1 \(guid-1\).*\n3 \(guid-3\).*\n2 deliveries queued\./);
    expect(await states(machine)).toMatchObject({ 1: 'queued', 2: 'waiting', 3: 'queued' });
    expect(await machine.run('deliveries', 'replay', '--dead')).toEqual({
      status: 1,
      out: '',
      err: 'no delivery is dead: there is nothing to replay\n',
    });
  });

  test('--dead --repository: only of that one', async () => {
    expect((await machine.run('deliveries', 'replay', '--dead', '--repository', '77')).status).toBe(1);
    expect((await machine.run('deliveries', 'replay', '--dead', '--repository', 'acme/widgets')).status).toBe(
      0,
    );
  });

  test('beside a server that serves from it', async () => {
    await machine.serve(async ({ inbox }) => {
      expect((await machine.run('deliveries', 'replay', '1')).status).toBe(0);
      expect((await inbox.pending(0, 10)).map(({ id }) => id)).toEqual([1, 2, 3]);
    });
  });

  test.each([[[]], [['1', '--dead']], [['1', '--repository', '42']]])('%j -> 2', async (args) => {
    expect(await machine.run('deliveries', 'replay', ...args)).toEqual({
      status: 2,
      out: '',
      err: 'agent-policy: name deliveries by id or GUID, or say --dead (and --repository with it).\n',
    });
  });
});

describe('the store', () => {
  let machine: Machine;
  beforeEach(() => {
    machine = createMachine();
  });
  afterEach(() => machine.remove());

  const COMMANDS = [
    ['deliveries', 'list'],
    ['deliveries', 'show', '1'],
    ['deliveries', 'replay', '1'],
    ['export', '--format', 'csv'],
  ];

  test.each(COMMANDS)('%s %s: one that is not there -> 2, and it is not made', async (...args) => {
    const { status, out, err } = await machine.run(...args);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toBe(
      `agent-policy: There is no store at ${join(machine.folder, 'agent-policy.db')}: name its file in AGENT_POLICY_STORE, or start the server once, which creates it.\n`,
    );
    expect(() => readFileSync(join(machine.folder, 'agent-policy.db'))).toThrow('ENOENT');
  });

  test.each(COMMANDS)('%s %s: a file that is none -> 2', async (...args) => {
    writeFileSync(join(machine.folder, 'agent-policy.db'), 'no database at all, but long enough to look at');
    const { status, out, err } = await machine.run(...args);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^agent-policy: .+agent-policy\.db is not a store of this program/);
  });

  test('.env cannot be read -> 2, which file, and what to do', async () => {
    const file = join(machine.folder, '.env');
    mkdirSync(file);
    expect(await machine.run('deliveries', 'list')).toEqual({
      status: 2,
      out: '',
      err: `agent-policy: ${file} cannot be read (EISDIR). Run this as the user of the server, or give this user the right to read the file.\n`,
    });
  });

  test('--store names it, before .env does, and the environment before .env', async () => {
    await fill(machine);
    const file = join(machine.folder, 'agent-policy.db');
    writeFileSync(join(machine.folder, '.env'), 'AGENT_POLICY_STORE=other.db\n');
    expect((await machine.run('deliveries', 'list')).err).toContain('other.db');
    expect((await machine.run('deliveries', 'list', '--store', 'agent-policy.db')).status).toBe(0);
    expect((await machine.run('deliveries', 'list', '--store', file)).status).toBe(0);
    const inEnvironment = createMachine({ AGENT_POLICY_STORE: file });
    try {
      writeFileSync(join(inEnvironment.folder, '.env'), 'AGENT_POLICY_STORE=other.db\n');
      expect((await inEnvironment.run('deliveries', 'list')).status).toBe(0);
    } finally {
      inEnvironment.remove();
    }
  });

  test('a setting that is no file -> 2', async () => {
    const wrong = createMachine({ AGENT_POLICY_STORE: ':memory:' });
    try {
      const { status, err } = await wrong.run('deliveries', 'list');
      expect({ status, err }).toEqual({
        status: 2,
        err: 'agent-policy: AGENT_POLICY_STORE is not a file: what is not stored is lost. Set it to the path of a file, or leave it out (then: ./agent-policy.db).\n',
      });
    } finally {
      wrong.remove();
    }
  });
});
