import type { CheckMemory, CommentMemory, Ledger } from '../ledger.js';
import { fromJson, toJson } from '../values.js';
import type { Scope } from './ledger.js';

/** What was written where people look: checks by head, comments by PR or issue. */
export const createTexts = ({
  database: { sql },
  repository,
  now,
}: Scope): Pick<Ledger, 'check' | 'saveCheck' | 'comment' | 'saveComment'> => ({
  async check(sha) {
    const row = await sql
      .selectFrom('checks')
      .select('data')
      .where('repository', '=', repository)
      .where('sha', '=', sha)
      .executeTakeFirst();
    return row && fromJson<CheckMemory>(row.data);
  },
  async saveCheck(memory) {
    const values = { at: now(), data: toJson(memory) };
    await sql
      .insertInto('checks')
      .values({ repository, sha: memory.sha, ...values })
      .onConflict((conflict) => conflict.columns(['repository', 'sha']).doUpdateSet(values))
      .execute();
  },
  async comment(number) {
    const row = await sql
      .selectFrom('comments')
      .select('data')
      .where('repository', '=', repository)
      .where('number', '=', number)
      .executeTakeFirst();
    return row && fromJson<CommentMemory>(row.data);
  },
  async saveComment(memory) {
    const data = toJson(memory);
    await sql
      .insertInto('comments')
      .values({ repository, number: memory.number, data })
      .onConflict((conflict) => conflict.columns(['repository', 'number']).doUpdateSet({ data }))
      .execute();
  },
});
