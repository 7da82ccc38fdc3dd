import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { Stage } from './read.js';

/** A stage played in a folder that stands for its root. */
export interface Played {
  readonly root: string;
  /** Where the last WORKDIR is, in that folder. */
  readonly folder: string;
  /** What ENV sets; paths that begin with / are in that folder too. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Replay {
  /** The folder the build is given. */
  readonly context: string;
  readonly leftOut: (path: string) => boolean;
  /** Every stage gets a folder of its own below. */
  readonly scratch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Commands that touch what only a container has (users, paths outside its work folder). */
  readonly notRun: readonly string[];
}

/** What npm and Jest set for their own would change what the commands do. */
export const plainEnvironment = (env: NodeJS.ProcessEnv): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !/^(?:npm_(?:package|lifecycle|command|execpath)|NODE_|JEST_|INIT_CWD)/.test(name),
    ),
  );

const copyInto = (source: string, target: string, intoFolder: boolean, takes: (path: string) => boolean) => {
  if (!existsSync(source)) throw new Error(`COPY of what is not there: ${source}`);
  const to = intoFolder && !statSync(source).isDirectory() ? join(target, basename(source)) : target;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(source, to, { recursive: true, verbatimSymlinks: true, filter: takes });
};

/**
 * Plays the stages of a Dockerfile without Docker: COPY takes what the .dockerignore leaves, RUN runs in the folder
 * of its stage with what ENV sets. Returns the last stage, and the commands of `notRun` that came up.
 */
export const replay = (
  stages: readonly Stage[],
  { context, leftOut, scratch, env, notRun }: Replay,
): { readonly last: Played; readonly skipped: readonly string[] } => {
  const played = new Map<string, Played>();
  const skipped: string[] = [];
  let last: Played | undefined;
  for (const [index, { name, steps }] of stages.entries()) {
    const root = join(scratch, name ?? String(index));
    mkdirSync(root);
    let folder = root;
    const set: Record<string, string> = {};
    const inRoot = (path: string): string => (isAbsolute(path) ? join(root, path) : join(folder, path));
    for (const step of steps) {
      switch (step.kind) {
        case 'workdir':
          folder = inRoot(step.path);
          mkdirSync(folder, { recursive: true });
          break;
        case 'env':
          for (const [key, value] of Object.entries(step.values))
            set[key] = isAbsolute(value) ? join(root, value) : value;
          break;
        case 'copy': {
          const from = step.from === null ? undefined : played.get(step.from);
          if (step.from !== null && from === undefined) throw new Error(`there is no stage ${step.from}`);
          const intoFolder = step.target.endsWith('/') || step.sources.length > 1;
          for (const source of step.sources)
            copyInto(
              join(from?.root ?? context, source),
              inRoot(step.target),
              intoFolder,
              (path) => from !== undefined || !leftOut(relative(context, path)),
            );
          break;
        }
        case 'run': {
          if (notRun.includes(step.command)) {
            skipped.push(step.command);
            break;
          }
          const { status, stdout, stderr } = spawnSync('sh', ['-c', step.command], {
            cwd: folder,
            env: { ...env, ...set },
            encoding: 'utf8',
          });
          if (status !== 0) throw new Error(`RUN ${step.command} -> ${String(status)}\n${stdout}${stderr}`);
          break;
        }
        case 'cmd':
        case 'healthcheck':
        case 'other':
          break;
      }
    }
    last = { root, folder, env: set };
    if (name !== null) played.set(name, last);
  }
  if (last === undefined) throw new Error('there is no stage');
  return { last, skipped };
};
