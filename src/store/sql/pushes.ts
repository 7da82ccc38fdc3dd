import type { Ledger, PushRow } from '../ledger.js';
import { fromJson, millis, toJson } from '../values.js';
import type { Scope } from './ledger.js';

/** One push may be told twice, by `push` and by `pull_request.synchronize`; two people may move a branch alike. */
const KEY = ['repository', 'ref', 'before', 'after', 'by'] as const;

export const createPushes = ({
  database: { sql },
  repository,
}: Scope): Pick<Ledger, 'pushes' | 'savePush' | 'tree'> => ({
  async pushes(ref) {
    const rows = await sql
      .selectFrom('pushes')
      .select('data')
      .where('repository', '=', repository)
      .where('ref', '=', ref)
      .orderBy('id')
      .execute();
    return rows.map(({ data }) => fromJson<PushRow>(data));
  },
  async savePush(row) {
    const { ref, before, after } = row;
    const values = { at: millis(row.at), data: toJson(row) };
    await sql
      .insertInto('pushes')
      .values({ repository, ref, before, after, by: row.by.id, tree: row.tree ?? null, ...values })
      .onConflict((conflict) =>
        conflict.columns(KEY).doUpdateSet(({ fn, ref: column }) => ({
          ...values,
          // A telling without the tree takes it from none that had it.
          tree: fn.coalesce(column('excluded.tree'), column('pushes.tree')),
        })),
      )
      .execute();
  },
  async tree(sha) {
    const row = await sql
      .selectFrom('pushes')
      .select('tree')
      .where('repository', '=', repository)
      .where('after', '=', sha)
      .where('tree', 'is not', null)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.tree ?? undefined;
  },
});
