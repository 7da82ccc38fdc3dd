import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { openStore } from '../../src/store/open.js';
import { build, type Built } from '../built.js';

export interface BuiltStore extends Built {
  /** The built program's own: it has a thread. */
  readonly openStore: typeof openStore;
  /** Runs a module, given as text, in a process of its own; `openStore` is imported, arguments are `args`. */
  readonly run: (module: string, args: readonly string[]) => ChildProcess;
}

const isOpener = (module: unknown): module is { readonly openStore: typeof openStore } =>
  typeof module === 'object' && module !== null && 'openStore' in module;

export const buildStore = async (): Promise<BuiltStore> => {
  const built = build();
  const url = pathToFileURL(join(built.folder, 'dist/store/open.js')).href;
  const module: unknown = await import(url);
  if (!isOpener(module)) throw new Error(`${url} opens no store`);
  const started: ChildProcess[] = [];
  return {
    ...built,
    remove() {
      // Those that a failing test left behind.
      for (const child of started) child.kill('SIGKILL');
      built.remove();
    },
    openStore: module.openStore,
    run(text, args) {
      const child = spawn(
        process.execPath,
        [
          '--input-type=module',
          '--eval',
          `import { openStore } from ${JSON.stringify(url)};\nconst args = process.argv.slice(1);\n${text}`,
          '--',
          ...args,
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      started.push(child);
      return child;
    },
  };
};
