import { Worker } from 'node:worker_threads';
import { StoreError } from '../store.js';
import type { Executor } from './executor.js';
import { closedError, failureOf, storeError } from './failure.js';
import type { Reply, Request } from './messages.js';
import type { FileOptions } from './open-file.js';
import { isToPack, parametersOf, type Answer, type Outcome, type Parameter, type Unit } from './statement.js';

interface Asked {
  readonly unit: Unit;
  readonly resolve: (answers: readonly Answer[]) => void;
  readonly reject: (error: StoreError) => void;
}

/**
 * A part of a larger buffer crosses to a thread with the whole of it: what is not all of its buffer is copied. Throws
 * TypeError where the bytes were given away before: they would be stored as none.
 */
const whole = (bytes: Uint8Array): Uint8Array => {
  if (bytes.byteLength === 0) return new Uint8Array(bytes.buffer, 0, 0);
  return bytes.byteLength < bytes.buffer.byteLength ? new Uint8Array(bytes) : bytes;
};

const crossed = (value: Parameter): Parameter => {
  if (value instanceof Uint8Array) return whole(value);
  return typeof value === 'object' && value !== null ? { toPack: whole(value.toPack) } : value;
};

/** What is moved rather than copied: a body is most of a message, and nobody here reads it again. */
const movedOf = (units: readonly Unit[]): ArrayBuffer[] => {
  const moved = new Set<ArrayBuffer>();
  for (const { parameters } of units.flat())
    for (const value of parameters)
      if (isToPack(value) && value.toPack.buffer instanceof ArrayBuffer) moved.add(value.toPack.buffer);
  return [...moved];
};

/** The unit as it can cross. Throws StoreError where a parameter cannot. */
const crossing = (unit: Unit, file: string): Unit => {
  try {
    return unit.map((statement) => ({ ...statement, parameters: parametersOf(statement).map(crossed) }));
  } catch (error) {
    throw storeError(failureOf(error), file);
  }
};

const diedError = (file: string, cause?: unknown): StoreError =>
  new StoreError(
    `The thread that writes the store ${file} ended. What it had not answered may be stored or not: start the server again.`,
    'failed',
    { cause },
  );

const settle = ({ resolve, reject }: Asked, outcome: Outcome, file: string): void => {
  switch (outcome.kind) {
    case 'done':
      return resolve(outcome.answers);
    case 'failed':
      return reject(storeError(outcome.failure, file));
  }
};

/** Hands units to a thread, and their outcomes back in the same order. */
const createHandover = (worker: Worker, file: string) => {
  let asked: Asked[] = [];
  const sent: Asked[] = [];
  /** Why nothing more is taken. */
  let over: StoreError | null = null;

  const send = (request: Request, moved: ArrayBuffer[] = []): void => worker.postMessage(request, moved);

  const flush = (): void => {
    if (asked.length === 0) return;
    const turn = asked;
    asked = [];
    sent.push(...turn);
    const units = turn.map(({ unit }) => unit);
    send({ kind: 'run', units }, movedOf(units));
  };

  return {
    async run(asking: Unit): Promise<readonly Answer[]> {
      if (over !== null) throw over;
      const unit = crossing(asking, file);
      return new Promise((resolve, reject) => {
        asked.push({ unit, resolve, reject });
        // An idle thread begins while the rest of this turn is still read; a busy one would not begin sooner.
        if (sent.length === 0) flush();
        else if (asked.length === 1) setImmediate(flush);
      });
    },
    ran(outcomes: readonly Outcome[]) {
      const answered = sent.splice(0, outcomes.length);
      for (const [index, one] of answered.entries()) {
        const outcome = outcomes[index];
        if (outcome !== undefined) settle(one, outcome, file);
      }
    },
    /** Nothing comes back any more. */
    end(error: StoreError) {
      over ??= error;
      for (const { reject } of [...sent.splice(0), ...asked.splice(0)]) reject(over);
    },
    close() {
      flush();
      over ??= closedError(file);
      send({ kind: 'close' });
    },
  };
};

/**
 * Runs units in a thread of their own. An idle one is sent what is asked for at once, a busy one all that one turn of the
 * event loop asks for; what is sent while the disk is waited for is written together. Rejects with StoreError where the
 * file cannot be opened. `onLost` is told when the thread ends unasked: nothing can be stored any more.
 */
export const openInThread = (
  options: FileOptions,
  onLost: (error: StoreError) => void,
): Promise<Executor> => {
  const worker = new Worker(new URL('./thread.js', import.meta.url), {
    workerData: options,
    // What the process was started with is about its own entry: `--input-type` alone would keep a thread from starting.
    execArgv: [],
  });
  const handover = createHandover(worker, options.file);
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let closing: Promise<void> | null = null;
  let opened = false;

  const close = async (): Promise<void> => {
    // What was asked for in this turn is on its way through promises.
    await new Promise((resolve) => setImmediate(resolve));
    handover.close();
    await ended;
  };

  const executor: Executor = { run: handover.run, close: () => (closing ??= close()) };

  return new Promise((resolve, reject) => {
    const hear = (reply: Reply): void => {
      switch (reply.kind) {
        case 'opened':
          opened = true;
          return resolve(executor);
        case 'refused':
          return reject(new StoreError(reply.message, reply.why));
        case 'ran':
          return handover.ran(reply.outcomes);
        case 'closed':
          return;
      }
    };
    worker.on('message', hear);
    const lost = (cause?: unknown): void => {
      const error = diedError(options.file, cause);
      handover.end(error);
      reject(error);
      if (opened && closing === null) onLost(error);
    };
    worker.once('error', lost);
    worker.once('exit', () => lost());
  });
};
