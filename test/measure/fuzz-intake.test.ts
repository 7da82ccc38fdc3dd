import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build, type Built } from '../built.js';

let built: Built;
beforeAll(() => {
  built = build();
});
afterAll(() => built.remove());

const fuzz = async (
  ...args: readonly string[]
): Promise<{ code: number | null; out: string; err: string }> => {
  const child = spawn(process.execPath, [join(built.folder, 'dist/measure/fuzz-intake.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
};

/** Changes a file of the built program for as long as `work` takes. */
const changed = async <T>(
  file: string,
  [before, after]: readonly [string, string],
  work: () => Promise<T>,
): Promise<T> => {
  const path = join(built.folder, 'dist', file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(before)) throw new Error(`${file} has no "${before}"`);
  writeFileSync(path, text.replace(before, after));
  try {
    return await work();
  } finally {
    writeFileSync(path, text);
  }
};

describe('npm run fuzz:intake', () => {
  test('a sound server takes what is signed and nothing else', async () => {
    const { code, out } = await fuzz('--n', '1000', '--seed', '5');
    expect(out).toContain('nothing differed');
    expect(out).toMatch(/stored {3}[1-9]\d* acknowledged; .* 0 queued, 0 waiting/);
    expect(code).toBe(0);
  }, 60_000);

  test.each([
    [
      'takes what is not signed',
      'intake/delivery.js',
      ['timingSafeEqual(hash.digest()', 'true || timingSafeEqual(hash.digest()'],
      /no secret.*: answered 202 instead of 401[^]*the store holds a \w+ that nobody signed/,
    ],
    [
      'acknowledges what it does not store',
      'intake/service.js',
      [
        'await inbox.accept(arrival)',
        "(arrival.name === 'push' ? { kind: 'known', id: 1 } : await inbox.accept(arrival))",
      ],
      /acknowledged, and not in the store/,
    ],
    [
      'stores another body than was signed',
      'intake/service.js',
      ['body,\n', 'body: Buffer.concat([body, Buffer.from(" ")]),\n'],
      /the store holds another body/,
    ],
    [
      'dies of an event name',
      'intake/service.js',
      ['if (!isRead(name))', "if (name === '__proto__') process.exit(3); if (!isRead(name))"],
      /the process ended: exit 3/,
    ],
    [
      'answers 500 where it does not know what to do',
      'web/serve.js',
      [
        "=== 'gone') return;",
        "=== 'gone') return; if (received.kind === 'refused' && received.status === 415) throw new Error('what now?');",
      ],
      /answered 500 instead of 415/,
    ],
  ] as const)(
    'a server that %s is found',
    async (_what, file, change, found) => {
      const { code, out } = await changed(file, change, () => fuzz('--n', '500', '--seed', '5'));
      expect(out).toMatch(found);
      expect(out).toMatch(/again: npm run fuzz:intake -- --seed 5 --only \d+/);
      expect(code).toBe(1);
    },
    60_000,
  );

  test.each([
    ['no number', ['--n', 'many'], '--n takes a whole number, not "many".'],
    ['an option there is not', ['--deep'], "Unknown option '--deep'"],
  ])('%s is wrong usage', async (_what, args, why) => {
    const { code, err } = await fuzz(...args);
    expect(err).toContain(why);
    expect(err).toContain('npm run fuzz:intake -- [options]');
    expect(code).toBe(2);
  });
});
