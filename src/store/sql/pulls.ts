import type { Ledger, PullMemory } from '../ledger.js';
import { fromJson, toJson } from '../values.js';
import type { Scope } from './ledger.js';

export const createPulls = ({ database, repository }: Scope): Pick<Ledger, 'pull' | 'savePull'> => {
  const { sql, together } = database;
  return {
    async pull(number) {
      const row = await sql
        .selectFrom('pulls')
        .leftJoin('attributions', (join) =>
          join
            .onRef('attributions.repository', '=', 'pulls.repository')
            .onRef('attributions.pull', '=', 'pulls.number'),
        )
        .select(['pulls.data as memory', 'attributions.data as evidence'])
        .where('pulls.repository', '=', repository)
        .where('pulls.number', '=', number)
        .executeTakeFirst();
      if (row === undefined) return { number };
      const memory = fromJson<PullMemory>(row.memory);
      if (row.evidence === null) return memory;
      return { ...memory, evidence: fromJson<NonNullable<PullMemory['evidence']>>(row.evidence) };
    },
    async savePull({ evidence, ...memory }) {
      const { number } = memory;
      const data = toJson(memory);
      const saved = sql
        .insertInto('pulls')
        .values({ repository, number, data })
        .onConflict((conflict) => conflict.columns(['repository', 'number']).doUpdateSet({ data }));
      const gone = sql
        .deleteFrom('attributions')
        .where('repository', '=', repository)
        .where('pull', '=', number);
      if (evidence === undefined) {
        await together([saved.compile(), gone.compile()]);
        return;
      }
      const seen = toJson(evidence);
      const kept = sql
        .insertInto('attributions')
        .values({ repository, pull: number, data: seen })
        .onConflict((conflict) => conflict.columns(['repository', 'pull']).doUpdateSet({ data: seen }));
      await together([saved.compile(), kept.compile()]);
    },
  };
};
