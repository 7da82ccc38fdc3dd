import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import type { Outside } from '../../src/cli/outside.js';
import { runCli } from '../../src/cli/program.js';
import type { Environment } from '../../src/settings.js';
import type { Arrival } from '../../src/store/inbox.js';
import { openStore } from '../../src/store/open.js';

export interface Said {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export interface Machine {
  readonly folder: string;
  readonly env: Environment;
  /** The command line, run in that folder with that environment. */
  run(...args: readonly string[]): Promise<Said>;
  /** The store as the server has it: opened, worked on, closed. */
  serve<T>(work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>): Promise<T>;
  remove(): void;
}

/** When it is, on this machine. */
export const NOW = Date.parse('2026-11-30T12:00:00.000Z');

const noNetwork: typeof globalThis.fetch = () => Promise.reject(new Error('this command asks nobody'));

/** A machine with a folder of its own, where the database is `agent-policy.db` unless `env` says otherwise. */
export const createMachine = (env: Environment = {}, given: Partial<Outside> = {}): Machine => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-policy-machine-'));
  const run = async (...args: readonly string[]): Promise<Said> => {
    const said = { out: '', err: '' };
    const stdout = new Writable({
      write(chunk: Buffer, _, done) {
        said.out += chunk.toString();
        done();
      },
    });
    const status = await runCli(
      args,
      {
        out: (text) => (said.out += text),
        err: (text) => (said.err += text),
        readFile: (path) => readFileSync(resolve(folder, path)),
        exists: (path) => existsSync(resolve(folder, path)),
      },
      { env, cwd: folder, now: () => NOW, fetch: noNetwork, stdout, node: '22.11.0', ...given },
    );
    return { status, ...said };
  };
  return {
    folder,
    env,
    run,
    async serve(work) {
      const store = await openStore({ file: join(folder, 'agent-policy.db'), lock: 'serve', now: () => NOW });
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** A delivery that came in at a minute after nine. */
export const arrival = (minute: number, more: Partial<Arrival> = {}): Arrival => ({
  guid: `guid-${String(minute)}`,
  name: 'pull_request',
  body: new TextEncoder().encode(JSON.stringify({ action: 'opened', number: minute })),
  receivedAt: `2026-11-30T09:${String(minute).padStart(2, '0')}:00.000Z`,
  happenedAt: null,
  hint: { repository: 42, action: 'opened', lane: 3, subject: `pull:${String(minute)}` },
  ...more,
});
