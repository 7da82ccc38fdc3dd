import type { Ledger, Waiting } from '../ledger.js';
import { fromJson, millis, toJson } from '../values.js';
import type { Scope } from './ledger.js';

export const createWaiting = ({
  database: { sql },
  repository,
}: Scope): Pick<Ledger, 'waiting' | 'wait' | 'unwait'> => ({
  async waiting() {
    const rows = await sql
      .selectFrom('waiting')
      .select('data')
      .where('repository', '=', repository)
      .orderBy('due')
      .orderBy('id')
      .execute();
    return rows.map(({ data }) => fromJson<Waiting>(data));
  },
  async wait(waiting) {
    const values = { due: millis(waiting.due), data: toJson(waiting) };
    await sql
      .insertInto('waiting')
      .values({ repository, name: waiting.id, ...values })
      .onConflict((conflict) => conflict.columns(['repository', 'name']).doUpdateSet(values))
      .execute();
  },
  async unwait(id) {
    await sql.deleteFrom('waiting').where('repository', '=', repository).where('name', '=', id).execute();
  },
});
