import type { Ledger, Suspension } from '../ledger.js';
import { fromJson } from '../values.js';
import type { Scope } from './ledger.js';

export const createSuspensions = ({
  database: { sql },
  repository,
}: Scope): Pick<Ledger, 'suspensions' | 'resume'> => ({
  async suspensions() {
    const rows = await sql
      .selectFrom('suspensions')
      .select('data')
      .where('repository', '=', repository)
      .orderBy('id')
      .execute();
    return rows.map(({ data }) => fromJson<Suspension>(data));
  },
  async resume(agent) {
    await sql
      .deleteFrom('suspensions')
      .where('repository', '=', repository)
      .where('agent', '=', agent)
      .execute();
  },
});
