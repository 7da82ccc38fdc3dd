import { sql as raw } from 'kysely';
import type { Database } from '../database.js';
import type { Store } from '../store.js';
import { iso, millis } from '../values.js';

/** The repositories there are, and the places somebody got to. */
export const createPlaces = ({
  sql,
}: Database): Pick<Store, 'repositories' | 'saveRepository' | 'cursor' | 'cursors' | 'saveCursor'> => ({
  async repositories() {
    const rows = await sql.selectFrom('repositories').selectAll().orderBy('id').execute();
    return rows.map(({ seen_at, ...known }) => ({ ...known, seenAt: iso(seen_at) }));
  },
  async saveRepository({ id, owner, name, installation, seenAt }) {
    const values = { owner, name, installation, seen_at: millis(seenAt) };
    await sql
      .insertInto('repositories')
      .values({ id, ...values })
      // What a late delivery tells is older than what is known.
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(values).whereRef('repositories.seen_at', '<=', 'excluded.seen_at'),
      )
      .execute();
  },
  async cursor(key) {
    const row = await sql.selectFrom('cursors').select('value').where('key', '=', key).executeTakeFirst();
    return row?.value;
  },
  async cursors(prefix) {
    return (
      sql
        .selectFrom('cursors')
        .selectAll()
        // Not LIKE: it takes capitals for small letters, and reads `_` and `%`.
        .where(raw<boolean>`substr(key, 1, ${prefix.length}) = ${prefix}`)
        .orderBy('key')
        .execute()
    );
  },
  async saveCursor(key, value) {
    await sql
      .insertInto('cursors')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  },
});
