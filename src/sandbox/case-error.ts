/** A file is not a case: where, what is wrong, and what its author can do. `simulate --check` exits 2 on it. */
export class CaseError extends Error {
  constructor(
    readonly file: string,
    /** From 1. */
    readonly line: number,
    /** From 1. */
    readonly column: number,
    readonly problem: string,
    readonly hint: string,
  ) {
    super(`${file}:${line}:${column}: ${problem}\n  ${hint}`);
    this.name = 'CaseError';
  }
}
