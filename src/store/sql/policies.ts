import type { Ledger, PolicyMemory } from '../ledger.js';
import { fromJson, millis, toJson } from '../values.js';
import type { Scope } from './ledger.js';

export const createPolicies = ({
  database: { sql, together },
  repository,
}: Scope): Pick<Ledger, 'policies' | 'savePolicy'> => ({
  async policies(scope) {
    const rows = await sql
      .selectFrom('policies')
      .select('data')
      .where('repository', '=', repository)
      .where('scope', '=', scope)
      .orderBy('since', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(({ data }) => fromJson<PolicyMemory>(data));
  },
  async savePolicy(scope, memory) {
    // A version may come back after another: it is a row of its own, since an act is judged by its time. Of two with
    // one time, the one saved last counts as the newer: so the row is made anew.
    const { path, blob } = memory;
    const since = millis(memory.since);
    const gone = sql
      .deleteFrom('policies')
      .where('repository', '=', repository)
      .where('scope', '=', scope)
      .where('path', '=', path)
      .where('blob', '=', blob)
      .where('since', '=', since);
    const saved = sql
      .insertInto('policies')
      .values({ repository, scope, path, blob, since, data: toJson(memory) });
    await together([gone.compile(), saved.compile()]);
  },
});
