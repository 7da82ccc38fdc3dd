import type { Ledger, Waiver } from '../ledger.js';
import { fromJson, toJson } from '../values.js';
import type { Scope } from './ledger.js';

const KEY = ['repository', 'pull', 'head', 'base', 'reason'] as const;

export const createWaivers = ({
  database: { sql },
  repository,
}: Scope): Pick<Ledger, 'waivers' | 'saveWaiver'> => ({
  async waivers(pull) {
    const rows = await sql
      .selectFrom('waivers')
      .select('data')
      .where('repository', '=', repository)
      .where('pull', '=', pull)
      .orderBy('id')
      .execute();
    return rows.map(({ data }) => fromJson<Waiver>(data));
  },
  async saveWaiver(waiver) {
    const { pull, head, base, reason } = waiver;
    const data = toJson(waiver);
    await sql
      .insertInto('waivers')
      .values({ repository, pull, head, base, reason, data })
      .onConflict((conflict) => conflict.columns(KEY).doUpdateSet({ data }))
      .execute();
  },
});
