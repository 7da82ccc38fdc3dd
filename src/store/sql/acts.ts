import type { ActRow, Ledger } from '../ledger.js';
import { fromJson, millis } from '../values.js';
import type { Scope } from './ledger.js';

export const createActs = ({ database: { sql }, repository }: Scope): Pick<Ledger, 'act' | 'acts'> => ({
  async act(key) {
    const row = await sql
      .selectFrom('acts')
      .select('data')
      .where('repository', '=', repository)
      .where('key', '=', key)
      .executeTakeFirst();
    return row && fromJson<ActRow>(row.data);
  },
  async acts({ kind, agent, since, ref }) {
    const rows = await sql
      .selectFrom('acts')
      .select('data')
      .where('repository', '=', repository)
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
      .$if(agent !== undefined, (query) => query.where('agent', '=', agent ?? ''))
      .$if(ref !== undefined, (query) => query.where('ref', '=', ref ?? ''))
      .$if(since !== undefined, (query) => query.where('at', '>=', millis(since ?? '')))
      .orderBy('id')
      .execute();
    return rows.map(({ data }) => fromJson<ActRow>(data));
  },
});
