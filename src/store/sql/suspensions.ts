import type { Ledger, Suspension } from '../ledger.js';
import { fromJson, toJson } from '../values.js';
import type { Scope } from './ledger.js';

export const createSuspensions = ({
  database: { sql },
  repository,
}: Scope): Pick<Ledger, 'suspensions' | 'suspend' | 'resume'> => ({
  async suspensions() {
    const rows = await sql
      .selectFrom('suspensions')
      .select('data')
      .where('repository', '=', repository)
      .orderBy('id')
      .execute();
    return rows.map(({ data }) => fromJson<Suspension>(data));
  },
  async suspend(suspension) {
    const data = toJson(suspension);
    await sql
      .insertInto('suspensions')
      .values({ repository, agent: suspension.agent, data })
      .onConflict((conflict) => conflict.columns(['repository', 'agent']).doUpdateSet({ data }))
      .execute();
  },
  async resume(agent) {
    await sql
      .deleteFrom('suspensions')
      .where('repository', '=', repository)
      .where('agent', '=', agent)
      .execute();
  },
});
