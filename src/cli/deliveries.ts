import { InvalidArgumentError, Option, type Command } from 'commander';
import type { DeliveryState } from '../store/inbox.js';
import type { Store } from '../store/store.js';
import { namesOf, notThere, repositoryId } from './deliveries-find.js';
import { replay, type ReplayOptions } from './deliveries-replay.js';
import {
  bodyJson,
  bodyText,
  countsText,
  deliveryJson,
  listText,
  showText,
  STATES,
} from './deliveries-text.js';
import type { Io } from './io.js';
import type { Outside } from './outside.js';
import { jsonLine } from './problem-text.js';
import { STORE_OPTION, withStore } from './store-option.js';

interface ListOptions {
  readonly state?: DeliveryState;
  readonly repository?: string;
  readonly limit: number;
  readonly json: boolean;
}

interface ShowOptions {
  readonly body: boolean;
  readonly json: boolean;
}

const list = async (store: Store, options: ListOptions, io: Io): Promise<void> => {
  const names = await namesOf(store);
  const repository =
    options.repository === undefined ? undefined : repositoryId(options.repository, names, io);
  if (repository === null) return;
  const { state, limit } = options;
  const rows = await store.inbox.list({
    limit,
    ...(state === undefined ? {} : { state }),
    ...(repository === undefined ? {} : { repository }),
  });
  if (rows.length === 0) {
    const what = `${state === undefined ? '' : `${state} `}delivery${repository === undefined ? '' : ' of that repository'}`;
    io.err(`no ${what}; in the store: ${countsText(await store.inbox.counts())}\n`);
    io.exit(1);
  } else if (options.json) {
    for (const row of rows) io.out(jsonLine(deliveryJson(row, names)));
  } else {
    io.out(listText(rows, names, await store.inbox.counts()));
  }
};

const show = async (store: Store, given: string, options: ShowOptions, io: Io): Promise<void> => {
  const delivery = await store.inbox.find(given);
  if (delivery === undefined) {
    io.err(`agent-policy: ${await notThere(given, store)}\n`);
    io.exit(1);
    return;
  }
  const { body } = delivery;
  if (options.body && body === null) {
    io.err(
      delivery.state === 'expected'
        ? 'agent-policy: its body is not here: GitHub was asked to send it again, and it has not come yet.\n'
        : "agent-policy: its body is not kept any more. AGENT_POLICY_KEEP_BODIES says how long bodies are kept; GitHub's own log of deliveries shows the last three days.\n",
    );
    io.exit(1);
  }
  const names = await namesOf(store);
  if (options.json) {
    const asData = body === null ? null : (bodyJson(body)?.value ?? new TextDecoder().decode(body));
    io.out(jsonLine({ ...deliveryJson(delivery, names), ...(options.body ? { body: asData } : {}) }));
    return;
  }
  if (!options.body) io.out(showText(delivery, names));
  else if (body !== null) io.out(bodyText(body));
};

const atMost = (text: string): number => {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('It takes a number from 1 to 99999.');
  return Number(text);
};

const EXIT = '\nExit status: 0 done, 1 nothing matched or it could not be done, 2 the store cannot be read.';

/** `agent-policy deliveries list|show|replay` */
export const registerDeliveries = (program: Command, io: Io, outside: Outside): void => {
  const deliveries = program
    .command('deliveries')
    .description('what GitHub delivered: list it, show one with its error, queue it once more')
    .addHelpText('after', EXIT);
  const subcommand = (name: string, description: string): Command =>
    deliveries
      .command(name)
      .description(description)
      .option(...STORE_OPTION)
      .addHelpText('after', EXIT);

  subcommand('list', 'the deliveries in the store, newest first')
    .addOption(new Option('--state <state>', 'only these').choices(STATES))
    .option('--repository <name>', 'only of this repository: owner/name, or its numeric id')
    .option('--limit <number>', 'at most so many', atMost, 50)
    .option('--json', 'one JSON object a line', false)
    .action((options: ListOptions & { readonly store?: string }) =>
      withStore(options.store, io, outside, (store) => list(store, options, io)),
    );

  subcommand('show', 'one delivery: its state, its error, its times')
    .argument('<delivery>', 'its id, or its GUID as GitHub shows it')
    .option('--body', 'the payload instead', false)
    .option('--json', 'as one JSON object', false)
    .action((given: string, options: ShowOptions & { readonly store?: string }) =>
      withStore(options.store, io, outside, (store) => show(store, given, options, io)),
    );

  subcommand('replay', 'queue deliveries once more, whatever became of them')
    .argument('[delivery...]', 'ids or GUIDs')
    .option('--dead', 'all that are dead', false)
    .option('--repository <name>', 'with --dead: only of this repository')
    .action((given: readonly string[], options: ReplayOptions & { readonly store?: string }) =>
      withStore(options.store, io, outside, (store) => replay(store, given, options, io)),
    );
};
