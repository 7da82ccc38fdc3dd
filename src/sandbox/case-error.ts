import type { CaseEvent } from './case.js';

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

/** A case asks for what the sandbox cannot play. Who knows where the case says so makes a `CaseError` of it. */
export class Unplayable extends Error {
  constructor(
    readonly problem: string,
    readonly hint: string,
  ) {
    super(`${problem}: ${hint}`);
    this.name = 'Unplayable';
  }
}

/**
 * What `work` gives, while an event is played.
 * @throws {CaseError} at the event's place, where it cannot be played and the event was read from a file
 */
export const atEvent = <T>(event: CaseEvent, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Unplayable) || event.position === undefined) throw error;
    const { file, line, column } = event.position;
    throw new CaseError(file, line, column, `${event.title}: ${error.problem}`, error.hint);
  }
};
