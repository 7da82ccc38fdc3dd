import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Difference } from '../../src/measure/soak/difference.js';
import type { Figures } from '../../src/measure/soak/run.js';
import { build, type Built } from '../built.js';

let built: Built;
beforeAll(() => {
  built = build();
});
afterAll(() => built.remove());

const run = async (
  ...args: readonly string[]
): Promise<{ code: number | null; out: string; err: string }> => {
  const child = spawn(process.execPath, [join(built.folder, 'dist', 'measure', 'soak.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
};

test('a server that is killed three times loses nothing and tells nothing twice', async () => {
  // Its seed tells about twenty breaches, one more or less as the kills fall.
  const small = ['--deliveries', '450', '--kill', '3', '--repositories', '3', '--lag', '500', '--off'];
  const { code, out } = await run(...small, '--seed', 'small', '--json');
  const { figures, differences, seed } = JSON.parse(out) as {
    seed: string;
    figures: Figures;
    differences: Difference[];
  };
  expect(differences).toEqual([]);
  expect(code).toBe(0);
  expect(seed).toBe('small');
  expect(figures.kills).toBe(3);
  expect(figures.deliveries).toBeGreaterThanOrEqual(450);
  expect(figures.redelivered).toBeGreaterThan(0);
  expect(figures.breaches).toBeGreaterThan(5);
  expect(figures.rows).toBeGreaterThan(5);
  expect(figures.issues).toBeGreaterThan(0);
}, 120_000);

test.each([
  [['--deliveries', 'many'], /--deliveries takes a whole number from 1 on, not "many"/],
  [['--faults', '0.9'], /--faults takes a share from 0 to 0.5/],
  [['--killl', '3'], /--killl/],
])('what cannot be meant is refused: %j', async (args, told) => {
  const { code, out, err } = await run(...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(told);
  expect(err).toContain('npm run soak -- [options]');
});
