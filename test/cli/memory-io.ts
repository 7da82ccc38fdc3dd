import type { ExitStatus, Io } from '../../src/cli/io.js';

export interface Result {
  readonly out: string;
  readonly err: string;
  readonly status: ExitStatus;
}

/** A command's world in memory. */
export const memoryIo = (files: Readonly<Record<string, string>>): Io & { result(): Result } => {
  let out = '';
  let err = '';
  let status: ExitStatus = 0;
  return {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    readFile: (path) => {
      const text = files[path];
      if (text === undefined) throw Object.assign(new Error(`open '${path}'`), { code: 'ENOENT' });
      return new TextEncoder().encode(text);
    },
    exists: (path) => Object.hasOwn(files, path),
    exit: (asked) => {
      if (asked > status) status = asked;
    },
    result: () => ({ out, err, status }),
  };
};
