/** What a command may touch. The process's own is made in `main.ts`; tests give theirs. */
export interface Io {
  /** Standard output. The text is written as it is, so it ends with its own line break. */
  out(text: string): void;
  /** Standard error. */
  err(text: string): void;
  /**
   * A file's bytes.
   * @throws {Error} where it cannot be read, with a message that says why
   */
  readFile(path: string): Uint8Array;
  /** Whether there is a file of that path. */
  exists(path: string): boolean;
  /** Sets the status the process will end with. The highest one asked for counts. */
  exit(status: ExitStatus): void;
}

/** 0: all is well. 1: a problem was found. 2: bad usage, or something that cannot be read. */
export type ExitStatus = 0 | 1 | 2;
