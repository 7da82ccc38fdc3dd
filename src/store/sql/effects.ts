import type { EffectNote, Ledger } from '../ledger.js';
import { fromJson, millis, toJson } from '../values.js';
import type { Scope } from './ledger.js';

/** Done, and noted: two things that are known of one key, and neither changes the other. */
export const createEffects = ({
  database: { sql },
  repository,
}: Scope): Pick<Ledger, 'done' | 'effect' | 'noteEffect'> => {
  const ofKey = (key: string) =>
    sql
      .selectFrom('effects')
      .select(['data', 'done'])
      .where('repository', '=', repository)
      .where('key', '=', key)
      .executeTakeFirst();
  return {
    async done(key) {
      return (await ofKey(key))?.done === 1;
    },
    async effect(key) {
      const row = await ofKey(key);
      return row?.data ? fromJson<EffectNote>(row.data) : undefined;
    },
    async noteEffect(key, note) {
      const values = { state: note.state, data: toJson(note), at: millis(note.at) };
      await sql
        .insertInto('effects')
        .values({ repository, key, done: 0, ...values })
        .onConflict((conflict) => conflict.columns(['repository', 'key']).doUpdateSet(values))
        .execute();
    },
  };
};
