import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { StoreError } from '../store.js';
import { createEngine } from './engine.js';
import { failureOf, storeError } from './failure.js';
import type { Reply, Request, ThreadData } from './messages.js';
import { openFile, type OpenFile } from './open-file.js';
import type { Unit } from './statement.js';

/**
 * The entry of the store's thread, the only one that waits for the disk. Whatever came while the last batch was written
 * is the next batch: the busier it is, the more share one sync.
 */

/** Units in one transaction: what comes later does not wait for a whole flood. */
const MOST = 256;

const say = (port: MessagePort, reply: Reply): void => port.postMessage(reply);

const open = (port: MessagePort, options: ThreadData): OpenFile | null => {
  try {
    return openFile(options);
  } catch (error) {
    const { kind, message } =
      error instanceof StoreError ? error : storeError(failureOf(error), options.file);
    say(port, { kind: 'refused', why: kind, message });
    return null;
  }
};

/** `first`, and all that is there already. */
const drain = (port: MessagePort, first: Request): readonly Request[] => {
  const requests = [first];
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
    requests.push(next.message as Request);
  return requests;
};

const serve = (port: MessagePort, { connection, close }: OpenFile): void => {
  const engine = createEngine(connection);
  port.on('message', (first: Request) => {
    const requests = drain(port, first);
    const units = requests.flatMap((request): readonly Unit[] =>
      request.kind === 'run' ? request.units : [],
    );
    for (let from = 0; from < units.length; from += MOST)
      say(port, { kind: 'ran', outcomes: engine.run(units.slice(from, from + MOST)) });
    if (!requests.some(({ kind }) => kind === 'close')) return;
    close();
    say(port, { kind: 'closed' });
    port.close();
  });
  say(port, { kind: 'opened' });
};

if (parentPort !== null) {
  const opened = open(parentPort, workerData as ThreadData);
  if (opened !== null) serve(parentPort, opened);
}
