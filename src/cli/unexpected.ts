import { readDebug, type Environment } from '../settings.js';

/** What is said of an error that nobody foresaw: one line and how to report it, or the stack where it was asked for. */
export const unexpected = (error: unknown, env: Environment): string => {
  if (readDebug(env) && error instanceof Error && error.stack !== undefined) return `${error.stack}\n`;
  // A message may quote a file: nothing of it may move the cursor, and one line is enough.
  const line = String(error)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .slice(0, 500);
  return `agent-policy: unexpected: ${line}\nThis is a defect of Agent Policy: please report it, with what AGENT_POLICY_DEBUG=1 prints.\n`;
};
