import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The program as it is installed, in a folder of its own, so that a test can start it as a process. */
export interface Built {
  /** Holds bin/, dist/ and package.json. */
  readonly folder: string;
  readonly remove: () => void;
}

/**
 * Builds src/ without asking whether its types hold, which is faster than tsc and needs no dist/ to be in step.
 * Stands inside node_modules/, so that the program finds its dependencies.
 */
export const build = (): Built => {
  const cache = join(root, 'node_modules', '.cache', 'agent-policy');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'built-'));
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(entry)) continue;
    const target = join(folder, 'dist', entry.replace(/\.tsx?$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    const { code } = transformSync(readFileSync(join(root, 'src', entry), 'utf8'), {
      filename: entry,
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      module: { type: 'es6' },
    });
    writeFileSync(target, code);
  }
  for (const name of ['bin', 'package.json', 'schema'])
    if (existsSync(join(root, name))) cpSync(join(root, name), join(folder, name), { recursive: true });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
