import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import Libsql from 'libsql';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { buildStore } from './built-store.js';
import { describeInbox } from './inbox-contract.js';
import { describeLedger } from './ledger-contract.js';
import { createOpener, inFolder } from './openers.js';
import { act, arrival, at } from './rows.js';
import { describeStore } from './store-contract.js';

const built = await buildStore();
const { openStore } = built;
/** Processes are started, on a machine that may be busy. Milliseconds. */
jest.setTimeout(60_000);
afterAll(built.remove);

const opener = createOpener('in a file, by a thread', openStore, { thread: true });

describeLedger(opener);
describeInbox(opener);
describeStore(opener);

const linesOf = (child: ChildProcess): AsyncIterable<string> => {
  const out: Readable | null = child.stdout;
  if (out === null) throw new Error('no output to read');
  return createInterface({ input: out });
};

const firstLine = async (child: ChildProcess): Promise<string> => {
  for await (const line of linesOf(child)) return line;
  return '';
};

/** Opens, says `ready`, and stays until it is killed. */
const HOLD = `
try {
  await openStore({ file: args[0], thread: args[1] === 'thread' });
  console.log('ready');
  setInterval(() => {}, 1000);
} catch (error) {
  console.log(error.name + ' ' + error.kind);
}`;

/** Takes deliveries as fast as it can, a few at a time, and says each that is stored. */
const TAKE = `
const store = await openStore({ file: args[0], thread: true });
const hint = { repository: 1, action: null, lane: 2, subject: null };
const take = async (line) => {
  for (let n = 0; ; n += 1) {
    const guid = args[1] + '-' + line + '-' + n;
    const body = Buffer.alloc(31000, 'x');
    await store.inbox.accept({ guid, name: 'push', body, receivedAt: new Date().toISOString(), happenedAt: null, hint });
    process.stdout.write(guid + '\\n');
  }
};
for (let line = 0; line < 12; line += 1) void take(line);`;

describe('a process that is killed', () => {
  test('loses no delivery it had told as stored', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'store.db');
      const told: string[] = [];
      for (let round = 0; round < 4; round += 1) {
        const child = built.run(TAKE, [file, String(round)]);
        const ended = once(child, 'exit');
        const most = told.length + 150 + 70 * round;
        for await (const line of linesOf(child)) {
          told.push(line);
          if (told.length === most) child.kill('SIGKILL');
        }
        await ended;
        expect(child.signalCode).toBe('SIGKILL');
      }
      const store = await openStore({ file, thread: true });
      const known = await store.inbox.known(told);
      expect(told.filter((guid) => !known.has(guid))).toEqual([]);
      expect(told.length).toBeGreaterThan(900);
      expect((await store.inbox.find(told.at(-1) ?? ''))?.body).toHaveLength(31_000);
      await store.close();
    }));

  test.each(['thread', 'process'])('lets go of the lock at once (%s)', (where) =>
    inFolder(async (folder) => {
      const file = join(folder, 'store.db');
      const holder = built.run(HOLD, [file, where]);
      const ended = once(holder, 'exit');
      expect(await firstLine(holder)).toBe('ready');
      await expect(openStore({ file, thread: true })).rejects.toMatchObject({
        name: 'StoreError',
        kind: 'locked',
        message: expect.stringContaining(file),
      });
      const second = built.run(HOLD, [file, where]);
      expect(await firstLine(second)).toBe('StoreError locked');
      const beside = await openStore({ file, lock: 'beside' });
      expect(await beside.inbox.oldestUndone()).toBeNull();
      await beside.close();
      holder.kill('SIGKILL');
      await ended;
      const store = await openStore({ file, thread: true });
      await store.close();
    }),
  );
});

describe('a store in a file', () => {
  test('that is opened again has everything', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'store.db');
      const first = await openStore({ file, thread: true });
      const { id } = await first.inbox.accept(arrival('g'));
      await first.repository(1).saveAct(act('a'));
      await first.saveCursor('alive', '1');
      await first.close();
      const second = await openStore({ file, thread: true });
      expect((await second.inbox.read(id))?.body).toEqual(Uint8Array.from(arrival('g').body));
      expect(await second.repository(1).act('a')).toEqual(act('a'));
      expect(await second.cursor('alive')).toBe('1');
      await second.close();
      await second.close();
    }));

  test('refuses a body whose bytes were given away before', () =>
    opener.use(async ({ inbox }) => {
      const body = Buffer.alloc(31_000, 'x');
      const first = inbox.accept(arrival('a', { body }));
      await expect(inbox.accept(arrival('b', { body }))).rejects.toMatchObject({ name: 'StoreError' });
      expect((await inbox.read((await first).id))?.body).toHaveLength(31_000);
      expect(await inbox.find('b')).toBeUndefined();
    }));

  test('is written to beside the process that serves from it', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'store.db');
      const serving = await openStore({ file, thread: true });
      const { id } = await serving.inbox.accept(arrival('g'));
      await serving.inbox.bury(id, { attempts: 8, at: at('09:00:00'), error: 'e' });
      const beside = await openStore({ file, lock: 'beside' });
      expect(await beside.inbox.replay(id)).toBe(true);
      const flood = Array.from({ length: 200 }, (_, index) =>
        Promise.all([
          serving.inbox.accept(arrival(`s${index}`)),
          beside.saveCursor('sweep:x', String(index)),
        ]),
      );
      await Promise.all(flood);
      expect((await serving.inbox.pending(0, 1)).map((row) => row.guid)).toEqual(['g']);
      expect(await serving.cursor('sweep:x')).toBe('199');
      await beside.close();
      await serving.close();
    }));

  test('waits while another process writes, and then goes on', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'store.db');
      const store = await openStore({ file, thread: true });
      const other = new Libsql(file);
      other.exec('begin immediate');
      const order: string[] = [];
      const saving = store.saveCursor('a', '1').then(() => order.push('saved'));
      await setTimeout(300);
      order.push('other ends');
      other.exec('commit');
      await saving;
      expect(order).toEqual(['other ends', 'saved']);
      other.close();
      await store.close();
    }));

  test('answers reads that were asked for after a write with what was written', () =>
    opener.use(async (store) => {
      const one = store.repository(1);
      const answers = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          await one.saveDone(`k${index}`);
          return one.done(`k${index}`);
        }),
      );
      expect(answers.every(Boolean)).toBe(true);
    }));

  test('whose thread ended rejects what was asked for and all that follows', () =>
    inFolder(async (folder) => {
      const child = built.run(
        `
import { Worker } from 'node:worker_threads';
const made = [];
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (...message) { made.push(this); return postMessage.apply(this, message); };
const store = await openStore({ file: args[0], thread: true });
const asked = [store.cursor('a'), store.saveCursor('a', '1'), store.repository(1).acts({})];
await new Promise((resolve) => setImmediate(resolve));
void made[0].terminate();
const told = await Promise.allSettled(asked);
told.push(...(await Promise.allSettled([store.cursor('b')])));
await store.close();
console.log(told.map(({ status, reason }) => status === 'rejected' ? reason.name + ' ' + reason.kind : status).join());
`,
        [join(folder, 'store.db')],
      );
      const line = await firstLine(child);
      expect(line.split(',')).toHaveLength(4);
      expect(line).toMatch(/^((fulfilled|StoreError failed),){3}StoreError failed$/);
    }));
});
