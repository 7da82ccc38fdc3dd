import type { Database } from '../database.js';
import type { Waiting } from '../ledger.js';
import type { Store } from '../store.js';
import { fromJson, millis } from '../values.js';
import { readActs } from './act-log.js';
import { createInbox } from './inbox.js';
import { createLedger } from './ledger.js';
import { createPlaces } from './places.js';
import { prune } from './prune.js';

/** The store over a database whose tables are of this program's version. */
export const createStore = (database: Database, now: () => number): Store => ({
  inbox: createInbox(database, now),
  ...createPlaces(database),
  repository: (repository) => createLedger({ database, repository, now }),
  async due(at) {
    const rows = await database.sql
      .selectFrom('waiting')
      .select(['repository', 'data'])
      .where('due', '<=', millis(at))
      .orderBy('due')
      .orderBy('id')
      .execute();
    return rows.map(({ repository, data }) => ({ repository, waiting: fromJson<Waiting>(data) }));
  },
  acts: (query) => readActs(database, query),
  prune: (keep) => prune(database, keep),
  close: database.close,
});
