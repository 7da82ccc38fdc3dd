import { copyFileSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { openStore } from '../../src/store/open.js';
import type { StoreError } from '../../src/store/store.js';
import { standing, type Whereabouts } from '../../src/store/sqlite/whereabouts.js';
import { inFolder } from './openers.js';
import { arrival } from './rows.js';

const it = (dev: bigint, ino: bigint): Whereabouts => ({ dev, ino });

describe('the file that was opened, and the one its path leads to', () => {
  test.each<[string, Whereabouts, Whereabouts, ReturnType<typeof standing>]>([
    ['the same', it(1n, 7n), it(1n, 7n), 'there'],
    ['another', it(1n, 7n), it(1n, 8n), 'replaced'],
    ['the same number on another disk', it(1n, 7n), it(2n, 7n), 'replaced'],
    ['none', it(1n, 7n), 'gone', 'gone'],
    ['none, on a file system without numbers', it(1n, 0n), 'gone', 'gone'],
    ['one without a number, as before', it(1n, 0n), it(1n, 0n), 'there'],
    ['one without a number since', it(1n, 7n), it(1n, 0n), 'there'],
    ['one without a number until now', it(1n, 0n), it(1n, 7n), 'there'],
    ['one that cannot be looked at', it(1n, 7n), 'unknown', 'there'],
    ['one that could not be looked at', 'unknown', it(1n, 7n), 'there'],
  ])('%s', (_what, opened, seen, is) => {
    expect(standing(opened, seen)).toBe(is);
  });
});

/** What is told of a store to which this happens, once two looks are over. */
const toldOf = (happens: (file: string) => void, path = 'store.db'): Promise<readonly string[]> => {
  const told: string[] = [];
  return inFolder(async (folder) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const store = await openStore({ file, onLost: ({ message }: StoreError) => told.push(message) });
    happens(file);
    await setTimeout(2_300);
    await store.close();
  }).then(() => told);
};

describe('a store that is served from', () => {
  test.concurrent.each<[string, (file: string) => void]>([
    ['deleted', (file) => rmSync(file)],
    ['moved away', (file) => renameSync(file, `${file}.before`)],
    ['its folder moved away', (file) => renameSync(dirname(file), `${dirname(file)}-before`)],
  ])('%s -> told once, with the file and what to do', async (_what, happens) => {
    expect(await toldOf(happens, 'inner/store.db')).toEqual([
      expect.stringMatching(
        /^The store \/.*\/inner\/store\.db was moved or deleted .*: put it or a backup back/,
      ),
    ]);
  });

  test.concurrent('replaced by a copy of itself -> told once', async () => {
    const told = await toldOf((file) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    });
    expect(told).toEqual([
      expect.stringMatching(/^Another file took the place of the store \/.*\/store\.db /),
    ]);
  });

  test.concurrent.each<[string, (file: string) => void]>([
    ['nothing', () => undefined],
    ['another name for it', (file) => linkSync(file, `${file}.too`)],
    [
      'moved, with a link in its place',
      (file) => {
        renameSync(file, `${file}.moved`);
        symlinkSync(`${file}.moved`, file);
      },
    ],
  ])('%s -> nothing is told', async (_what, happens) => {
    expect(await toldOf(happens)).toEqual([]);
  });

  test('moved away -> what was stored is in the file that was moved, once it is closed', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'store.db');
      const store = await openStore({ file });
      await store.inbox.accept(arrival('g'));
      renameSync(file, `${file}.before`);
      await store.inbox.accept(arrival('h'));
      await store.close();
      const again = await openStore({ file: `${file}.before` });
      expect((await again.inbox.counts()).queued).toBe(2);
      await again.close();
    }));

  test('closed, then deleted -> nothing is told; nor of one in memory, or opened beside', () =>
    inFolder(async (folder) => {
      const told: unknown[] = [];
      const onLost = (error: StoreError): number => told.push(error);
      const file = join(folder, 'store.db');
      await (await openStore({ file, onLost })).close();
      const memory = await openStore({ file: ':memory:', onLost });
      const beside = await openStore({ file, lock: 'beside', onLost });
      rmSync(file);
      await setTimeout(1_300);
      expect(told).toEqual([]);
      await Promise.all([memory.close(), beside.close()]);
    }));
});
