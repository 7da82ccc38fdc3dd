import { nearest } from '../policy/nearest.js';
import { printable, quoted } from '../policy/quote.js';
import type { KnownRepository, Store } from '../store/store.js';
import { countsText, type Names } from './deliveries-text.js';
import type { Io } from './io.js';

/** The repositories the store knows, by id. */
export const namesOf = async (store: Store): Promise<Names> =>
  new Map((await store.repositories()).map((known) => [known.id, known]));

const fullName = ({ owner, name }: KnownRepository): string => `${owner}/${name}`;

/** The id of a repository that was named by `owner/name` or by its id. Null: it is not known; that is said then. */
export const repositoryId = (given: string, names: Names, io: Io): number | null => {
  if (/^\d{1,15}$/.test(given)) return Number(given);
  const all = [...names.values()];
  const found = all.find((known) => fullName(known).toLowerCase() === given.toLowerCase());
  if (found !== undefined) return found.id;
  const meant = nearest(given, all.map(fullName));
  const hint =
    meant === undefined
      ? 'Name it as owner/name or by its numeric id'
      : `Did you mean ${printable(meant)}? It can be named by its numeric id too`;
  io.err(`agent-policy: no repository ${quoted(given)} was seen so far. ${hint}.\n`);
  io.exit(1);
  return null;
};

/** What to say of a delivery that is not there: what is there instead. */
export const notThere = async (given: string, store: Store): Promise<string> => {
  const [newest] = await store.inbox.list({ limit: 1 });
  const there =
    newest === undefined
      ? 'The store holds no delivery'
      : `The store holds ${countsText(await store.inbox.counts())}; the newest is ${String(newest.id)} (${newest.guid})`;
  return `there is no delivery ${quoted(given)}. ${printable(there)}. \`agent-policy deliveries list\` shows them.`;
};
