import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openStore } from '../../src/store/open.js';
import { fill } from './filled.js';
import { arrival, createMachine, type Machine } from './machine.js';

let machine: Machine;
beforeEach(async () => {
  machine = createMachine();
  await fill(machine);
});
afterEach(() => machine.remove());

const path = (name: string): string => join(machine.folder, name);

describe('backup', () => {
  test('one file that only its owner reads, and that serves as the store it is a copy of', async () => {
    const { status, out, err } = await machine.run('backup', 'copy.db');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out.replaceAll(machine.folder, '/srv')).toMatch(
      /^\/srv\/agent-policy\.db is copied to \/srv\/copy\.db \(\d+\.\d KB\)\n$/,
    );
    expect(statSync(path('copy.db')).mode & 0o777).toBe(0o600);
    expect(readdirSync(machine.folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db']);
    const whole = await machine.run('deliveries', 'list', '--json');
    const copied = await machine.run('deliveries', 'list', '--json', '--store', 'copy.db');
    expect(copied).toEqual(whole);
    const store = await openStore({ file: path('copy.db'), lock: 'serve' });
    try {
      expect(await store.inbox.accept(arrival(30))).toMatchObject({ kind: 'new' });
    } finally {
      await store.close();
    }
  });

  test('while a server writes: what was written before is in it', async () => {
    const copied = await machine.serve(async ({ inbox }) => {
      await inbox.accept(arrival(31));
      const writing = Promise.all([32, 33, 34].map((minute) => inbox.accept(arrival(minute))));
      const said = await machine.run('backup', 'copy.db');
      await writing;
      return said;
    });
    expect(copied.status).toBe(0);
    expect((await machine.run('deliveries', 'show', 'guid-31', '--store', 'copy.db')).status).toBe(0);
  });

  test('a file of that name -> 2, and it stays as it was', async () => {
    writeFileSync(path('copy.db'), 'precious');
    const { status, out, err } = await machine.run('backup', 'copy.db');
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err.replaceAll(machine.folder, '/srv')).toBe(
      'agent-policy: The backup /srv/copy.db was not made: there is a file of that name already: name another.\n',
    );
    expect(readFileSync(path('copy.db'), 'utf8')).toBe('precious');
  });

  test('one that broke off, or is being written -> 2', async () => {
    writeFileSync(path('copy.db.part'), '');
    const { status, err } = await machine.run('backup', 'copy.db');
    expect({ status, made: existsSync(path('copy.db')) }).toEqual({ status: 2, made: false });
    expect(err).toContain('another one is being written, or broke off');
    expect(existsSync(path('copy.db.part'))).toBe(true);
  });

  test('a folder that is not there -> 2', async () => {
    const { status, err } = await machine.run('backup', 'none/copy.db');
    expect(status).toBe(2);
    expect(err).toContain('none is no folder that this user may write in (ENOENT)');
  });

  test('no store -> 2, and nothing is left', async () => {
    const { status, err } = await machine.run('backup', 'copy.db', '--store', 'other.db');
    expect(status).toBe(2);
    expect(err).toMatch(/^agent-policy: There is no store at .+other\.db/);
    expect(readdirSync(machine.folder).filter((name) => name.startsWith('copy'))).toEqual([]);
  });

  test('a damaged store -> 2, and no copy that looks whole', async () => {
    const bytes = readFileSync(path('agent-policy.db'));
    bytes.fill(0xaa, 4_096 * 2, 4_096 * 12);
    writeFileSync(path('agent-policy.db'), bytes);
    chmodSync(path('agent-policy.db'), 0o600);
    const { status, err } = await machine.run('backup', 'copy.db');
    expect(status).toBe(2);
    expect(err).toMatch(/^agent-policy: /);
    expect(readdirSync(machine.folder).filter((name) => name.startsWith('copy'))).toEqual([]);
  });

  test('no file named -> 2', async () => {
    const { status, err } = await machine.run('backup');
    expect(status).toBe(2);
    expect(err).toContain("missing required argument 'file'");
  });
});
