import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** How a process ended: its code, or the signal that ended it. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Child {
  readonly pid: number;
  readonly port: number;
  /** Resident memory in bytes; null once it has ended. */
  rss(): number | null;
  /** Processor time of all its threads so far, in milliseconds; null where nobody tells it. */
  cpu(): number | null;
  readonly exit: Promise<Exit>;
  /** Undefined while it runs. */
  ended(): Exit | undefined;
  /** Asks it to stop (SIGTERM) and kills it where it does not within `patience` milliseconds. */
  stop(patience: number): Promise<Exit>;
  /** SIGKILL. */
  kill(): void;
}

export interface ChildOptions {
  /** File name of a compiled entry beside this file, or one folder up: `../server.js`. */
  readonly entry: string;
  /** Megabytes that its heap may take; without it V8 decides by how much the machine has. */
  readonly heap?: number;
  /** All of its environment but PATH and PORT. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** A path that answers once it listens. */
  readonly alive: string;
  /** Each line it writes, to standard output or error. */
  readonly onLine: (line: string) => void;
  /** One it used before; any free one otherwise. */
  readonly port?: number;
}

const START_MS = 20_000;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A port of the loopback that nobody listens on just now. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Linux tells it in a file; elsewhere `ps` is asked, in KiB. */
const residentMemory = (pid: number): number | null => {
  try {
    const text =
      process.platform === 'linux'
        ? (/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '')
        : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
    const kibibytes = Number.parseInt(text, 10);
    return Number.isNaN(kibibytes) ? null : kibibytes * 1024;
  } catch {
    // It has ended.
    return null;
  }
};

/** Linux counts it in hundredths of a second, in fields 14 and 15 of a line whose second field may hold spaces. */
const processorTime = (pid: number): number | null => {
  try {
    const [, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [user, system] = fields.join(') ').split(' ').slice(11, 13).map(Number);
    return user === undefined || system === undefined ? null : (user + system) * 10;
  } catch {
    return null;
  }
};

const answers = (port: number, path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, agent: false, timeout: 1_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });

const exitOf = async (child: ChildProcess): Promise<Exit> => {
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal };
};

/** Starts a Node program of ours that listens on PORT, and waits until it does. Rejects with what it wrote if it does not. */
export const startChild = async (options: ChildOptions): Promise<Child> => {
  const port = options.port ?? (await freePort());
  const entry = fileURLToPath(new URL(options.entry, import.meta.url));
  const flags = options.heap === undefined ? [] : [`--max-old-space-size=${String(options.heap)}`];
  const child = spawn(process.execPath, [...flags, entry], {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'] ?? '', HOST: '127.0.0.1', ...options.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = exitOf(child);
  let ended: Exit | undefined;
  void exit.then((how) => (ended = how));
  const first: string[] = [];
  let started = false;
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      if (!started && first.length < 40) first.push(line);
      options.onLine(line);
    });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${options.entry} did not start`);

  const kill = (): void => {
    child.kill('SIGKILL');
  };
  const end = Date.now() + START_MS;
  while (!(await answers(port, options.alive))) {
    if (ended !== undefined || Date.now() > end) {
      kill();
      throw new Error(`${options.entry} did not answer on port ${port}:\n${first.join('\n')}`);
    }
    await pause(20);
  }
  started = true;

  return {
    pid,
    port,
    rss: () => (ended === undefined ? residentMemory(pid) : null),
    cpu: () => (ended === undefined ? processorTime(pid) : null),
    exit,
    ended: () => ended,
    kill,
    async stop(patience) {
      child.kill('SIGTERM');
      const timer = setTimeout(kill, patience);
      const how = await exit;
      clearTimeout(timer);
      return how;
    },
  };
};
