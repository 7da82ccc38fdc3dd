import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Child, type Exit, freePort, pause, startChild } from '../child.js';

/** What the server is started with, beside its clock. */
export interface ServerOptions {
  readonly folder: string;
  readonly githubUrl: string;
  readonly appId: number;
  readonly privateKey: string;
  readonly webhookSecret: string;
}

const status = z.object({
  worker: z.object({ running: z.number(), queued: z.number() }),
  sweeps: z.array(z.object({ sweep: z.string(), at: z.string().nullable() })),
});
export type ServerStatus = z.infer<typeof status>;

/** The real server as a process, which is killed and started again on the same store and port. */
export interface Server {
  readonly store: string;
  readonly log: string;
  readonly webhookUrl: string;
  readonly isUp: boolean;
  /** How it ended, each time it did so by itself; it is started again, as any supervisor would. */
  readonly fell: readonly string[];
  /** Resident memory in bytes, the largest seen. */
  readonly largest: number;
  start(ahead: number): Promise<void>;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
  /** SIGTERM. Throws where it does not end in order. */
  stop(): Promise<void>;
  /** Null: it gives no answer just now. */
  status(): Promise<ServerStatus | null>;
}

const CLOCK = new URL('./clock-ahead.js', import.meta.url).href;
/** What `docs/configuration.md` promises of SIGTERM, in milliseconds. */
const STOPS_WITHIN = 10_000;

const spelled = ({ code, signal }: Exit): string => signal ?? `exit ${String(code)}`;

export const createServer = async (options: ServerOptions): Promise<Server> => {
  const store = join(options.folder, 'agent-policy.db');
  const log = join(options.folder, 'server.log');
  const lines = createWriteStream(log, { flags: 'a' });
  const port = await freePort();
  const fell: string[] = [];
  let child: Child | undefined;
  let largest = 0;

  /** Takes the process out, so that nobody else ends it. */
  const taken = (): Child | undefined => {
    const one = child;
    largest = Math.max(largest, one?.rss() ?? 0);
    child = undefined;
    return one;
  };

  const start = async (ahead: number): Promise<void> => {
    const started = await startChild({
      entry: '../server.js',
      cwd: options.folder,
      alive: '/healthz',
      port,
      onLine: (line) => lines.write(`${line}\n`),
      env: {
        APP_ID: String(options.appId),
        PRIVATE_KEY: options.privateKey,
        WEBHOOK_SECRET: options.webhookSecret,
        GITHUB_API_URL: options.githubUrl,
        AGENT_POLICY_STORE: store,
        AGENT_POLICY_REQUEST_TIMEOUT: '2s',
        LOG_LEVEL: 'info',
        LOG_FORMAT: 'json',
        NODE_OPTIONS: `--import ${CLOCK}`,
        SOAK_AHEAD_MS: String(ahead),
      },
    });
    child = started;
    void started.exit.then(async (how) => {
      if (child !== started) return;
      fell.push(spelled(how));
      child = undefined;
      await start(ahead);
    });
  };

  return {
    store,
    log,
    fell,
    webhookUrl: `http://127.0.0.1:${port}/api/github/webhooks`,
    get isUp() {
      return child !== undefined && child.ended() === undefined;
    },
    get largest() {
      return Math.max(largest, child?.rss() ?? 0);
    },
    start,
    async kill() {
      const killed = taken();
      killed?.kill();
      await killed?.exit;
    },
    async stop() {
      const how = await taken()?.stop(STOPS_WITHIN);
      if (how !== undefined && how.code !== 0)
        throw new Error(`The server did not stop in order: ${spelled(how)}. Its log: ${log}`);
    },
    async status() {
      try {
        const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) });
        return status.parse(await answer.json());
      } catch {
        await pause(20);
        return null;
      }
    },
  };
};
