import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ESLint } from 'eslint';

const root = fileURLToPath(new URL('..', import.meta.url));

let eslint: ESLint;
beforeAll(() => {
  eslint = new ESLint({ cwd: root });
});

/**
 * The restrictions that each line breaks, were the lines that file. One run for many snippets, since a run is what
 * costs: so no snippet may bind a name that another one uses as a global.
 */
const brokenLines = async (
  filePath: string,
  lines: readonly string[],
): Promise<readonly (readonly string[])[]> => {
  const [result] = await eslint.lintText(lines.join('\n'), { filePath: `${root}${filePath}` });
  const messages = result?.messages ?? [];
  const fatal = messages.find((message) => message.fatal === true);
  if (fatal !== undefined) throw new Error(`line ${fatal.line}: ${fatal.message}`);
  const found: string[][] = lines.map(() => []);
  for (const { ruleId, line } of messages)
    if (ruleId?.replace('@typescript-eslint/', '').startsWith('no-restricted') === true)
      found[line - 1]?.push(ruleId);
  return found;
};

/** Snippets of one line each by what they break. A snippet that is not among them is refused, not "breaks nothing". */
const brokenBy = async (
  filePath: string,
  snippets: readonly string[],
): Promise<(code: string) => readonly string[]> => {
  const found = await brokenLines(filePath, snippets);
  return (code) => {
    const rules = found[snippets.indexOf(code)];
    if (rules === undefined) throw new Error(`not linted: ${code}`);
    return rules;
  };
};

const PURE = ['policy', 'agents', 'acts', 'decide', 'runs', 'words'];

const IO = [
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
  "import * as all from 'node:crypto'; export const f = all;",
  "import { randomBytes } from 'crypto'; export const f = randomBytes;",
  "import { createGzip } from 'node:zlib'; export const f = createGzip;",
  "import { deflateRaw } from 'zlib'; export const f = deflateRaw;",
  "import type { Probot } from 'probot'; export type F = Probot;",
  "import pino from 'pino'; export const f = pino;",
  "import { Octokit } from '@octokit/core'; export const f = Octokit;",
  "export { readFileSync } from 'node:fs';",
  "export * from 'node:fs';",
];

const WORLD: readonly (readonly [string, string])[] = [
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
];

const importing = (target: string): string => `import { x } from '../${target}.js'; export const f = x;`;
const ELSEWHERE = [
  'store/ledger',
  'sandbox/sandbox',
  'settings',
  'logger',
  'private-key',
  'app',
  'server',
  'web/serve',
  'github/client',
];

const ARGUMENTS_ONLY = [
  "import { createHash, createHmac, timingSafeEqual } from 'node:crypto';",
  "import { deflateRawSync, inflateRawSync } from 'node:zlib';",
  "import { z } from 'zod';",
  "import { near } from './near.js';",
  'export const f = (at: string) => [new Date(at), Math.max(1, 2), Date.parse(at), createHash, createHmac, timingSafeEqual, deflateRawSync, inflateRawSync, z, near];',
];

describe.each(PURE)('src/%s is pure', (folder) => {
  let broken: (code: string) => readonly string[];
  beforeAll(async () => {
    const snippets = [
      ...IO,
      ...WORLD.map(([, code]) => code),
      ...ELSEWHERE.map(importing),
      ...ARGUMENTS_ONLY,
    ];
    broken = await brokenBy(`src/${folder}/x.ts`, snippets);
  });

  test.each(IO)('it imports no I/O: %s', (code) => {
    expect(broken(code)).toEqual(['no-restricted-imports']);
  });

  test.each(WORLD)('it reads no clock and nothing else of the world (%s): %s', (rule, code) => {
    expect(broken(code)).toEqual([rule]);
  });

  test.each(ELSEWHERE)('it imports nothing of %s', (target) => {
    expect(broken(importing(target))).toEqual(['no-restricted-imports']);
  });

  test('what only depends on its arguments is allowed', () => {
    expect(ARGUMENTS_ONLY.map(broken)).toEqual(ARGUMENTS_ONLY.map(() => []));
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
const FOLDERS = FLOORS.flat();

const value = (to: string): string => `import { x } from '../${to}/x.js'; export const f = x;`;
const type = (to: string): string => `import type { X } from '../${to}/x.js'; export type F = X;`;
const deep = (to: string): string => `export { x } from '../../${to}/deep/x.js';`;
const ENTRY = "import { run } from '../server.js'; export const f = run;";

describe.each(FOLDERS)('imports of src/%s go downwards only', (from) => {
  let broken: (code: string) => readonly string[];
  let brokenBelow: (code: string) => readonly string[];
  beforeAll(async () => {
    broken = await brokenBy(`src/${from}/x.ts`, [...FOLDERS.flatMap((to) => [value(to), type(to)]), ENTRY]);
    brokenBelow = await brokenBy(`src/${from}/deep/x.ts`, FOLDERS.map(deep));
  });

  test.each(
    FOLDERS.filter((to) => to !== from).map((to): [string, boolean] => [to, floorOf(to) > floorOf(from)]),
  )('src/%s: %s', (to, allowed) => {
    const expected = allowed ? [] : ['no-restricted-imports'];
    expect(broken(value(to))).toEqual(expected);
    expect(broken(type(to))).toEqual(expected);
    expect(brokenBelow(deep(to))).toEqual(expected);
  });

  test('nobody imports the entry of the process', () => {
    expect(broken(ENTRY)).toEqual(['no-restricted-imports']);
  });
});

test('a folder whose name only begins like one above is no such folder', async () => {
  const broken = await brokenLines('src/policy/x.ts', ["import { x } from './github-names.js';"]);
  expect(broken).toEqual([[]]);
});
