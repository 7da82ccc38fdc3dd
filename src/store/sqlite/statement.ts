import { packed, type ToPack } from '../body.js';

/** What SQLite can hold. */
export type Value = string | number | bigint | null | Uint8Array;

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** It changes nothing. */
  readonly reads: boolean;
}

/** What a statement is given for one value. */
export type Parameter = Value | ToPack;

export const isToPack = (value: unknown): value is ToPack =>
  typeof value === 'object' && value !== null && 'toPack' in value && value.toPack instanceof Uint8Array;

const isParameter = (value: unknown): value is Parameter =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  value instanceof Uint8Array ||
  isToPack(value);

/**
 * The parameters, where all are what SQLite can hold; else throws TypeError. Nothing else may reach the driver: on a
 * boolean, and on a Buffer that is not in an array, it aborts the process.
 */
export const parametersOf = ({ sql, parameters }: Statement): readonly Parameter[] =>
  parameters.map((value) => {
    if (isParameter(value)) return value;
    throw new TypeError(`A ${typeof value} cannot be stored: ${sql}`);
  });

/** A parameter as SQLite is given it. */
export const valueOf = (parameter: Parameter): Value =>
  isToPack(parameter) ? packed(parameter.toPack) : parameter;

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
