import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ESLint } from 'eslint';

const root = fileURLToPath(new URL('..', import.meta.url));

let eslint: ESLint;
beforeAll(() => {
  eslint = new ESLint({ cwd: root });
});

/** The rules that a snippet breaks, were it that file. */
const broken = async (filePath: string, code: string): Promise<readonly string[]> => {
  const [result] = await eslint.lintText(code, { filePath: `${root}${filePath}` });
  const messages = result?.messages ?? [];
  const fatal = messages.find((message) => message.fatal === true);
  if (fatal !== undefined) throw new Error(fatal.message);
  return messages
    .map(({ ruleId }) => ruleId ?? 'no rule')
    .filter(
      (rule) => rule.startsWith('no-restricted') || rule.startsWith('@typescript-eslint/no-restricted'),
    );
};

const PURE = ['policy', 'agents', 'acts', 'decide', 'runs', 'words'];

describe.each(PURE)('src/%s is pure', (folder) => {
  const file = `src/${folder}/x.ts`;

  test.each([
    "import { readFileSync } from 'node:fs'; export const f = readFileSync;",
    "import fs from 'fs'; export const f = fs;",
    "import { readFile } from 'fs/promises'; export const f = readFile;",
    "import { readFile } from 'node:fs/promises'; export const f = readFile;",
    "import { request } from 'node:http'; export const f = request;",
    "import { request } from 'https'; export const f = request;",
    "import { execFile } from 'node:child_process'; export const f = execFile;",
    "import { setTimeout as sleep } from 'node:timers/promises'; export const f = sleep;",
    "import { Probot } from 'probot'; export const f = Probot;",
    "import { randomUUID } from 'node:crypto'; export const f = randomUUID;",
    "import * as crypto from 'node:crypto'; export const f = crypto;",
    "import { randomBytes } from 'crypto'; export const f = randomBytes;",
    "import type { Probot } from 'probot'; export type F = Probot;",
    "import pino from 'pino'; export const f = pino;",
    "import { Octokit } from '@octokit/core'; export const f = Octokit;",
    "export { readFileSync } from 'node:fs';",
    "export * from 'node:fs';",
  ])('it imports no I/O: %s', async (code) => {
    expect(await broken(file, code)).toEqual(['no-restricted-imports']);
  });

  test.each<[string, string]>([
    ['no-restricted-properties', 'export const f = () => Date.now();'],
    ['no-restricted-properties', 'export const f = () => Math.random();'],
    ['no-restricted-syntax', 'export const f = () => new Date();'],
    ['no-restricted-syntax', 'export const f = () => Date();'],
    ['no-restricted-syntax', "export const f = () => import('node:fs');"],
    ['no-restricted-globals', 'export const f = () => performance.now();'],
    ['no-restricted-globals', 'export const f = () => crypto.randomUUID();'],
    ['no-restricted-globals', "export const f = () => globalThis.fetch('https://github.com');"],
    ['no-restricted-globals', "export const f = () => fetch('https://github.com');"],
    ['no-restricted-globals', "export const f = () => process.env['HOME'];"],
    ['no-restricted-globals', 'export const f = () => setTimeout(() => undefined, 1);'],
    ['no-restricted-globals', 'export const f = () => console.log(1);'],
  ])('it reads no clock and nothing else of the world (%s): %s', async (rule, code) => {
    expect(await broken(file, code)).toEqual([rule]);
  });

  test.each([
    'store/ledger',
    'sandbox/sandbox',
    'settings',
    'logger',
    'private-key',
    'app',
    'server',
    'web/serve',
    'github/client',
  ])('it imports nothing of %s', async (target) => {
    expect(await broken(file, `import { x } from '../${target}.js'; export const f = x;`)).toEqual([
      'no-restricted-imports',
    ]);
  });

  test('what only depends on its arguments is allowed', async () => {
    const code = `
      import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
      import { z } from 'zod';
      import { near } from './near.js';
      export const f = (at: string) => [new Date(at), Math.max(1, 2), Date.parse(at), createHash, createHmac, timingSafeEqual, z, near];`;
    expect(await broken(file, code)).toEqual([]);
  });
});

/** Top to bottom; folders in one row do not import each other. */
const FLOORS = [
  ['cli', 'web'],
  ['intake'],
  ['github'],
  ['words'],
  ['decide'],
  ['agents'],
  ['policy', 'runs'],
  ['acts'],
];
const floorOf = (folder: string): number => FLOORS.findIndex((floor) => floor.includes(folder));
const pairs = FLOORS.flat().flatMap((from) =>
  FLOORS.flat()
    .filter((to) => to !== from)
    .map((to): [string, string, boolean] => [from, to, floorOf(to) > floorOf(from)]),
);

describe('imports go downwards only', () => {
  test.each(pairs)('src/%s -> src/%s: %s', async (from, to, allowed) => {
    const value = `import { x } from '../${to}/x.js'; export const f = x;`;
    const type = `import type { X } from '../${to}/x.js'; export type F = X;`;
    const deep = `export { x } from '../../${to}/deep/x.js';`;
    const expected = allowed ? [] : ['no-restricted-imports'];
    expect(await broken(`src/${from}/x.ts`, value)).toEqual(expected);
    expect(await broken(`src/${from}/x.ts`, type)).toEqual(expected);
    expect(await broken(`src/${from}/deep/x.ts`, deep)).toEqual(expected);
  });

  test('nobody imports the entry of the process', async () => {
    for (const folder of FLOORS.flat())
      expect(
        await broken(`src/${folder}/x.ts`, "import { run } from '../server.js'; export const f = run;"),
      ).toEqual(['no-restricted-imports']);
  });

  test('a folder whose name only begins like one above is no such folder', async () => {
    expect(
      await broken('src/policy/x.ts', "import { x } from './github-names.js'; export const f = x;"),
    ).toEqual([]);
  });
});
