/** What SQLite can hold. Anything else must not reach the driver: a boolean ends the whole process. */
export type Value = string | number | bigint | null | Uint8Array;

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** It changes nothing. */
  readonly reads: boolean;
}

/** Statements that are done in order, all or none. */
export type Unit = readonly Statement[];

export interface Answer {
  readonly rows: readonly unknown[];
  /** Rows inserted, changed or deleted. */
  readonly changes: number;
}

/** Why something failed, as plain data: it crosses from thread to thread. */
export interface Failure {
  /** SQLite's name for it; `UNEXPECTED`: it was not SQLite that failed. */
  readonly code: string;
  readonly message: string;
}

export type Outcome =
  | { readonly kind: 'done'; readonly answers: readonly Answer[] }
  | { readonly kind: 'failed'; readonly failure: Failure };
