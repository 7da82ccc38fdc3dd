import { z } from 'zod';

/** What a server wrote that it should not have to. */
export interface LogWatch {
  /** Takes one line. */
  line(text: string): void;
  /** Lines at error level but those about dead letters, and what was no log line; the first few. */
  readonly wrong: readonly string[];
}

const LINE = z.object({ level: z.number(), msg: z.string().catch('') });

/** pino's number for error. */
const ERROR = 50;
/** What is no JSON is not worked on, and the log says so for each. */
const DEAD = /^delivery failed, and is not tried again/;
const KEPT = 10;

const lineOf = (text: string): z.infer<typeof LINE> | null => {
  try {
    return LINE.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

export const createLogWatch = (): LogWatch => {
  const wrong: string[] = [];
  return {
    line(text) {
      const line = lineOf(text);
      if (line !== null && (line.level < ERROR || DEAD.test(line.msg))) return;
      if (wrong.length < KEPT) wrong.push(text.slice(0, 600));
    },
    wrong,
  };
};
