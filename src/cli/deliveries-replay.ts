import { printable } from '../policy/quote.js';
import type { DeliveryState } from '../store/inbox.js';
import type { Store } from '../store/store.js';
import { plural } from '../words/names.js';
import { namesOf, notThere, repositoryId } from './deliveries-find.js';
import type { Listed } from './deliveries-text.js';
import type { Io } from './io.js';

export interface ReplayOptions {
  readonly dead: boolean;
  readonly repository?: string;
}

/** More dead deliveries than anybody would keep. */
const ALL = 1_000_000;

const HOW = 'A running server takes them up within seconds; where none runs, its next start does.';

const whyNot = (state: DeliveryState): string =>
  state === 'expected'
    ? 'GitHub was asked to send it again, and it has not come yet: there is nothing to replay'
    : "its body is not kept any more (AGENT_POLICY_KEEP_BODIES). Where GitHub's log of deliveries still shows it, redeliver it there";

const chosen = async (
  store: Store,
  given: readonly string[],
  options: ReplayOptions,
  io: Io,
): Promise<readonly Listed[] | null> => {
  if (!options.dead) {
    const found: Listed[] = [];
    for (const name of given) {
      const delivery = await store.inbox.find(name);
      if (delivery === undefined) {
        io.err(`agent-policy: ${await notThere(name, store)}\n`);
        io.exit(1);
      } else {
        found.push(delivery);
      }
    }
    return found;
  }
  const repository =
    options.repository === undefined ? undefined : repositoryId(options.repository, await namesOf(store), io);
  if (repository === null) return null;
  const dead = await store.inbox.list({
    state: 'dead',
    limit: ALL,
    ...(repository === undefined ? {} : { repository }),
  });
  if (dead.length === 0) {
    io.err('no delivery is dead: there is nothing to replay\n');
    io.exit(1);
  }
  // Oldest first, as they would have been worked on.
  return dead.toSorted((a, b) => a.id - b.id);
};

/** Queues deliveries once more. Each that cannot be is said, and the others are queued all the same. */
export const replay = async (
  store: Store,
  given: readonly string[],
  options: ReplayOptions,
  io: Io,
): Promise<void> => {
  if (given.length > 0 === options.dead || (options.repository !== undefined && !options.dead)) {
    io.err('agent-policy: name deliveries by id or GUID, or say --dead (and --repository with it).\n');
    io.exit(2);
    return;
  }
  const deliveries = await chosen(store, given, options, io);
  let queued = 0;
  for (const { id, guid, state } of deliveries ?? []) {
    if (state === 'queued') {
      io.out(printable(`${String(id)} (${guid}): is queued already`) + '\n');
    } else if (await store.inbox.replay(id)) {
      queued += 1;
      io.out(printable(`${String(id)} (${guid}): queued again; it was ${state}`) + '\n');
    } else {
      io.err(printable(`agent-policy: ${String(id)} (${guid}) is not queued: ${whyNot(state)}`) + '.\n');
      io.exit(1);
    }
  }
  if (queued > 0) io.out(`${plural(queued, 'delivery', 'deliveries')} queued. ${HOW}\n`);
};
