import type { Ledger, PullMemory } from '../ledger.js';
import { fromJson } from '../values.js';
import type { Scope } from './ledger.js';

export const createPulls = ({ database: { sql }, repository }: Scope): Pick<Ledger, 'pull'> => ({
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
});
