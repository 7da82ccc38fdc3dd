import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pause } from '../child.js';
import { type Answer, createAnswerReader } from './answers.js';
import type { Step } from './case.js';

/** What came back for a step. */
export interface Outcome {
  readonly answers: readonly Answer[];
  /** How it ended: all was answered, the connection was closed, or nothing more came in time. */
  readonly end: 'answered' | 'closed' | 'late' | 'no HTTP' | 'not awaited';
}

interface Link {
  readonly socket: Socket;
  readonly answers: Answer[];
  readonly state: { closed: boolean; wrong: boolean; bodiless: readonly boolean[]; wake: () => void };
}

const open = async (port: number): Promise<Link> => {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  const answers: Answer[] = [];
  const state: Link['state'] = { closed: false, wrong: false, bodiless: [], wake: () => undefined };
  const reader = createAnswerReader(() => state.bodiless[answers.length] === true);
  // What it ends with is told by 'close'.
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    try {
      answers.push(...reader.read(chunk));
    } catch {
      state.wrong = true;
    }
    state.wake();
  });
  const closed = (): void => {
    if (state.closed) return;
    state.closed = true;
    answers.push(...reader.end());
    state.wake();
  };
  socket.on('end', closed);
  socket.on('close', closed);
  await once(socket, 'connect');
  return { socket, answers, state };
};

const write = async ({ socket }: Link, { pieces, pause: ms, after }: Step): Promise<void> => {
  for (const [at, piece] of pieces.entries()) {
    if (at > 0) await (ms > 0 ? pause(ms) : new Promise((resolve) => setImmediate(resolve)));
    if (!socket.writable) return;
    const last = at === pieces.length - 1;
    if (last && after === 'ended') socket.end(piece);
    else if (last && after === 'cut') {
      // It leaves this process, and nobody is there for what follows.
      await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
      socket.destroy();
    } else socket.write(piece);
  }
};

/** One connection after another to the server: a lane of a fuzzing run. */
export interface Lane {
  /** Rejects where no connection can be made. */
  send(step: Step): Promise<Outcome>;
  close(): void;
}

/** Longer than this without a request, and the server may be closing the connection just when one is sent. */
const IDLE_MS = 2_000;

export const createLane = (port: number, patience: number): Lane => {
  let link: Link | null = null;
  let usedAt = 0;

  const drop = (): void => {
    link?.socket.destroy();
    link = null;
  };

  return {
    async send(step) {
      if (link !== null && (link.state.closed || Date.now() - usedAt > IDLE_MS)) drop();
      const mine = (link ??= await open(port));
      const { answers, state } = mine;
      answers.length = 0;
      state.bodiless = step.expected.map(({ bodiless }) => bodiless);
      const wanted = step.expected.length;
      const settled = new Promise<Outcome['end']>((resolve) => {
        const timer = setTimeout(() => resolve('late'), step.patience ?? patience);
        state.wake = () => {
          const end = state.wrong
            ? 'no HTTP'
            : answers.length >= wanted
              ? 'answered'
              : state.closed
                ? 'closed'
                : null;
          if (end === null) return;
          clearTimeout(timer);
          resolve(end);
        };
      });
      const written = write(mine, step);
      if (step.after === 'cut') {
        await written;
        drop();
        return { answers: [], end: 'not awaited' };
      }
      // An early answer ends nothing: what is left of the request would be read as the next one.
      const [end] = await Promise.all([settled, written]);
      usedAt = Date.now();
      const result = { answers: [...answers], end };
      if (step.after !== 'kept' || end !== 'answered' || answers.some(({ closes }) => closes)) drop();
      return result;
    },
    close: drop,
  };
};
